/*
 * compact.c: countries too slender, put together with a neighbour and cut anew.
 *
 * On land full of lakes some countries grow where their neighbours left room: along a shore, in
 * an arm between two others. Sweeps shorten a border cell by cell, but never turn a strip into
 * a square. So on every coarse level, each country far more slender than the common run is
 * thrown together with each of its neighbours in turn, and both are cut across; so also at last
 * on the cells, where a long way of exact moves may have drawn out arms:
 *
 *      aaaaaaaaaaaaa                        p aaaaaabbbbbbb q
 *      bbbbb . . bbb   p, q: farthest         aaaaa . . bbb
 *      bbbbbbbbbbbbb   from each other        aaaaaabbbbbbb
 *
 * Let p be a place as far as can be from some place, and q as far as can be from p. What is nearer
 * to p than to q by some measure, |p, x| - |x, q| <= cut, becomes one country, the rest the other.
 * Both are connected: a step from x on a shortest way to p makes |p, x| less by one and |x, q|
 * greater by no more than one, nor less by more than one, so the difference does not rise; likewise
 * it does not fall on the way to q. So no cut needs a test, but where sizes are exact already and
 * a difference has to be split. The cut taken is the one that leaves the less compact of the two as
 * compact as can be, and only if that is a gain; sizes come out nearly as they were, and borders
 * are as ragged as others after the sweeps of the levels below.
 *
 * A coast may be what makes a country slender; then there is nothing to gain, and it stays.
 * The work is bounded by a multiple of the places.
 */
#include "regions.h"

/* Slender: a quotient below that many hundredths of the mean, on blocks and on cells, where
   searches are dear; what a cut has to gain, likewise; visits for each place. */
enum { SLENDER = 60, SLENDER_CELLS = 30, GAIN = 115, MOST_NEIGHBOURS = 16, PATIENCE = 6 };

struct recut {
    struct ground *g;
    int full;            /* the sides of a place inland */
    int32_t *sides;      /* of countries: towards all that is not theirs */
    int32_t *root;       /* of countries: a place of theirs */
    int32_t *near, *far; /* of places, by index: steps from p, from q */
    uint8_t *side;       /* of places, by index: 1 on that of country a */
    int32_t count;       /* of both countries: places in queue[] */
    int64_t patience;
};

/* How compact a country of that size is: the isoperimetric quotient, but for a factor. */
static int64_t quotient(int64_t size, int64_t sides)
{
    return sides ? (size << 24) / (sides * sides) : INT64_C(1) << 40;
}

static int64_t quotient_of(const struct recut *t, int32_t k)
{
    return quotient(t->g->balance->size[k], t->sides[k]);
}

/* The sides of a place that do not face its own country. */
static int32_t open_sides(const struct recut *t, int32_t place)
{
    const struct ground *g = t->g;
    int32_t own = regions_country(g, place), same = 0;
    for (int s = 0, p; (p = g->beside(g, place, s)) >= 0; s++)
        same += p != place && regions_country(g, p) == own;
    return same < t->full ? t->full - same : 0;
}

/* On the board, which has so many cells, only of those that face another country; the coast of
   the slender is added later. */
static void measure(struct recut *t)
{
    const struct ground *g = t->g;
    const int32_t *place = g->weight ? g->place : g->boundary,
                  n = g->weight ? g->count : g->boundary_count;
    for (int32_t i = 0; i < n; i++) {
        t->sides[regions_country(g, place[i])] += open_sides(t, place[i]);
        t->root[regions_country(g, place[i])] = place[i];
    }
    mw_tick(g->run, (uint64_t)n * 2);
}

/* Visits two countries (or one, where both are the same) from a place of theirs, and notes the
   steps; the place visited last. */
