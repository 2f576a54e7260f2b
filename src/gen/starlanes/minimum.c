/*
 * minimum.c: which of the lanes of the maximum graph stay.
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
 * comes to its turn. The next pass is for the least number that this one met. A lane is passed over
 * at most as often as its two stars have lanes in the end: a few dozen times, while the angles
 * between lanes are what they commonly are.
 *
 * FROM HEAPS. With next to no least angle a star may have thousands, and there are as many passes.
 * So after some of them each lane that is left gets an OWNER: that of its two stars which has more
 * of these lanes. An owner keeps its lanes in a heap, by what their other stars have; its own
 * number is the same for all of them, and what it adds counts in a heap of the owners, by the first
 * lane of each. When a star gets a lane, it moves in the heap of owners, and each lane of others
 * that leads to it moves in that of its owner.
 *
 * COST. Those lanes are what counts: one of them moves when its lesser star gets a lane, thus at
 * most as often as that star has lanes. The lesser of the degrees at both ends, summed up over the
 * edges of a planar graph, is at most six times their number (Chiba and Nishizeki, «Arboricity
 * and Subgraph Listing Algorithms», SIAM Journal on Computing 14, 1985). So it is n log n, whatever
 * the lanes are.
 */
#include "kit/dsf.h"
#include "kit/heap.h"
#include "kit/integer.h"
#include "starlanes.h"

enum {
    AHEAD = 16,  /* from the lane at hand to the one that is fetched */
    PASSES = 64, /* that take no longer than heaps */
};

/* Keeps the way from a home to the centre, up to where it meets one that is kept, and joins the
   sets of its stars; how many lanes that are. Each star is asked for its last lane once, though a
   thousand homes lie behind it. */
