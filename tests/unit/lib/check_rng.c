/* check_rng.c: published vectors, and that draws are even. */
#include "unit/unit.h"

/* xoshiro256** from the state 1, 2, 3, 4, by the authors' program. */
TEST(next_gives_the_published_numbers)
{
    static const uint64_t published[] = {
        UINT64_C(11520),
        UINT64_C(0),
        UINT64_C(1509978240),
        UINT64_C(1215971899390074240),
        UINT64_C(1216172134540287360),
        UINT64_C(607988272756665600),
        UINT64_C(16172922978634559625),
        UINT64_C(8476171486693032832),
        UINT64_C(10595114339597558777),
        UINT64_C(2904607092377533576),
    };
    struct mw_rng rng = {{1, 2, 3, 4}};
    for (int i = 0; i < COUNT(published); i++)
        ck_assert_uint_eq(mw_next(&rng), published[i]);
}

static uint64_t splitmix(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint64_t fnv_1a(const char *bytes, size_t n)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* The test's own splitmix64 and FNV-1a give the published numbers, and streams are made by them. */
TEST(a_stream_is_made_of_generator_seed_and_name)
{
    static const char key[] = "maker\0caf\xc3\xa9\0labels";
    uint64_t state = 1234567;
    ck_assert_uint_eq(splitmix(&state), UINT64_C(6457827717110365317));
    ck_assert_uint_eq(splitmix(&state), UINT64_C(3203168211198807973));
    ck_assert_uint_eq(fnv_1a("foobar", 6), UINT64_C(0x85944171f73967e8));
    struct mw_run *run = unit_open();
    run->generator = "maker";
    run->seed = "caf\xc3\xa9";
    struct mw_rng rng = mw_stream(run, "labels");
    state = fnv_1a(key, sizeof key);
    for (int i = 0; i < 4; i++)
        ck_assert_uint_eq(rng.s[i], splitmix(&state));
}

/* Chi squared over n equally likely outcomes, times `draws`, in whole numbers. */
static int64_t unevenness(const int32_t *counts, int n, int64_t draws)
{
    int64_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += (int64_t)counts[i] * counts[i];
    return sum * n - draws * draws;
}

/* Sides of dice, and a bound on chi squared that chance passes once in 100,000 times. With 3 * 2^30
   sides a draw without rejection would fall below 2^30 half of the time, not a third. */
static const struct {
    uint32_t sides, classes;
    int64_t bound;
} dice[] = {{2, 2, 20}, {6, 6, 32}, {7, 7, 34}, {100, 100, 169}, {UINT32_C(3) << 30, 3, 24}};

TEST(draws_are_even, .end = COUNT(dice))
{
    enum { DRAWS = 200000 };
    int32_t counts[100] = {0};
    struct mw_rng rng = unit_rng(dice[_i].sides);
    for (int i = 0; i < DRAWS; i++) {
        uint32_t draw = mw_below(&rng, dice[_i].sides);
        ck_assert(draw < dice[_i].sides);
        counts[draw % dice[_i].classes]++;
    }
    ck_assert_int_lt(unevenness(counts, (int)dice[_i].classes, DRAWS), dice[_i].bound * DRAWS);
}
