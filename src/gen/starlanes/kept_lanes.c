/*
 * kept_lanes.c: the order of lanes, the shortest ways along them, and which of them stay.
 *
 * LANES are numbered in the order of their stars' indices, as the client gets them. Their ORDER is
 * that of pairs: by length, then by the coordinates of the ends. Squared lengths are sorted by the
 * bits of doubles, which have the same order and mostly differ in a few high bits.
 *
 * SHORTEST WAYS lead from the star at the centre to all others along the lanes of the maximum
 * graph. They are found by a threshold algorithm (Glover, Glover and Klingman 1984): of the stars
 * that wait, the lanes of all that are no farther than the mean are followed at once; a star to
 * which a shorter way turns up later waits again, as few do. The nearest star of each round is
 * final, so there is an end; Dijkstra's algorithm, which follows that star alone, takes 1.8 times
 * as long. Lengths are integers, in 2^-20 of a unit, to the nearest, so that sums are the same on
 * every machine and in every order. Of equally short ways the one counts whose last lane comes
 * first in the order of lanes. The longest way stays below 2^18 * 2^24 * 2^20.
 *
 * THE MINIMUM GRAPH. A tree of shortest ways leads from the centre to the homes. The other stars
 * are attached by the shortest lane from inside to outside, again and again. That is Prim's
 * algorithm started with a whole tree; and as no two lanes have the same place in the order, the
 * result is the only least spanning tree that holds the ways. So Kruskal's algorithm gives the
 * same: in their order, a lane stays if it joins two sets.
 *
 * THE RESULT GRAPH adds a share of the other lanes: always the one whose two stars have the fewest
 * lanes together, and of those the first in the order. Numbers of lanes only grow, so one pass in
 * order takes all lanes that have the least number now: each whose number is still the least when
 * its turn comes. The next pass is for the least number that this one met.
 *
 * COST. Ways take a few looks at each star. Thousands of stars that wait at one distance, while a
 * long chain of nearer ones is followed, would take the square. A lane is passed over at most as
 * often as its two stars have lanes in the end: a few dozen times with usual angles between lanes.
 * With next to no least angle a star may have thousands, and there are as many passes: then it is
 * the square.
 */
#include "kit/dsf.h"
#include "kit/integer.h"
#include "kit/plane.h"
#include "starlanes.h"

enum { AHEAD = 16 }; /* from the lane at hand to the one that is fetched */
#define WAY_UNIT (INT64_C(1) << 20)

/* ---- the order of lanes ---------------------------------------------------------------------- */

/* Two stars by their numbers, the lesser first. */
static uint64_t pair_key(int32_t a, int32_t b)
{
    return (uint64_t)mw_min(a, b) << 32 | (uint32_t)mw_max(a, b);
}

/* Sorts lanes of the same length. */
static void sort_alike(struct mw_run *run, const struct mw_edge *lane, const int32_t *rank,
                       uint64_t *keys, int32_t *order, int32_t count)
{
    assert(count > 1);
    for (int32_t k = 0; k < count; k++)
        keys[k] = pair_key(rank[lane[order[k]].a], rank[lane[order[k]].b]);
    mw_sort(run, keys, order, count);
}

/* Sets the order; `rank` has the place of each star in the order of their coordinates. */
static void order_lanes(struct mw_run *run, const struct mw_point *at, const int32_t *rank,
                        uint64_t *keys, struct lanes *lanes)
{
    int32_t count = lanes->count, *order = lanes->order;
    mw_tick(run, (uint64_t)count);
    for (int32_t i = 0; i < count; i++) {
        double length = (double)square(ray_to(at[lanes->at[i].a], at[lanes->at[i].b]));
        memcpy(&keys[i], &length, sizeof length);
        order[i] = i;
    }
    mw_sort(run, keys, order, count);
    for (int32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && keys[end] == keys[i];)
            end++;
        assert(end == count || keys[end] > keys[i]);
        if (end > i + 1)
            sort_alike(run, lanes->at, rank, keys + i, order + i, end - i);
    }
}

