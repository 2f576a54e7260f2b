/*
 * regions.h: what the files of the generator `regions` share; regions.c says what each does.
 */
#ifndef MAPWRIGHT_REGIONS_H
#define MAPWRIGHT_REGIONS_H

#include "lib/gen.h"

/* ---- sizes of countries, held and wanted; ids run from 1, 0 is water ------------------------- */

struct balance {
    int32_t count;
    int32_t *size;       /* cells held now */
    int32_t *low, *high; /* fewest and most cells that will do */
    int64_t *pressure;   /* (size - low) * weight: what a sweep evens out */
    int64_t *weight;     /* 2^16 / sqrt(low), times a factor of the sweep's */
};

/* All of them 0. */
void regions_new_balance(struct mw_run *, struct balance *, int32_t count);
/* Cells above `high` plus cells below `low`, in all. */
int64_t regions_excess(const struct balance *);

static inline void regions_resize(struct balance *c, int32_t k, int32_t by)
{
    c->size[k] += by;
    assert(c->size[k] >= 0);
    c->pressure[k] += by * c->weight[k];
}

/* ---- quotas: what each country is to have, and where ----------------------------------------- */

struct land_piece { /* of land, that hangs together */
    int32_t cells;
    int32_t first, seats; /* its countries: order[first] .. order[first + seats - 1] */
    int32_t held;         /* so many of them have a capital, and come first */
};

struct country_quota {
    struct mw_ints sizes;      /* as given; or none */
    struct mw_points capitals; /* the same; the i-th is that of country i + 1 */
    int32_t *home;             /* by capital: the piece it lies on */
    int32_t variation;         /* of sizes that are not given, in thousandths */
    int32_t count;             /* of countries */
    struct land_piece *piece;
    int32_t pieces;
    uint16_t *piece_at;  /* by index: the piece that a cell of land is on; NULL: there is one */
    int32_t *order;      /* countries, piece by piece; set by regions_deal_seats */
    int32_t *low, *high; /* fewest and most cells, by country */
};

/* The piece that a cell of land is on. */
static inline int32_t regions_piece_at(const struct country_quota *q, int32_t at)
{
    return q->piece_at ? q->piece_at[at] : 0;
}

struct label_grid;
/* Finds the pieces, and counts their cells; fails the run when they are more than countries. */
void regions_find_pieces(const struct label_grid *, struct country_quota *);
/* Gives each piece on which one country lives to that country. */
void regions_give_pieces(struct label_grid *, const struct country_quota *);
/* Shares cells out by weight, some above 0; running totals are rounded, so that nothing is lost. */
void regions_share_out(const int32_t *weight, int32_t count, int32_t cells, int32_t *share);
/* Decides which countries live on which piece, of those whose cells are known, and no more than
   countries; fails the run when sizes that are given do not fill them, or capitals leave too few
   countries for them. */
void regions_deal_seats(struct mw_run *, struct country_quota *, struct mw_rng *);
/* Sets low and high. */
void regions_set_quotas(struct mw_run *, struct country_quota *);

/* ---- the grid of labels ---------------------------------------------------------------------- */

/*
 * The cells of the map, or those of a coarser level, which stand for several each; each has the
 * label of its country, or 0: water, or land not given yet.
 *
 * Around them lies a halo one cell wide, so that no move has to test for the edge of the map: it is
 * water, or where the map wraps a copy of the other side. An index `at` goes into label[], flag[]
 * and so on; a place is at * 2 + (y & 1), since the offsets to the neighbours of a hexagon depend
 * on the row.
 *
 * The boundary lists the places that face another country. A move adds those that come to face one;
 * those that no longer do are dropped when they are next looked at.
 */
enum {
    REGIONS_LISTED = 1,
    REGIONS_HALO = 2,
    REGIONS_SEAM = 4,
    REGIONS_WATER = 8,
    REGIONS_NARROW = 16,
    REGIONS_HELD = 32
};
enum { REGIONS_NEVER = -99 };

