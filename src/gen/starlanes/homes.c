/*
 * homes.c: where the players start, as fairly as possible.
 *
 * WHAT IS FAIR. All homes are about as far from the star at the centre and from the middle of the
 * map, and have about as long a way to the centre along the lanes; and the distance to the nearest
 * other home is about the same for all. Of each measure the least should be a given share of the
 * greatest, `wanted`. No home is the star at the centre. If possible no home lies on the rim, where
 * a player cannot expand, and homes do not crowd: three homes side by side on one of two arms would
 * be fair by these measures.
 *
 * BELTS. Stars that are equally far from the centre, from the middle and along the lanes form a
 * belt: any homes in it are fair by three of the four measures. Belts are tried from the outside
 * in, as homes in a wide one are farther apart.
 *
 * HOMES REPEL each other, with the fourth power of nearness. The first is any star of the belt,
 * each further one the star with the least repulsion; then each in turn moves to where repulsion is
 * least, again and again, like electrons on a conductor (the problem of Thomson 1904). On a round
 * belt they come to rest at equal angles; on arms or in clusters wherever there is room.
 *
 * EXCHANGE. Remaining unfairness is reduced by moving one home at a time to the star with the least
 * penalty: unfairness weighs more than the rim, the rim more than crowding, and crowding more than
 * unevenness. If no belt off the rim gives homes whose penalty is unevenness alone, belts on the
 * rim are tried, and homes may then move to any star. The first homes with such a penalty are
 * taken; else those with the least, once LOOKS are used up.
 *
 * WHY IT ENDS. Every settling and every exchange uses up LOOKS, or is the last of its kind: homes
 * come to rest after ROUNDS, and exchanges go on only while the penalty falls. With few stars there
 * may be no fair homes at all: of 24 stars 12 homes are fair in 3 of 100 maps, whatever is tried.
 *
 * COST. Two passes over the hull, and the rest on a sample of the stars whose size depends on the
 * number of homes alone: a twentieth of the time of a map of 1000 stars, a third of one of 100
 * where no homes have room. More than MANY homes are only spread.
 */
#include "kit/heap.h"
#include "kit/integer.h"
#include "kit/plane.h"
#include "starlanes.h"

enum { MANY = 32, ROUNDS = 8, LOOKS = 4096 };

/* The outer edges of belts, in 16ths of the stars: which ones are tried, off the rim and on it. */
enum { PARTS = 16, OUTERMOST_PART = 12, INNERMOST_PART = 3 };

/* The measures of fairness. The last is none of a star by itself. */
enum { FROM_STAR, FROM_MIDDLE, BY_LANES, MEASURES, NEAREST = MEASURES };

/* Least shares in 1024ths: a little more than .7, .7, .6 and .5; and what counts as even. */
static const int64_t wanted[] = {725, 725, 622, 522}, even = 700;

/* In 1024ths: a belt's inner edge as a share of its outer one, and how far the other measures may
   be from their means. */
enum { BELT = 755, OFF_MIDDLE = 150, OFF_LANES = 220 };

/* The distance wanted between any two homes, times their number, in quarters of the distance from
   the centre to the farthest star: evenly along the rim they would have 16 and more. */
enum { ROOM = 9 };

/* Penalties: for a 1024th short of fairness (`unfair`), for a home on the rim, and for a 1024th
   short of the room wanted between homes; for one short of evenness it is 1. */
enum { CROWDED = 1 << 11, RIM = CROWDED << 10 };
static const int64_t unfair = (int64_t)CROWDED << 20;

/* A star that may become a home. */
struct home_site {
    struct mw_point at;
    int32_t star;
    bool on_rim;
    int64_t far[MEASURES]; /* from the centre, in 2^-10 of a unit */
};

/* In the order of their coordinates. */
struct home_sites {
    struct home_site *at;
    int32_t count;
    int64_t room; /* wanted between homes */
};

/* Homes, by their indices among the sites, and their penalty. */
struct home_choice {
    int32_t *home, count;
    int64_t penalty;
};

static int64_t square_between(const struct home_sites *p, int32_t a, int32_t b)
{
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
    return count;
}