void starlanes_sort(struct mw_run *run, const struct mw_point *at, const int32_t *index,
                    int32_t stars, struct lanes *lanes)
{
    int32_t count = lanes->count;
    lanes->order = MW_NEW(run, int32_t, count);
    char *mark = mw_mark(run);
    uint64_t *keys = MW_NEW(run, uint64_t, count);
    int32_t *rank = MW_NEW(run, int32_t, stars);
    for (int32_t i = 0; i < stars; i++)
        rank[index[i]] = i;
    for (int32_t i = 0; i < count; i++)
        keys[i] = pair_key(index[lanes->at[i].a], index[lanes->at[i].b]);
    mw_sort(run, keys, NULL, count);
    for (int32_t i = 0; i < count; i++)
        lanes->at[i] = (struct mw_edge){(int32_t)(keys[i] >> 32), (int32_t)keys[i]};
    order_lanes(run, at, rank, keys, lanes);
    mw_rewind(run, mark);
}

/* ---- shortest ways --------------------------------------------------------------------------- */

/* The rounding error of doubles is less than one, and corrected in integers. These differ by far
   less than 2^63, so arithmetic modulo 2^64 is enough. */
int64_t starlanes_root(int64_t n)
{
    assert(n > 0 && n < INT64_C(1) << 49);
    uint64_t length = (uint64_t)(__builtin_sqrt((double)n) * 0x1p20);
    int64_t over = (int64_t)(((uint64_t)n << 40) - length * length);
    for (; over < 0; over += 2 * (int64_t)length + 1)
        length--;
    for (; over > 2 * (int64_t)length; length++)
        over -= 2 * (int64_t)length + 1;
    assert(over >= 0 && over <= 2 * (int64_t)length); /* length^2 <= n * 2^40 < (length + 1)^2 */
    return (int64_t)length + (over > (int64_t)length);
}

/* Sets by_star. */
static void list_by_star(struct mw_run *run, const struct mw_point *at, struct star_network *net)
{
    const struct lanes *lanes = &net->lanes;
    int32_t stars = net->stars;
    struct lanes_by_star t = {MW_NEW0(run, int32_t, stars + 2),
                              MW_NEW(run, struct star_lane, 2 * (int64_t)lanes->count)};
    mw_tick(run, 4 * (uint64_t)lanes->count);
    for (int32_t i = 0; i < lanes->count; i++) {
        t.first[lanes->at[i].a + 2]++;
        t.first[lanes->at[i].b + 2]++;
    }
    for (int32_t i = 1; i <= stars; i++)
        t.first[i + 1] += t.first[i];
    for (int32_t i = 0; i < lanes->count; i++) {
        __builtin_prefetch(&lanes->at[lanes->order[mw_min(i + AHEAD, lanes->count - 1)]]);
        int32_t number = lanes->order[i];
        struct mw_edge lane = lanes->at[number];
        int64_t length = starlanes_root(square(ray_to(at[lane.a], at[lane.b])));
        t.at[t.first[lane.a + 1]++] = (struct star_lane){length, lane.b, number};
        t.at[t.first[lane.b + 1]++] = (struct star_lane){length, lane.a, number};
    }
    assert(t.first[stars] == 2 * lanes->count);
    net->by_star = t;
}

/* Stars to which a shorter way was found than that from which their lanes were followed last. */
struct waiting_stars {
    int32_t *at, count;
    bool *has; /* of each star, whether it waits: then it is listed once */
};

static void follow_lanes(const struct lanes_by_star *t, int32_t star, int64_t *ways,
                         struct waiting_stars *waiting)
{
    for (int32_t i = t->first[star]; i < t->first[star + 1]; i++) {
        int32_t to = t->at[i].star;
        int64_t way = ways[star] + t->at[i].length;
        if (way >= ways[to])
            continue;
        ways[to] = way;
        if (waiting->has[to])
            continue;
        prefetch_lanes(t, to);
        waiting->has[to] = true;
        waiting->at[waiting->count++] = to;
    }
}

