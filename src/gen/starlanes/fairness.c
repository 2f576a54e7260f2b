/*
 * fairness.c: how fair homes are: the table for the players, in jumps along the lanes of the
 * result, and a penalty for the search of homes: the less, the fairer.
 *
 * THE TABLE. One breadth-first search from all homes finds for each star the jumps to the nearest
 * home, and which that is: of several the first, as the queue has the stars at each distance in
 * the order of their homes. Where it meets a star that is nearest to another home, a way leads
 * from home to home. The shortest way to the nearest other home is among these: where it leaves
 * the stars nearest to its first home, the home of the next star is no farther. Another search
 * counts the stars within REACHES jumps of each home.
 *
 * THE PENALTY. Of each measure the least should be a given share of the greatest. What it is short
 * of that share by distance counts most, then what it is short of by jumps; then homes on the rim,
 * where a player cannot expand; then homes closer to each other than there is room for; and last
 * how uneven fair homes are. By jumps a home has the stars within REACH, and its realm: the stars
 * to which it is nearest, or the first of the nearest. To try a site as one more home takes one
 * search from it, which goes on only to stars that it would win.
 */
#include "kit/integer.h"
#include "kit/plane.h"
#include "starlanes.h"

/* ---- searches -------------------------------------------------------------------------------- */

struct jump_search starlanes_new_search(struct mw_run *run, const struct star_network *net)
{
    return (struct jump_search){
        .run = run,
        .net = net,
        .jumps = MW_NEW(run, int32_t, net->stars),
        .seen = MW_NEW0(run, int32_t, net->stars),
        .found = MW_NEW(run, int32_t, net->stars),
    };
}

/* Star b was reached by so many jumps. */
static inline void find_star(struct jump_search *s, int32_t b, int32_t jumps)
{
    assert(b >= 0 && b < s->net->stars && s->count < s->net->stars);
    s->seen[b] = s->number;
    s->jumps[b] = jumps;
    s->found[s->count++] = b;
}

void starlanes_search(struct jump_search *s, int32_t from, const int32_t *limit, int32_t depth)
{
    const struct lanes_by_star *t = &s->net->by_star;
    const bool *result = s->net->result;
    s->number++;
    s->count = 0;
    find_star(s, from, 0);
    for (int32_t at = 0; at < s->count; at++) {
        int32_t a = s->found[at], next = s->jumps[a] + 1;
        for (int32_t i = t->first[a]; i < t->first[a + 1]; i++) {
            int32_t b = t->at[i].star;
            if (result[t->at[i].lane] && s->seen[b] != s->number &&
                (next <= depth || (limit && next <= limit[b])))
                find_star(s, b, next);
        }
    }
    mw_tick(s->run, 4 * (uint64_t)s->count);
}

/* ---- the table of fairness ------------------------------------------------------------------- */

enum { AHEAD = 8 }; /* from the star at hand to the one that is prefetched */

/* The nearest home of a star. */
struct nearest_home {
    int32_t jumps, home; /* home: its number; -1: not found yet */
};

/* Expands a star: finds those beside it, or ways between two homes. */
static void expand(struct jump_search *s, int32_t star, struct nearest_home *nearest,
                   struct home_fairness *fair)
{
    const struct lanes_by_star *t = &s->net->by_star;
    struct nearest_home a = nearest[star];
    for (int32_t i = t->first[star]; i < t->first[star + 1]; i++) {
        struct nearest_home *b = &nearest[t->at[i].star];
        if (b->home == a.home || !s->net->result[t->at[i].lane])
            continue;
        if (b->home < 0) {
            *b = (struct nearest_home){a.jumps + 1, a.home};
            s->found[s->count++] = t->at[i].star;
            continue;
        }
        int32_t way = a.jumps + 1 + b->jumps;
        fair[a.home].rival = mw_min(fair[a.home].rival, way);
        fair[b->home].rival = mw_min(fair[b->home].rival, way);
        assert(b->jumps <= a.jumps || b->home < a.home);
    }
}

