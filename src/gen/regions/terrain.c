/*
 * terrain.c: land on coarser and coarser grids.
 *
 * On a map without water four cells make a coarse one, and nothing else changes. At a coast it is
 * not so simple: a square may hold two shores of a strait, and two squares of land side by side may
 * have water between them. So every place has doors, bits of the sides across which its land goes
 * on; and of a square that holds several parts, the heaviest alone, or the one with a capital, is a
 * place of the level above:
 *
 *     # # . .        the square holds two parts: the strait divides them. The larger is the place,
 *     # . . #        with doors to the left and above, if the land goes on there; the smaller is
 *     . . # #        left out, and comes back where it is seen, a level below.
 *     . . # #
 *
 * What hangs together through doors on one level does so on the one below, and so in cells,
 * whatever the mask: the parts of a place are joined by doors within its square, and a door is
 * there only where two parts that are kept have one between them. So a country may be handed down
 * as it is, and stays whole. What was left out goes to a country beside it.
 *
 * The ring test (label_grid.c) reads labels alone, and would be wrong where two places touch
 * without a door. Such narrow places, and those beside them, are flagged: sweeps leave them alone
 * on coarse levels, and where sizes are settled a search decides.
 *
 * What it costs: a nanosecond a cell of land, as inland the bytes of many tell at once that all
 * doors are open; at a coast some tens of nanoseconds a square.
 */
#include "kit/dsf.h"
#include "kit/integer.h"
#include "regions.h"

enum { LAND = REGIONS_LAND, KEPT = REGIONS_KEPT, MOST_PARTS = 24 };
/* Of a square, bits that add up: it is land; nothing of it is left out; all of it is inland. */
enum { SPLIT = 1, PLAIN = SPLIT | 2, WHOLE = PLAIN | 4 };

/* Of a place inland: all doors are open. */
static uint8_t all_of(const struct label_grid *g)
{
    return LAND | (uint8_t)((1 << regions_sides(g)) - 1);
}

static int32_t weight_of(const struct label_grid *g, int32_t at)
{
    return g->weight ? g->weight[at] : 1;
}

/* ---- squares --------------------------------------------------------------------------------- */

/* Two levels, one above the other. */
struct level_step {
    const struct label_grid *fine;
    struct label_grid *coarse;
    uint8_t *grade, *doors; /* by index of the coarse level */
};

/* The index of the square above that a place belongs to. */
static int32_t find_above(const struct label_grid *coarse, const struct label_grid *fine,
                          int32_t at)
{
    assert(0 <= at && at < fine->indices && coarse->width <= fine->width);
    int32_t y = mw_min((at / fine->stride - 1) / 2, coarse->height - 1), x = at % fine->stride - 1;
    int32_t shove = fine->hex ? y & 1 : 0, last = coarse->width - 1;
    if (x < shove)
        return regions_at(coarse, fine->across ? last : 0, y);
    return regions_at(coarse, mw_min((x - shove) / 2, last), y);
}

/* Lists the places of a square that are land; how many. */
static int list_parts(const struct label_grid *fine, const struct label_grid *coarse, int32_t x,
                      int32_t y, int32_t *place)
{
    bool last = x == coarse->width - 1;
    int32_t shove = fine->hex ? y & 1 : 0, n = 0;
    int32_t left = x || fine->across ? 2 * x + shove : 0, right = 2 * x + shove + 2;
    if (last)
        right = fine->across ? fine->width + shove : fine->width;
    int32_t low = y == coarse->height - 1 ? fine->height : 2 * y + 2;
    for (int32_t row = 2 * y; row < low; row++)
        for (int32_t i = left; i < right; i++) {
            int32_t at = regions_at(fine, i < fine->width ? i : i - fine->width, row);
            assert(n < MOST_PARTS);
            place[n] = at * 2 + (row & 1);
            n += !fine->sides || fine->sides[at] & LAND ? 1 : 0;
        }
    return n;
}

