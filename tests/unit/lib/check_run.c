/*
 * check_run.c: the block, the clocks, and the ways to end. That runs end alike with less memory,
 * fewer steps or a host that stops them is a law (tests/prop/laws.c).
 */
#include "unit/unit.h"

/* ---- a generator whose work is the test's ---------------------------------------------------- */

static void (*work)(struct mw_run *);

static void make_probe(struct mw_run *run, const void *params, struct mw_map *map)
{
    (void)params;
    (void)map;
    work(run);
}

static uint64_t steps_of_check;

static void check_probe(struct mw_run *run, void *params, mw_given given)
{
    (void)params;
    (void)given;
    mw_tick(run, steps_of_check);
}

static const struct mw_field no_fields[] = {MW_END};
static const struct mw_part no_parts[] = {MW_END_PARTS};
static struct mw_generator probe = {.name = "probe",
                                    .version = 1,
                                    .fields = no_fields,
                                    .parts = no_parts,
                                    .params_size = 1,
                                    .check = check_probe,
                                    .make = make_probe};

static const struct mw_map *make_in(struct mw_run *run, void (*body)(struct mw_run *))
{
    static struct mw_request request;
    work = body;
    return mw_bind(run, &probe, NULL, 0, "7", &request) ? mw_make(run, &request) : NULL;
}

static enum mw_fault fault_of(const struct mw_run *run)
{
    const struct mw_problems *problems = mw_problems(run);
    return problems->count ? problems->list[0].fault : MW_OK;
}

static void nothing(struct mw_run *run) { (void)run; }

/* ---- the block ------------------------------------------------------------------------------- */

static void come_and_go(struct mw_run *run)
{
    char *first = mw_alloc(run, 1, 1001), *clear = mw_calloc(run, 10, 10);
    memset(first, 1, 1001);
    ck_assert(clear + 100 <= first && !clear[0] && !memcmp(clear, clear + 1, 99));
    for (int i = 0; i < 10000; i++) {
        char *mark = mw_mark(run), *again = mw_alloc(run, 1, 30000);
        ck_assert_uint_eq((uintptr_t)again % 64, 0);
        memset(again, 2, 30000);
        mw_rewind(run, mark);
    }
    ck_assert(first[0] == 1 && !memcmp(first, first + 1, 1000));
}

TEST(memory_is_aligned_and_free_again_when_rewound)
{
    struct mw_run *run = unit_open_with(65536, 0);
    ck_assert_ptr_nonnull(make_in(run, come_and_go));
    ck_assert(mw_peak(run) >= 31000 && mw_peak(run) <= 34000);
}

static size_t wanted_count, wanted_size;

static void want(struct mw_run *run) { mw_alloc(run, wanted_count, wanted_size); }

/* The last is as large as the block. */
static const size_t wants[][2] = {{SIZE_MAX, 1},   {SIZE_MAX, SIZE_MAX}, {SIZE_MAX / 2 + 1, 2},
                                  {1, SIZE_MAX},   {SIZE_MAX / 8, 8},    {1 << 30, 64},
                                  {(size_t)-1, 4}, {65536, 64}};

TEST(no_product_is_too_large_to_be_refused, .end = COUNT(wants))
{
    wanted_count = wants[_i][0];
    wanted_size = wants[_i][1];
    struct mw_run *run = unit_open_with((size_t)4 << 20, 0);
    ck_assert_ptr_null(make_in(run, want));
    ck_assert_int_eq(fault_of(run), MW_TOO_BIG);
}

/* ---- output ---------------------------------------------------------------------------------- */

static char letter;

static void put_letters(struct mw_run *run, const struct mw_map *map)
{
    (void)map;
    mw_alloc(run, 1, 10000);
    for (int i = 0; i < 20000; i++)
        mw_put_char(run, letter);
}

/* Scratch of the first is room for the second; what does not fit leaves the others as they are. */
TEST(output_that_meets_memory_ends_the_call_and_no_more)
{
    static const struct mw_encoder encoder = {.name = "letters", .encode = put_letters};
    struct mw_run *run = unit_open_with(55000 + sizeof(struct mw_run), 0);
    const struct mw_map *map = make_in(run, nothing);
    letter = 'a';
    struct mw_bytes first = mw_encode_with(run, &encoder, map);
    letter = 'b';
    struct mw_bytes second = mw_encode_with(run, &encoder, map);
    ck_assert(first.length == 20000 && second.length == 20000);
    ck_assert_ptr_null(mw_encode_with(run, &encoder, map).at);
    ck_assert_int_eq(fault_of(run), MW_TOO_BIG);
    for (size_t i = 0; i < 20000; i++)
        ck_assert(first.at[i] == 'a' && second.at[i] == 'b');
}

/* ---- steps ----------------------------------------------------------------------------------- */

static uint64_t ticks, batch;

static void tick(struct mw_run *run)
{
    for (uint64_t i = 0; i < ticks; i++)
        mw_tick(run, batch);
}