struct capitals {
    int32_t count;
    const int32_t *place;    /* of the grid of their level */
    const uint16_t *country; /* by capital: the country that holds it */
    bool shield;             /* large countries hold the cells around their capital too */
};

struct label_grid {
    struct mw_run *run;
    struct balance *balance;
    int32_t width, height, stride;
    int32_t indices; /* size of label[] */
    uint16_t *label;
    uint8_t *flag;
    int32_t *boundary, boundary_count;
    bool hex, across, down; /* wraps across the left and right, the upper and lower edge */
    bool rings;             /* a country may close a ring around others: a last resort */
    int32_t offset[2][8];   /* to the ring around a cell: 6 on hexagons, 8 on squares */
    uint8_t joined[256];    /* whether the sides in this part of the ring hang together within it */
    uint8_t length[256];    /* of border that this part of the ring stands for */
    uint8_t shared[256];    /* sides that are in this part of the ring */
    uint16_t *town;         /* NULL, or by index: whose capital it is, or 0 */
    /* only where there is water, NULL elsewhere: */
    uint8_t *sides;       /* by index, what is land and across which sides it goes on: bit i for
                             side i, from the east clockwise */
    int32_t *place, land; /* all places of land */
    int32_t *stamp, *queue, stamps; /* for searches: by index; of `land` */
    int32_t reach;                  /* places that a search may visit; 0 on the map: none made */
    uint8_t *narrow;                /* flags of places where land touches without hanging together;
                                       NULL on the map, too */
    /* what a level has to do with the map: */
    struct capitals capitals; /* on pieces that are shared */
    int32_t *weight;          /* by index: cells of the map that a place stands for; NULL: one */
    int32_t *cell;            /* by index, with water: one of them; NULL: itself */
    int32_t usual;            /* weight of a place inland; those of others, by index: */
    int32_t *unusual, unusuals;
};

static inline uint16_t regions_country(const struct label_grid *g, int32_t place)
{
    return g->label[place >> 1];
}
/* Lists the countries that each of some places faces, at least once each: i * 2^16 + the country,
   for the i-th. The list needs room for REGIONS_FACES of each place and one more. Returns their
   number. */
enum { REGIONS_FACES = 6 };
int32_t regions_list_faces(const struct label_grid *, const int32_t *place, int32_t places,
                           uint32_t *list);
/* Sets the country of a place; boundary and balance stay as they are. */
void regions_assign(struct label_grid *, int32_t place, uint16_t country);
/*
 * What giving the place to a country beside it saves, in sides between countries; REGIONS_NEVER
 * when that is less than `least`, or might tear its country or close a ring around others.
 */
int regions_gain(struct label_grid *, int32_t place, uint16_t to, int least);
void regions_move(struct label_grid *, int32_t place, uint16_t to);

/* What borders follow: how much each country likes a place, by a tile of noise that covers the
   plane, shifted for each. Two tiles across and down, so that a shifted place is inside. */
enum { NOISE_TILE = 64, NOISE_ROW = 2 * NOISE_TILE, NOISE_GAIN = 16 };
struct noise_shift {
    uint16_t by;   /* in noise[] */
    uint16_t gain; /* how much the country's borders follow the noise; NOISE_GAIN is usual */
};
struct border_style {
    struct mw_rng rng;
    int32_t roughness;         /* in thousandths */
    int8_t *noise;             /* of NOISE_ROW rows */
    struct noise_shift *shift; /* by country */
    int32_t strength;          /* 2^-16 for a step of the noise */
};

void regions_new_style(struct mw_run *, struct border_style *, int32_t countries,
                       int32_t roughness);
/* Tries `steps` moves along the boundary, which follows the noise or not. */
void regions_sweep(struct label_grid *, struct border_style *, bool noisy, int64_t steps);

/* ---- chances of moves ------------------------------------------------------------------------ */

/*
 * Metropolis: a move that costs x (sides times tension, and what it adds to unevenness of size) is
 * made with the chance e^-x. Fixed point throughout: costs in 2^-16, chances in 2^-32.
 */