/* Joins the places of a square by their doors within it. */
static void join_parts(const struct label_grid *g, const int32_t *place, int n, int32_t *set)
{
    assert(0 <= n && n <= MOST_PARTS);
    mw_dsf_init(set, n);
    for (int i = 0; i < n; i++)
        for (int s = 0; s < regions_sides(g) / 2; s++) {
            int32_t beside = regions_beside(g, place[i], s);
            for (int j = 0; j < n && beside != place[i]; j++)
                if (place[j] == beside)
                    mw_dsf_join(set, i, j);
        }
}

/* Whether a square is four places, and all sides of these lead where those of squares do that have
   others all round. */
static bool is_four(const struct label_grid *fine, const struct label_grid *coarse, int32_t x,
                    int32_t y)
{
    bool even = fine->width == 2 * coarse->width && !(fine->hex && y & 1);
    return (0 < x || !(fine->hex || fine->across)) && (0 < y || !fine->down) &&
           (x < coarse->width - 1 || (even && !fine->across)) &&
           (y < coarse->height - 1 || (fine->height == 2 * coarse->height && !fine->down));
}

static inline void set_weight(struct label_grid *g, int32_t at, int32_t weight)
{
    assert(weight > 0);
    g->weight[at] = weight;
    g->unusual[g->unusuals] = at;
    g->unusuals += weight != g->usual;
}

/* Makes a place of the heaviest part of a square, or of that with a capital. */
static void keep_best(struct level_step *p, int32_t x, int32_t y)
{
    const struct label_grid *g = p->fine;
    int32_t place[MOST_PARTS], set[MOST_PARTS], weight[MOST_PARTS] = {0}, best = 0, held = -1;
    int n = list_parts(g, p->coarse, x, y, place), sets = 0;
    join_parts(g, place, n, set);
    for (int i = 0; i < n; i++) {
        int32_t root = mw_dsf_find(set, i);
        sets += root == i;
        weight[root] += weight_of(p->fine, place[i] >> 1);
        held = g->flag[place[i] >> 1] & REGIONS_HELD ? root : held;
    }
    if (!sets)
        return;
    for (int i = 1; i < n; i++)
        best = weight[i] > weight[best] ? i : best;
    best = held >= 0 ? held : best;
    for (int i = 0; i < n; i++)
        if (mw_dsf_find(set, i) == best)
            g->sides[place[i] >> 1] |= KEPT;
    int32_t at = regions_at(p->coarse, x, y);
    p->grade[at] = sets > 1 ? SPLIT : PLAIN;
    set_weight(p->coarse, at, weight[best]);
    p->coarse->cell[at] = p->fine->cell ? p->fine->cell[place[best] >> 1] : place[best] >> 1;
}

/* Makes places of so many squares inland, side by side. */
static void make_whole(struct level_step *p, int32_t at, int32_t above, int32_t squares)
{
    const struct label_grid *g = p->fine;
    const int32_t *w = p->fine->weight ? p->fine->weight + at : NULL, below = g->stride;
    const int32_t *cell = p->fine->cell ? p->fine->cell + at : NULL;
    int32_t *restrict weight = p->coarse->weight + above, *restrict cells = p->coarse->cell + above;
    int32_t *restrict unusual = p->coarse->unusual, n = p->coarse->unusuals;
    for (int32_t x = 0; x < squares; x++) {
        weight[x] = w ? w[2 * x] + w[2 * x + 1] + w[below + 2 * x] + w[below + 2 * x + 1] : 4;
        cells[x] = cell ? cell[2 * x] : at + 2 * x;
        unusual[n] = above + x;
        n += weight[x] != p->coarse->usual;
    }
    p->coarse->unusuals = n;
    memset(p->grade + above, WHOLE, (size_t)squares);
    memset(g->sides + at, all_of(g) | KEPT, 2 * (size_t)squares);
    memset(g->sides + at + below, all_of(g) | KEPT, 2 * (size_t)squares);
}

