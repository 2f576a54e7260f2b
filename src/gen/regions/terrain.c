/*
 * terrain.c: land on coarser and coarser grids.
 *
 * On a map without water four cells make a coarse one, and all is as before. A coast spoils that:
 * a square may hold two shores of a strait, and two squares of land side by side may have water
 * between them. So every place has doors, bits of the sides across which its land goes on; and of a
 * square that holds several parts, the heaviest alone, or the one with a capital, is a place of the
 * level above:
 *
 *     # # . .        the square holds two parts: the strait divides them. The larger is the place,
 *     # . . #        with doors to the left and above, if the land goes on there; the smaller is
 *     . . # #        left out, and comes back where it is seen, a level below.
 *     . . # #
 *
 * What hangs together through doors on one level does so on the one below, and so in cells,
 * whatever the mask: the parts of a place are joined by doors within its square, and a door is
 * there only where two parts that are kept have one between them. So a country may be handed down
 * as it is, and stays whole. What was left out goes to whoever lies beside it.
 *
 * The ring test (board.c) sees labels alone, and would be deceived where two places touch without a
 * door. Such narrow places, and those beside them, are flagged: sweeps leave them alone on coarse
 * levels, and where sizes are settled a search decides.
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

static int sides_of(const struct board *b) { return b->hex ? 6 : 4; }

/* Of a place inland: all doors are open. */
static uint8_t all_of(const struct board *b) { return LAND | (uint8_t)((1 << sides_of(b)) - 1); }

static int32_t weight_of(const struct terrain *t, int32_t at)
{
    return t->weight ? t->weight[at] : 1;
}

/* ---- squares --------------------------------------------------------------------------------- */

/* Two levels, one above the other. */
struct step {
    const struct terrain *fine;
    struct terrain *coarse;
    uint8_t *grade, *doors; /* by index of the coarse level */
};

int32_t regions_above(const struct board *coarse, const struct board *fine, int32_t at)
{
    int32_t y = mw_min((at / fine->stride - 1) / 2, coarse->height - 1), x = at % fine->stride - 1;
    int32_t shove = fine->hex ? y & 1 : 0, last = coarse->width - 1;
    if (x < shove)
        return regions_at(coarse, fine->across ? last : 0, y);
    return regions_at(coarse, mw_min((x - shove) / 2, last), y);
}

/* Lists the places of a square that are land; how many. */
static int list_parts(const struct board *fine, const struct board *coarse, int32_t x, int32_t y,
                      int32_t *place)
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
            n += fine->sides[at] & LAND ? 1 : 0;
        }
    return n;
}

/* Joins the places of a square by their doors within it. */
static void join_parts(const struct board *b, const int32_t *place, int n, int32_t *set)
{
    mw_dsf_init(set, n);
    for (int i = 0; i < n; i++)
        for (int s = 0; s < sides_of(b) / 2; s++) {
            int32_t beside = regions_beside(&b->g, place[i], s);
            for (int j = 0; j < n && beside != place[i]; j++)
                if (place[j] == beside)
                    mw_dsf_join(set, i, j);
        }
}

/* Whether a square is four places, and all sides of these lead where those of squares do that have
   others all round. */
static bool is_four(const struct board *fine, const struct board *coarse, int32_t x, int32_t y)
{
    bool even = fine->width == 2 * coarse->width && !(fine->hex && y & 1);
    return (0 < x || !(fine->hex || fine->across)) && (0 < y || !fine->down) &&
           (x < coarse->width - 1 || (even && !fine->across)) &&
           (y < coarse->height - 1 || (fine->height == 2 * coarse->height && !fine->down));
}

/*
 * Where the sides of the four places of such a square lead, row by row: to one of them, or OUT, and
 * across which side of the square. On hexagons and on squares.
 */
