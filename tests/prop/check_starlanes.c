/*
 * check_starlanes.c: the promises of /starlanes, judged from stars and lanes.
 *
 * It shares nothing with the generator. The request is read back from the text of its address;
 * lanes are held against each other pair by pair, in integers of 128 bits; and where there are few
 * stars all three graphs are made again in the most naive way, straight from the words of the
 * contract:
 *
 *   - maximum: all pairs by length, each against all lanes kept and all stars; then, while it is
 *     in pieces, the shortest pair between two pieces that crosses nothing;
 *   - minimum: ways relaxed until none gets shorter, then the shortest lane outward, over and over;
 *   - result: at each step the best of all lanes left that are not too long.
 *
 * The table of fairness is counted again from jumps that are relaxed until none gets less.
 */
#include "check_starlanes.h"

#include "judge.h"

#include <math.h>

__extension__ typedef __int128 big;

enum { WIDTH, HEIGHT, CENTRE, STARS, LANES, MAXIMUM, MINIMUM, LONG, FAIRNESS }; /* parts */
enum { X, Y, HOMEWORLD };                                                       /* columns */
enum { HOME, DISTANCE, RIVAL, REACH, REALM };
enum { WAYS_MOST = 5000 }; /* stars, for ways to be compared */

/* ---- geometry -------------------------------------------------------------------------------- */

static big distance2(struct mw_point a, struct mw_point b)
{
    big x = (big)a.x - b.x, y = (big)a.y - b.y;
    return x * x + y * y;
}

static int sign(big n) { return (n > 0) - (n < 0); }

static int side_of(struct mw_point a, struct mw_point b, struct mw_point c)
{
    return sign(((big)b.x - a.x) * ((big)c.y - a.y) - ((big)b.y - a.y) * ((big)c.x - a.x));
}

/* Whether c lies on the segment from a to b, ends left out. */
static bool lies_on(struct mw_point a, struct mw_point b, struct mw_point c)
{
    return side_of(a, b, c) == 0 && distance2(a, c) + distance2(c, b) < distance2(a, b);
}

/* Whether two lanes without a common star cross; no star lies on a lane. */
static bool lanes_cross(struct mw_point a, struct mw_point b, struct mw_point c, struct mw_point d)
{
    return side_of(a, b, c) * side_of(a, b, d) < 0 && side_of(c, d, a) * side_of(c, d, b) < 0;
}

/* Whether the angle at a between b and c is less than the one whose cosine's square times 2^20 is
   p. */
static bool too_narrow(struct mw_point a, struct mw_point b, struct mw_point c, int64_t p)
{
    big along = ((big)b.x - a.x) * ((big)c.x - a.x) + ((big)b.y - a.y) * ((big)c.y - a.y);
    return along > 0 && along * along * (1 << 20) > distance2(a, b) * distance2(a, c) * p;
}

/* No angle of whole thousandths of a degree comes so near to the middle of two results that digits
   lack. */
static int64_t cosine_of(long angle)
{
    long double c = cosl((long double)angle / 1000 * 3.14159265358979323846264338327950288L / 180);
    return (int64_t)floorl(c * c * 1048576 + 0.5L);
}

/* ---- the order of pairs ---------------------------------------------------------------------- */

static bool point_before(struct mw_point a, struct mw_point b)
{
    return a.x != b.x ? a.x < b.x : a.y < b.y;
}

struct pair {
    big length2;
    struct mw_point first, second;
    struct mw_edge stars; /* a is at `first` */
};

static struct pair pair_of(const struct mw_point *at, int32_t a, int32_t b)
{
    if (point_before(at[b], at[a])) {
        int32_t swap = a;
        a = b;
        b = swap;
    }
    return (struct pair){distance2(at[a], at[b]), at[a], at[b], {a, b}};
}

