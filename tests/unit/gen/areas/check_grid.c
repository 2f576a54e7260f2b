/* check_grid.c: exits and rings, against the lattice. */
#include "gen/areas/areas.h"
#include "unit/unit.h"

/* Kinds of map, by number: squares and hexagons, in one piece or wrapped. */
enum { KINDS = 6 };

static struct areas wanted(int kind, int32_t width, int32_t height)
{
    enum mw_tiling tiling = kind / 3 ? MW_HEX : MW_SQUARE;
    enum mw_wrap wrap = (enum mw_wrap)(kind % 3);
    bool odd = tiling == MW_HEX && wrap == MW_WRAP_XY && height % 2;
    return (struct areas){.width = width,
                          .height = height + odd,
                          .grid = tiling,
                          .wrap = wrap,
                          .edge = AREAS_OPEN,
                          .area = 1,
                          .count = 1,
                          .holes = true};
}

/* A grid that is all land, with open exits. */
static struct grid new_grid(struct mw_run *run, const struct areas *p)
{
    struct grid g;
    int32_t *owner = MW_NEW0(run, int32_t, p->width * p->height);
    run->ticks = INT64_MAX;
    areas_new_grid(&g, run, p, owner);
    areas_open_exits(&g);
    return g;
}

/* A cell's exits are the sides across which there is a cell with the same owner. */
static void check_exits(const struct grid *g)
{
    for (int32_t cell = 0; cell < g->cells; cell++)
        for (int side = 0; side < g->sides; side++) {
            int32_t next = mw_neighbour(&g->lattice, cell, side);
            bool open = next >= 0 && g->owner[next] == g->owner[cell];
            ck_assert_int_eq(areas_across(g, cell, side), next);
            ck_assert_int_eq(g->exits[cell] >> side & 1, open);
        }
}

TEST(exits_lead_to_cells_of_the_same_owner, .end = KINDS)
{
    struct mw_rng rng = unit_rng((uint64_t)_i);
    for (int32_t width = 1; width <= 6; width++)
        for (int32_t height = 1; height <= 6; height++) {
            struct areas p = wanted(_i, width, height);
            struct grid g = new_grid(unit_open(), &p);
            check_exits(&g);
            int32_t all[42];
            for (int32_t i = 0; i < g.cells; i++) {
                g.owner[i] = mw_between(&rng, -1, 0);
                all[i] = i;
            }
            areas_reopen_exits(&g, all, g.cells);
            check_exits(&g);
        }
}

/* The same where the rim is barred. */
static void check_rim(const struct areas *all)
{
    struct areas p = *all;
    p.edge = AREAS_SEA;
    struct mw_box in = areas_inside(&p);
    if (!areas_box_cells(in))
        return;
    struct grid g = new_grid(unit_open(), &p);
    for (int32_t i = 0; i < g.cells; i++) {
        int32_t x = i % p.width, y = i / p.width;
        bool inside = x >= in.x0 && x <= in.x1 && y >= in.y0 && y <= in.y1;
        g.owner[i] = inside ? AREAS_FREE : AREAS_BARRED;
    }
    areas_open_exits(&g);
    uint8_t looked[7 * 10];
    memcpy(looked, g.exits, (size_t)g.cells);
    areas_open_all_exits(&g);
    for (int32_t i = 0; i < g.cells; i++)
        if (g.owner[i] == AREAS_FREE)
            ck_assert_int_eq(g.exits[i], looked[i]);
}

/* Without looking, the same as by looking. */
TEST(all_exits_are_open_on_a_map_that_is_all_land, .end = KINDS)
{
    for (int32_t width = 1; width <= 7; width++)
        for (int32_t height = 1; height <= 9; height++) {
            struct areas p = wanted(_i, width, height);
            struct grid g = new_grid(unit_open(), &p);
            uint8_t looked[7 * 10];
            memcpy(looked, g.exits, (size_t)g.cells);
            areas_open_all_exits(&g);
            ck_assert_mem_eq(g.exits, looked, (size_t)g.cells);
            check_rim(&p);
        }
}