/* Of costs, in steps of 1/64; what costs more is never done. */
enum { CHANCES = 1024, COST_OF_CHANCE = 1 << 10 };
struct chances {
    uint64_t of[CHANCES + 1];
};

static inline void chances_fill(struct chances *c)
{
    uint64_t chance = UINT64_C(1) << 32;
    for (int i = 0; i < CHANCES; i++) {
        c->of[i] = chance;
        chance = (chance * UINT64_C(4228380000)) >> 32; /* 2^32 e^-(1/64) */
    }
    c->of[CHANCES] = 0;
}

/* Whether a move is made, of what it costs and the pressure against it. Branch-free: the branch
   would mispredict. */
static inline bool chances_allow(const struct chances *c, int64_t cost, int64_t pressure,
                                 uint32_t random)
{
    const int64_t most = INT64_C(4) << 16, last = (int64_t)CHANCES * COST_OF_CHANCE;
    cost += pressure > most ? most : pressure < -most ? -most : pressure;
    cost = cost < 0 ? 0 : cost > last ? last : cost;
    return random < c->of[cost / COST_OF_CHANCE];
}

static inline int32_t regions_at(const struct label_grid *g, int32_t x, int32_t y)
{
    assert(-1 <= x && x <= g->width && -1 <= y && y <= g->height);
    return (y + 1) * g->stride + x + 1;
}

/* The place that a cell of the halo or of water, met from a place, stands for; itself: none. */
int32_t regions_beyond(const struct label_grid *, int32_t place, int32_t at);
static inline int regions_sides(const struct label_grid *g) { return g->hex ? 6 : 4; }
/* The place across side i, by land or not; itself, where that is water or outside. */
static inline int32_t regions_across(const struct label_grid *g, int32_t place, int i)
{
    int32_t offset = g->offset[place & 1][g->hex ? i : 2 * i], at = (place >> 1) + offset;
    if (g->flag[at] & (REGIONS_HALO | REGIONS_WATER))
        return regions_beyond(g, place, at);
    return at * 2 + ((offset == 1 || offset == -1 ? place : ~place) & 1);
}
/* The place across side i; itself, where there is none; -1 when i is past the last side. */
static inline int32_t regions_beside(const struct label_grid *g, int32_t place, int i)
{
    if (i >= regions_sides(g))
        return -1;
    return g->sides && !(g->sides[place >> 1] >> i & 1) ? place : regions_across(g, place, i);
}

/* Labels and flags are uncleared. */
void regions_new_grid(struct mw_run *, struct label_grid *, const struct mw_lattice *,
                      struct balance *);
/* Frees all cells, and flags water and seams. */
void regions_clear_labels(struct label_grid *);
/* Once sides are found: lists the land, flags water and clears the grid. */
void regions_list_land(struct label_grid *, int32_t land);
/* Finds the land of a map with a mask, before labels are set; NULL: it is all land. */
void regions_set_land(struct label_grid *, const struct mw_rows *mask, int32_t land);
/* Copies what lies at the edges, `size` bytes for each index, to where the halo shows it. */
void regions_copy_edges(const struct label_grid *, void *cells, size_t size);
/* Once labels are set: copies the seams, lists the boundary in order of rows, and counts the cells
   of every country. */
void regions_find_boundary(struct label_grid *);

/* Whether a country may take a free cell beside it and leave the rest of the map in one piece. */
bool regions_may_take(struct label_grid *, int32_t place, uint16_t country);

static inline struct mw_lattice regions_lattice(const struct label_grid *g)
{
    enum mw_wrap wrap = g->down ? MW_WRAP_XY : g->across ? MW_WRAP_X : MW_WRAP_NONE;
    return (struct mw_lattice){g->width, g->height, g->hex ? MW_HEX : MW_SQUARE, wrap};
}

/* ---- capitals that are given ----------------------------------------------------------------- */

/* Whether a country holds the cells around its capital too. */
bool regions_shields(const struct label_grid *, int32_t country);
/* After the boundary was found: no move takes a capital away from now on. */
void regions_hold_capitals(struct label_grid *);