static int pair_order(const void *left, const void *right)
{
    const struct pair *l = left, *r = right;
    if (l->length2 != r->length2)
        return l->length2 < r->length2 ? -1 : 1;
    if (l->first.x != r->first.x || l->first.y != r->first.y)
        return point_before(l->first, r->first) ? -1 : 1;
    return point_before(l->second, r->second) ? -1 : point_before(r->second, l->second);
}

/* ---- the naive way --------------------------------------------------------------------------- */

static bool has_end(struct mw_edge lane, int32_t star) { return lane.a == star || lane.b == star; }
static int32_t other_end(struct mw_edge lane, int32_t star)
{
    return lane.a == star ? lane.b : lane.a;
}

/* Whether `lane` makes too small an angle with `old` at the given star of both. */
static bool pinches(const struct mw_point *at, struct mw_edge lane, struct mw_edge old,
                    int32_t star, int64_t p)
{
    return has_end(old, star) &&
           too_narrow(at[star], at[other_end(lane, star)], at[other_end(old, star)], p);
}

static bool shares_end(struct mw_edge a, struct mw_edge b)
{
    return has_end(a, b.a) || has_end(a, b.b);
}

static bool may_stay(const struct mw_point *at, int32_t n, struct mw_edge lane,
                     const struct mw_edge *lanes, int32_t count, int64_t p)
{
    for (int32_t i = 0; i < count; i++) {
        if (pinches(at, lane, lanes[i], lane.a, p) || pinches(at, lane, lanes[i], lane.b, p))
            return false;
        if (!shares_end(lane, lanes[i]) &&
            lanes_cross(at[lane.a], at[lane.b], at[lanes[i].a], at[lanes[i].b]))
            return false;
    }
    for (int32_t i = 0; i < n; i++)
        if (!has_end(lane, i) && lies_on(at[lane.a], at[lane.b], at[i]))
            return false;
    return true;
}

/* The least star that a star is joined with, by way of `piece`. */
static int32_t piece_of(int32_t *piece, int32_t star)
{
    while (piece[star] != star)
        star = piece[star] = piece[piece[star]];
    return star;
}

static void join(int32_t *piece, struct mw_edge lane)
{
    int32_t a = piece_of(piece, lane.a), b = piece_of(piece, lane.b);
    piece[a > b ? a : b] = a > b ? b : a;
}

static int32_t *new_pieces(int32_t n)
{
    int32_t *piece = malloc((size_t)n * sizeof *piece);
    for (int32_t i = 0; i < n; i++)
        piece[i] = i;
    return piece;
}

static struct pair *all_pairs(const struct mw_point *at, int32_t n, size_t *count)
{
    struct pair *pairs = malloc((size_t)n * (size_t)n / 2 * sizeof *pairs);
    *count = 0;
    for (int32_t a = 0; a < n; a++)
        for (int32_t b = a + 1; b < n; b++)
            pairs[(*count)++] = pair_of(at, a, b);
    qsort(pairs, *count, sizeof *pairs, pair_order);
    return pairs;
}

int32_t naive_maximum(const struct mw_point *at, int32_t n, long angle, struct mw_edge *lanes)
{
    size_t pairs_count;
    struct pair *pairs = all_pairs(at, n, &pairs_count);
    int64_t p = cosine_of(angle), none = 1 << 20;
    int32_t count = 0, *piece = new_pieces(n);
    for (size_t i = 0; i < pairs_count; i++) {
        if (!may_stay(at, n, pairs[i].stars, lanes, count, p))
            continue;
        join(piece, pairs[i].stars);
        lanes[count++] = pairs[i].stars;
    }
    for (size_t i = 0; i < pairs_count; i++) {
        struct mw_edge lane = pairs[i].stars;
        if (piece_of(piece, lane.a) == piece_of(piece, lane.b) ||
            !may_stay(at, n, lane, lanes, count, none))
            continue;
        join(piece, lane);
        lanes[count++] = lane;
    }
    free(piece);
    free(pairs);
    return count;
}