/* Marks the sites that would leave the hull if they were a ninth farther from the middle. */
static void mark_rim(const struct home_sites *p, const struct mw_point *at, const int32_t *hull,
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

/* ---- how fair -------------------------------------------------------------------------------- */

struct home_range {
    int64_t least, most;
};

static const struct home_range nothing = {INT64_MAX, 0};

static struct home_range with(struct home_range s, int64_t value)
{
    return (struct home_range){mw_min64(s.least, value), mw_max64(s.most, value)};
}

/* How many 1024ths the least is short of this share of the greatest. */
static int64_t shortfall(struct home_range s, int64_t share)
{
    if (s.least << 10 >= s.most * share)
        return 0;
    return share - (s.least << 10) / s.most;
}

/* All homes but one, while a site for that one is searched. */
struct other_homes {
    int32_t home[MANY], count, on_rim;
    int64_t near[MANY]; /* the square of the distance from each to the nearest of them */
    struct home_range far[MEASURES];
};

static void add_other(const struct home_sites *p, struct other_homes *o, int32_t home)
{
    for (int m = 0; m < MEASURES; m++)
        o->far[m] = with(o->far[m], p->at[home].far[m]);
    o->on_rim += p->at[home].on_rim;
    int64_t near = INT64_MAX;
    for (int32_t k = 0; k < o->count; k++) {
        int64_t q = square_between(p, o->home[k], home);
        o->near[k] = mw_min64(o->near[k], q);
        near = mw_min64(near, q);
    }
    assert(o->count < MANY);
    o->home[o->count] = home;
    o->near[o->count++] = near;
}

static struct other_homes all_but(const struct home_sites *p, const struct home_choice *c,
                                  int32_t but)
{
    struct other_homes o = {.far = {nothing, nothing, nothing}};
    for (int32_t i = 0; i < c->count; i++)
        if (i != but)
            add_other(p, &o, c->home[i]);
    return o;
}

/* The range of distances to the nearest other home, with one more home. */
static struct home_range nearest_with(const struct home_sites *p, const struct other_homes *o,
                                      int32_t home)
{
    struct home_range near = nothing;
    int64_t own = INT64_MAX;
    for (int32_t k = 0; k < o->count; k++) {
        int64_t q = square_between(p, o->home[k], home);
        near = with(near, mw_min64(q, o->near[k]));
        own = mw_min64(own, q);
    }
    near = with(near, own);
    return (struct home_range){starlanes_root(near.least) >> 10, starlanes_root(near.most) >> 10};
}

/* The penalty of the homes with one more; anything from `most` on is only known to be that much. */
static int64_t penalty_with(const struct home_sites *p, const struct other_homes *o, int32_t home,
                            int64_t most)
{
    int64_t penalty = RIM * (o->on_rim + p->at[home].on_rim);
    for (int m = 0; m < MEASURES && penalty < most; m++)
        penalty += unfair * shortfall(with(o->far[m], p->at[home].far[m]), wanted[m]);
    if (penalty >= most || !o->count)
        return penalty;
    struct home_range near = nearest_with(p, o, home);
    return penalty + unfair * shortfall(near, wanted[NEAREST]) +
           CROWDED * shortfall((struct home_range){near.least, p->room}, 1024) +
           shortfall(near, even);
}
static int64_t penalty_of_all(const struct home_sites *p, const struct home_choice *c)
{
    struct other_homes o = all_but(p, c, 0);
    return penalty_with(p, &o, c->home[0], INT64_MAX);
} /* ---- the search
   ------------------------------------------------------------------------------ */

struct home_search {
    struct mw_run *run;
    const struct home_sites *all;
    int32_t *belt, belt_count; /* the sites among which homes are searched */
    int64_t *push, reach;      /* on each site of the belt by all homes; its extent squared */
    bool *taken;               /* of all sites: whether it is another home */
    struct home_choice now, best;
    struct mw_rng rng;
    int64_t looks; /* how many more pairs may be compared */
};

static void look(struct home_search *s, int64_t pairs)
{
    mw_tick(s->run, (uint64_t)pairs / 4);
    s->looks -= pairs;
}

/* ---- belts ----------------------------------------------------------------------------------- */

/* Keeps the sites of the belt whose measure is within so many 1024ths of the mean. */
static void keep_about_mean(struct home_search *s, int measure, int64_t part)
{
    const struct home_site *p = s->all->at;
    int64_t sum = 0;
    for (int32_t i = 0; i < s->belt_count; i++)
        sum += p[s->belt[i]].far[measure];
    int64_t mean = s->belt_count ? sum / s->belt_count : 0, off = (mean * part) >> 10;
    int32_t kept = 0;
    for (int32_t i = 0; i < s->belt_count; i++) {
        int64_t far = p[s->belt[i]].far[measure];
        s->belt[kept] = s->belt[i];
        kept += far >= mean - off && far <= mean + off;
    }
    s->belt_count = kept;
}

/* The belt within the given distance from the centre. */
static void gather_belt(struct home_search *s, int64_t outer, bool rim)
{
    s->belt_count = 0;
    for (int32_t i = 0; i < s->all->count; i++) {
        const struct home_site *p = &s->all->at[i];
        if (p->far[FROM_STAR] <= outer && p->far[FROM_STAR] << 10 >= outer * BELT &&
            (rim || !p->on_rim))
            s->belt[s->belt_count++] = i;
    }
    keep_about_mean(s, FROM_MIDDLE, OFF_MIDDLE);
    keep_about_mean(s, BY_LANES, OFF_LANES);
    s->reach = (outer >> 10) * (outer >> 10);
}

static void admit_all(struct home_search *s)
{
    for (s->belt_count = 0; s->belt_count < s->all->count; s->belt_count++)
        s->belt[s->belt_count] = s->belt_count;
}

/* ---- homes that repel each other ------------------------------------------------------------- */

/* Adds or removes the push of a home. No site is taken twice. */
static void put(struct home_search *s, int32_t home, int sign)
{
    for (int32_t i = 0; i < s->belt_count; i++) {
        int64_t q = square_between(s->all, home, s->belt[i]);
        int64_t push = q ? mw_min64((s->reach << 6) / q, 1 << 20) : 1 << 30;
        s->push[i] += sign * push * push;
    }
}

static int32_t least_pushed(const struct home_search *s)
{
    int32_t best = 0;
    for (int32_t i = 1; i < s->belt_count; i++)
        if (s->push[i] < s->push[best])
            best = i;
    return s->belt[best];
}

static bool move_to_least_pushed(struct home_search *s, int32_t i)
{
    int32_t old = s->now.home[i];
    put(s, old, -1);
    s->now.home[i] = least_pushed(s);
    put(s, s->now.home[i], 1);
    return s->now.home[i] != old;
}

static void settle(struct home_search *s)
{
    struct home_choice *c = &s->now;
    memset(s->push, 0, (size_t)s->belt_count * sizeof *s->push);
    for (int32_t i = 0; i < c->count; i++) {
        c->home[i] = i ? least_pushed(s) : s->belt[mw_below(&s->rng, (uint32_t)s->belt_count)];
        put(s, c->home[i], 1);
    }
    bool moved = true;
    for (int round = 0; round < ROUNDS && moved; round++) {
        look(s, (int64_t)2 * c->count * s->belt_count);
        moved = false;
        for (int32_t i = 0; i < c->count; i++)
            moved |= move_to_least_pushed(s, i);
    }
}

/* ---- exchange -------------------------------------------------------------------------------- */

static void mark_homes(struct home_search *s, const struct other_homes *o, bool taken)
{
    for (int32_t k = 0; k < o->count; k++)
        s->taken[o->home[k]] = taken;
}

/* Moves one home to the site with the least penalty; whether it moved. */
static bool exchange(struct home_search *s, int32_t i)
{
    struct home_choice *c = &s->now;
    struct other_homes o = all_but(s->all, c, i);
    int32_t old = c->home[i];
    mark_homes(s, &o, true);
    for (int32_t k = 0; k < s->belt_count; k++) {
        if (s->taken[s->belt[k]])
            continue;
        int64_t penalty = penalty_with(s->all, &o, s->belt[k], c->penalty);
        if (penalty >= c->penalty)
            continue;
        c->penalty = penalty;
        c->home[i] = s->belt[k];
    }
    mark_homes(s, &o, false);
    return c->home[i] != old;
}

static void improve(struct home_search *s)
{
    bool better = true;
    while (better) {
        better = false;
        for (int32_t i = 0; i < s->now.count && s->now.penalty > 0 && s->looks > 0; i++) {
            look(s, (int64_t)s->belt_count * (1 + s->now.count / 2));
            better |= exchange(s, i);
        }
    }
}

/* ---- few homes ------------------------------------------------------------------------------- */

/* Lets homes settle in the belt, and exchanges them within it or for any site; whether the search
   is over, as they are good enough or LOOKS are used up. */
static bool try_belt(struct home_search *s, bool within)
{
    settle(s);
    s->now.penalty = penalty_of_all(s->all, &s->now);
    if (!within)
        admit_all(s);
    improve(s);
    if (s->now.penalty < s->best.penalty) {
        s->best.penalty = s->now.penalty;
        memcpy(s->best.home, s->now.home, (size_t)s->now.count * sizeof *s->now.home);
    }
    return s->best.penalty < CROWDED || s->looks <= 0;
}

/* `order` has the distances of all sites from the centre, the least first. */
static void try_belts(struct home_search *s, const uint64_t *order)
{
    int64_t last = s->all->count - 1;
    for (int part = OUTERMOST_PART; part >= INNERMOST_PART; part--) {
        gather_belt(s, (int64_t)order[last * part / PARTS], false);
        if (s->belt_count >= s->now.count && try_belt(s, true))
            return;
    }
    for (int part = PARTS;; part = part > INNERMOST_PART ? part - 1 : PARTS) {
        gather_belt(s, (int64_t)order[last * part / PARTS], true);
        if (s->belt_count < s->now.count)
            admit_all(s);
        if (try_belt(s, false))
            return;
    }
}

static uint64_t *order_distances(struct mw_run *run, const struct home_sites *p)
{
    uint64_t *order = MW_NEW(run, uint64_t, p->count);
    for (int32_t i = 0; i < p->count; i++)
        order[i] = (uint64_t)p->at[i].far[FROM_STAR];
    mw_sort(run, order, NULL, p->count);
    return order;
}

/* LOOKS for each home. Among few stars there is less to try. */
static int32_t looks_for(int32_t stars) { return mw_min(LOOKS, 128 * mw_min(stars, LOOKS)); }

static void choose_homes(struct mw_run *run, struct home_sites *p, int32_t *homes, int32_t count)
{
    struct home_search s = {
        .run = run,
        .all = p,
        .belt = MW_NEW(run, int32_t, p->count),
        .push = MW_NEW(run, int64_t, p->count),
        .taken = MW_NEW0(run, bool, p->count),
        .now = {MW_NEW(run, int32_t, count), count, 0},
        .best = {homes, count, INT64_MAX},
        .rng = mw_stream(run, "homes"),
        .looks = (int64_t)looks_for(p->count) * count,
    };
    const uint64_t *order = order_distances(run, p);
    p->room = ROOM * (int64_t)order[p->count - 1] / (4 * count);
    try_belts(&s, order);
    for (int32_t i = 0; i < count; i++)
        homes[i] = p->at[homes[i]].star;
}

/* ---- many homes ------------------------------------------------------------------------------ */

/* Stars, and the squares of their distances to the nearest home: now, and as the heap has it. */
struct spread_stars {
    const struct mw_point *at;
    int32_t stars;
    int64_t *far, *was;
};

static int64_t distance(const struct mw_point *at, int32_t a, int32_t b)
{
    return square(ray_to(at[a], at[b]));
}

/* Star a, the farthest from all homes, becomes one: updates the stars that are nearer to it. */
static void add_spread_home(struct mw_run *run, const struct spread_stars *s, int32_t a)
{
    int64_t most = s->far[a];
    for (int step = -1; step <= 1; step += 2) {
        int32_t i = step < 0 ? a : a + 1;
        for (; i >= 0 && i < s->stars; i += step) {
            int64_t x = (int64_t)s->at[i].x - s->at[a].x, d = distance(s->at, a, i);
            if (x * x > most)
                break;
            if (d < s->far[i])
                s->far[i] = d;
        }
        mw_tick(run, (uint64_t)(step < 0 ? a - i : i - a));
    }
}

/* Whether star a was farther from all homes than star b, as the heap has it. */
static bool was_farther(const void *distances, int32_t a, int32_t b)
{
    const int64_t *was = distances;
    return was[a] > was[b] || (was[a] == was[b] && a < b);
}

/*
 * Farthest-point traversal (Gonzalez 1985): each home is the star farthest from those before and
 * from the centre. The heap has the farthest star on top, by a distance that may be outdated
 * and then is too large, as homes are only added: the top is corrected first.
 */
static void spread_homes(struct mw_run *run, const struct mw_point *at, int32_t stars,
                         int32_t centre, int32_t *homes, int32_t count)
{
    struct spread_stars s = {at, stars, MW_NEW(run, int64_t, stars), MW_NEW(run, int64_t, stars)};
    struct mw_heap heap = {.at = MW_NEW(run, int32_t, stars), .count = stars};
    for (int32_t i = 0; i < stars; i++) {
        s.far[i] = s.was[i] = distance(at, centre, i);
        heap.at[i] = i;
    }
    mw_tick(run, 4 * (uint64_t)stars);
    mw_heap_build(&heap, was_farther, s.was);
    for (int32_t found = 0; found < count; mw_tick(run, 8)) {
        int32_t a = heap.at[0];
        if (s.was[a] == s.far[a]) {
            assert(s.far[a] > 0); /* it is neither a home nor the centre */
            homes[found++] = a;
            add_spread_home(run, &s, a);
        }
        s.was[a] = s.far[a];
        mw_heap_sift_down(&heap, 0, was_farther, s.was);
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* A sample of all stars but the centre, large enough for so many homes. */
static struct home_sites list_sites(struct mw_run *run, const struct mw_point *at,
                                    const int32_t *index, int32_t stars, const int64_t *ways,
                                    int32_t centre, struct mw_point twice, int32_t homes)
{
    int32_t some = mw_min(stars, 200 + 24 * homes);
    struct home_sites p = {.at = MW_NEW(run, struct home_site, some)};
    for (int32_t k = 0; k < some; k++) {
        int32_t i = (int32_t)((int64_t)stars * k / some);
        if (i == centre)
            continue;
        struct ray off = ray_to(twice, (struct mw_point){2 * at[i].x, 2 * at[i].y});
        p.at[p.count++] = (struct home_site){
            .at = at[i],
            .star = index[i],
            .far = {starlanes_root(distance(at, centre, i)) >> 10,
                    starlanes_root(square(off)) >> 11, ways[index[i]] >> 10},
        };
    }
    return p;
}

void starlanes_homes(struct mw_run *run, const struct mw_point *at, const int32_t *index,
                     int32_t stars, const int64_t *ways, int32_t centre, struct mw_point twice,
                     int32_t *homes, int32_t count)
{
    assert(count < stars);
    char *mark = mw_mark(run);
    if (count > MANY) {
        spread_homes(run, at, stars, centre, homes, count);
        for (int32_t i = 0; i < count; i++)
            homes[i] = index[homes[i]];
        mw_rewind(run, mark);
        return;
    }
    struct home_sites p = list_sites(run, at, index, stars, ways, centre, twice, count);
    struct mw_point middle = {twice.x / 2, twice.y / 2};
    int32_t *hull = MW_NEW(run, int32_t, stars);
    mw_tick(run, 2 * (uint64_t)stars);
    for (int side = -1; side <= 1; side += 2)
        mark_rim(&p, at, hull, find_hull(at, stars, side, hull), side, middle);
    choose_homes(run, &p, homes, count);
    mw_rewind(run, mark);
}

/* Few homes take about a fifth of their LOOKS, or all of them. */
void starlanes_homes_forecast(int32_t stars, int32_t count, struct mw_forecast *f)
{
    uint64_t few = count > MANY ? 0 : (uint64_t)count, looks = few * (uint64_t)looks_for(stars);
    f->steps += looks / 12;
    f->nanoseconds += looks;
}