/* Follows the lanes of the nearer half of the stars; the others wait on, before those found. */
static void follow_nearer(const struct lanes_by_star *t, int64_t *ways,
                          struct waiting_stars *waiting)
{
    int32_t *at = waiting->at, count = waiting->count, left = 0;
    int64_t sum = 0;
    for (int32_t i = 0; i < count; i++)
        sum += ways[at[i]] / WAY_UNIT;
    for (int32_t i = 0; i < count; i++) {
        if (ways[at[i]] / WAY_UNIT > sum / count) {
            at[left++] = at[i];
            continue;
        }
        waiting->has[at[i]] = false;
        follow_lanes(t, at[i], ways, waiting);
    }
    assert(left < count);
    waiting->count -= count - left;
    memmove(at + left, at + count, (size_t)(waiting->count - left) * sizeof *at);
}

/* Sets the ways. */
static void find_ways(struct mw_run *run, struct star_network *net)
{
    int32_t stars = net->stars;
    int64_t *ways = net->ways = MW_NEW(run, int64_t, stars);
    for (int32_t i = 0; i < stars; i++)
        ways[i] = INT64_MAX;
    char *mark = mw_mark(run);
    struct waiting_stars waiting = {MW_NEW(run, int32_t, 2 * (int64_t)stars), 1,
                                    MW_NEW0(run, bool, stars)};
    assert(net->centre >= 0 && net->centre < stars);
    ways[net->centre] = 0;
    waiting.at[0] = net->centre;
    for (; waiting.count; mw_tick(run, 4 * (uint64_t)waiting.count))
        follow_nearer(&net->by_star, ways, &waiting);
    mw_rewind(run, mark);
}

/* The last lane of the shortest way to a star, which is not the centre: of equally short ways the
   one counts whose last lane comes first in the order of lanes. */
static int32_t last_lane(const struct star_network *net, int32_t star)
{
    const struct lanes_by_star *t = &net->by_star;
    int32_t i = t->first[star];
    while (net->ways[t->at[i].star] + t->at[i].length != net->ways[star])
        i++;
    assert(i < t->first[star + 1]);
    return t->at[i].lane;
}

/* ---- the minimum graph ----------------------------------------------------------------------- */

/* Keeps the way from a home to the centre, up to where it meets one that is kept, and joins the
   sets of its stars; how many lanes that are. The last lane of each star is computed once, even
   if a thousand ways lead through it. */
static int32_t keep_way(struct star_network *net, int32_t home, int32_t *sets)
{
    int32_t kept = 0;
    for (int32_t a = home; mw_dsf_find(sets, a) != mw_dsf_find(sets, net->centre); kept++) {
        int32_t last = last_lane(net, a);
        struct mw_edge lane = net->lanes.at[last];
        assert(kept < net->stars && !net->minimum[last]);
        net->minimum[last] = true;
        mw_dsf_join(sets, lane.a, lane.b);
        a = lane.a ^ lane.b ^ a;
    }
    return kept;
}

/* Sets `minimum` and `others` for these homes. */
static void make_minimum(struct mw_run *run, struct star_network *net, const int32_t *homes,
                         int32_t count)
{
    char *mark = mw_mark(run);
    const struct lanes *lanes = &net->lanes;
    int32_t *sets = MW_NEW(run, int32_t, net->stars), kept = 0;
    mw_dsf_init(sets, net->stars);
    mw_tick(run, 2 * (uint64_t)lanes->count);
    memset(net->minimum, 0, (size_t)lanes->count * sizeof *net->minimum);
    for (int32_t i = 0; i < count; i++)
        kept += keep_way(net, homes[i], sets);
    net->others.count = 0;
    for (int32_t i = 0; i < lanes->count; i++) {
        __builtin_prefetch(&lanes->at[lanes->order[mw_min(i + AHEAD, lanes->count - 1)]]);
        int32_t lane = lanes->order[i];
        struct mw_edge ends = lanes->at[lane];
        if (kept < net->stars - 1 && mw_dsf_join(sets, ends.a, ends.b)) {
            net->minimum[lane] = true;
            kept++;
        } else if (!net->minimum[lane] && i < net->short_lanes) {
            net->others.at[net->others.count++] = (struct listed_lane){ends.a, ends.b, lane};
        }
    }
    assert(kept == net->stars - 1); /* the maximum graph is in one piece */
    mw_rewind(run, mark);
}