enum { OUT = 4 };
static const uint8_t leads[2][4][6] = {
    {{1, 2, OUT + 2, OUT + 3},
     {OUT, 3, 0, OUT + 3},
     {3, OUT + 1, OUT + 2, 0},
     {OUT, OUT + 1, 2, 1}},
    {{1, 2, OUT + 3, OUT + 3, OUT + 4, OUT + 4},
     {OUT, 3, 2, 0, OUT + 4, OUT + 5},
     {3, OUT + 1, OUT + 2, OUT + 3, 0, 1},
     {OUT, OUT + 1, OUT + 1, 2, 1, OUT}},
};

/* Lists the places of such a square in that order, water and land. */
static int list_four(const struct board *fine, int32_t x, int32_t y, int32_t *place)
{
    int32_t at = regions_at(fine, 2 * x + (fine->hex ? y & 1 : 0), 2 * y);
    place[0] = at * 2, place[1] = place[0] + 2;
    place[2] = (at + fine->stride) * 2 + 1, place[3] = place[2] + 2;
    return 4;
}

/* The same as join_parts: what is joined to a place has the set of the first. */
static void join_four(const struct board *b, const int32_t *place, int32_t *set)
{
    mw_dsf_init(set, 4);
    for (int i = 0; i < 3; i++)
        for (int s = 0; s < sides_of(b) / 2; s++) {
            int lead = leads[b->hex][i][s];
            if (lead >= OUT || !(b->sides[place[i] >> 1] >> s & 1))
                continue;
            int32_t first = mw_min(set[i], set[lead]), last = mw_max(set[i], set[lead]);
            for (int j = 0; j < 4; j++)
                set[j] = set[j] == last ? first : set[j];
        }
}

/* Makes a place of the heaviest part of a square, or of that with a capital. */
static void keep_best(struct step *p, int32_t x, int32_t y)
{
    const struct board *b = p->fine->board;
    int32_t place[MOST_PARTS], set[MOST_PARTS], weight[MOST_PARTS] = {0}, best = 0, held = -1;
    bool four = is_four(b, p->coarse->board, x, y);
    int n = four ? list_four(b, x, y, place) : list_parts(b, p->coarse->board, x, y, place);
    if (four)
        join_four(b, place, set);
    else
        join_parts(b, place, n, set);
    int sets = 0;
    for (int i = 0; i < n; i++) {
        if (!(b->sides[place[i] >> 1] & LAND))
            continue;
        int32_t root = mw_dsf_find(set, i);
        sets += root == i;
        weight[root] += weight_of(p->fine, place[i] >> 1);
        held = b->g.flag[place[i] >> 1] & REGIONS_HELD ? root : held;
    }
    if (!sets)
        return;
    for (int i = 1; i < n; i++)
        best = weight[i] > weight[best] ? i : best;
    best = held >= 0 ? held : best;
    for (int i = 0; i < n; i++)
        if (mw_dsf_find(set, i) == best)
            b->sides[place[i] >> 1] |= KEPT;
    int32_t at = regions_at(p->coarse->board, x, y);
    p->grade[at] = sets > 1 ? SPLIT : PLAIN;
    p->coarse->weight[at] = weight[best];
    p->coarse->cell[at] = p->fine->cell ? p->fine->cell[place[best] >> 1] : place[best] >> 1;
}

/* Makes a place of four inland. */
static inline void make_whole(struct step *p, int32_t at, int32_t above)
{
    const int32_t *w = p->fine->weight ? p->fine->weight + at : NULL;
    const int32_t below = p->fine->board->stride;
    p->coarse->weight[above] = w ? w[0] + w[1] + w[below] + w[below + 1] : 4;
    p->coarse->cell[above] = p->fine->cell ? p->fine->cell[at] : at;
    p->grade[above] = WHOLE;
}

/* Whether that was all about a square: it is water, or four places inland, and then one. */
static inline bool keep_plainly(struct step *p, int32_t at, int32_t above)
{
    const struct board *b = p->fine->board;
    const int32_t below = b->stride;
    uint8_t *up = b->sides + at, *down = up + below;
    const uint8_t all = all_of(b);
    if (!((up[0] | up[1] | down[0] | down[1]) & LAND))
        return true;
    if ((up[0] & up[1] & down[0] & down[1] & all) != all)
        return false;
    make_whole(p, at, above);
    up[0] |= KEPT, up[1] |= KEPT, down[0] |= KEPT, down[1] |= KEPT;
    return true;
}