/* A limit of 0 is the generator's own, a higher one is none. */
static const struct {
    uint64_t own, limit, check, ticks, batch;
    bool good;
} budgets[] = {
    {1000, 5000, 0, 1000, 1, true},
    {1000, 5000, 0, 1001, 1, false},
    {1000, 0, 0, 1, 1000, true},
    {1000, 0, 0, 1, 1001, false},
    {0, 1, 0, 1, 1, true},
    {0, 1, 0, 2, 1, false},
    {0, UINT64_C(1) << 40, 0, 100, UINT64_C(1) << 30, true},
    {0, UINT64_C(1) << 40, 0, 1025, UINT64_C(1) << 30, false},
    {0, (1 << 20) - 1, 0, 1 << 20, 1, false},
    {0, 1 << 20, 0, 1 << 20, 1, true},
    {0, 3 << 20, 0, 3 << 20, 1, true},
    {0, (3 << 20) - 1, 0, 3 << 20, 1, false},
    {1000, 0, 900, 1000, 1, true}, /* its own is counted from where the map begins */
    {1000, 0, 900, 1001, 1, false},
    {1000, 1000, 900, 100, 1, true}, /* steps of binding count against the host's limit */
    {1000, 1000, 900, 101, 1, false},
    {1000, 1000, 1001, 0, 1, false},
};

TEST(a_budget_is_met_to_the_step, .end = COUNT(budgets))
{
    ticks = budgets[_i].ticks;
    batch = budgets[_i].batch;
    steps_of_check = budgets[_i].check;
    probe.steps = budgets[_i].own;
    struct mw_run *run = unit_open_with(1 << 20, budgets[_i].limit);
    const struct mw_map *map = make_in(run, tick);
    probe.steps = steps_of_check = 0;
    ck_assert_int_eq(fault_of(run), budgets[_i].good ? MW_OK : MW_TOO_HARD);
    ck_assert_int_eq(map != NULL, budgets[_i].good);
    ck_assert(!map || mw_steps(run) == budgets[_i].check + ticks * batch);
}

/* ---- stop ------------------------------------------------------------------------------------ */

static int calls, patience;
static uint64_t last_steps;

static bool stop(void *arg, uint64_t steps)
{
    last_steps = steps;
    ck_assert_ptr_eq(arg, &patience);
    return calls++ == patience;
}

static struct mw_run *open_impatient(int calls_allowed)
{
    static _Alignas(64) char block[1 << 20];
    struct mw_limits limits = {block, sizeof block, UINT64_C(1) << 40, stop, &patience};
    calls = 0;
    patience = calls_allowed;
    ticks = 100000;
    batch = 1000;
    return mw_open(&limits);
}

TEST(the_host_is_called_every_million_steps_or_so)
{
    struct mw_run *run = open_impatient(INT32_MAX);
    ck_assert_ptr_nonnull(make_in(run, tick));
    ck_assert(calls >= 90 && calls <= 110);
    ck_assert(last_steps >= UINT64_C(90) << 20 && last_steps <= mw_steps(run));
    run = open_impatient(3);
    ck_assert_ptr_null(make_in(run, tick));
    ck_assert_int_eq(fault_of(run), MW_STOPPED);
    ck_assert_int_eq(calls, 4);
}

static void tick_much(struct mw_run *run, const struct mw_map *map)
{
    (void)map;
    tick(run);
}

TEST(writing_has_no_budget_but_the_host_stops_it)
{
    static const struct mw_encoder encoder = {.name = "much", .encode = tick_much};
    struct mw_run *run = open_impatient(50);
    run->limits.steps = 10;
    const struct mw_map *map = make_in(run, nothing);
    ck_assert_ptr_nonnull(map);
    ck_assert_ptr_null(mw_encode_with(run, &encoder, map).at);
    ck_assert_int_eq(fault_of(run), MW_STOPPED);
}

/* ---- failing --------------------------------------------------------------------------------- */

static void fail_deep(struct mw_run *run)
{
    mw_alloc(run, 1, 5000);
    mw_fail(run, MW_NO_RESULT, "/a", "%d %d %u %lld %llu %zu %s %.*s %c %%", INT32_MIN, INT32_MAX,
            UINT32_MAX, (long long)INT64_MIN, (unsigned long long)UINT64_MAX, (size_t)12345, "text",
            3, "abcdef", '!');
}

TEST(a_failed_run_says_why_and_its_block_serves_again)
{
    struct mw_run *run = unit_open();
    ck_assert_ptr_null(make_in(run, fail_deep));
    ck_assert_int_eq(fault_of(run), MW_NO_RESULT);
    ck_assert_str_eq(
        unit_problems(run),
        "/a: -2147483648 2147483647 4294967295 -9223372036854775808 18446744073709551615 12345 "
        "text abc ! %\n");
    ck_assert_ptr_nonnull(make_in(unit_open(), nothing));
}

/* Characters of one to four bytes, so that the cut falls into each place of each. */
TEST(a_long_message_is_cut_between_characters, .end = 16)
{
    static const char *const characters[] = {"x", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x97\xba"};
    static const size_t room[] = {MW_DETAIL_MAX, MW_POINTER_MAX};
    size_t n = strlen(characters[_i / 4]), before = (size_t)(_i % 4);
    char text[5 * MW_DETAIL_MAX];
    memset(text, '.', before);
    for (size_t i = 0; i < MW_DETAIL_MAX; i++)
        memcpy(text + before + i * n, characters[_i / 4], n + 1);
    struct mw_run *run = unit_open();
    mw_add_problem(run, MW_BAD_PARAM, text, "%s", text);
    const char *cut[] = {mw_problems(run)->list[0].detail, mw_problems(run)->list[0].pointer};
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(cut[i]);
        ck_assert_mem_eq(cut[i], text, length);
        ck_assert_uint_eq((length - before) % n, 0);
        ck_assert(length < room[i] && length + n >= room[i]);
    }
}