/* Grades squares of four places, side by side: 0 for water; WHOLE; or SPLIT, for a closer look. */
static void grade_row(const struct label_grid *g, int32_t at, uint8_t *restrict grade,
                      int32_t squares)
{
    const uint8_t *up = g->sides + at, *down = up + g->stride, all = all_of(g);
    for (int32_t x = 0; x < squares; x++) {
        uint8_t some = up[2 * x] | up[2 * x + 1] | down[2 * x] | down[2 * x + 1];
        uint8_t common = up[2 * x] & up[2 * x + 1] & down[2 * x] & down[2 * x + 1];
        grade[x] = (common & all) == all ? WHOLE : some & LAND ? SPLIT : 0;
    }
}

static void keep_parts(struct level_step *p)
{
    const struct label_grid *fine = p->fine, *coarse = p->coarse;
    char *mark = mw_mark(coarse->run);
    uint8_t *grade = MW_NEW(coarse->run, uint8_t, coarse->width);
    for (int32_t y = 0; y < coarse->height; y++) {
        int32_t shove = fine->hex ? y & 1 : 0, at = regions_at(fine, shove, 2 * y);
        int32_t above = regions_at(coarse, 0, y), last = coarse->width - 1;
        memset(grade, SPLIT, (size_t)coarse->width);
        if (is_four(fine, coarse, 1, y))
            grade_row(fine, at + 2, grade + 1, last - 1);
        for (int32_t x = 0; (x = mw_next_byte(grade, x, last + 1)) <= last;) {
            int32_t first = x;
            while (x <= last && grade[x] == WHOLE)
                x++;
            if (first < x)
                make_whole(p, at + 2 * first, above + first, x - first);
            else
                keep_best(p, x, y);
            x += first == x;
        }
    }
    mw_rewind(coarse->run, mark);
    mw_tick(coarse->run, (uint64_t)coarse->width * (uint64_t)coarse->height * 2);
}

/* Writes to common[] the bits that all cells in the ring around each place of row y have. */
static void meet_rings(const struct label_grid *g, const uint8_t *bits, int32_t y,
                       uint8_t *restrict common)
{
    const int32_t row = regions_at(g, 0, y), width = g->width;
    memset(common, 0xff, (size_t)width);
    for (int i = 0; i < (g->hex ? 6 : 8); i++) {
        const uint8_t *beside = bits + row + g->offset[y & 1][i];
        for (int32_t x = 0; x < width; x++)
            common[x] &= beside[x];
    }
}

/* ---- doors ----------------------------------------------------------------------------------- */

/* Opens the doors of a place that those of its parts lead through. */
static void open_doors(struct level_step *p, int32_t x, int32_t y)
{
    const struct label_grid *fine = p->fine, *coarse = p->coarse;
    int32_t part[MOST_PARTS], at = regions_at(coarse, x, y), own = at * 2 + (y & 1);
    int n = list_parts(fine, coarse, x, y, part);
    for (int i = 0; i < n; i++)
        for (int s = 0; s < regions_sides(fine) && fine->sides[part[i] >> 1] & KEPT; s++) {
            int32_t beside = regions_beside(fine, part[i], s);
            int32_t above = find_above(coarse, fine, beside >> 1);
            for (int side = 0; side < regions_sides(fine) && above != at; side++)
                if (fine->sides[beside >> 1] & KEPT &&
                    regions_beside(coarse, own, side) >> 1 == above)
                    p->doors[at] |= (uint8_t)(1 << side);
        }
}

/* Finds the doors of all places; how many these are. */
static int32_t find_doors(struct level_step *p)
{
    const struct label_grid *g = p->coarse;
    const uint8_t all = all_of(g);
    int32_t places = 0;
    uint8_t *restrict closed = MW_NEW(g->run, uint8_t, g->width);
    for (int32_t y = 0; y < g->height; y++) {
        const int32_t row = regions_at(g, 0, y), width = g->width;
        const uint8_t *grade = p->grade + row;
        uint8_t *restrict doors = p->doors + row;
        meet_rings(g, p->grade, y, closed);
        for (int32_t x = 0; x < width; x++) {
            uint8_t land = grade[x] & SPLIT, open = grade[x] >> 2 & closed[x] >> 1 & 1;
            doors[x] = (uint8_t)(land * LAND | open * all);
            closed[x] = land & !open;
            places += land;
        }
        for (int32_t x = 0; (x = mw_next_byte(closed, x, width)) < width; x++)
            open_doors(p, x, y);
    }
    mw_tick(g->run, (uint64_t)g->width * (uint64_t)g->height * 2);
    return places;
}