/* The same of four squares side by side. */
static inline bool keep_four(struct step *p, int32_t at, int32_t above)
{
    const struct board *b = p->fine->board;
    const uint64_t ones = UINT64_C(0x0101010101010101), all = ones * all_of(b);
    uint8_t *row = b->sides + at;
    uint64_t up = mw_eight_bytes(row), down = mw_eight_bytes(row + b->stride);
    if (!((up | down) & ones * LAND))
        return true;
    if ((up & down & all) != all)
        return false;
    for (int32_t i = 0; i < 4; i++)
        make_whole(p, at + 2 * i, above + i);
    for (int32_t i = 0; i < 8; i++)
        row[i] |= KEPT, row[i + b->stride] |= KEPT;
    return true;
}

static void keep_parts(struct step *p)
{
    const struct board *fine = p->fine->board, *coarse = p->coarse->board;
    for (int32_t y = 0; y < coarse->height; y++) {
        int32_t shove = fine->hex ? y & 1 : 0, at = regions_at(fine, shove, 2 * y);
        int32_t above = regions_at(coarse, 0, y), last = coarse->width - 1;
        for (int32_t x = 0; x <= last; x++) {
            bool four = is_four(fine, coarse, x, y);
            while (four && x + 4 < last && keep_four(p, at + 2 * x, above + x))
                x += 4;
            if (!four || !keep_plainly(p, at + 2 * x, above + x))
                keep_best(p, x, y);
        }
    }
    mw_tick(coarse->g.run, (uint64_t)coarse->width * (uint64_t)coarse->height * 2);
}

/* What all in the ring around each place of a strip have in common, bit by bit: into common[]. */
static void meet_rings(const struct board *b, const uint8_t *bits, struct strip s,
                       uint8_t *restrict common)
{
    memset(common, 0xff, (size_t)s.cells);
    for (int i = 0; i < (b->hex ? 6 : 8); i++) {
        const uint8_t *beside = bits + s.at + b->offset[s.y & 1][i];
        for (int32_t x = 0; x < s.cells; x++)
            common[x] &= beside[x];
    }
}

/* ---- doors ----------------------------------------------------------------------------------- */

/* Opens the doors of a place that those of its parts lead through. */
static void open_doors(struct step *p, int32_t x, int32_t y)
{
    const struct board *fine = p->fine->board, *coarse = p->coarse->board;
    int32_t part[MOST_PARTS], at = regions_at(coarse, x, y), own = at * 2 + (y & 1);
    int n = list_parts(fine, coarse, x, y, part);
    for (int i = 0; i < n; i++)
        for (int s = 0; s < sides_of(fine) && fine->sides[part[i] >> 1] & KEPT; s++) {
            int32_t beside = regions_beside(&fine->g, part[i], s);
            int32_t above = regions_above(coarse, fine, beside >> 1);
            for (int side = 0; side < sides_of(fine) && above != at; side++)
                if (fine->sides[beside >> 1] & KEPT &&
                    regions_beside(&coarse->g, own, side) >> 1 == above)
                    p->doors[at] |= (uint8_t)(1 << side);
        }
}

/* The same of four places. */
static void open_four_doors(struct step *p, int32_t x, int32_t y)
{
    const struct board *fine = p->fine->board;
    int32_t part[4], at = regions_at(p->coarse->board, x, y), step = fine->hex ? 1 : 2;
    int n = list_four(fine, x, y, part);
    for (int i = 0; i < n; i++) {
        const uint8_t *sides = fine->sides + (part[i] >> 1);
        const int32_t *offset = fine->offset[part[i] & 1];
        unsigned open = *sides & KEPT ? *sides & 0x3fU : 0;
        for (; open; open &= open - 1) {
            int s = __builtin_ctz(open), lead = leads[fine->hex][i][s];
            if (lead >= OUT && sides[offset[s * step]] & KEPT)
                p->doors[at] |= (uint8_t)(1 << (lead - OUT));
        }
    }
}