static int32_t visit(struct recut *t, int32_t from, int32_t a, int32_t b, int32_t *steps)
{
    struct ground *g = t->g;
    int32_t head = 0, tail = 0, stamp = regions_fresh_stamp(g);
    g->queue[tail++] = from;
    g->stamp[from >> g->shift] = stamp;
    steps[from >> g->shift] = 0;
    while (head < tail) {
        int32_t u = g->queue[head++];
        for (int s = 0, p; (p = g->beside(g, u, s)) >= 0; s++) {
            int32_t country = regions_country(g, p), at = p >> g->shift;
            if (g->stamp[at] == stamp || (country != a && country != b))
                continue;
            g->stamp[at] = stamp;
            steps[at] = steps[u >> g->shift] + 1;
            g->queue[tail++] = p;
        }
    }
    assert(tail <= g->count);
    t->count = tail;
    t->patience -= tail;
    mw_tick(g->run, (uint64_t)tail);
    return g->queue[tail - 1];
}

struct cut {
    int32_t a, b, p, q; /* countries; the places farthest from each other */
    int32_t sides_a, sides_b;
    int64_t quotient; /* of the less compact */
};

static int32_t difference(const struct recut *t, int32_t place)
{
    return t->near[place >> t->g->shift] - t->far[place >> t->g->shift];
}

/* Marks the side of country a, about as large as it is; on the board to the cell, the rest taken
   from the next difference. */
static void mark_side(struct recut *t, const struct cut *cut)
{
    const struct ground *g = t->g;
    int32_t most = t->near[cut->q >> g->shift], want = g->balance->size[cut->a], at = -most;
    char *mark = mw_mark(g->run);
    int64_t *weight = MW_NEW0(g->run, int64_t, 2 * (size_t)most + 1); /* cells by difference */
    for (int32_t i = 0; i < t->count; i++)
        weight[difference(t, g->queue[i]) + most] += regions_weight(g, g->queue[i]);
    int64_t sum = weight[0];
    while (at < most - 1 && sum + (g->weight ? weight[at + 1 + most] / 2 : 0) < want)
        sum += weight[++at + most];
    int64_t left = INT64_MAX;
    if (!g->weight)
        left = want - (sum - weight[at + most]);
    for (int32_t i = 0; i < t->count; i++) {
        int32_t d = difference(t, g->queue[i]);
        t->side[g->queue[i] >> g->shift] = d < at || (d == at && left-- > 0);
    }
    mw_rewind(g->run, mark);
}

/* Whether the place lies in both countries, on that side of the cut. */
static bool on_side(const struct recut *t, int32_t place, int side)
{
    int32_t at = place >> t->g->shift;
    return t->g->stamp[at] == t->g->stamps && t->side[at] == side;
}

static void judge_cut(struct recut *t, struct cut *cut)
{
    const struct ground *g = t->g;
    const struct balance *c = g->balance;
    cut->sides_a = cut->sides_b = 0;
    int64_t size = 0;
    for (int32_t i = 0; i < t->count; i++) {
        int32_t u = g->queue[i], same = 0, side = t->side[u >> g->shift];
        for (int s = 0, p; (p = g->beside(g, u, s)) >= 0; s++)
            same += p != u && on_side(t, p, side);
        *(side ? &cut->sides_a : &cut->sides_b) += same < t->full ? t->full - same : 0;
        size += side ? regions_weight(g, u) : 0;
    }
    int64_t first = quotient(size, cut->sides_a),
            second = quotient(c->size[cut->a] + c->size[cut->b] - size, cut->sides_b);
    cut->quotient = first < second ? first : second;
    t->patience -= t->count;
    mw_tick(g->run, (uint64_t)t->count);
}

static void measure_distances(struct recut *t, const struct cut *cut)
{
    visit(t, cut->p, cut->a, cut->b, t->near);
    visit(t, cut->q, cut->a, cut->b, t->far);
}

/* The best cut of both from either end, if it is better than `best`. */
static void try_cuts(struct recut *t, int32_t a, int32_t b, struct cut *best)
{
    assert(a != b && a > 0 && b > 0);
    int32_t p = visit(t, t->root[a], a, b, t->near), q = visit(t, p, a, b, t->near);
    struct cut cuts[2] = {{.a = a, .b = b, .p = p, .q = q}, {.a = b, .b = a, .p = p, .q = q}};
    visit(t, q, a, b, t->far);
    for (int i = 0; i < 2; i++) {
        mark_side(t, &cuts[i]);
        judge_cut(t, &cuts[i]);
        if (cuts[i].quotient > best->quotient)
            *best = cuts[i];
    }
}