/* The length in units of 2^-20, to the nearest. */
static int64_t length_of(const struct mw_point *at, struct mw_edge lane)
{
    big wanted = distance2(at[lane.a], at[lane.b]) << 40;
    int64_t length = (int64_t)sqrtl((long double)wanted);
    while (((big)2 * length + 1) * ((big)2 * length + 1) <= 4 * wanted)
        length++;
    while (((big)2 * length - 1) * ((big)2 * length - 1) > 4 * wanted)
        length--;
    return length;
}

struct ways {
    int64_t *length; /* from the centre, or -1 */
    int32_t *lane;   /* by which a star is reached */
};

static bool relax(const struct mw_point *at, const struct mw_edge *lanes, int32_t i, int32_t from,
                  struct ways *w)
{
    int32_t to = other_end(lanes[i], from);
    if (w->length[from] < 0)
        return false;
    int64_t length = w->length[from] + length_of(at, lanes[i]);
    if (w->length[to] >= 0 &&
        (w->length[to] < length || (w->length[to] == length && w->lane[to] <= i)))
        return false;
    w->length[to] = length;
    w->lane[to] = i;
    return true;
}

/* All ways from the centre; to be freed. */
static struct ways find_ways(const struct mw_point *at, int32_t n, const struct mw_edge *lanes,
                             int32_t count, int32_t centre)
{
    struct ways w = {malloc((size_t)n * sizeof *w.length), malloc((size_t)n * sizeof *w.lane)};
    for (int32_t i = 0; i < n; i++)
        w.length[i] = i == centre ? 0 : -1;
    w.lane[centre] = -1;
    for (bool better = true; better;) {
        better = false;
        for (int32_t i = 0; i < count; i++) {
            better |= relax(at, lanes, i, lanes[i].a, &w);
            better |= relax(at, lanes, i, lanes[i].b, &w);
        }
    }
    return w;
}

/* The lanes are in their order. */
static void naive_minimum(const struct mw_point *at, int32_t n, const struct mw_edge *lanes,
                          int32_t count, int32_t centre, const int32_t *home, bool *keep)
{
    struct ways w = find_ways(at, n, lanes, count, centre);
    bool *inside = calloc((size_t)n, sizeof *inside);
    for (int32_t i = 0; i < count; i++)
        keep[i] = false;
    inside[centre] = true;
    for (int32_t i = 0; i < n; i++)
        for (int32_t a = i; home[i] && a != centre; a = other_end(lanes[w.lane[a]], a))
            keep[w.lane[a]] = inside[a] = true;
    for (int32_t i = 0; i < count; i++) {
        if (inside[lanes[i].a] == inside[lanes[i].b])
            continue;
        keep[i] = inside[lanes[i].a] = inside[lanes[i].b] = true;
        i = -1; /* begin again with the shortest */
    }
    free(inside);
    free(w.lane);
    free(w.length);
}

/* Whether a lane is longer than so many thousandths of the median length of all, which are in
   order; 0: none is. */
static bool is_long(const struct mw_point *at, const struct mw_edge *lanes, int32_t count,
                    int32_t i, long max_lane)
{
    big median = length_of(at, lanes[(count - 1) / 2]);
    return max_lane > 0 && (big)length_of(at, lanes[i]) > median * max_lane / 1000;
}

static void naive_result(const struct mw_point *at, int32_t n, const struct mw_edge *lanes,
                         int32_t count, long density, long max_lane, bool *keep)
{
    int32_t *degree = calloc((size_t)n, sizeof *degree), rest = 0;
    for (int32_t i = 0; i < count; i++) {
        degree[lanes[i].a] += keep[i];
        degree[lanes[i].b] += keep[i];
        rest += !keep[i] && !is_long(at, lanes, count, i, max_lane);
    }
    for (int64_t wanted = rest * (int64_t)density / 1000; wanted > 0; wanted--) {
        int32_t best = -1;
        for (int32_t i = 0; i < count; i++)
            if (!keep[i] && !is_long(at, lanes, count, i, max_lane) &&
                (best < 0 || degree[lanes[i].a] + degree[lanes[i].b] <
                                 degree[lanes[best].a] + degree[lanes[best].b]))
                best = i;
        keep[best] = true;
        degree[lanes[best].a]++;
        degree[lanes[best].b]++;
    }
    free(degree);
}

