/*
 * homes.c: where the players begin, so that none of them can complain.
 */
#include "kit/heap.h"
#include "kit/integer.h"
#include "kit/plane.h"
#include "starlanes.h"

/* With more homes than that they are spread, and no more. */
enum { MANY = 64 };

/* What is to be alike for all homes; the last is no measure of a star by itself. */
enum { FROM_STAR, FROM_MIDDLE, BY_LANES, MEASURES, NEAREST = MEASURES };

/* A star that may become a home. */
struct prospect {
    struct mw_point at;
    int32_t star;
    bool rim;
    int64_t far[MEASURES]; /* from the centre, in 2^-10 of a unit */
};

struct prospects {
    struct prospect *at;
    int32_t count;
};

/* Least to most, in 2^-10, that homes should keep: some more than what is promised. */
static const int32_t good[] = {750, 750, 640, 560};

/* How far the measures may spread in a belt, in 2^-10: inner to outer, then about their mean. */
struct slack {
    int32_t inner, spread[MEASURES];
    bool rim;
    int32_t outer;
};
static const struct slack slacks[] = {
    {755, {0, 150, 220}, false, 12},
    {755, {0, 150, 220}, true, 16},
    {600, {0, 256, 400}, true, 16},
};
enum { SLACKS = sizeof slacks / sizeof *slacks };

/* ---- the rim --------------------------------------------------------------------------------- */

/* The stars around all others: below from left to right, or above. */
static int32_t find_hull(const struct mw_point *at, int32_t stars, bool above, int32_t *hull)
{
    int32_t count = 0;
    for (int32_t i = 0; i < stars; i++) {
        while (count > 1) {
            int64_t t = turn(at[hull[count - 2]], at[hull[count - 1]], at[i]);
            if (above ? t < 0 : t > 0)
                break;
            count--;
        }
        hull[count++] = i;
    }
    return count;
}

/* Marks the prospects that leave the hull when all is drawn away from the middle by a tenth. */
static void mark_rim(const struct mw_point *at, const int32_t *hull, int32_t count, bool above,
                     struct mw_point twice, struct prospects *all)
{
    struct mw_point middle = {twice.x / 2, twice.y / 2};
    for (int32_t i = 0; i < all->count; i++) {
        struct prospect *p = &all->at[i];
        struct ray from = ray_to(middle, p->at);
        struct ray away = {10 * from.x, 10 * from.y};
        int32_t k = 0;
        while (k + 2 < count && 9 * ray_to(middle, at[hull[k + 1]]).x < away.x)
            k++;
        struct ray a = ray_to(middle, at[hull[k]]), b = ray_to(middle, at[hull[k + 1]]);
        struct ray edge = {9 * (b.x - a.x), 9 * (b.y - a.y)},
                   to = {away.x - 9 * a.x, away.y - 9 * a.y};
        int64_t side = cross(edge, to);
        p->rim |= above ? side >= 0 : side <= 0;
    }
}

/* ---- homes that repel each other ------------------------------------------------------------- */

struct choice {
    const struct prospect *all;
    const int32_t *belt; /* which of them may be chosen */
    int32_t belt_count;
    int64_t *push; /* of each: by all homes */
    int64_t scale;
    int32_t *homes, count; /* indices into belt */
};

static int64_t push_between(const struct choice *c, int32_t a, int32_t b)
{
    int64_t q = square(ray_to(c->all[c->belt[a]].at, c->all[c->belt[b]].at));
    int64_t t = q ? mw_min64(c->scale / q, 1 << 20) : 1 << 30; /* no place is taken twice */
    return t * t;
}

static void put(struct choice *c, int32_t home, int sign)
{
    for (int32_t i = 0; i < c->belt_count; i++)
        c->push[i] += sign * push_between(c, home, i);
}

static int32_t calmest(const struct choice *c)
{
    int32_t best = 0;
    for (int32_t i = 1; i < c->belt_count; i++)
        if (c->push[i] < c->push[best])
            best = i;
    return best;
}