/* ---- where countries begin ------------------------------------------------------------------- */

/* A diagram of the countries' seats on a level. balance->low has the sizes wanted. */
struct diagram;
/* Only countries with capitals have seats yet. */
struct diagram *regions_new_diagram(struct label_grid *, struct mw_rng *noise);
/* Seats countries that have no capital on the pieces that several share. */
void regions_strew(struct diagram *, const struct country_quota *, struct mw_rng *);
/* Grows every country from its seat, and sets sizes. False: cells are left over, as there may be
   where there is water. */
bool regions_grow_diagram(struct diagram *);
/* Moves seats to the middle of their countries, and changes reaches by what these lack. */
void regions_adjust_diagram(struct diagram *);

/* ---- searches -------------------------------------------------------------------------------- */

/* A stamp that no place has, nor the one before it; it is grid.stamps from then on. */
int32_t regions_fresh_stamp(struct label_grid *);
/* Room for searches among so many places. */
void regions_prepare_search(struct label_grid *, int32_t places);
/* Whether the country of a place would come apart, or end, without it; a search. */
bool regions_is_cut_vertex(struct label_grid *, int32_t place);

/* ---- terrain: land on coarser grids ---------------------------------------------------------- */

/* Bits of grid.sides above those of sides: whether it is land; and part of a place above. */
enum { REGIONS_LAND = 0x40, REGIONS_KEPT = 0x80 };

/* Makes the level above another; NULL: two capitals would share a place there. */
struct label_grid *regions_coarsen(struct label_grid *fine);
/* Gives free land to the countries beside it, and so on until all is given. */
void regions_spread(struct label_grid *);
/* Copies countries to the finer level; land that no place stood for goes to a country beside it. */
void regions_hand_down(const struct label_grid *coarse, struct label_grid *fine);

/* ---- borders, level by level ----------------------------------------------------------------- */

/* Sweeps borders on a level, or on the map, which is the last. */
void regions_sweep_level(struct label_grid *, struct border_style *, bool last);
/* Whether a country is too near to a disc, or a quarter of one in a corner of the map, for the
   roughness. */
bool regions_is_too_round(const struct label_grid *, const struct border_style *, uint16_t country);
/* Sweeps the borders of the map again, with stronger noise at those of a country. */
void regions_roughen(struct label_grid *, struct border_style *, uint16_t country);

/* Sweeps borders under high pressure. Countries grown from capitals that lie unevenly are of any
   sizes: repeated, this makes them about even, as those that are hemmed in push the others out. */
void regions_blow_up(struct label_grid *, struct border_style *);

/* ---- exact sizes ----------------------------------------------------------------------------- */

/* Flows, as long as they help; and chains, if sizes are to be exact. */
void regions_even_out(struct label_grid *, struct mw_rng *, bool exactly);
/* Moves places between countries, by flows and chains, until every size lies from low to high.
   False when it gave up. */
bool regions_settle(struct label_grid *, struct border_style *);

/* Divides a piece of land again, `root` being one of its places: cuts it in two, then each part
   again; false: no way was found in about so many steps. */
bool regions_bisect(struct label_grid *, const struct country_quota *, const struct land_piece *,
                    struct mw_rng *, int32_t root, uint64_t steps);

/* Divides the land of the grid; fails the run where that cannot be done, or no way was found: with
   water, or for the sake of capitals: the i-th is that of country i + 1. */
void regions_divide(struct label_grid *, struct country_quota *, int32_t roughness);

/* ---- the result ------------------------------------------------------------------------------ */

enum { REGIONS_WIDTH, REGIONS_HEIGHT, REGIONS_GRID, REGIONS_WRAP, REGIONS_TABLE, REGIONS_CELLS };
enum { REGION_ID, REGION_NAME, REGION_SIZE, REGION_CAPITAL, REGION_BORDER, REGION_NEIGHBORS };

void regions_write_result(struct label_grid *, const struct mw_lattice *, struct mw_map *);

#endif