/* ---- what was asked and what came ------------------------------------------------------------ */

struct judge {
    const struct mw_map *map;
    const char *address;
    char *why;
    size_t room;
    int32_t n, centre;
    struct mw_point *at;
    const int32_t *home;
    long angle, density, max_lane;
};

static const struct mw_edges *graph(const struct judge *j, int part)
{
    return &j->map->slots[part].as.edges;
}

static void read_stars(struct judge *j)
{
    const struct mw_rowset *table = &j->map->slots[STARS].as.table;
    const int32_t *x = table->columns[X], *y = table->columns[Y];
    j->n = table->rows;
    j->home = table->columns[HOMEWORLD];
    j->centre = j->map->slots[CENTRE].as.value.integer;
    j->at = malloc((size_t)j->n * sizeof *j->at);
    for (int32_t i = 0; i < j->n; i++)
        j->at[i] = (struct mw_point){x[i], y[i]};
}

static int point_order(const void *a, const void *b)
{
    struct mw_point p = *(const struct mw_point *)a, q = *(const struct mw_point *)b;
    return point_before(p, q) ? -1 : point_before(q, p);
}

static bool stars_differ(struct judge *j)
{
    size_t n = (size_t)j->n;
    struct mw_point *sorted = malloc(n * sizeof *sorted);
    memcpy(sorted, j->at, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, point_order);
    bool good = true;
    for (size_t i = 1; i < n && good; i++)
        if (!point_before(sorted[i - 1], sorted[i]))
            good = wrong(j, "two stars at %d, %d", (int)sorted[i].x, (int)sorted[i].y);
    free(sorted);
    return good;
}

static bool stars_are_right(struct judge *j)
{
    int32_t width = j->map->slots[WIDTH].as.value.integer,
            height = j->map->slots[HEIGHT].as.value.integer;
    if (width != asked_number(j->address, "width", 0) ||
        height != asked_number(j->address, "height", 0))
        return wrong(j, "the extent is not the one asked for");
    if (j->n != asked_number(j->address, "stars", 0))
        return wrong(j, "%d stars", (int)j->n);
    for (int32_t i = 0; i < j->n; i++)
        if (j->at[i].x < 0 || j->at[i].x >= width || j->at[i].y < 0 || j->at[i].y >= height)
            return wrong(j, "star %d is outside", (int)i);
    return stars_differ(j);
}

/* The stars asked for stand at their indices. */
static bool positions_are_kept(struct judge *j)
{
    char *text = asked_text(j->address, "positions"), *at = text;
    bool good = true;
    for (int32_t i = 0; text && good && i < j->n; i++) {
        long x = strtol(at, &at, 10), y = strtol(at + 1, &at, 10);
        at += *at == ';';
        if (x != j->at[i].x || y != j->at[i].y)
            good = wrong(j, "star %d has moved", (int)i);
    }
    free(text);
    return good;
}

static bool centre_is_right(struct judge *j)
{
    struct mw_point low = j->at[0], high = j->at[0];
    for (int32_t i = 0; i < j->n; i++) {
        low = (struct mw_point){j->at[i].x < low.x ? j->at[i].x : low.x,
                                j->at[i].y < low.y ? j->at[i].y : low.y};
        high = (struct mw_point){j->at[i].x > high.x ? j->at[i].x : high.x,
                                 j->at[i].y > high.y ? j->at[i].y : high.y};
    }
    struct mw_point twice = {low.x + high.x, low.y + high.y};
    char *positions = asked_text(j->address, "positions");
    if (!positions)
        twice = (struct mw_point){j->map->slots[WIDTH].as.value.integer,
                                  j->map->slots[HEIGHT].as.value.integer};
    free(positions);
    int32_t best = 0;
    for (int32_t i = 0; i < j->n; i++) {
        big old = distance2((struct mw_point){2 * j->at[best].x, 2 * j->at[best].y}, twice);
        big new = distance2((struct mw_point){2 * j->at[i].x, 2 * j->at[i].y}, twice);
        if (new < old || (new == old &&point_before(j->at[i], j->at[best])))
            best = i;
    }
    return best == j->centre ||
           wrong(j, "the centre is star %d, not %d", (int)best, (int)j->centre);
}