/* ---- narrow places --------------------------------------------------------------------------- */

/* Finds where two neighbours in the ring around a place, or one and itself, touch without a door:
   a bit less 1 has that of land just if it is none. */
static void find_narrows(struct label_grid *g)
{
    static const uint8_t doors[2][8] = {{1, 2, 2, 3, 3, 0, 0, 1}, {2, 3, 4, 5, 0, 1}};
    int ring = g->hex ? 6 : 8, step = g->hex ? 1 : 2;
    for (int32_t y = 0; y < g->height; y++) {
        const int32_t row = regions_at(g, 0, y), width = g->width;
        const uint8_t *own = g->sides + row, *next = own + g->offset[y & 1][0];
        uint8_t *restrict narrow = g->narrow + row;
        memset(narrow, 0, (size_t)width);
        for (int i = ring - 1; i >= 0; i--) {
            const uint8_t *here = own + g->offset[y & 1][i];
            uint8_t beside = (uint8_t)(1 << doors[g->hex][i]), to = (uint8_t)(1 << i / step);
            for (int32_t x = 0; x < width; x++)
                narrow[x] |= here[x] & next[x] & (uint8_t)((here[x] & beside) - 1);
            for (int32_t x = 0; x < width && i % step == 0; x++)
                narrow[x] |= here[x] & (uint8_t)((own[x] & to) - 1);
            next = here;
        }
        for (int32_t x = 0; x < width; x++)
            narrow[x] = own[x] & narrow[x] & LAND ? REGIONS_NARROW : 0;
    }
    mw_tick(g->run, (uint64_t)g->width * (uint64_t)g->height);
}

/* Without water a square is a place. At the rims it may have more parts, or fewer. */
static void weigh_squares(const struct label_grid *fine, struct label_grid *g)
{
    const int32_t width = g->width;
    int32_t place[MOST_PARTS];
    for (int32_t y = 0; y < g->height; y++) {
        int32_t *restrict weight = g->weight + regions_at(g, 0, y);
        for (int32_t x = 0; x < width; x++)
            weight[x] = g->usual;
        for (int32_t x = 0; x < width; x += y == g->height - 1 ? 1 : mw_max(width - 1, 1)) {
            int32_t sum = 0;
            for (int n = list_parts(fine, g, x, y, place); n > 0; n--)
                sum += weight_of(fine, place[n - 1] >> 1);
            set_weight(g, regions_at(g, x, y), sum);
        }
    }
    mw_tick(g->run, (uint64_t)g->land);
}

/* A grid with a cell for each 2 x 2 of another; cells left over belong to the last. */
static struct label_grid *halve(const struct label_grid *fine)
{
    struct mw_lattice lattice = regions_lattice(fine);
    lattice.width /= 2;
    lattice.height /= 2;
    if (fine->hex && fine->down)
        lattice.height &= ~1;
    struct label_grid *coarse = MW_NEW(fine->run, struct label_grid, 1);
    regions_new_grid(fine->run, coarse, &lattice, fine->balance);
    return coarse;
}

/* Finds the places of capitals on the coarser grid, and flags them on both, so that the coarser
   level keeps the land that they are on; false: two of them share a place. */
static bool raise_capitals(const struct label_grid *fine, struct label_grid *coarse)
{
    int32_t *place = MW_NEW(fine->run, int32_t, fine->capitals.count);
    coarse->capitals = fine->capitals;
    coarse->capitals.place = place;
    for (int32_t i = 0; i < fine->capitals.count; i++) {
        int32_t below = fine->capitals.place[i] >> 1, at = find_above(coarse, fine, below);
        if (coarse->flag[at] & REGIONS_HELD)
            return false;
        coarse->flag[at] |= REGIONS_HELD;
        fine->flag[below] |= REGIONS_HELD;
        place[i] = at * 2 + ((at / coarse->stride - 1) & 1);
    }
    mw_tick(fine->run, (uint64_t)fine->capitals.count);
    return true;
}