/* Finds the nearest home of each star, and the rivals. */
static void find_nearest(struct jump_search *s, const struct galaxy *g)
{
    int32_t stars = s->net->stars;
    struct nearest_home *nearest = MW_NEW(s->run, struct nearest_home, stars);
    mw_tick(s->run, 4 * (uint64_t)stars);
    memset(nearest, 0xff, (size_t)stars * sizeof *nearest);
    for (s->count = 0; s->count < g->home_count; s->count++) {
        int32_t home = g->homes[s->count];
        s->found[s->count] = home;
        nearest[home] = (struct nearest_home){0, s->count};
        g->fair[s->count] = (struct home_fairness){.rival = INT32_MAX};
    }
    for (int32_t at = 0; at < s->count; at++) {
        prefetch_lanes(&s->net->by_star, s->found[mw_min(at + AHEAD, s->count - 1)]);
        g->fair[nearest[s->found[at]].home].realm++;
        expand(s, s->found[at], nearest, g->fair);
    }
    assert(s->count == stars); /* the result graph is in one piece */
}

static void count_reach(struct jump_search *s, int32_t home, int32_t *reach)
{
    starlanes_search(s, home, NULL, REACHES);
    for (int32_t i = 1; i < s->count; i++)
        for (int32_t r = s->jumps[s->found[i]]; r <= REACHES; r++)
            reach[r - 1]++;
}

void starlanes_fairness(struct mw_run *run, const struct star_network *net, const struct galaxy *g)
{
    char *mark = mw_mark(run);
    struct jump_search search = starlanes_new_search(run, net);
    find_nearest(&search, g);
    if (g->home_count == 1)
        g->fair[0].rival = MW_NULL;
    for (int32_t k = 0; k < g->home_count; k++)
        count_reach(&search, g->homes[k], g->fair[k].reach);
    mw_rewind(run, mark);
}

/* ---- penalties ------------------------------------------------------------------------------- */

/* What a 1024th short of fairness by distance weighs, and a jump that two homes are too near, where
   a 1024th by jumps weighs UNFAIR; and a home on the rim, where a 1024th short of the room between
   homes weighs CROWDED. */
#define BY_DISTANCE (1000 * UNFAIR)
#define TOO_NEAR (200 * UNFAIR)
#define ON_RIM ((int64_t)CROWDED << 11)

enum { REACH = 3, RIVAL = 4, FAR_OFF = INT32_MAX / 2 };

/* Least shares in 1024ths: a little more than .7, .7 and .6; of distances to the nearest other
   home .5, and .68 where they are even; of stars within reach 1 / 1.3, of realms 1 / 1.5. */
static const int64_t wanted[] = {725, 725, 622};
enum { NEAR = 522, NEAR_EVEN = 700, REACH_SHARE = 792, REALM_SHARE = 690 };

int64_t starlanes_square_between(const struct home_sites *p, int32_t a, int32_t b)
{
    assert(a >= 0 && a < p->count && b >= 0 && b < p->count);
    return square(ray_to(p->at[a].at, p->at[b].at));
}

/* ---- the rim --------------------------------------------------------------------------------- */

/* The upper or the lower hull of the stars, by x (Andrew 1979). Nearly all stars lie inside of the
   line from the hull so far to the last star: the first test. */
static int32_t find_hull(const struct mw_point *at, int32_t stars, int side, int32_t *hull)
{
    int32_t count = 1;
    hull[0] = 0;
    for (int32_t i = 1; i < stars; i++) {
        if (side * turn(at[hull[count - 1]], at[stars - 1], at[i]) < 0)
            continue;
        while (count > 1 && side * turn(at[hull[count - 2]], at[hull[count - 1]], at[i]) >= 0)
            count--;
        hull[count++] = i;
    }
    assert(hull[count - 1] == stars - 1);
    return count;
}

