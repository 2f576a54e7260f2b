/*
 * label_grid.c: labels on a lattice, and moves that keep every country whole.
 *
 * A move gives one cell c of country a to a country b beside it. It looks at the ring of cells
 * around c only (six hexagons, or eight squares of which four share a side with c), and is
 * allowed when
 *
 *   1. the sides of c that belong to a are at least one, and hang together within the ring;
 *      and
 *   2. the sides of c that do not belong to b hang together within the ring (water and the
 *      outside do not belong to b either).
 *
 *        a a          a b         the first may go to b. The second may not, since its two
 *       a c b        b c b        neighbours of a may have no other way to each other;
 *        a b          a b         nor may b close its ring around what lies at the left.
 *
 * Hence the two promises. Every country stays connected: a way within a that used c can go round
 * it through the ring (1), and b gets a cell beside its own. And the rest of the world stays
 * connected for every country, so none ever encloses another or a hole: for b the same argument
 * holds with the roles changed (2), for a the rest only gains a cell that lies beside b. On
 * squares «connected» means by sides both times, the strictest reading; corners serve as way
 * stations.
 *
 * Without water these tests refuse next to nothing that could be allowed: on a disc, two countries
 * that meet c in two places each would have to cross. Round a lake they may well meet twice. So
 * where there is water, and sizes are made exact, a cell that fails test 1 may still go if a search
 * finds its country connected without it (regions_is_cut_vertex).
 */
#include "kit/fractal.h"
#include "kit/integer.h"
#include "regions.h"

enum { LISTED = REGIONS_LISTED, HALO = REGIONS_HALO, SEAM = REGIONS_SEAM, WATER = REGIONS_WATER };

/* ---- the seam -------------------------------------------------------------------------------- */

/* Copies a cell at the edge of the map to where the halo shows it: up to three places. */
static void copy_to_halo(struct label_grid *g, int32_t at)
{
    int32_t y = at / g->stride - 1, x = at % g->stride - 1;
    int32_t beside = !g->across ? x : x == 0 ? g->width : x == g->width - 1 ? -1 : x;
    int32_t beyond = !g->down ? y : y == 0 ? g->height : y == g->height - 1 ? -1 : y;
    uint16_t label = g->label[at];
    g->label[regions_at(g, beside, y)] = label;
    g->label[regions_at(g, x, beyond)] = label;
    g->label[regions_at(g, beside, beyond)] = label;
}

void regions_copy_edges(const struct label_grid *g, void *cells, size_t size)
{
    char *at = cells;
    size_t row = (size_t)g->stride * size, last = (size_t)g->width * size;
    for (int32_t y = 1; g->across && y <= g->height; y++) {
        memcpy(at + (size_t)y * row, at + (size_t)y * row + last, size);
        memcpy(at + (size_t)y * row + last + size, at + (size_t)y * row + size, size);
    }
    if (!g->down)
        return;
    memcpy(at, at + (size_t)g->height * row, row);
    memcpy(at + ((size_t)g->height + 1) * row, at + row, row);
}

static void flag_edges(struct label_grid *g)
{
    for (int32_t y = -1; y <= g->height; y++) {
        uint8_t *row = g->flag + regions_at(g, 0, y), ends = g->across ? HALO : HALO | WATER;
        if (y < 0 || y == g->height) {
            uint8_t beyond = g->down ? HALO : HALO | WATER;
            memset(row, beyond, (size_t)g->width);
            ends |= beyond;
        } else if (g->down && (y == 0 || y == g->height - 1)) {
            for (int32_t x = 0; x < g->width; x++)
                row[x] |= SEAM;
        } else if (g->across) {
            row[0] |= SEAM;
            row[g->width - 1] |= SEAM;
        }
        row[-1] = row[g->width] = ends;
    }
}

/* ---- the boundary ---------------------------------------------------------------------------- */

/* Flags cells of a row that face another country, and those of water. Written for compilers to work
   on eight cells at once. */