struct label_grid *regions_coarsen(struct label_grid *fine)
{
    struct mw_run *run = fine->run;
    struct label_grid *g = halve(fine);
    assert(fine->usual > 0 && fine->width / 2 == g->width);
    g->usual = 4 * fine->usual;
    regions_clear_labels(g);
    if (!raise_capitals(fine, g))
        return NULL;
    g->weight = MW_NEW(run, int32_t, g->indices);
    g->unusual = MW_NEW(run, int32_t, g->width * g->height + 1); /* one more is written */
    if (!fine->sides) {
        weigh_squares(fine, g);
        return g;
    }
    g->cell = MW_NEW(run, int32_t, g->indices);
    g->narrow = MW_NEW0(run, uint8_t, g->indices);
    uint8_t *doors = MW_NEW0(run, uint8_t, g->indices);
    struct level_step step = {fine, g, g->narrow, doors}; /* grades first, flags at last */
    keep_parts(&step);
    int32_t places = find_doors(&step);
    regions_copy_edges(g, doors, sizeof *doors);
    g->sides = doors;
    regions_list_land(g, places);
    find_narrows(g);
    regions_prepare_search(g, g->land);
    return g;
}

/* ---- countries ------------------------------------------------------------------------------- */

void regions_spread(struct label_grid *g)
{
    int32_t *queue = g->boundary, tail = 0, left = 0;
    for (int32_t n = 0; n < g->land; n++) {
        int32_t place = g->place[n];
        uint16_t country = regions_country(g, place);
        if (country)
            continue;
        for (int i = 0, p; !country && (p = regions_beside(g, place, i)) >= 0; i++)
            country = regions_country(g, p);
        left += !country;
        if (!country)
            continue;
        regions_assign(g, place, country);
        queue[tail++] = place;
    }
    for (int32_t head = 0; head < tail && left; head++)
        for (int32_t i = 0, p; (p = regions_beside(g, queue[head], i)) >= 0; i++)
            if (!regions_country(g, p)) {
                regions_assign(g, p, regions_country(g, queue[head]));
                assert(tail < g->width * g->height);
                queue[tail++] = p;
                left--;
            }
    mw_tick(g->run, (uint64_t)g->width * (uint64_t)g->height);
}

/*
 * The labels of a row of cells, by those of the one above. The block of a coarse cell is shoved by
 * one in odd coarse rows of hexagons, so that blocks touch just where coarse cells do; so nothing
 * comes apart and nothing gets enclosed.
 */
static void refine_row(const struct label_grid *coarse, int32_t row, const struct label_grid *fine,
                       uint16_t *restrict to)
{
    assert(0 <= row && row < coarse->height);
    const uint16_t *from = coarse->label + regions_at(coarse, 0, row);
    int32_t shove = fine->hex ? row & 1 : 0, whole = coarse->width;
    if (shove)
        *to++ = from[fine->across ? coarse->width - 1 : 0];
    if (shove + 2 * whole > fine->width)
        whole--;
    for (int32_t x = 0; x < whole; x++)
        to[2 * x] = to[2 * x + 1] = from[x];
    for (int32_t x = shove + 2 * whole; x < fine->width; x++)
        to[x - shove] = from[coarse->width - 1];
}

void regions_hand_down(const struct label_grid *coarse, struct label_grid *g)
{
    assert(coarse->width <= g->width);
    for (int32_t y = 0; y < g->height; y++) {
        const int32_t row = regions_at(g, 0, y), width = g->width;
        const uint8_t *sides = g->sides ? g->sides + row : NULL;
        uint16_t *restrict to = g->label + row;
        refine_row(coarse, mw_min(y / 2, coarse->height - 1), g, to);
        for (int32_t x = 0; sides && x < width; x++)
            to[x] = (uint16_t)(to[x] & -(sides[x] / KEPT));
    }
    regions_copy_edges(g, g->label, sizeof *g->label);
    mw_tick(g->run, (uint64_t)g->width * (uint64_t)g->height);
    if (g->sides)
        regions_spread(g);
}