static void settle(struct choice *c, int32_t wanted)
{
    memset(c->push, 0, (size_t)c->belt_count * sizeof *c->push);
    for (c->count = 0; c->count < wanted; c->count++) {
        c->homes[c->count] = calmest(c);
        put(c, c->homes[c->count], 1);
    }
    for (int round = 0, moved = 1; round < 12 && moved; round++) {
        moved = 0;
        for (int32_t i = 0; i < c->count; i++) {
            int32_t old = c->homes[i];
            put(c, old, -1);
            c->homes[i] = calmest(c);
            put(c, c->homes[i], 1);
            moved += c->homes[i] != old;
        }
    }
}

/* ---- how fair -------------------------------------------------------------------------------- */

static int32_t share(int64_t least, int64_t most)
{
    return most > 0 ? (int32_t)((least << 10) / most) : 1 << 10;
}

static int32_t fairness_of(const struct choice *c)
{
    int32_t worst = 1 << 10;
    for (int m = 0; m < MEASURES; m++) {
        int64_t least = INT64_MAX, most = 0;
        for (int32_t i = 0; i < c->count; i++) {
            int64_t far = c->all[c->belt[c->homes[i]]].far[m];
            least = mw_min64(least, far);
            most = mw_max64(most, far);
        }
        worst = mw_min(worst, (share(least, most) << 10) / good[m]);
    }
    int64_t least = INT64_MAX, most = 0;
    for (int32_t i = 0; i < c->count && c->count > 1; i++) {
        int64_t near = INT64_MAX;
        for (int32_t k = 0; k < c->count; k++)
            if (k != i)
                near = mw_min64(near, square(ray_to(c->all[c->belt[c->homes[i]]].at,
                                                    c->all[c->belt[c->homes[k]]].at)));
        least = mw_min64(least, near);
        most = mw_max64(most, near);
    }
    if (c->count > 1)
        worst =
            mw_min(worst, (share(starlanes_root(least) >> 10, starlanes_root(most) >> 10) << 10) /
                              good[NEAREST]);
    return worst;
}

/* ---- belts ----------------------------------------------------------------------------------- */

static int32_t keep_about_mean(const struct prospects *all, int32_t *belt, int32_t count, int m,
                               int32_t spread)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < count; i++)
        sum += all->at[belt[i]].far[m];
    int64_t mean = count ? sum / count : 0, off = (mean * spread) >> 10;
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        int64_t far = all->at[belt[i]].far[m];
        if (far >= mean - off && far <= mean + off)
            belt[kept++] = belt[i];
    }
    return kept;
}

static int32_t gather_belt(const struct prospects *all, int64_t outer, const struct slack *s,
                           int32_t *belt)
{
    int32_t count = 0;
    for (int32_t i = 0; i < all->count; i++) {
        int64_t far = all->at[i].far[FROM_STAR];
        if (far <= outer && far >= (outer * s->inner) >> 10 && (s->rim || !all->at[i].rim))
            belt[count++] = i;
    }
    for (int m = FROM_MIDDLE; m < MEASURES; m++)
        count = keep_about_mean(all, belt, count, m, s->spread[m]);
    return count;
}

static void try_belt(struct mw_run *run, const struct prospects *all, const int32_t *belt,
                     int32_t count, int64_t outer, int32_t *best, int32_t *homes, int32_t wanted)
{
    char *mark = mw_mark(run);
    int64_t scale = (outer >> 10) * (outer >> 10);
    struct choice c = {
        all->at, belt, count, MW_NEW(run, int64_t, count), scale << 6, MW_NEW(run, int32_t, wanted),
        0};
    mw_tick(run, (uint64_t)wanted * (uint64_t)count);
    settle(&c, wanted);
    int32_t fair = fairness_of(&c);
    if (fair > *best) {
        *best = fair;
        for (int32_t i = 0; i < wanted; i++)
            homes[i] = all->at[belt[c.homes[i]]].star;
    }
    mw_rewind(run, mark);
}