MW_WIDE static void flag_cells(const struct label_grid *g, int32_t at, int32_t cells, int32_t odd)
{
    const int32_t *offset = g->offset[odd];
    const uint16_t *here = g->label + at, *up = here + offset[g->hex ? 4 : 6],
                   *up2 = here + offset[g->hex ? 5 : 6], *down = here + offset[g->hex ? 1 : 2],
                   *down2 = here + offset[2];
    uint8_t *restrict flag = g->flag + at;
    for (int32_t x = 0; x < cells; x++) {
        uint16_t own = here[x], faces = 0;
        faces |= (here[x + 1] != own) & (here[x + 1] != 0);
        faces |= (here[x - 1] != own) & (here[x - 1] != 0);
        faces |= (up[x] != own) & (up[x] != 0);
        faces |= (up2[x] != own) & (up2[x] != 0);
        faces |= (down[x] != own) & (down[x] != 0);
        faces |= (down2[x] != own) & (down2[x] != 0);
        flag[x] = (uint8_t)(own ? faces * LISTED : WATER);
    }
}

/* Lists the places of row y whose flag has one of the bits `wanted`; `flag` begins with that of the
   row's first cell. The list needs room for one more. Returns their number. */
static int32_t list_flagged(const struct label_grid *g, int32_t y, const uint8_t *flag,
                            unsigned wanted, int32_t *list)
{
    const int32_t row = regions_at(g, 0, y), width = g->width;
    int32_t n = 0;
    for (int32_t x = 0; (x = mw_next_byte(flag, x, width)) < width;)
        for (int32_t end = mw_min(x + 16, width); x < end; x++) {
            list[n] = (row + x) * 2 + (y & 1);
            n += (flag[x] & wanted) != 0;
        }
    return n;
}

/* Counts the cells of every country: without water those up to the next at the boundary are of the
   same one. */
static void count_sizes(const struct label_grid *g)
{
    int32_t *size = g->balance->size, next = 0;
    memset(size, 0, ((size_t)g->balance->count + 1) * sizeof *size);
    for (int32_t i = 0; g->place && i < g->land; i++)
        size[regions_country(g, g->place[i])]++;
    for (int32_t y = 0; !g->place && y < g->height; y++) {
        int32_t at = regions_at(g, 0, y), end = at + g->width;
        for (int32_t from = at; from < end; from = at) {
            bool any = next < g->boundary_count && g->boundary[next] >> 1 < end;
            at = any ? (g->boundary[next++] >> 1) + 1 : end;
            size[g->label[from]] += at - from;
        }
    }
    size[0] = 0;
}

void regions_find_boundary(struct label_grid *g)
{
    regions_copy_edges(g, g->label, sizeof *g->label);
    g->boundary_count = 0;
    for (int32_t y = 0; y < g->height; y++) {
        const int32_t row = regions_at(g, 0, y);
        flag_cells(g, row, g->width, y & 1);
        for (int32_t x = row; g->narrow && x < row + g->width; x++)
            g->flag[x] |= g->narrow[x];
        g->boundary_count +=
            list_flagged(g, y, g->flag + row, LISTED, g->boundary + g->boundary_count);
    }
    mw_tick(g->run, (uint64_t)g->width * (uint64_t)g->height);
    flag_edges(g);
    count_sizes(g);
}

/* ---- moves ----------------------------------------------------------------------------------- */

static void list(struct label_grid *g, int32_t place)
{
    int32_t at = place >> 1;
    assert(g->boundary_count < g->width * g->height && !(g->flag[at] & (LISTED | HALO | WATER)));
    g->flag[at] |= LISTED;
    g->boundary[g->boundary_count++] = place;
}

/* Lists the neighbours of a cell at a seam that face it now. */
static void list_across(struct label_grid *g, int32_t place, uint16_t to)
{
    for (int i = 0; i < regions_sides(g); i++) {
        int32_t beside = regions_across(g, place, i);
        if (regions_country(g, beside) != to && !(g->flag[beside >> 1] & LISTED))
            list(g, beside);
    }
}

/* The same for a cell that is not at a seam. Branch-free: the branch would mispredict. */
static inline void list_around(struct label_grid *g, int32_t at, int32_t odd, uint16_t to,
                               const bool hex)
{
    const int32_t *offset = g->offset[odd];
    const uint16_t *label = g->label;
    uint8_t *flag = g->flag;
    int32_t *boundary = g->boundary, n = g->boundary_count;
    for (int i = 0; i < (hex ? 6 : 8); i += hex ? 1 : 2) {
        int32_t beside = at + offset[i];
        bool news = (label[beside] != to) & !(flag[beside] & (LISTED | HALO | WATER));
        boundary[n] = beside * 2 + (i % (hex ? 3 : 4) ? !odd : odd);
        n += news;
        flag[beside] |= news;
    }
    assert(n <= g->width * g->height);
    g->boundary_count = n;
}