static bool homes_are_right(struct judge *j)
{
    int32_t homes = 0;
    for (int32_t i = 0; i < j->n; i++)
        homes += j->home[i];
    if (homes != asked_number(j->address, "homeworlds", 0))
        return wrong(j, "%d homes", (int)homes);
    char *text = asked_text(j->address, "homes"), *at = text;
    if (!text && j->home[j->centre])
        return wrong(j, "the star at the centre is a home");
    bool good = true;
    for (int32_t k = 0; text && good && k < homes; k++) {
        long star = strtol(at, &at, 10);
        at += *at == ',';
        if (!j->home[star])
            good = wrong(j, "star %ld is no home", star);
    }
    free(text);
    return good;
}

/* ---- the promises that each graph keeps by itself -------------------------------------------- */

static bool is_in_order(struct judge *j, const struct mw_edges *g)
{
    for (int32_t i = 0; i < g->count; i++) {
        struct mw_edge e = g->at[i], last = i ? g->at[i - 1] : (struct mw_edge){-1, -1};
        if (e.a < 0 || e.a >= e.b || e.b >= j->n)
            return wrong(j, "lane %d joins %d and %d", (int)i, (int)e.a, (int)e.b);
        if (e.a < last.a || (e.a == last.a && e.b <= last.b))
            return wrong(j, "lane %d, from %d to %d, is out of order", (int)i, (int)e.a, (int)e.b);
    }
    return true;
}

static bool two_lanes_agree(struct judge *j, struct mw_edge e, struct mw_edge f, int64_t p)
{
    if (!shares_end(e, f))
        return !lanes_cross(j->at[e.a], j->at[e.b], j->at[f.a], j->at[f.b]) ||
               wrong(j, "lanes %d-%d and %d-%d cross", (int)e.a, (int)e.b, (int)f.a, (int)f.b);
    int32_t star = has_end(f, e.a) ? e.a : e.b;
    return !pinches(j->at, e, f, star, p) ||
           wrong(j, "lanes %d-%d and %d-%d are too close", (int)e.a, (int)e.b, (int)f.a, (int)f.b);
}

/* Lanes in order of their left end, so that each has to be held only against those that begin
   before it ends. */
static bool is_planar(struct judge *j, const struct mw_edges *g)
{
    struct pair *lanes = malloc(((size_t)g->count + 1) * sizeof *lanes);
    int64_t p = cosine_of(j->angle);
    for (int32_t i = 0; i < g->count; i++) {
        lanes[i] = pair_of(j->at, g->at[i].a, g->at[i].b);
        lanes[i].length2 = lanes[i].first.x; /* what to sort by */
    }
    qsort(lanes, (size_t)g->count, sizeof *lanes, pair_order);
    bool good = true;
    for (int32_t i = 0; i < g->count && good; i++)
        for (int32_t k = i + 1; k < g->count && good && lanes[k].first.x <= lanes[i].second.x; k++)
            good = two_lanes_agree(j, lanes[i].stars, lanes[k].stars, p);
    free(lanes);
    return good;
}

static bool avoids_stars(struct judge *j, const struct mw_edges *g)
{
    int64_t tests = (int64_t)g->count * j->n;
    for (int32_t i = 0; i < g->count && tests < 20000000; i++)
        for (int32_t k = 0; k < j->n; k++)
            if (!has_end(g->at[i], k) && lies_on(j->at[g->at[i].a], j->at[g->at[i].b], j->at[k]))
                return wrong(j, "lane %d-%d runs through %d", (int)g->at[i].a, (int)g->at[i].b,
                             (int)k);
    return true;
}

