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
#include "starlanes.h"

/* Keeps the way from a home to the centre, up to one that is kept, and joins the sets of its stars;
   how many lanes that are. */
static int32_t keep_way(const struct lanes *lanes, const struct touching *touching,
                        const struct way *way, int32_t centre, int32_t home, int32_t *sets,
                        bool *keep)
{
    int32_t kept = 0;
    for (int32_t a = home; a != centre; kept++) {
        int32_t last = starlanes_last_lane(touching, way, a);
        struct mw_edge lane = lanes->at[last];
        if (keep[last])
            break;
        keep[last] = true;
        mw_dsf_join(sets, lane.a, lane.b);
        a = lane.a ^ lane.b ^ a;
    }
    return kept;
}

void starlanes_minimum(struct mw_run *run, int32_t stars, const struct lanes *lanes,
                       const struct touching *touching, const struct way *way, int32_t centre,
                       const int32_t *homes, int32_t count, bool *keep)
{
    char *mark = mw_mark(run);
    int32_t *sets = MW_NEW(run, int32_t, stars);
    mw_dsf_init(sets, stars);
    mw_tick(run, 2 * (uint64_t)lanes->count);
    memset(keep, 0, (size_t)lanes->count * sizeof *keep);
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++)
        kept += keep_way(lanes, touching, way, centre, homes[i], sets, keep);
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

/* The lanes of each star so far; returns how many are not kept. */
static int32_t count_kept(const struct lanes *lanes, const bool *keep, int32_t *degree)
{
    int32_t rest = 0;
    for (int32_t i = 0; i < lanes->count; i++) {
        degree[lanes->at[i].a] += keep[i];
        degree[lanes->at[i].b] += keep[i];
        rest += !keep[i];
    }
    return rest;
}

/* All lanes that are not kept, each on its level; none ever comes above `top`. */
static struct levels fill_levels(struct mw_run *run, const struct lanes *lanes, int32_t top,
                                 const int32_t *degree, const bool *keep)
{
    struct levels l = {MW_NEW(run, int32_t, top + 1), MW_NEW(run, int32_t, lanes->count)};
    memset(l.first, 0xff, (size_t)(top + 1) * sizeof *l.first);
    for (int32_t i = 0; i < lanes->count; i++)
        if (!keep[i])
            put_on_level(&l, degree[lanes->at[i].a] + degree[lanes->at[i].b], i);
    return l;
}

/* Keeps the lane if it is on its level still; else sends it up. */
static bool take(struct levels *l, int32_t *degree, const struct lanes *lanes, int32_t level,
                 int32_t lane, bool *keep)
{
    struct mw_edge e = lanes->at[lane];
    assert(!keep[lane] && degree[e.a] + degree[e.b] >= level); /* numbers only grow */
    if (degree[e.a] + degree[e.b] > level) {
        put_on_level(l, degree[e.a] + degree[e.b], lane);
        return false;
    }
    degree[e.a]++;
    degree[e.b]++;
    return keep[lane] = true;
}

void starlanes_densify(struct mw_run *run, int32_t stars, const struct lanes *lanes, int32_t most,
                       int32_t density, bool *keep)
{
    char *mark = mw_mark(run);
    mw_tick(run, 2 * (uint64_t)lanes->count);
    int32_t *degree = MW_NEW0(run, int32_t, stars), rest = count_kept(lanes, keep, degree);
    struct levels l = fill_levels(run, lanes, 2 * most, degree, keep);
    int32_t wanted = (int32_t)((int64_t)rest * density / 1000);
    uint64_t *here = MW_NEW(run, uint64_t, rest);
    for (int32_t level = 0; wanted > 0; level++) {
        int32_t count = clear_level(run, &l, level, here);
        mw_tick(run, (uint64_t)count + 1);
        for (int32_t i = 0; i < count && wanted > 0; i++)
            wanted -= take(&l, degree, lanes, level, (int32_t)here[i], keep);
    }
    mw_rewind(run, mark);
}