static inline void move(struct label_grid *g, int32_t place, uint16_t to, const bool hex)
{
    int32_t at = place >> 1, odd = place & 1;
    assert(g->label[at] && to && g->label[at] != to);
    regions_resize(g->balance, g->label[at], -1);
    regions_resize(g->balance, to, 1);
    g->label[at] = to;
    if (!(g->flag[at] & LISTED))
        list(g, place);
    if (g->flag[at] & SEAM) {
        copy_to_halo(g, at);
        list_across(g, place, to);
    } else {
        list_around(g, at, odd, to, hex);
    }
}

void regions_move(struct label_grid *g, int32_t place, uint16_t to) { move(g, place, to, g->hex); }

void regions_assign(struct label_grid *g, int32_t place, uint16_t country)
{
    assert(!(g->flag[place >> 1] & (HALO | WATER)));
    g->label[place >> 1] = country;
    if (g->flag[place >> 1] & SEAM)
        copy_to_halo(g, place >> 1);
}

/* The ring around a cell, from the east clockwise. */
struct label_ring {
    uint16_t label[8];
};

static inline struct label_ring ring_around(const uint16_t *label, const int32_t *offset,
                                            const bool hex)
{
    const uint16_t *down = label + offset[hex ? 2 : 3], *up = label + offset[hex ? 4 : 5];
    if (hex)
        return (struct label_ring){{label[1], down[1], down[0], label[-1], up[0], up[1]}};
    return (struct label_ring){
        {label[1], down[2], down[1], down[0], label[-1], up[0], up[1], up[2]}};
}

/* Bit i: the cell at i of the ring has that label. */
static inline unsigned part_of(const struct label_ring *ring, uint16_t wanted, const bool hex)
{
    unsigned bits = 0;
    for (int i = 0; i < (hex ? 6 : 8); i++)
        bits |= (unsigned)(ring->label[i] == wanted) << i;
    return bits;
}

/* Branch-free: the branch would mispredict. */
static inline int32_t list_faces(const struct label_grid *g, const int32_t *place, int32_t places,
                                 uint32_t *list, const bool hex)
{
    const int step = hex ? 1 : 2;
    int32_t n = 0;
    for (int32_t i = 0; i < places; i++) {
        const uint16_t *label = g->label + (place[i] >> 1), own = *label;
        const struct label_ring ring = ring_around(label, g->offset[place[i] & 1], hex);
        for (int side = hex ? 5 : 6; side >= 0; side -= step) {
            uint16_t other = ring.label[side], next = side ? ring.label[side - step] : own;
            list[n] = (uint32_t)i << 16 | other;
            n += (other != own) & (other != next) & (other != 0);
        }
    }
    assert(n <= REGIONS_FACES * places);
    return n;
}

int32_t regions_list_faces(const struct label_grid *g, const int32_t *place, int32_t places,
                           uint32_t *list)
{
    return g->hex ? list_faces(g, place, places, list, true)
                  : list_faces(g, place, places, list, false);
}

bool regions_may_take(struct label_grid *g, int32_t place, uint16_t country)
{
    assert(country);
    const uint16_t *label = g->label + (place >> 1);
    unsigned all = g->hex ? 0x3f : 0xff, sides = g->hex ? 0x3f : 0x55;
    const struct label_ring ring = ring_around(label, g->offset[place & 1], g->hex);
    unsigned own = part_of(&ring, country, g->hex);
    return own & sides && g->joined[~own & all];
}

/* Whether a side of a place leads to land of a country. */
static bool leads_to(const struct label_grid *g, int32_t place, uint16_t to)
{
    bool leads = false;
    for (int i = 0, p; !leads && (p = regions_beside(g, place, i)) >= 0; i++)
        leads = regions_country(g, p) == to;
    return leads;
}

