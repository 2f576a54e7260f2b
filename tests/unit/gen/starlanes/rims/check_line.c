/*
 * check_line.c: lines of few points, held against all of their triples.
 */
#include "gen/starlanes/rims/line.h"
#include "unit/unit.h"

enum { FIELD = 4, MOST = 5 };

struct points {
    struct end at[2 * MOST];
    int count;
};

static struct points random_points(struct mw_rng *rng, int32_t leaf)
{
    struct points p = {.count = mw_between(rng, 0, MOST)};
    bool level = mw_between(rng, 0, 2) > 0;
    int32_t y = mw_between(rng, 0, 1);
    for (int i = 0; i < p.count; i++) {
        int32_t x = mw_between(rng, 0, FIELD);
        p.at[i] = (struct end){{x, level ? y : mw_between(rng, 0, FIELD)}, leaf + i};
    }
    return p;
}

static struct points both_of(const struct points *a, const struct points *b)
{
    struct points p = *a;
    for (int i = 0; i < b->count; i++)
        p.at[p.count++] = b->at[i];
    return p;
}

static struct line line_of(const struct points *p)
{
    struct line line = no_line;
    for (int i = 0; i < p->count; i++)
        line_add(&line, p->at[i]);
    return line;
}

static bool are_in_line(const struct points *p)
{
    for (int i = 0; i < p->count; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < j; k++)
                if (turn(p->at[i].at, p->at[j].at, p->at[k].at) != 0)
                    return false;
    return true;
}

static bool is_same(struct mw_point a, struct mw_point b) { return a.x == b.x && a.y == b.y; }

static bool are_different(const struct points *p)
{
    for (int i = 0; i < p->count; i++)
        for (int k = 0; k < i; k++)
            if (is_same(p->at[i].at, p->at[k].at))
                return false;
    return true;
}

static bool is_between(struct mw_point a, struct mw_point b, struct mw_point at)
{
    return turn(a, b, at) == 0 && dot(ray_to(at, a), ray_to(at, b)) < 0;
}

/* An end is a point that lies between no others, and alone there. */
static bool is_end(const struct points *p, struct end end)
{
    for (int i = 0; i < p->count; i++) {
        if (is_same(p->at[i].at, end.at) != (p->at[i].leaf == end.leaf))
            return false;
        for (int k = 0; k < i; k++)
            if (is_between(p->at[i].at, p->at[k].at, end.at))
                return false;
    }
    return true;
}

/* Whether two ends are those of all pairs between which no other point lies. */
static bool is_only_pair(const struct points *a, const struct points *b, const int32_t ends[2])
{
    struct points all = both_of(a, b);
    int free = 0;
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++) {
            bool blocked = is_same(a->at[i].at, b->at[k].at);
            for (int n = 0; n < all.count; n++)
                blocked |= is_between(a->at[i].at, b->at[k].at, all.at[n].at);
            free += !blocked;
            if (!blocked && (a->at[i].leaf != ends[0] || b->at[k].leaf != ends[1]))
                return false;
        }
    return free == 1;
}

static bool are_aside(const struct points *p, struct mw_point a, struct mw_point b)
{
    int left = 0, right = 0;
    for (int i = 0; i < p->count; i++) {
        int64_t side = turn(a, b, p->at[i].at);
        left += side > 0;
        right += side < 0;
    }
    return p->count && (left == p->count || right == p->count);
}

START_TEST(a_line_holds_all_or_is_none)
{
    enum { ROUNDS = 100000 };
    int lines = 0, follow = 0, aside = 0;
    struct mw_rng rng = unit_rng(5);
    for (int n = 0; n < ROUNDS; n++) {
        struct points p = random_points(&rng, 0), q = random_points(&rng, MOST),
                      all = both_of(&p, &q);
        struct line a = line_of(&p), b = line_of(&q), one = no_line;
        ck_assert_int_eq(line_unite(&one, &a, &b), all.count > 0);
        ck_assert(!line_unite(&one, &a, &b));
        ck_assert(all.count || !line_is_one(&one));
        if (line_is_one(&one)) {
            ck_assert(are_in_line(&all));
            ck_assert(is_end(&all, one.end[0]) && is_end(&all, one.end[1]));
            lines++;
        } else if (all.count) {
            ck_assert(!line_may_be(&one) && (!are_in_line(&all) || !are_different(&all)));
        }
        struct mw_point from = {mw_between(&rng, 0, FIELD), mw_between(&rng, 0, FIELD)},
                        to = {mw_between(&rng, 0, FIELD), mw_between(&rng, 0, FIELD)};
        if (line_is_one(&a)) {
            ck_assert_int_eq(line_is_aside(&a, from, to), are_aside(&p, from, to));
            aside += line_is_aside(&a, from, to);
        }
        int32_t ends[2];
        if (line_is_one(&a) && line_is_one(&b) && lines_follow(&a, &b, ends)) {
            ck_assert(are_in_line(&all) && is_only_pair(&p, &q, ends));
            follow++;
        }
    }
    ck_assert_int_gt(lines, ROUNDS / 10);
    ck_assert_int_gt(follow, ROUNDS / 100);
    ck_assert_int_gt(aside, ROUNDS / 10);
}
END_TEST

Suite *suite_line(void)
{
    Suite *suite = suite_create("line");
    TCase *all = tcase_create("all");
    tcase_add_test(all, a_line_holds_all_or_is_none);
    suite_add_tcase(suite, all);
    return suite;
}
