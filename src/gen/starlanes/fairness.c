/*
 * fairness.c: what players count of their homes, in jumps along the lanes of the result.
 *
 * One search that begins at all homes finds the jumps from each star to the nearest one, and which
 * that is: of several the first, as all stars at a distance are found before any is gone on from.
 * Where it meets stars that are nearest to another home, a way leads from home to home. Such ways
 * hold the shortest to the nearest other home: where that leaves the stars nearest to its first
 * home, the home whose star comes next is no farther.
 *
 * COST. That search sees each star once; another counts the stars within REACHES jumps of a home.
 */
#include "kit/integer.h"
#include "starlanes.h"

struct jump_search starlanes_new_search(struct mw_run *run, int32_t stars, int32_t lanes)
{
    return (struct jump_search){
        .run = run,
        .stars = stars,
        .first = MW_NEW(run, int32_t, stars + 2),
        .joined = MW_NEW(run, int32_t, 2 * (int64_t)lanes),
        .jumps = MW_NEW(run, int32_t, stars),
        .seen = MW_NEW0(run, int32_t, stars),
        .found = MW_NEW(run, int32_t, stars),
    };
}

void starlanes_search_along(struct jump_search *s, const struct mw_edge *lane, int32_t count,
                            const bool *keep)
{
    int32_t *first = s->first;
    mw_tick(s->run, 2 * (uint64_t)count);
    memset(first, 0, ((size_t)s->stars + 2) * sizeof *first);
    for (int32_t i = 0; i < count; i++) {
        first[lane[i].a + 2] += !keep || keep[i];
        first[lane[i].b + 2] += !keep || keep[i];
    }
    for (int32_t i = 1; i <= s->stars; i++)
        first[i + 1] += first[i];
    for (int32_t i = 0; i < count; i++) {
        if (keep && !keep[i])
            continue;
        s->joined[first[lane[i].a + 1]++] = lane[i].b;
        s->joined[first[lane[i].b + 1]++] = lane[i].a;
    }
    assert(first[s->stars] <= 2 * count);
}

/* Star b was reached by so many jumps. */
static inline void find_star(struct jump_search *s, int32_t b, int32_t jumps)
{
    assert(b >= 0 && b < s->stars && s->count < s->stars);
    s->seen[b] = s->number;
    s->jumps[b] = jumps;
    s->found[s->count++] = b;
}

void starlanes_search(struct jump_search *s, int32_t from, const int32_t *limit, int32_t depth)
{
    s->number++;
    s->count = 0;
    find_star(s, from, 0);
    for (int32_t at = 0; at < s->count; at++) {
        int32_t a = s->found[at], next = s->jumps[a] + 1;
        for (int32_t i = s->first[a]; i < s->first[a + 1]; i++) {
            int32_t b = s->joined[i];
            if (s->seen[b] != s->number && (next <= depth || (limit && next <= limit[b])))
                find_star(s, b, next);
        }
    }
    mw_tick(s->run, 4 * (uint64_t)s->count);
}

/* ---- all homes ------------------------------------------------------------------------------- */

struct home_survey {
    struct jump_search search;
    const int32_t *homes;
    int32_t *nearest; /* jumps from each star to the nearest home, */
    int32_t *owner;   /* and the number of that home */
};

/* Two stars beside each other were reached from two homes. */
static void meet(const struct home_survey *h, int32_t a, int32_t b, struct home_fairness *fair)
{
    int32_t way = h->nearest[a] + 1 + h->nearest[b], *one = &fair[h->owner[a]].rival,
            *other = &fair[h->owner[b]].rival;
    *one = mw_min(*one, way);
    *other = mw_min(*other, way);
}

/* Finds what is nearest to each star, and the rivals. */
static void find_nearest(struct home_survey *h, int32_t count, struct home_fairness *fair)
{
    struct jump_search *s = &h->search;
    int32_t end = 0;
    mw_tick(s->run, 4 * (uint64_t)s->stars);
    memset(h->owner, 0xff, (size_t)s->stars * sizeof *h->owner);
    for (; end < count; end++) {
        s->found[end] = h->homes[end];
        h->owner[h->homes[end]] = end;
        h->nearest[h->homes[end]] = 0;
        fair[end] = (struct home_fairness){.rival = INT32_MAX};
    }
    for (int32_t at = 0; at < end; at++) {
        int32_t a = s->found[at];
        fair[h->owner[a]].realm++;
        for (int32_t i = s->first[a]; i < s->first[a + 1]; i++) {
            int32_t b = s->joined[i];
            if (h->owner[b] < 0) {
                h->owner[b] = h->owner[a];
                h->nearest[b] = h->nearest[a] + 1;
                s->found[end++] = b;
            } else if (h->owner[b] != h->owner[a]) {
                meet(h, a, b, fair);
                if (h->nearest[b] > h->nearest[a])
                    h->owner[b] = mw_min(h->owner[b], h->owner[a]);
            }
        }
    }
    assert(end == s->stars); /* the result graph is in one piece */
}

static void count_reach(struct jump_search *s, int32_t home, int32_t *reach)
{
    starlanes_search(s, home, NULL, REACHES);
    for (int32_t i = 1; i < s->count; i++)
        for (int32_t r = s->jumps[s->found[i]]; r <= REACHES; r++)
            reach[r - 1]++;
}

void starlanes_fairness(struct mw_run *run, int32_t stars, struct mw_edges lanes,
                        const int32_t *homes, int32_t count, struct home_fairness *fair)
{
    char *mark = mw_mark(run);
    struct home_survey h = {starlanes_new_search(run, stars, lanes.count), homes,
                            MW_NEW(run, int32_t, stars), MW_NEW(run, int32_t, stars)};
    starlanes_search_along(&h.search, lanes.at, lanes.count, NULL);
    find_nearest(&h, count, fair);
    if (count == 1)
        fair[0].rival = MW_NULL;
    for (int32_t k = 0; k < count; k++)
        count_reach(&h.search, homes[k], fair[k].reach);
    mw_rewind(run, mark);
}