/* Marks the sites that would leave the hull if they were a ninth farther from the middle. */
static void mark_beside(const struct home_sites *p, const struct mw_point *at, const int32_t *hull,
                        int32_t count, int side, struct mw_point middle)
{
    for (int32_t i = 0, k = 0; i < p->count; i++) {
        struct ray from = ray_to(middle, p->at[i].at), away = {10 * from.x, 10 * from.y};
        while (k + 2 < count && 9 * ray_to(middle, at[hull[k + 1]]).x < away.x)
            k++;
        struct ray a = ray_to(middle, at[hull[k]]), edge = ray_to(at[hull[k]], at[hull[k + 1]]);
        int64_t turned = cross(edge, (struct ray){away.x - 9 * a.x, away.y - 9 * a.y});
        p->at[i].on_rim |= side * turned >= 0;
    }
}

void starlanes_mark_rim(struct home_sites *p, const struct mw_point *at, int32_t stars,
                        struct mw_point middle)
{
    char *mark = mw_mark(p->run);
    int32_t *hull = MW_NEW(p->run, int32_t, stars);
    assert(stars > 1);
    mw_tick(p->run, 2 * (uint64_t)stars);
    for (int side = -1; side <= 1; side += 2)
        mark_beside(p, at, hull, find_hull(at, stars, side, hull), side, middle);
    mw_rewind(p->run, mark);
}

/* ---- shares ---------------------------------------------------------------------------------- */

static const struct home_range nothing = {INT64_MAX, 0};

static struct home_range with(struct home_range s, int64_t value)
{
    return (struct home_range){mw_min64(s.least, value), mw_max64(s.most, value)};
}

/* How many 1024ths the least is short of this share of the greatest. */
static int64_t shortfall(struct home_range s, int64_t share)
{
    assert(share > 0 && share <= 1024);
    if (s.least << 10 >= s.most * share)
        return 0;
    return share - (s.least << 10) / s.most;
}

/* The penalty for counts of stars: where they are unfair, for the shortfall and for how uneven they
   are, so that every step towards fair ones counts; else for that alone. */
static int64_t unfairness(const int32_t *counts, int32_t homes, int64_t share)
{
    int64_t sum = 0, squares = 0;
    struct home_range range = nothing;
    for (int32_t k = 0; k < homes; k++) {
        assert(counts[k] >= 0);
        sum += counts[k];
        squares += (int64_t)counts[k] * counts[k];
        range = with(range, counts[k]);
    }
    int64_t uneven = (squares * homes - sum * sum) * 1024 / (sum * sum), /* variance by mean^2 */
        missing = shortfall(range, share);
    return missing ? UNFAIR * (missing + 2 * uneven) : uneven;
}

/* ---- other homes ----------------------------------------------------------------------------- */

/* Finds the stars that are within REACH jumps of a site, how many there are beside itself, and all
   that are not nearer to another home. */
static int32_t search_from(struct home_sites *p, const struct other_homes *o, int32_t site)
{
    const struct jump_search *s = &p->search;
    int32_t reach = 0;
    starlanes_search(&p->search, p->at[site].star, o->least, REACH);
    while (reach < s->count && s->jumps[s->found[reach]] <= REACH)
        reach++;
    assert(reach > 0 && s->found[0] == p->at[site].star);
    return reach - 1;
}

/* Whether home k takes a star that the last search has found from the home that owns it. */
static bool wins(const struct home_sites *p, const struct other_homes *o, int32_t star, int32_t k)
{
    int32_t jumps = p->search.jumps[star], least = o->least[star];
    return jumps < least ||
           (jumps == least && p->at[o->home[k]].rank < p->at[o->home[o->owner[star]]].rank);
}

/* Counts what home k, the last one, changes. */
static void count_jumps(struct home_sites *p, const struct other_homes *o, int32_t k,
                        struct home_counts *counts)
{
    counts->reach[k] = search_from(p, o, o->home[k]);
    counts->realm[k] = 0;
    for (int32_t i = 0; i < p->search.count; i++) {
        int32_t star = p->search.found[i];
        if (!wins(p, o, star, k))
            continue;
        counts->realm[k]++;
        if (o->least[star] < FAR_OFF)
            counts->realm[o->owner[star]]--;
    }
    assert(counts->realm[k] > 0); /* its own star */
}