/* Whether what is not on the side of country a hangs together; on the board, where a difference
   was split, it may not. */
static bool is_connected(struct recut *t, const struct cut *cut)
{
    struct ground *g = t->g;
    int32_t head = 0, tail = 0, *line = t->near;
    line[tail++] = cut->q;
    t->side[cut->q >> g->shift] = 2;
    while (head < tail) {
        int32_t u = line[head++];
        for (int s = 0, p; (p = g->beside(g, u, s)) >= 0; s++)
            if (on_side(t, p, 0)) {
                t->side[p >> g->shift] = 2;
                line[tail++] = p;
            }
    }
    return g->weight || tail == g->balance->size[cut->b];
}

static void make_cut(struct recut *t, const struct cut *cut)
{
    struct ground *g = t->g;
    measure_distances(t, cut);
    mark_side(t, cut);
    if (!is_connected(t, cut))
        return;
    for (int32_t i = 0; i < t->count; i++) {
        int32_t place = g->queue[i], to = t->side[place >> g->shift] == 1 ? cut->a : cut->b;
        if (regions_country(g, place) != to)
            g->move(g, place, (uint16_t)to);
    }
    t->root[cut->a] = cut->p;
    t->root[cut->b] = cut->q;
    t->sides[cut->a] = cut->sides_a;
    t->sides[cut->b] = cut->sides_b;
}

/* Measures a country for good, and lists its neighbours; how many, at most MOST_NEIGHBOURS. */
static int list_neighbours(struct recut *t, int32_t k, uint16_t *neighbour)
{
    struct ground *g = t->g;
    int n = 0;
    visit(t, t->root[k], k, k, t->near);
    t->sides[k] = 0;
    for (int32_t i = 0; i < t->count; i++) {
        t->sides[k] += open_sides(t, g->queue[i]);
        for (int s = 0, p; (p = g->beside(g, g->queue[i], s)) >= 0 && n < MOST_NEIGHBOURS; s++) {
            neighbour[n] = regions_country(g, p);
            bool known = neighbour[n] == k;
            for (int j = 0; j < n; j++)
                known |= neighbour[j] == neighbour[n];
            n += !known;
        }
    }
    return n;
}

static void recut_country(struct recut *t, int32_t k)
{
    uint16_t neighbour[MOST_NEIGHBOURS];
    int n = list_neighbours(t, k, neighbour);
    struct cut best = {.quotient = quotient_of(t, k) * GAIN / 100};
    for (int i = 0; i < n && t->patience > 0; i++)
        try_cuts(t, k, neighbour[i], &best);
    if (best.a)
        make_cut(t, &best);
}

/* The harmonic mean: countries without a border do not count. */
static int64_t common_quotient(const struct recut *t)
{
    int64_t sum = 1, count = t->g->balance->count;
    for (int32_t k = 1; k <= count; k++)
        sum += (INT64_C(1) << 40) / (quotient_of(t, k) + 1);
    return (INT64_C(1) << 40) / sum * count;
}

void regions_compact(struct ground *g, int full)
{
    int32_t count = g->balance->count;
    char *mark = mw_mark(g->run);
    struct recut t = {.g = g, .full = full, .patience = PATIENCE * (int64_t)g->count};
    t.sides = MW_NEW0(g->run, int32_t, count + 1);
    t.root = MW_NEW(g->run, int32_t, count + 1);
    for (int32_t k = 0; k <= count; k++)
        t.root[k] = -1; /* alone on its land, it has no border to be cut anew */
    t.near = MW_NEW(g->run, int32_t, g->indices);
    t.far = MW_NEW(g->run, int32_t, g->indices);
    t.side = MW_NEW(g->run, uint8_t, g->indices);
    measure(&t);
    int64_t least = common_quotient(&t) * (g->weight ? SLENDER : SLENDER_CELLS) / 100;
    for (int32_t k = 1; k <= count && t.patience > 0; k++)
        if (t.root[k] >= 0 && quotient_of(&t, k) < least)
            recut_country(&t, k);
    mw_rewind(g->run, mark);
}