/* Every star can be reached from the first. */
static bool is_connected(struct judge *j, const struct mw_edges *g)
{
    int32_t *piece = new_pieces(j->n);
    for (int32_t i = 0; i < g->count; i++)
        join(piece, g->at[i]);
    bool good = true;
    for (int32_t i = 0; i < j->n && good; i++)
        good = piece_of(piece, i) == 0 || wrong(j, "star %d cannot be reached", (int)i);
    free(piece);
    return good;
}

static bool is_within(struct judge *j, const struct mw_edges *part, const struct mw_edges *whole)
{
    int32_t k = 0;
    for (int32_t i = 0; i < part->count; i++) {
        while (k < whole->count &&
               (whole->at[k].a != part->at[i].a || whole->at[k].b != part->at[i].b))
            k++;
        if (k == whole->count)
            return wrong(j, "lane %d-%d is missing", (int)part->at[i].a, (int)part->at[i].b);
    }
    return true;
}

static bool graph_is_sound(struct judge *j, const struct mw_edges *g)
{
    return is_in_order(j, g) && is_connected(j, g) && is_planar(j, g) && avoids_stars(j, g);
}

static int size_order(const void *a, const void *b)
{
    const int64_t *l = a, *r = b;
    return (*l > *r) - (*l < *r);
}

/* The lanes of the maximum graph that the minimum graph does not have and that are not too long. */
static int64_t count_short(const struct judge *j)
{
    const struct mw_edges *most = graph(j, MAXIMUM), *least = graph(j, MINIMUM);
    int64_t *length = malloc(2 * (size_t)most->count * sizeof *length),
            *sorted = length + most->count;
    for (int32_t i = 0; i < most->count; i++)
        length[i] = sorted[i] = length_of(j->at, most->at[i]);
    qsort(sorted, (size_t)most->count, sizeof *sorted, size_order);
    big bound = (big)sorted[(most->count - 1) / 2] * j->max_lane / 1000;
    int64_t count = 0;
    for (int32_t i = 0, k = 0; i < most->count; i++) {
        bool inside =
            k < least->count && least->at[k].a == most->at[i].a && least->at[k].b == most->at[i].b;
        k += inside;
        count += !inside && (!j->max_lane || length[i] <= bound);
    }
    free(length);
    return count;
}

/* From each home the minimum graph has a way to the centre that is as short as any. */
static bool ways_are_short(struct judge *j)
{
    const struct mw_edges *most = graph(j, MAXIMUM), *least = graph(j, MINIMUM);
    struct ways best = find_ways(j->at, j->n, most->at, most->count, j->centre),
                ways = find_ways(j->at, j->n, least->at, least->count, j->centre);
    bool good = true;
    for (int32_t i = 0; i < j->n && good; i++)
        good = !j->home[i] || ways.length[i] == best.length[i] ||
               wrong(j, "home %d has a shorter way to the centre", (int)i);
    free(best.length);
    free(best.lane);
    free(ways.length);
    free(ways.lane);
    return good;
}

static bool graphs_agree(struct judge *j)
{
    const struct mw_edges *least = graph(j, MINIMUM), *lanes = graph(j, LANES),
                          *most = graph(j, MAXIMUM);
    if (least->count != j->n - 1)
        return wrong(j, "the minimum graph has %d lanes", (int)least->count);
    int64_t extra = count_short(j) * j->density / 1000;
    if (lanes->count != least->count + extra)
        return wrong(j, "%d lanes of %d", (int)lanes->count, (int)most->count);
    return is_within(j, least, lanes) && is_within(j, lanes, most) &&
           (j->n > WAYS_MOST || ways_are_short(j));
}

/* ---- against the naive way ------------------------------------------------------------------- */