/* Home k takes what it wins. */
static void take_stars(const struct home_sites *p, struct other_homes *o, int32_t k)
{
    for (int32_t i = 0; i < p->search.count; i++) {
        int32_t star = p->search.found[i];
        if (!wins(p, o, star, k))
            continue;
        o->owner[star] = k;
        o->least[star] = p->search.jumps[star];
    }
}

static void add_other(struct home_sites *p, struct other_homes *o, int32_t home)
{
    for (int m = 0; m < MEASURES; m++)
        o->far[m] = with(o->far[m], p->at[home].far[m]);
    o->on_rim += p->at[home].on_rim;
    int64_t near = INT64_MAX;
    for (int32_t k = 0; k < o->count; k++) {
        int64_t q = starlanes_square_between(p, o->home[k], home);
        o->near[k] = mw_min64(o->near[k], q);
        near = mw_min64(near, q);
    }
    assert(o->count < MANY);
    o->home[o->count] = home;
    o->near[o->count++] = near;
    if (!p->net)
        return;
    o->rival = mw_min(o->rival, o->least[p->at[home].star]);
    count_jumps(p, o, o->count - 1, &o->counts);
    take_stars(p, o, o->count - 1);
}

void starlanes_other_homes(struct home_sites *p, const struct home_choice *c, int32_t but,
                           struct other_homes *o)
{
    o->count = o->on_rim = 0;
    o->rival = FAR_OFF;
    for (int m = 0; m < MEASURES; m++)
        o->far[m] = nothing;
    for (int32_t i = 0; p->net && i < p->net->stars; i++)
        o->least[i] = FAR_OFF;
    mw_tick(p->run, p->net ? (uint64_t)p->net->stars : 1);
    for (int32_t i = 0; i < c->count; i++)
        if (i != but)
            add_other(p, o, c->home[i]);
}

/* ---- the penalty ----------------------------------------------------------------------------- */

/* The range of distances to the nearest other home, with one more home. */
static struct home_range nearest_with(const struct home_sites *p, const struct other_homes *o,
                                      int32_t home)
{
    struct home_range near = nothing;
    int64_t own = INT64_MAX;
    for (int32_t k = 0; k < o->count; k++) {
        int64_t q = starlanes_square_between(p, o->home[k], home);
        near = with(near, mw_min64(q, o->near[k]));
        own = mw_min64(own, q);
    }
    near = with(near, own);
    return (struct home_range){starlanes_root(near.least) >> 10, starlanes_root(near.most) >> 10};
}

/* The penalty by jumps of the homes with one more. */
static int64_t jump_penalty(struct home_sites *p, struct other_homes *o, int32_t home, int64_t most)
{
    int32_t rival = mw_min(o->rival, o->least[p->at[home].star]), homes = o->count + 1;
    int64_t penalty = TOO_NEAR * mw_max(RIVAL - rival, 0);
    if (penalty >= most)
        return penalty;
    struct home_counts counts = o->counts;
    o->home[o->count] = home;
    count_jumps(p, o, o->count, &counts);
    return penalty + 2 * unfairness(counts.reach, homes, REACH_SHARE) +
           6 * unfairness(counts.realm, homes, REALM_SHARE);
}

int64_t starlanes_penalty(struct home_sites *p, struct other_homes *o, int32_t home, int64_t most)
{
    assert(o->count < MANY && home >= 0 && home < p->count);
    int64_t penalty = ON_RIM * (o->on_rim + p->at[home].on_rim);
    for (int m = 0; m < MEASURES && penalty < most; m++)
        penalty += BY_DISTANCE * shortfall(with(o->far[m], p->at[home].far[m]), wanted[m]);
    if (penalty >= most || !o->count)
        return penalty;
    struct home_range near = nearest_with(p, o, home);
    penalty += BY_DISTANCE * shortfall(near, NEAR) + shortfall(near, NEAR_EVEN) +
               CROWDED * shortfall((struct home_range){near.least, p->room}, 1024);
    if (penalty >= most || !p->net)
        return penalty;
    return penalty + jump_penalty(p, o, home, most - penalty);
}