/* Of each set of sides, each as often as any other. */
TEST(every_side_of_a_set_is_as_likely, .end = KINDS)
{
    struct areas p = wanted(_i, 3, 3);
    struct grid g = new_grid(unit_open(), &p);
    for (unsigned set = 1; set < 1u << g.sides; set++) {
        uint32_t drawn[MW_MAX_SIDES] = {0}, sides = 0;
        for (int side = 0; side < g.sides; side++)
            sides += set >> side & 1;
        for (uint32_t k = 0; k < g.draws; k++)
            drawn[g.way[set * g.draws + k]]++;
        for (int side = 0; side < g.sides; side++)
            ck_assert_int_eq(drawn[side], set >> side & 1 ? g.draws / sides : 0);
    }
}

/* ---- rings ----------------------------------------------------------------------------------- */

TEST(a_ring_is_what_lies_around, .end = 2)
{
    int kind = _i * 3; /* none wraps */
    static const int dx[8] = {1, 1, 0, -1, -1, -1, 0, 1}, dy[8] = {0, 1, 1, 1, 0, -1, -1, -1};
    struct areas p = wanted(kind, 5, 4);
    struct grid g = new_grid(unit_open(), &p);
    for (int32_t cell = 0; cell < g.cells; cell++) {
        unsigned ring = 0;
        for (int32_t i = 0; i < g.cells; i++)
            g.owner[i] = i % 3 == 0;
        for (int k = 0; k < g.around; k++) {
            int32_t x = cell % 5 + dx[k], y = cell / 5 + dy[k];
            int32_t at = x < 0 || y < 0 || x > 4 || y > 3 ? -1 : y * 5 + x;
            at = g.sides == 6 ? mw_neighbour(&g.lattice, cell, k) : at;
            ck_assert_int_eq(areas_around(&g, cell, k), at);
            ring |= (unsigned)(at >= 0 && g.owner[at] == 1) << k;
        }
        ck_assert_uint_eq(areas_ring(&g, cell, 1), ring);
    }
}

/*
 * On three by three cells with the middle taken: an arc is a component, by sides, of the ring's
 * cells that are taken and hang together with a side of the middle. Four sides for squares; six
 * neighbours, of which each is beside the next, for hexagons.
 */
static int count_arcs(unsigned ring, int around)
{
    int arcs = 0, step = around == 8 ? 2 : 1;
    for (int k = 0; k < around; k += step) {
        bool here = ring >> k & 1, next = ring >> (k + step) % around & 1;
        bool between = step == 1 || (ring >> (k + 1) & 1);
        arcs += here && !(next && between); /* the last of its arc */
    }
    return arcs;
}

TEST(arcs_are_the_ways_to_join)
{
    for (int kind = 0; kind < KINDS; kind += 3) {
        struct areas p = wanted(kind, 5, 4);
        p.holes = false;
        struct grid g = new_grid(unit_open(), &p);
        for (unsigned ring = 0; ring < 1u << g.around; ring++) {
            ck_assert_int_eq(__builtin_popcount(areas_arcs(&g, ring)), count_arcs(ring, g.around));
            ck_assert_int_eq(g.once[ring], count_arcs(ring, g.around) == 1);
        }
    }
}

/* Of 2^32 products those are drawn again that would make n outcomes uneven: 2^32 mod n, the least
   in their low half. */
TEST(bits_are_drawn_again_where_they_are_uneven)
{
    static const uint32_t sides[] = {2, 3, 6, 7, 12, 4096, 60000};
    for (int i = 0; i < COUNT(sides); i++) {
        uint32_t n = sides[i], uneven = (uint32_t)((UINT64_C(1) << 32) % n), again = 0;
        for (uint32_t k = 0; k < n; k++) {
            /* The least bits that give k. */
            uint32_t bits = (uint32_t)((((uint64_t)k << 32) + n - 1) / n);
            struct mw_rng rng = unit_rng(k), before = rng;
            uint32_t drawn = areas_below(&rng, bits, n);
            bool moved = memcmp(&rng, &before, sizeof rng);
            ck_assert_uint_lt(drawn, n);
            ck_assert(moved || drawn == k);
            again += moved;
        }
        ck_assert_uint_eq(again, uneven);
    }
}