int regions_gain(struct label_grid *g, int32_t place, uint16_t to, int least)
{
    const bool hex = g->hex;
    const unsigned all = hex ? 0x3f : 0xff;
    const uint16_t *label = g->label + (place >> 1);
    const struct label_ring ring = ring_around(label, g->offset[place & 1], hex);
    unsigned old = part_of(&ring, *label, hex);
    int lost = g->shared[old];
    if (!lost || regions_sides(g) - 2 * lost < least)
        return REGIONS_NEVER;
    unsigned new = part_of(&ring, to, hex);
    int gain = g->shared[new] - lost;
    if (gain < least || !g->shared[new] || (!g->rings && !g->joined[~new &all]))
        return REGIONS_NEVER;
    bool narrow = g->flag[place >> 1] & REGIONS_NARROW;
    if (narrow && !leads_to(g, place, to))
        return REGIONS_NEVER;
    if ((narrow || !g->joined[old]) && (!g->reach || regions_is_cut_vertex(g, place)))
        return REGIONS_NEVER;
    return gain;
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

/* One of the set bits, near enough evenly: the first one met going round from a random start. */
static inline int pick(unsigned bits, unsigned start, unsigned ring)
{
    assert(bits && start < ring);
    unsigned i = start + (unsigned)__builtin_ctz((bits | bits << ring) >> start);
    return (int)(i >= ring ? i - ring : i);
}

/* Takes a place off the boundary. */
static inline void unlist(struct label_grid *g, int32_t i)
{
    g->flag[g->boundary[i] >> 1] &= (uint8_t)~LISTED;
    g->boundary[i] = g->boundary[--g->boundary_count];
}

/* Tension on hexagons, in 2^-16 for a side: without roughness; and from half of it on. */
enum { TAUT = 200000, LOOSE = 110000 };

/* What a side of border costs, in 2^-16. */
static int32_t find_tension(const struct label_grid *g, int32_t roughness)
{
    int32_t tension = mw_max(TAUT - (TAUT - LOOSE) * roughness / 500, LOOSE);
    return g->hex ? tension : tension * 4 / 3; /* whose sides are fewer */
}

/* The cost, by the noise, of a move of a cell from one country to another. */
static inline int32_t noise_between(const struct border_style *s, const struct label_grid *g,
                                    int32_t at, uint16_t own, uint16_t to)
{
    uint32_t y = (uint32_t)at / (uint32_t)g->stride, x = (uint32_t)at % (uint32_t)g->stride;
    const int8_t *noise = s->noise + y % NOISE_TILE * NOISE_ROW + x % NOISE_TILE;
    const struct noise_shift mine = s->shift[own], other = s->shift[to];
    int32_t more = mine.gain * noise[mine.by] - other.gain * noise[other.by];
    return s->strength * more / NOISE_GAIN;
}

ALWAYS_INLINE void sweep(struct label_grid *g, struct border_style *style,
                         const struct chances *chances, bool noisy, int64_t steps, const bool hex)
{
    struct mw_rng rng = style->rng;
    const int32_t tension = find_tension(g, style->roughness);
    const unsigned around = hex ? 6 : 8, all = hex ? 0x3f : 0xff, sides = hex ? 0x3f : 0x55;
    const int64_t *pressure = g->balance->pressure;
    const uint16_t *const label = g->label;
    const uint8_t *const flag = g->flag;
    int32_t *const boundary = g->boundary;
    const uint8_t narrow = g->sides ? REGIONS_NARROW : 0;
    int64_t least[256]; /* what a move costs by border at least: if all else is of one country */
    for (unsigned old = 0; old <= all; old++)
        least[old] = g->joined[old] && old & sides
                         ? (int64_t)tension * (g->length[old] - g->length[~old & all]) / 4
                         : INT64_MAX / 2;
    int32_t i = 0;
    for (int64_t step = 0; step < steps && g->boundary_count; step++) {
        uint64_t random = mw_next(&rng);
        i = i < g->boundary_count ? i : 0;
        int32_t place = boundary[i], at = place >> 1;
        const int32_t *offset = g->offset[place & 1];
        const uint16_t own = label[at];
        const struct label_ring ring = ring_around(label + at, offset, hex);
        unsigned old = part_of(&ring, own, hex), foreign = ~old & sides;
        unsigned start = ((unsigned)(random >> 1 & 0xffff) * around) >> 16;
        uint16_t to = foreign ? label[at + offset[pick(foreign, start, around)]] : 0;
        if (!to && !(foreign & ~part_of(&ring, 0, hex))) { /* it is no longer at a border */
            unlist(g, i);
            continue;
        }
        i += 1 + (int32_t)(random & 1);
        int64_t push = pressure[to] - pressure[own], pull = 0;
        if (noisy && to)
            pull = noise_between(style, g, at, own, to);
        uint32_t luck = (uint32_t)(random >> 32);
        if (!chances_allow(chances, least[old] + pull, push, luck))
            continue;
        unsigned new = part_of(&ring, to, hex);
        unsigned may = (unsigned)(to != 0) & g->joined[~new &all] & (unsigned)!(flag[at] & narrow);
        int64_t cost = (int64_t)tension * (g->length[old] - g->length[new]) / 4;
        if (may & (unsigned)chances_allow(chances, cost + pull, push, luck))
            move(g, place, to, hex);
    }
    style->rng = rng;
}

void regions_sweep(struct label_grid *g, struct border_style *style, bool noisy, int64_t steps)
{
    struct chances chances;
    chances_fill(&chances);
    while (steps > 0) { /* in slices, so that the run can be stopped */
        int64_t slice = steps < 1 << 18 ? steps : 1 << 18;
        mw_tick(g->run, (uint64_t)slice);
        if (g->hex)
            sweep(g, style, &chances, noisy, slice, true);
        else
            sweep(g, style, &chances, noisy, slice, false);
        steps -= slice;
    }
}

/* ---- borders, level by level ----------------------------------------------------------------- */

/*
 * Each country has smooth noise of its own, which says how much it likes a place; what a move costs
 * includes by how much the giver likes the place more than the taker. So borders follow the noise
 * into bays and capes some places wide, the deeper the rougher they are to be, while tension keeps
 * single cells from fraying. The noise of all countries is one tile, shifted for each, the same
 * whatever the roughness.
 *
 * Each level adds bays of its own scale. A border moves by a place in a sweep: so where countries
 * are SMALL places across or less, there are fewer sweeps and weaker noise, which would change
 * their form. Where they are more than LARGE across, there is less of both, in proportion: coarser
 * levels have made bays enough, and a border is as rough on a large map as on a small one.
 */
enum { SMALL = 10, LARGE = 16, SWEEPS = 4 };
/* Places from node to node of the noise; its height, at the unit of the kit's. */
enum { WAVE = 4, LOUD = 250 };
/* Of the noise at full roughness, in 2^-16 for a step of it. */
enum { STRENGTH = 4800 };

/* The greatest isoperimetric quotient of a large country at roughness 0, in thousandths (a disc has
   1000); less by the roughness, down to 485. */
enum { ROUNDEST = 985 };

/* Sets weights to factor / sqrt(low), and pressures by them. */
static void weigh(struct balance *c, int32_t factor)
{
    assert(factor > 0);
    for (int32_t k = 1; k <= c->count; k++) {
        c->weight[k] = (int64_t)factor * 256 / mw_root((int64_t)mw_max(c->low[k], 1) << 16);
        c->pressure[k] = (c->size[k] - c->low[k]) * c->weight[k];
    }
}

/* Draws a tile of noise that goes on across its edges, and repeats it. */
static void draw_noise(struct mw_run *run, struct mw_rng *rng, int8_t *tiles)
{
    const struct mw_lattice lattice = {NOISE_TILE, NOISE_TILE, MW_SQUARE, MW_WRAP_XY};
    char *mark = mw_mark(run);
    uint16_t *noise = MW_NEW(run, uint16_t, NOISE_TILE * NOISE_TILE);
    mw_fractal(run, rng, &lattice, 16 * WAVE, 16 * WAVE, noise);
    for (int i = 0; i < NOISE_ROW * NOISE_ROW; i++) {
        int at = i / NOISE_ROW % NOISE_TILE * NOISE_TILE + i % NOISE_TILE;
        int32_t height = (noise[at] - MW_FRACTAL_MOST / 2) * LOUD / MW_FRACTAL_UNIT;
        tiles[i] = (int8_t)mw_clamp(height, -127, 127);
    }
    mw_rewind(run, mark);
}

void regions_new_style(struct mw_run *run, struct border_style *s, int32_t countries,
                       int32_t roughness)
{
    assert(0 <= roughness && roughness <= 1000);
    struct mw_rng rng = mw_stream(run, "noise");
    *s = (struct border_style){.rng = mw_stream(run, "borders"), .roughness = roughness};
    s->noise = MW_NEW(run, int8_t, NOISE_ROW * NOISE_ROW);
    draw_noise(run, &rng, s->noise);
    s->shift = MW_NEW(run, struct noise_shift, countries + 1);
    for (int32_t k = 0; k <= countries; k++) {
        uint64_t random = mw_next(&rng);
        uint64_t x = (random >> 32) % NOISE_TILE, y = (random >> 40) % NOISE_TILE;
        s->shift[k] = (struct noise_shift){(uint16_t)(y * NOISE_ROW + x), NOISE_GAIN};
    }
}

void regions_sweep_level(struct label_grid *g, struct border_style *s, bool last)
{
    int32_t across = (int32_t)mw_root(g->land / g->balance->count), large = mw_max(across, LARGE);
    int32_t rough = s->roughness * (4000 - s->roughness) / 3000; /* half of it is .58 */
    int32_t most = g->hex ? STRENGTH : STRENGTH * 13 / 12;       /* against the greater tension */
    int32_t strength = most * rough / 1000 * LARGE / large;
    s->strength = strength * mw_min(across, SMALL) / SMALL;
    int64_t sweeps = mw_max(mw_min(SWEEPS, across * SWEEPS / SMALL) * LARGE / large, 1);
    weigh(g->balance, 65536);
    regions_sweep(g, s, true, sweeps * g->boundary_count);
    if (!last)
        return;
    weigh(g->balance, 4 * 65536);
    regions_sweep(g, s, true, g->boundary_count / 2);
}

/* Sides of a country, those at water and at the edge of the map included. */
static int64_t count_all_sides(const struct label_grid *g, uint16_t country)
{
    int64_t sides = 0;
    for (int32_t y = 0; y < g->height; y++)
        for (int32_t at = regions_at(g, 0, y); at < regions_at(g, g->width, y); at++)
            if (g->label[at] == country) {
                const struct label_ring ring = ring_around(g->label + at, g->offset[y & 1], g->hex);
                sides += regions_sides(g) - g->shared[part_of(&ring, country, g->hex)];
            }
    mw_tick(g->run, (uint64_t)g->width * (uint64_t)g->height);
    return sides;
}

bool regions_is_too_round(const struct label_grid *g, const struct border_style *s,
                          uint16_t country)
{
    /* 4000 pi area / perimeter^2: a hexagon has the area sqrt(3) / 2 and sides of 1 / sqrt(3) */
    const int64_t factor = g->hex ? 32648 : 12566;
    int64_t sides = count_all_sides(g, country), most = ROUNDEST - mw_min(s->roughness, 500);
    return g->balance->size[country] * factor > most * sides * sides;
}

void regions_roughen(struct label_grid *g, struct border_style *s, uint16_t country)
{
    s->shift[country].gain += NOISE_GAIN / 2;
    weigh(g->balance, 4 * 65536);
    regions_sweep(g, s, true, SWEEPS * g->boundary_count);
}

void regions_blow_up(struct label_grid *g, struct border_style *s)
{
    weigh(g->balance, 8 * 65536);
    regions_sweep(g, s, false, 8 * g->boundary_count);
}

/* ---- making one ------------------------------------------------------------------------------ */

static void set_offsets(struct label_grid *g)
{
    int32_t s = g->stride;
    const int32_t even[8] = {1, s, s - 1, -1, -s - 1, -s}, odd[8] = {1, s + 1, s, -1, -s, -s + 1};
    const int32_t square[8] = {1, s + 1, s, s - 1, -1, -s - 1, -s, -s + 1};
    memcpy(g->offset[0], g->hex ? even : square, sizeof even);
    memcpy(g->offset[1], g->hex ? odd : square, sizeof odd);
}

/* Whether the sides in that part of a ring lie in one stretch of it. A corner alone is none. */
static bool hangs_together(unsigned part, int ring, unsigned sides)
{
    unsigned beside = part << 1 | part >> (ring - 1) | part >> 1 | part << (ring - 1);
    unsigned firm = part & (sides | beside);
    return mw_count_bits(firm & ~(firm << 1 | firm >> (ring - 1))) <= 1;
}

/*
 * Sets what depends on a part of the ring alone. Lengths of border are in quarters of a side; on
 * squares corners count too, by the weights of Cauchy and Crofton's formula: if only sides counted,
 * a diagonal border would cost more than one along the axes, and countries would be boxes.
 */
static void set_parts(struct label_grid *g)
{
    int ring = g->hex ? 6 : 8;
    for (unsigned part = 0; part < 1U << ring; part++) {
        int cells = mw_count_bits(part), sides = g->hex ? cells : mw_count_bits(part & 0x55);
        g->joined[part] = hangs_together(part, ring, g->hex ? 0x3f : 0x55);
        g->length[part] = (uint8_t)(g->hex ? 4 * cells : 2 * cells + sides);
        g->shared[part] = (uint8_t)sides;
    }
}

void regions_new_grid(struct mw_run *run, struct label_grid *g, const struct mw_lattice *lattice,
                      struct balance *balance)
{
    assert(lattice->width > 0 && lattice->height > 0);
    *g = (struct label_grid){.run = run,
                             .balance = balance,
                             .width = lattice->width,
                             .height = lattice->height,
                             .stride = lattice->width + 2};
    int32_t cells = g->stride * (g->height + 2);
    g->indices = cells;
    g->land = g->width * g->height;
    g->usual = 1;
    g->hex = lattice->tiling == MW_HEX;
    /* a single row or column would be its own neighbour across the seam */
    g->across = lattice->wrap != MW_WRAP_NONE && g->width > 1;
    g->down = lattice->wrap == MW_WRAP_XY && g->height > 1;
    set_offsets(g);
    set_parts(g);
    g->label = MW_NEW(run, uint16_t, cells);
    g->flag = MW_NEW(run, uint8_t, cells);
    g->boundary =
        MW_NEW(run, int32_t, g->width * g->height + 1); /* the last may be written and not used */
}

void regions_clear_labels(struct label_grid *g)
{
    memset(g->label, 0, (size_t)g->indices * sizeof *g->label);
    for (int32_t y = 0; y < g->height; y++) {
        const int32_t row = regions_at(g, 0, y), width = g->width;
        const uint8_t *sides = g->sides ? g->sides + row : NULL;
        uint8_t *restrict flag = g->flag + row;
        for (int32_t x = 0; x < width; x++)
            flag[x] = sides && !sides[x] ? WATER : 0;
    }
    flag_edges(g);
}

void regions_list_land(struct label_grid *g, int32_t land)
{
    assert(land > 0 && g->sides);
    g->place = MW_NEW(g->run, int32_t, land + 16); /* the last may be written and not used */
    g->land = 0;
    for (int32_t y = 0; y < g->height; y++)
        g->land +=
            list_flagged(g, y, g->sides + regions_at(g, 0, y), REGIONS_LAND, g->place + g->land);
    assert(g->land == land);
    regions_clear_labels(g);
}

/* Finds across which sides the land of row y continues. */
static void find_sides(const struct label_grid *g, int32_t y)
{
    uint8_t *here = g->sides + regions_at(g, 0, y);
    for (int i = 0; i < regions_sides(g); i++) {
        const uint8_t *beside = here + g->offset[y & 1][g->hex ? i : 2 * i];
        for (int32_t x = 0; x < g->width; x++)
            here[x] |= (uint8_t)((here[x] & beside[x] & REGIONS_LAND) / REGIONS_LAND << i);
    }
}

void regions_set_land(struct label_grid *g, const struct mw_rows *mask, int32_t land)
{
    g->sides = MW_NEW0(g->run, uint8_t, g->indices);
    for (int32_t y = 0; y < g->height; y++) {
        const char *row = mask ? mask->at + (int64_t)y * (mask->width + 1) : NULL;
        uint8_t *sides = g->sides + regions_at(g, 0, y);
        for (int32_t x = 0; x < g->width; x++)
            sides[x] = !row || row[x] == '#' ? REGIONS_LAND : 0;
    }
    regions_copy_edges(g, g->sides, sizeof *g->sides);
    for (int32_t y = 0; y < g->height; y++)
        find_sides(g, y);
    mw_tick(g->run, (uint64_t)g->width * (uint64_t)g->height);
    regions_list_land(g, land);
}