static void find_doors(struct step *p)
{
    const struct board *b = p->coarse->board;
    const uint8_t all = all_of(b);
    uint8_t *restrict closed = MW_NEW(b->g.run, uint8_t, b->width);
    for (int32_t n = 0; n < b->strips; n++) {
        const struct strip s = b->strip[n];
        const uint8_t *grade = p->grade + s.at;
        uint8_t *restrict doors = p->doors + s.at;
        int32_t left = s.at - regions_at(b, 0, s.y), places = 0;
        meet_rings(b, p->grade, s, closed);
        for (int32_t x = 0; x < s.cells; x++) {
            uint8_t land = grade[x] & SPLIT, open = grade[x] >> 2 & closed[x] >> 1 & 1;
            doors[x] = (uint8_t)(land * LAND | open * all);
            closed[x] = land & !open;
            places += land;
        }
        p->coarse->places += places;
        for (int32_t x = 0; (x = mw_next_byte(closed, x, s.cells)) < s.cells; x++)
            (is_four(p->fine->board, b, left + x, s.y) ? open_four_doors : open_doors)(p, left + x,
                                                                                       s.y);
    }
    mw_tick(b->g.run, (uint64_t)b->width * (uint64_t)b->height * 2);
}

/* ---- narrow places --------------------------------------------------------------------------- */

/* Whether two neighbours in the ring around a place, or one and itself, touch without a door. */
static bool is_narrow(const struct board *b, int32_t at, int32_t odd)
{
    static const uint8_t doors[2][8] = {{1, 2, 2, 3, 3, 0, 0, 1}, {2, 3, 4, 5, 0, 1}};
    const int32_t *offset = b->offset[odd];
    int step = b->hex ? 1 : 2;
    unsigned own = b->sides[at], next = b->sides[at + offset[0]], narrow = 0;
    for (int i = (b->hex ? 6 : 8) - 1; i >= 0; i--) {
        unsigned here = b->sides[at + offset[i]];
        narrow |= here & next & ~(here >> doors[b->hex][i] << 6) & LAND;
        narrow |= i & (step - 1) ? 0 : here & ~(own >> i / step << 6) & LAND;
        next = here;
    }
    return narrow;
}

static void find_narrows(struct terrain *t)
{
    struct board *b = t->board;
    const uint8_t all = all_of(b);
    for (int32_t n = 0; n < b->strips; n++) {
        const struct strip s = b->strip[n];
        const uint8_t *sides = b->sides + s.at;
        uint8_t *restrict narrow = t->narrow + s.at;
        meet_rings(b, b->sides, s, narrow);
        for (int32_t x = 0; x < s.cells; x++)
            narrow[x] = ((sides[x] & LAND) != 0) & ((narrow[x] & sides[x] & all) != all);
        for (int32_t x = 0; (x = mw_next_byte(narrow, x, s.cells)) < s.cells; x++)
            narrow[x] = is_narrow(b, s.at + x, s.y & 1) ? REGIONS_NARROW : 0;
    }
    mw_tick(b->g.run, (uint64_t)b->width * (uint64_t)b->height);
}

void regions_coarsen(const struct terrain *fine, const struct mw_lattice *lattice,
                     struct terrain *coarse)
{
    struct mw_run *run = fine->board->g.run;
    *coarse = (struct terrain){.board = MW_NEW(run, struct board, 1)};
    struct board *b = coarse->board;
    regions_new_board(run, b, lattice, fine->board->g.balance);
    regions_clear_board(b);
    coarse->weight = MW_NEW(run, int32_t, b->g.indices);
    coarse->cell = MW_NEW(run, int32_t, b->g.indices);
    coarse->narrow = MW_NEW0(run, uint8_t, b->g.indices);
    uint8_t *doors = MW_NEW0(run, uint8_t, b->g.indices);
    struct step step = {fine, coarse, coarse->narrow, doors}; /* grades first, flags at last */
    keep_parts(&step);
    regions_find_strips(b, step.grade);
    find_doors(&step);
    regions_copy_edges(b, doors);
    b->sides = doors;
    regions_list_land(b, coarse->places);
    find_narrows(coarse);
    regions_prepare_search(&b->g);
}