static int edge_order(const void *a, const void *b)
{
    const struct mw_edge *e = a, *f = b;
    return e->a != f->a ? (e->a > f->a) - (e->a < f->a) : (e->b > f->b) - (e->b < f->b);
}

/* Whether the graph has exactly those of the lanes that are kept. */
static bool is_same(struct judge *j, const char *name, const struct mw_edges *g,
                    const struct mw_edge *lanes, int32_t count, const bool *keep)
{
    struct mw_edge *sorted = malloc(((size_t)count + 1) * sizeof *sorted);
    int32_t n = 0;
    for (int32_t i = 0; i < count; i++) {
        struct mw_edge e = lanes[i];
        if (keep[i])
            sorted[n++] = e.a < e.b ? e : (struct mw_edge){e.b, e.a};
    }
    qsort(sorted, (size_t)n, sizeof *sorted, edge_order);
    bool good = n == g->count || wrong(j, "%s has %d lanes, not %d", name, (int)g->count, (int)n);
    for (int32_t i = 0; i < n && good; i++)
        if (edge_order(&sorted[i], &g->at[i]))
            good = wrong(j, "%s has lane %d-%d, not %d-%d", name, (int)g->at[i].a, (int)g->at[i].b,
                         (int)sorted[i].a, (int)sorted[i].b);
    free(sorted);
    return good;
}

static bool is_naive(struct judge *j)
{
    struct mw_edge *lanes = malloc(3 * (size_t)j->n * sizeof *lanes);
    int32_t count = naive_maximum(j->at, j->n, j->angle, lanes);
    bool *keep = malloc((size_t)count + 1), good = true;
    memset(keep, true, (size_t)count);
    if (j->map->slots[MAXIMUM].present)
        good = is_same(j, "maximum", graph(j, MAXIMUM), lanes, count, keep);
    naive_minimum(j->at, j->n, lanes, count, j->centre, j->home, keep);
    if (j->map->slots[MINIMUM].present)
        good = good && is_same(j, "minimum", graph(j, MINIMUM), lanes, count, keep);
    bool *least = malloc((size_t)count + 1);
    for (int32_t i = 0; i < count; i++)
        least[i] = keep[i] && is_long(j->at, lanes, count, i, j->max_lane);
    if (j->map->slots[LONG].present)
        good = good && is_same(j, "long", graph(j, LONG), lanes, count, least);
    free(least);
    naive_result(j->at, j->n, lanes, count, j->density, j->max_lane, keep);
    good = good && is_same(j, "lanes", graph(j, LANES), lanes, count, keep);
    free(keep);
    free(lanes);
    return good;
}

/* ---- fairness -------------------------------------------------------------------------------- */

/* Jumps from a star to all others: relaxed until none gets less. */
static void find_jumps(const struct judge *j, int32_t from, int32_t *jumps)
{
    const struct mw_edges *g = graph(j, LANES);
    for (int32_t i = 0; i < j->n; i++)
        jumps[i] = i == from ? 0 : j->n;
    for (bool better = true; better;) {
        better = false;
        for (int32_t i = 0; i < g->count; i++) {
            int32_t *a = &jumps[g->at[i].a], *b = &jumps[g->at[i].b];
            better |= *a > *b + 1 || *b > *a + 1;
            *a = *a > *b + 1 ? *b + 1 : *a;
            *b = *b > *a + 1 ? *a + 1 : *b;
        }
    }
}

