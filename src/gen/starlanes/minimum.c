/*
 * minimum.c: which of the lanes of the maximum graph stay.
 *
 * THE MINIMUM GRAPH. One tree of shortest ways leads from the centre to the homes. The rest is
 * attached by the shortest lane from inside to outside, again and again. That is Prim's algorithm,
 * begun with a whole tree; and as no two lanes have the same place in the order, the result is the
 * only least spanning tree that holds the ways. So Kruskal's algorithm gives the same, and as
 * lanes come in their order there is nothing left to sort: a lane stays if it joins two sets.
 *
 * THE RESULT GRAPH. The next lane is always the one whose two stars have the fewest lanes
 * together, and of those the first. Lanes wait on levels, a level for each such number. Numbers
 * only grow, so no lane ever comes to a level below; those that wait on the lowest level are taken
 * in their order, each kept if its number still is that of the level, and otherwise sent up to
 * where it belongs now.
 */
#include "kit/dsf.h"
#include "kit/heap.h"
#include "kit/plane.h"
#include "starlanes.h"

/* The lanes at each star: those of star a are at[first[a]] to at[first[a + 1] - 1]. */
struct touching {
    int32_t *first;
    struct mw_edge *at; /* a: the other star, b: the lane */
};

static struct touching gather_touching(struct mw_run *run, int32_t stars, const struct lanes *lanes)
{
    struct touching t = {MW_NEW0(run, int32_t, stars + 2),
                         MW_NEW(run, struct mw_edge, 2 * lanes->count)};
    mw_tick(run, 4 * (uint64_t)lanes->count);
    for (int32_t i = 0; i < lanes->count; i++) {
        t.first[lanes->at[i].a + 2]++;
        t.first[lanes->at[i].b + 2]++;
    }
    for (int32_t i = 1; i <= stars; i++)
        t.first[i + 1] += t.first[i];
    for (int32_t i = 0; i < lanes->count; i++) {
        struct mw_edge lane = lanes->at[i];
        t.at[t.first[lane.a + 1]++] = (struct mw_edge){lane.b, i};
        t.at[t.first[lane.b + 1]++] = (struct mw_edge){lane.a, i};
    }
    return t;
}

/*
 * The root of a square below 2^48, in units of 2^-20, to the nearest. Newton's iteration in
 * doubles, begun with a twentieth part of error by halving the bits, only guesses; what it gives is
 * put right in integers. Their difference is far below 2^63, so that it may be taken modulo 2^64.
 */
static int64_t length_of(struct ray ray)
{
    int64_t n = square(ray);
    assert(n > 0 && n < INT64_C(1) << 47);
    double x = (double)n, root;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits >> 1) + (UINT64_C(1023) << 51) - UINT64_C(0x9374bc6a7ef9);
    memcpy(&root, &bits, sizeof root);
    for (int i = 0; i < 3; i++)
        root = (root + x / root) * 0.5;
    uint64_t length = (uint64_t)(root * 0x1p20);
    int64_t over = (int64_t)(((uint64_t)n << 40) - length * length);
    for (; over < 0; over += 2 * (int64_t)length + 1)
        length--;
    for (; over > 2 * (int64_t)length; length++)
        over -= 2 * (int64_t)length + 1;
    assert(over >= 0 && over <= 2 * (int64_t)length); /* length^2 <= n * 2^40 < (length + 1)^2 */
    return (int64_t)length + (over > (int64_t)length);
}

#define FAR INT64_MAX

/* The shortest way from the centre to a star, so far. */
struct way {
    int64_t length; /* or FAR */
    int32_t lane;   /* the last of it */
};

static struct way *no_ways(struct mw_run *run, int32_t stars)
{
    struct way *way = MW_NEW(run, struct way, stars);
    for (int32_t i = 0; i < stars; i++)
        way[i] = (struct way){FAR, -1};
    return way;
}

static bool is_nearer(const void *ways, int32_t a, int32_t b)
{
    const struct way *way = ways;
    return way[a].length < way[b].length || (way[a].length == way[b].length && a < b);
}

/* Goes on from star a. Of equally short ways the one counts whose last lane comes first. */
static void go_on(const struct mw_point *at, const struct touching *t, int32_t a, struct way *way,
                  struct mw_heap *heap)
{
    for (int32_t i = t->first[a]; i < t->first[a + 1]; i++) {
        int32_t b = t->at[i].a, lane = t->at[i].b;
        if (way[b].length <= way[a].length)
            continue;
        int64_t length = way[a].length + length_of(ray_to(at[a], at[b])), old = way[b].length;
        if (length < old || (length == old && lane < way[b].lane))
            way[b] = (struct way){length, lane};
        if (old == FAR)
            mw_heap_push(heap, b, is_nearer, way);
        else if (length < old)
            mw_heap_sift_up(heap, heap->place[b], is_nearer, way);
    }
}

/* Dijkstra's algorithm, until all homes are reached. */
static struct way *find_ways(struct mw_run *run, const struct mw_point *at, int32_t stars,
                             const struct lanes *lanes, int32_t centre, const int32_t *homes,
                             int32_t count)
{
    struct way *way = no_ways(run, stars);
    char *mark = mw_mark(run);
    struct touching t = gather_touching(run, stars, lanes);
    struct mw_heap heap = {MW_NEW(run, int32_t, stars), 0, MW_NEW(run, int32_t, stars)};
    bool *wanted = MW_NEW0(run, bool, stars);
    for (int32_t i = 0; i < count; i++)
        wanted[homes[i]] = true;
    way[centre].length = 0;
    mw_heap_push(&heap, centre, is_nearer, way);
    while (count > 0) {
        int32_t a = mw_heap_pop(&heap, is_nearer, way);
        assert(heap.count == 0 || way[a].length <= way[heap.at[0]].length);
        mw_tick(run, 8);
        count -= wanted[a];
        go_on(at, &t, a, way, &heap);
    }
    mw_rewind(run, mark);
    return way;
}