static void choose(struct mw_run *run, const struct prospects *all, const uint64_t *order,
                   int32_t *homes, int32_t wanted)
{
    int32_t best = -1, *belt = MW_NEW(run, int32_t, all->count);
    for (int i = 0; i < SLACKS; i++)
        for (int32_t part = slacks[i].outer; part > 2; part--) {
            int64_t outer = (int64_t)order[(int64_t)(all->count - 1) * part / 16];
            mw_tick(run, (uint64_t)all->count);
            int32_t count = gather_belt(all, outer, &slacks[i], belt);
            if (count < wanted)
                continue;
            try_belt(run, all, belt, count, outer, &best, homes, wanted);
            if (best >= 1 << 10)
                return;
        }
    if (best >= 0)
        return;
    for (int32_t i = 0; i < all->count; i++)
        belt[i] = i;
    try_belt(run, all, belt, all->count, (int64_t)order[all->count - 1], &best, homes, wanted);
}

/* ---- many homes ------------------------------------------------------------------------------ */

/* Stars, and how far they are from all homes. */
struct spread {
    const struct mw_point *at;
    int32_t stars;
    int64_t *far, *was; /* squares: now, and when last looked at */
};

static int64_t distance(const struct mw_point *at, int32_t a, int32_t b)
{
    return square(ray_to(at[a], at[b]));
}

/* Star a, the farthest from all homes, becomes one; the stars that are nearer to it learn that. */
static void come_near(struct mw_run *run, const struct spread *s, int32_t a)
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

/* Whether star a was farther from all homes than star b, when last looked at. */
static bool was_farther(const void *distances, int32_t a, int32_t b)
{
    const int64_t *was = distances;
    return was[a] > was[b] || (was[a] == was[b] && a < b);
}

/*
 * Farthest-point traversal (Gonzalez 1985): each home is the star farthest from those before, and
 * from the centre, which is nobody's. The heap has the farthest star on top, by a distance that may
 * be too large, as homes come nearer and never go: what is on top is put right first.
 */
static void spread_homes(struct mw_run *run, const struct mw_point *at, int32_t stars,
                         int32_t centre, int32_t *homes, int32_t count)
{
    struct spread s = {at, stars, MW_NEW(run, int64_t, stars), MW_NEW(run, int64_t, stars)};
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
            come_near(run, &s, a);
        }
        s.was[a] = s.far[a];
        mw_heap_sift_down(&heap, 0, was_farther, s.was);
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

static struct prospects list_prospects(struct mw_run *run, const struct mw_point *at, int32_t stars,
                                       const struct way *way, int32_t centre, struct mw_point twice,
                                       int32_t wanted)
{
    int32_t room = mw_min(stars, 200 + 24 * wanted), step = (stars + room - 1) / room;
    struct prospects all = {MW_NEW(run, struct prospect, room), 0};
    for (int32_t i = 0; i < stars; i += step) {
        if (i == centre)
            continue;
        struct mw_point doubled = {2 * at[i].x, 2 * at[i].y};
        all.at[all.count++] = (struct prospect){
            at[i],
            i,
            false,
            {starlanes_root(distance(at, centre, i)) >> 10,
             starlanes_root(square(ray_to(twice, doubled))) >> 11, way[i].length >> 10}};
    }
    return all;
}

void starlanes_homes(struct mw_run *run, const struct mw_point *at, int32_t stars,
                     const struct way *way, int32_t centre, struct mw_point twice, int32_t *homes,
                     int32_t count)
{
    char *mark = mw_mark(run);
    if (count > MANY) {
        spread_homes(run, at, stars, centre, homes, count);
        mw_rewind(run, mark);
        return;
    }
    struct prospects all = list_prospects(run, at, stars, way, centre, twice, count);
    int32_t *hull = MW_NEW(run, int32_t, stars);
    mw_tick(run, 2 * (uint64_t)stars);
    for (int above = 0; above < 2; above++)
        mark_rim(at, hull, find_hull(at, stars, above, hull), above, twice, &all);
    uint64_t *order = MW_NEW(run, uint64_t, all.count);
    for (int32_t i = 0; i < all.count; i++)
        order[i] = (uint64_t)all.at[i].far[FROM_STAR];
    mw_sort(run, order, NULL, all.count);
    choose(run, &all, order, homes, count);
    mw_rewind(run, mark);
}