static int32_t keep_way(const struct lanes *lanes, const struct touching *touching,
                        const struct way *way, int32_t centre, int32_t home, int32_t *sets,
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
                       const struct touching *touching, const struct way *way, int32_t centre,
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

/* ---- from heaps ------------------------------------------------------------------------------ */

/* Lanes are told by where they stand in the listing, which is in order; there `a` is the owner. */
struct market {
    const struct listed *at;
    int32_t *degree;
    struct mw_heap *own; /* the lanes of each star */
    struct mw_heap owners;
    struct offer {
        int32_t sum, lane;
    } * best;               /* of each owner: its first lane */
    int32_t *lanes, *first; /* of others that lead to star b: from lanes[first[b]] on */
};

static bool lane_is_sooner(const void *context, int32_t i, int32_t k)
{
    const struct market *m = context;
    int32_t one = m->degree[m->at[i].b], other = m->degree[m->at[k].b];
    return one < other || (one == other && i < k);
}

static bool owner_is_sooner(const void *context, int32_t a, int32_t b)
{
    const struct offer *best = context;
    return best[a].sum < best[b].sum || (best[a].sum == best[b].sum && best[a].lane < best[b].lane);
}

static void make_offer(struct market *m, int32_t owner)
{
    int32_t lane = m->own[owner].at[0];
    m->best[owner] = (struct offer){m->degree[owner] + m->degree[m->at[lane].b], lane};
}

/* Offers only ever become worse. */
static void offer_again(struct market *m, int32_t owner)
{
    if (!m->own[owner].count)
        return;
    make_offer(m, owner);
    mw_heap_sift_down(&m->owners, m->owners.place[owner], owner_is_sooner, m->best);
}

/* A star has a lane more. Of one owner a single lane leads there, so that its heap is a heap but
   for that. */
static void raise(struct mw_run *run, struct market *m, int32_t star)
{
    m->degree[star]++;
    offer_again(m, star);
    mw_tick(run, (uint64_t)(m->first[star + 1] - m->first[star] + 1));
    for (int32_t k = m->first[star]; k < m->first[star + 1]; k++) {
        int32_t lane = m->lanes[k], owner = m->at[lane].a;
        struct mw_heap *own = &m->own[owner];
        if (own->place[lane] < 0)
            continue;
        mw_heap_sift_down(own, own->place[lane], lane_is_sooner, m);
        offer_again(m, owner);
    }
}

/* The next lane of all. */
static int32_t take_first(struct mw_run *run, struct market *m)
{
    int32_t owner = m->owners.at[0], lane = mw_heap_pop(&m->own[owner], lane_is_sooner, m);
    if (m->own[owner].count)
        offer_again(m, owner);
    else
        mw_heap_pop(&m->owners, owner_is_sooner, m->best);
    raise(run, m, m->at[lane].a);
    raise(run, m, m->at[lane].b);
    return lane;
}

/* Makes `a` the owner of each lane. */
static void find_owners(struct mw_run *run, int32_t stars, const struct listing *others)
{
    char *mark = mw_mark(run);
    int32_t *all = MW_NEW0(run, int32_t, stars);
    for (int32_t i = 0; i < others->count; i++) {
        all[others->at[i].a]++;
        all[others->at[i].b]++;
    }
    for (int32_t i = 0; i < others->count; i++) {
        struct listed *lane = &others->at[i];
        if (all[lane->a] < all[lane->b])
            *lane = (struct listed){lane->b, lane->a, lane->lane};
    }
    mw_rewind(run, mark);
}

static struct market open_market(struct mw_run *run, int32_t stars, const struct listing *others,
                                 int32_t *degree)
{
    int32_t count = others->count;
    mw_tick(run, 8 * (uint64_t)count + (uint64_t)stars);
    find_owners(run, stars, others);
    struct market m = {.at = others->at,
                       .degree = degree,
                       .own = MW_NEW0(run, struct mw_heap, stars),
                       .owners = {MW_NEW(run, int32_t, stars), 0, MW_NEW(run, int32_t, stars)},
                       .best = MW_NEW(run, struct offer, stars),
                       .first = MW_NEW0(run, int32_t, stars + 2),
                       .lanes = MW_NEW(run, int32_t, count)};
    int32_t *at = MW_NEW(run, int32_t, count), *place = MW_NEW(run, int32_t, count);
    for (int32_t i = 0; i < count; i++) {
        m.own[m.at[i].a].count++;
        m.first[m.at[i].b + 2]++;
    }
    for (int32_t star = 0; star < stars; star++) {
        m.first[star + 2] += m.first[star + 1];
        m.own[star].at = at;
        m.own[star].place = place;
        at += m.own[star].count;
        m.own[star].count = 0;
    }
    for (int32_t i = 0; i < count; i++) {
        struct mw_heap *own = &m.own[m.at[i].a];
        mw_heap_put(own, own->count++, i);
        m.lanes[m.first[m.at[i].b + 1]++] = i;
    }
    for (int32_t star = 0; star < stars; star++) {
        if (!m.own[star].count)
            continue;
        mw_heap_build(&m.own[star], lane_is_sooner, &m);
        make_offer(&m, star);
        mw_heap_put(&m.owners, m.owners.count++, star);
    }
    mw_heap_build(&m.owners, owner_is_sooner, m.best);
    return m;
}

/* ---- both ------------------------------------------------------------------------------------ */

void starlanes_densify(struct mw_run *run, int32_t stars, const struct lanes *lanes,
                       struct listing *others, int32_t density, bool *keep)
{
    char *mark = mw_mark(run);
    mw_tick(run, (uint64_t)lanes->count);
    int32_t *degree = MW_NEW0(run, int32_t, stars);
    for (int32_t i = 0; i < lanes->count; i++) {
        degree[lanes->at[i].a] += keep[i];
        degree[lanes->at[i].b] += keep[i];
    }
    int32_t wanted = (int32_t)((int64_t)others->count * density / 1000), level = 0;
    for (int pass = 0; wanted > 0 && (!MW_SHORTCUTS || pass < PASSES); pass++) {
        mw_tick(run, (uint64_t)others->count);
        level = take_level(others, level, &wanted, degree, keep);
    }
    if (MW_SHORTCUTS && wanted > 0) {
        struct market m = open_market(run, stars, others, degree);
        while (wanted-- > 0)
            keep[m.at[take_first(run, &m)].lane] = true;
    }
    mw_rewind(run, mark);
}