/* Keeps the ways to the homes, and joins the sets of their stars; how many lanes that are. */
static int32_t keep_ways(const struct lanes *lanes, const struct way *way, int32_t centre,
                         const int32_t *homes, int32_t count, int32_t *sets, bool *keep)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        for (int32_t a = homes[i]; a != centre && !keep[way[a].lane]; kept++) {
            assert(way[a].lane >= 0);
            struct mw_edge lane = lanes->at[way[a].lane];
            keep[way[a].lane] = true;
            mw_dsf_join(sets, lane.a, lane.b);
            a = lane.a ^ lane.b ^ a;
        }
    }
    return kept;
}

void starlanes_minimum(struct mw_run *run, const struct mw_point *at, int32_t stars,
                       const struct lanes *lanes, int32_t centre, const int32_t *homes,
                       int32_t count, bool *keep)
{
    char *mark = mw_mark(run);
    const struct way *way = find_ways(run, at, stars, lanes, centre, homes, count);
    int32_t *sets = MW_NEW(run, int32_t, stars);
    mw_dsf_init(sets, stars);
    mw_tick(run, 2 * (uint64_t)lanes->count);
    memset(keep, 0, (size_t)lanes->count * sizeof *keep);
    int32_t kept = keep_ways(lanes, way, centre, homes, count, sets, keep);
    for (int32_t i = 0; kept < stars - 1; i++) {
        assert(i < lanes->count); /* the maximum graph is in one piece */
        if (!mw_dsf_join(sets, lanes->at[i].a, lanes->at[i].b))
            continue;
        keep[i] = true;
        kept++;
    }
    mw_rewind(run, mark);
}

/* Lanes that wait at a level: that many lanes their two stars had together when last counted. */
struct levels {
    int32_t *first; /* the lane put on a level last, or -1 */
    int32_t *next;  /* the one put there before a lane */
};

static void put_on_level(struct levels *l, int32_t level, int32_t lane)
{
    l->next[lane] = l->first[level];
    l->first[level] = lane;
}

/* Takes all lanes off a level, in their order. */
static int32_t clear_level(struct mw_run *run, struct levels *l, int32_t level, uint64_t *out)
{
    int32_t count = 0;
    for (int32_t lane = l->first[level]; lane >= 0; lane = l->next[lane])
        out[count++] = (uint64_t)lane;
    mw_sort(run, out, NULL, count);
    return count;
}

struct degrees {
    int32_t *now, *most; /* of each star: its lanes so far, and in the maximum graph */
    int32_t rest;        /* lanes that are not kept */
};

static struct degrees count_lanes(struct mw_run *run, int32_t stars, const struct lanes *lanes,
                                  const bool *keep)
{
    struct degrees d = {MW_NEW0(run, int32_t, stars), MW_NEW0(run, int32_t, stars), 0};
    mw_tick(run, 2 * (uint64_t)lanes->count);
    for (int32_t i = 0; i < lanes->count; i++) {
        struct mw_edge lane = lanes->at[i];
        d.now[lane.a] += keep[i];
        d.now[lane.b] += keep[i];
        d.most[lane.a]++;
        d.most[lane.b]++;
        d.rest += !keep[i];
    }
    return d;
}

/* All lanes that are not kept, each on its level. */
static struct levels fill_levels(struct mw_run *run, const struct lanes *lanes,
                                 const struct degrees *d, const bool *keep)
{
    int32_t top = 0;
    for (int32_t i = 0; i < lanes->count; i++) {
        int32_t level = d->most[lanes->at[i].a] + d->most[lanes->at[i].b];
        top = level > top ? level : top;
    }
    struct levels l = {MW_NEW(run, int32_t, top + 1), MW_NEW(run, int32_t, lanes->count)};
    memset(l.first, 0xff, (size_t)(top + 1) * sizeof *l.first);
    for (int32_t i = 0; i < lanes->count; i++)
        if (!keep[i])
            put_on_level(&l, d->now[lanes->at[i].a] + d->now[lanes->at[i].b], i);
    return l;
}

/* Keeps the lane if it is on its level still; else sends it up. */
static bool take(struct levels *l, struct degrees *d, const struct lanes *lanes, int32_t level,
                 int32_t lane, bool *keep)
{
    struct mw_edge e = lanes->at[lane];
    assert(!keep[lane] && d->now[e.a] + d->now[e.b] >= level); /* numbers only grow */
    if (d->now[e.a] + d->now[e.b] > level) {
        put_on_level(l, d->now[e.a] + d->now[e.b], lane);
        return false;
    }
    d->now[e.a]++;
    d->now[e.b]++;
    return keep[lane] = true;
}

void starlanes_densify(struct mw_run *run, int32_t stars, const struct lanes *lanes,
                       int32_t density, bool *keep)
{
    char *mark = mw_mark(run);
    struct degrees d = count_lanes(run, stars, lanes, keep);
    struct levels l = fill_levels(run, lanes, &d, keep);
    int32_t wanted = (int32_t)((int64_t)d.rest * density / 1000);
    uint64_t *here = MW_NEW(run, uint64_t, d.rest);
    for (int32_t level = 0; wanted > 0; level++) {
        int32_t count = clear_level(run, &l, level, here);
        mw_tick(run, (uint64_t)count + 1);
        for (int32_t i = 0; i < count && wanted > 0; i++)
            wanted -= take(&l, &d, lanes, level, (int32_t)here[i], keep);
    }
    mw_rewind(run, mark);
}