/* ---- countries ------------------------------------------------------------------------------- */

void regions_spread(struct board *b)
{
    struct ground *g = &b->g;
    char *mark = mw_mark(g->run);
    uint8_t *restrict free = MW_NEW(g->run, uint8_t, b->width);
    int32_t *queue = g->boundary, tail = 0;
    for (int32_t n = 0; n < b->strips; n++) {
        const struct strip s = b->strip[n];
        const uint8_t *sides = b->sides + s.at;
        const uint16_t *label = g->label + s.at;
        for (int32_t x = 0; x < s.cells; x++)
            free[x] = ((sides[x] & LAND) != 0) & (label[x] == 0);
        for (int32_t x = 0; (x = mw_next_byte(free, x, s.cells)) < s.cells; x++) {
            int32_t place = (s.at + x) * 2 + (s.y & 1);
            for (int32_t i = 0, p; !label[x] && (p = regions_beside(g, place, i)) >= 0; i++)
                if (regions_country(g, p))
                    regions_assign(g, place, regions_country(g, p));
            queue[tail] = place;
            tail += label[x] != 0;
        }
    }
    mw_rewind(g->run, mark);
    for (int32_t head = 0; head < tail; head++)
        for (int32_t i = 0, p; (p = regions_beside(g, queue[head], i)) >= 0; i++)
            if (!regions_country(g, p)) {
                regions_assign(g, p, regions_country(g, queue[head]));
                queue[tail++] = p;
            }
    mw_tick(g->run, (uint64_t)b->width * (uint64_t)b->height);
}

void regions_hand_down(const struct terrain *coarse, struct terrain *fine)
{
    const struct board *above = coarse->board;
    struct board *b = fine->board;
    char *mark = mw_mark(b->g.run);
    uint16_t *labels = MW_NEW(b->g.run, uint16_t, b->width);
    int32_t last = -1;
    for (int32_t n = 0; n < b->strips; n++) {
        const struct strip s = b->strip[n];
        int32_t row = mw_min(s.y / 2, above->height - 1);
        if (row != last)
            regions_refine_row(above, last = row, b, labels);
        const uint16_t *from = labels + (s.at - regions_at(b, 0, s.y));
        const uint8_t *sides = b->sides + s.at;
        uint16_t *restrict to = b->g.label + s.at;
        for (int32_t x = 0; x < s.cells; x++)
            to[x] = (uint16_t)(from[x] & -(sides[x] / KEPT));
    }
    mw_rewind(b->g.run, mark);
    regions_copy_seams(b);
    regions_spread(b);
}

/* Counts the cells of all countries, run by run. */
static void count_sizes(struct board *b)
{
    char *mark = mw_mark(b->g.run);
    uint8_t *restrict begins = MW_NEW(b->g.run, uint8_t, b->width);
    int32_t *size = b->g.balance->size;
    memset(size, 0, ((size_t)b->g.balance->count + 1) * sizeof *size);
    for (int32_t n = 0; n < b->strips; n++) {
        const struct strip s = b->strip[n];
        const uint16_t *label = b->g.label + s.at;
        for (int32_t x = 0; x < s.cells; x++)
            begins[x] = label[x] != label[x - 1];
        for (int32_t from = 0, x = 0; from < s.cells; from = x) {
            x = mw_next_byte(begins, from + 1, s.cells);
            size[label[from]] += x - from;
        }
    }
    size[0] = 0;
    mw_rewind(b->g.run, mark);
}

void regions_survey(struct terrain *t)
{
    struct board *b = t->board;
    regions_find_boundary(b);
    count_sizes(b);
    for (int32_t n = 0; t->narrow && n < b->strips; n++) {
        const struct strip s = b->strip[n];
        const uint8_t *narrow = t->narrow + s.at;
        uint8_t *restrict flag = b->g.flag + s.at;
        for (int32_t x = 0; x < s.cells; x++)
            flag[x] |= narrow[x];
    }
}