/* Whether row k of the table is that of the k-th home, whose jumps are in row k of `all`. */
static bool row_is_right(struct judge *j, int32_t k, int32_t homes, const int32_t *star,
                         const int32_t *all)
{
    void *const *columns = j->map->slots[FAIRNESS].as.table.columns;
    const int32_t *jumps = all + (int64_t)k * j->n;
    const struct mw_ints reach = ((const struct mw_ints *)columns[REACH])[k];
    int32_t within[6] = {0}, realm = 0, rival = MW_NULL;
    for (int32_t i = 0; i < j->n; i++) {
        bool nearest = true;
        for (int32_t h = 0; h < homes; h++)
            nearest &= all[(int64_t)h * j->n + i] >= jumps[i] + (h < k);
        realm += nearest;
        for (int32_t r = 1; r <= 5; r++)
            within[r] += jumps[i] > 0 && jumps[i] <= r;
    }
    for (int32_t h = 0; h < homes; h++)
        if (h != k && (rival == MW_NULL || jumps[star[h]] < rival))
            rival = jumps[star[h]];
    big far = ((const int32_t *)columns[DISTANCE])[k],
        square = distance2(j->at[star[k]], j->at[j->centre]);
    if (far * far > square || (far + 1) * (far + 1) <= square)
        return wrong(j, "home %d is not %d from the centre", (int)star[k], (int)far);
    if (reach.count != 5 || memcmp(reach.at, within + 1, 5 * sizeof *within))
        return wrong(j, "home %d reaches other numbers of stars", (int)star[k]);
    if (((const int32_t *)columns[RIVAL])[k] != rival)
        return wrong(j, "home %d has its rival %d jumps away", (int)star[k], (int)rival);
    return ((const int32_t *)columns[REALM])[k] == realm ||
           wrong(j, "home %d has a realm of %d", (int)star[k], (int)realm);
}

/* The table is right: a home a row, by rising index. Of many homes on large maps only which they
   are is judged. */
static bool fairness_is_right(struct judge *j)
{
    const struct mw_rowset *table = &j->map->slots[FAIRNESS].as.table;
    const int32_t *star = table->columns[HOME];
    int32_t homes = table->rows, found = 0;
    for (int32_t i = 0; i < j->n; i++)
        found += j->home[i] != 0;
    bool good = found == homes || wrong(j, "%d rows of fairness", (int)homes);
    for (int32_t k = 0; k < homes && good; k++)
        good = (star[k] > (k ? star[k - 1] : -1) && star[k] < j->n && j->home[star[k]]) ||
               wrong(j, "row %d of fairness is not of the next home", (int)k);
    if (!good || (int64_t)homes * j->n > 200000)
        return good;
    int32_t *all = malloc((size_t)homes * (size_t)j->n * sizeof *all);
    for (int32_t k = 0; k < homes; k++)
        find_jumps(j, star[k], all + (int64_t)k * j->n);
    for (int32_t k = 0; k < homes && good; k++)
        good = row_is_right(j, k, homes, star, all);
    free(all);
    return good;
}

static bool judge(struct judge *j, int32_t naive_most)
{
    if (!stars_are_right(j) || !positions_are_kept(j) || !centre_is_right(j) || !homes_are_right(j))
        return false;
    bool graphs = asked_is(j->address, "graphs", "true");
    if (j->map->slots[MAXIMUM].present != graphs || j->map->slots[MINIMUM].present != graphs)
        return wrong(j, "the graphs are there or not against the raw");
    if (!graph_is_sound(j, graph(j, LANES)))
        return false;
    if (graphs && (!graph_is_sound(j, graph(j, MAXIMUM)) || !is_in_order(j, graph(j, MINIMUM)) ||
                   !is_connected(j, graph(j, MINIMUM)) || !graphs_agree(j)))
        return false;
    return fairness_is_right(j) && (j->n > naive_most || is_naive(j));
}

const char *check_starlanes_fully(const struct mw_map *map, int32_t stars, char *why, size_t room)
{
    const char *address = map->request->address;
    struct judge j = {.map = map, .address = address, .why = why, .room = room};
    j.angle = asked_thousandths(address, "min_angle");
    j.density = asked_thousandths(address, "density");
    j.max_lane = asked_thousandths(address, "max_lane");
    read_stars(&j);
    bool good = judge(&j, stars);
    free(j.at);
    return good ? NULL : why;
}

const char *check_starlanes(const struct mw_map *map, char *why, size_t room)
{
    return check_starlanes_fully(map, 60, why, room);
}