/* ---- the result graph ------------------------------------------------------------------------ */

/* Keeps lanes of a level, the least there is, as long as more are wanted, and goes no further;
   returns the least number of the lanes left. */
static int32_t take_level(struct lane_list *others, int32_t level, int32_t *wanted, int32_t *degree,
                          bool *keep)
{
    struct listed_lane *at = others->at;
    assert(*wanted > 0 && *wanted <= others->count);
    int32_t left = 0, more = *wanted, next = INT32_MAX;
    for (int32_t i = 0; i < others->count && more > 0; i++) {
        int32_t a = at[i].a, b = at[i].b, lane = at[i].lane, own = degree[a] + degree[b];
        assert(own >= level); /* numbers only grow */
        if (own == level) {
            keep[lane] = true;
            degree[a]++;
            degree[b]++;
            more--;
            continue;
        }
        at[left++] = (struct listed_lane){a, b, lane};
        next = mw_min(next, own);
    }
    others->count = left;
    *wanted = more;
    return next;
}

/* Adds the share of `others` to `result`, which is the minimum graph. Uses them up. */
static void densify(struct mw_run *run, struct star_network *net)
{
    char *mark = mw_mark(run);
    const struct lanes *lanes = &net->lanes;
    assert(net->density >= 0 && net->density <= 1000 && net->others.count <= lanes->count);
    mw_tick(run, (uint64_t)lanes->count);
    int32_t *degree = MW_NEW0(run, int32_t, net->stars);
    for (int32_t i = 0; i < lanes->count; i++) {
        degree[lanes->at[i].a] += net->result[i];
        degree[lanes->at[i].b] += net->result[i];
    }
    int32_t wanted = (int32_t)((int64_t)net->others.count * net->density / 1000), level = 0;
    while (wanted > 0) {
        mw_tick(run, (uint64_t)net->others.count);
        level = take_level(&net->others, level, &wanted, degree, net->result);
    }
    mw_rewind(run, mark);
}

void starlanes_join_homes(struct mw_run *run, struct star_network *net, const int32_t *homes,
                          int32_t count)
{
    make_minimum(run, net, homes, count);
    memcpy(net->result, net->minimum, (size_t)net->lanes.count * sizeof *net->result);
    densify(run, net);
}

/* ---- the longest lane ------------------------------------------------------------------------ */

static int64_t length_at(const struct lanes *lanes, const struct mw_point *at, int32_t i)
{
    struct mw_edge lane = lanes->at[lanes->order[i]];
    return starlanes_root(square(ray_to(at[lane.a], at[lane.b])));
}

/* Of an even number of lanes the median is the shorter of the middle two. */
void starlanes_network(struct mw_run *run, const struct mw_point *at, int32_t max_lane,
                       struct star_network *net)
{
    list_by_star(run, at, net);
    find_ways(run, net);
    int32_t count = net->lanes.count;
    assert(count > 0 && max_lane >= 0);
    int64_t most = max_lane * length_at(&net->lanes, at, (count - 1) / 2) / 1000;
    while (max_lane > 0 && count > 0 && length_at(&net->lanes, at, count - 1) > most)
        count--;
    net->short_lanes = count;
    mw_tick(run, (uint64_t)(net->lanes.count - count));
}
