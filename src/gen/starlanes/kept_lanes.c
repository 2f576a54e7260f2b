/*
 * kept_lanes.c: which of the lanes of the maximum graph stay.
 *
 * THE MINIMUM GRAPH. One tree of shortest ways leads from the centre to the homes. The rest is
 * attached by the shortest lane from inside to outside, again and again. That is Prim's algorithm,
 * begun with a whole tree; and as no two lanes have the same place in the order, the result is the
 * only least spanning tree that holds the ways. So Kruskal's algorithm gives the same: in their
 * order, a lane stays if it joins two sets.
 *
 * THE RESULT GRAPH. The next lane is always the one whose two stars have the fewest lanes
 * together, and of those the first.
 *
 * IN PASSES. Numbers only grow, so all lanes that have the least number now can be taken in one
 * pass through those that are left, in their order: each whose number is still the least when it
 * comes to its turn. The next pass is for the least number that this one met.
 *
 * COST. A lane is passed over at most as often as its two stars have lanes in the end: a few dozen
 * times, while the angles between lanes are what they commonly are. With next to no least angle a
 * star may have thousands, and there are as many passes: then it is the square.
 */
#include "kit/dsf.h"
#include "kit/integer.h"
#include "starlanes.h"

enum { AHEAD = 16 }; /* from the lane at hand to the one that is fetched */

/* Keeps the way from a home to the centre, up to where it meets one that is kept, and joins the
   sets of its stars; how many lanes that are. Each star is asked for its last lane once, though a
   thousand homes lie behind it. */
static int32_t keep_way(const struct lanes *lanes, const struct touching *touching,
                        const struct star_way *way, int32_t centre, int32_t home, int32_t *sets,
                        bool *keep)
{
    int32_t kept = 0;
    for (int32_t a = home; mw_dsf_find(sets, a) != mw_dsf_find(sets, centre) && kept < lanes->count;
         kept++) {
        int32_t last = starlanes_last_lane(touching, way, a);
        struct mw_edge lane = lanes->at[last];
        keep[last] = true;
        mw_dsf_join(sets, lane.a, lane.b);
        a = lane.a ^ lane.b ^ a;
    }
    return kept;
}

void starlanes_minimum(struct mw_run *run, int32_t stars, const struct lanes *lanes,
                       const struct touching *touching, const struct star_way *way, int32_t centre,
                       const int32_t *homes, int32_t count, bool *keep, struct listing *others)
{
    char *mark = mw_mark(run);
    int32_t *sets = MW_NEW(run, int32_t, stars);
    mw_dsf_init(sets, stars);
    mw_tick(run, 2 * (uint64_t)lanes->count);
    memset(keep, 0, (size_t)lanes->count * sizeof *keep);
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++)
        kept += keep_way(lanes, touching, way, centre, homes[i], sets, keep);
    others->count = 0;
    for (int32_t i = 0; i < lanes->count; i++) {
        __builtin_prefetch(&lanes->at[lanes->order[mw_min(i + AHEAD, lanes->count - 1)]]);
        int32_t lane = lanes->order[i];
        struct mw_edge ends = lanes->at[lane];
        if (kept < stars - 1 && mw_dsf_join(sets, ends.a, ends.b)) {
            keep[lane] = true;
            kept++;
        } else if (!keep[lane]) {
            assert(others->count < lanes->count);
            others->at[others->count++] = (struct listed){ends.a, ends.b, lane};
        }
    }
    assert(kept == stars - 1); /* the maximum graph is in one piece */
    mw_rewind(run, mark);
}

/* Keeps lanes of a level, the least there is, as long as more are wanted, and goes no further;
   returns the least of the others that it met. */
static int32_t take_level(struct listing *others, int32_t level, int32_t *wanted, int32_t *degree,
                          bool *keep)
{
    struct listed *at = others->at;
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
        at[left++] = (struct listed){a, b, lane};
        next = mw_min(next, own);
    }
    others->count = left;
    *wanted = more;
    return next;
}

void starlanes_densify(struct mw_run *run, int32_t stars, const struct lanes *lanes,
                       struct listing *others, int32_t density, bool *keep)
{
    char *mark = mw_mark(run);
    assert(density >= 0 && density <= 1000 && others->count <= lanes->count);
    mw_tick(run, (uint64_t)lanes->count);
    int32_t *degree = MW_NEW0(run, int32_t, stars);
    for (int32_t i = 0; i < lanes->count; i++) {
        degree[lanes->at[i].a] += keep[i];
        degree[lanes->at[i].b] += keep[i];
    }
    int32_t wanted = (int32_t)((int64_t)others->count * density / 1000), level = 0;
    while (wanted > 0) {
        mw_tick(run, (uint64_t)others->count);
        level = take_level(others, level, &wanted, degree, keep);
    }
    mw_rewind(run, mark);
}
