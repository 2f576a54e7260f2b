/* check_run.c: the block, the clocks, and the ways to end. */
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

enum { OWN_STEPS = 1000 };

static const struct mw_field no_fields[] = {MW_END};
static const struct mw_part no_parts[] = {MW_END_PARTS};
static struct mw_generator probe = {.name = "probe",
                                    .version = 1,
                                    .fields = no_fields,
                                    .parts = no_parts,
                                    .params_size = 1,
                                    .steps = OWN_STEPS,
                                    .check = check_probe,
                                    .make = make_probe};

static const struct mw_map *make_in(struct mw_run *run, void (*body)(struct mw_run *))
{
    static struct mw_request request;
    work = body;
    ck_assert_msg(mw_bind(run, &probe, NULL, 0, "7", &request), "%s", unit_problems(run));
    return mw_make(run, &request);
}

static enum mw_fault fault_of(const struct mw_run *run)
{
    const struct mw_problems *problems = mw_problems(run);
    return problems->count ? problems->list[0].fault : MW_OK;
}

static void nothing(struct mw_run *run) { (void)run; }

/* ---- the block ------------------------------------------------------------------------------- */

TEST(opens_in_any_block_that_is_large_enough)
{
    static _Alignas(64) char block[65536];
    for (size_t size = 0; size < sizeof block - 64; size += 97) {
        char *at = block + size % 64;
        memset(block, 0x5a, sizeof block);
        struct mw_limits limits = {.memory = at, .size = size};
        struct mw_run *run = mw_open(&limits);
        ck_assert_msg(run || size < sizeof(struct mw_run) + 192, "%zu bytes are refused", size);
        if (run)
            ck_assert((char *)run >= at && run->bottom >= (char *)(run + 1) &&
                      run->top >= run->bottom && run->top <= at + size);
        size_t touched = 0;
        for (char *byte = block; byte < block + sizeof block; byte++)
            touched += (byte < at || byte >= at + size) && *byte != 0x5a;
        ck_assert_uint_eq(touched, 0);
    }
}

static void allocate_aligned(struct mw_run *run)
{
    char *last = run->end;
    for (size_t n = 0; n < 300; n++) {
        char *at = mw_alloc(run, n, 7);
        ck_assert_uint_eq((uintptr_t)at % 64, 0);
        ck_assert(at + 7 * n <= last);
        memset(at, (int)n, 7 * n);
        last = at;
    }
    char *clear = mw_calloc(run, 100, 10);
    for (int i = 0; i < 1000; i++)
        ck_assert_int_eq(clear[i], 0);
}

TEST(memory_is_aligned_apart_and_clear_when_asked)
{
    ck_assert_ptr_nonnull(make_in(unit_open(), allocate_aligned));
}

static size_t taken;

static void take_all(struct mw_run *run)
{
    for (taken = 0;; taken += 64)
        mw_alloc(run, 1, 64);
}

TEST(all_of_the_block_can_be_had_and_no_more)
{
    struct mw_run *run = unit_open_with(100000, 0);
    ck_assert_ptr_null(make_in(run, take_all));
    ck_assert_int_eq(fault_of(run), MW_TOO_BIG);
    ck_assert_uint_ge(taken + sizeof(struct mw_run) + 1000, 100000);
    ck_assert_uint_le(mw_peak(run), 100000);
    ck_assert_uint_ge(mw_peak(run), taken);
}

static size_t wanted_count, wanted_size;

static void want(struct mw_run *run) { mw_alloc(run, wanted_count, wanted_size); }

static const size_t wants[][2] = {{SIZE_MAX, 1},   {SIZE_MAX, SIZE_MAX}, {SIZE_MAX / 2 + 1, 2},
                                  {1, SIZE_MAX},   {SIZE_MAX / 8, 8},    {1 << 30, 64},
                                  {(size_t)-1, 4}, {65536, 64}};

TEST(no_product_is_too_large_to_be_refused, .end = COUNT(wants))
{
    wanted_count = wants[_i][0];
    wanted_size = wants[_i][1];
    struct mw_run *run = unit_open_with((size_t)4 << 20, 0); /* the last is just as large */
    ck_assert_ptr_null(make_in(run, want));
    ck_assert_int_eq(fault_of(run), MW_TOO_BIG);
}

static void come_and_go(struct mw_run *run)
{
    char *kept = mw_alloc(run, 1, 1000);
    memset(kept, 1, 1000);
    for (int i = 0; i < 10000; i++) {
        char *mark = mw_mark(run);
        memset(mw_alloc(run, 1, 30000), 2, 30000);
        mw_rewind(run, mark);
    }
    for (int i = 0; i < 1000; i++)
        ck_assert_int_eq(kept[i], 1);
}

TEST(what_is_rewound_is_free_again)
{
    struct mw_run *run = unit_open_with(65536, 0);
    ck_assert_ptr_nonnull(make_in(run, come_and_go));
    ck_assert_uint_ge(mw_peak(run), 31000);
    ck_assert_uint_le(mw_peak(run), 34000);
}

/* ---- output ---------------------------------------------------------------------------------- */

static char letter;

static void put_letters(struct mw_run *run, const struct mw_map *map)
{
    (void)map;
    for (int i = 0; i < 20000; i++)
        mw_put_char(run, letter);
}

static void take_most(struct mw_run *run) { mw_alloc(run, 1, 30000); }

TEST(output_that_meets_memory_ends_the_call_and_no_more)
{
    static const struct mw_encoder encoder = {.name = "letters", .encode = put_letters};
    struct mw_run *run = unit_open_with(30000 + 45000 + sizeof(struct mw_run), 0);
    const struct mw_map *map = make_in(run, take_most);
    letter = 'a';
    struct mw_bytes first = mw_encode_with(run, &encoder, map);
    letter = 'b';
    struct mw_bytes second = mw_encode_with(run, &encoder, map);
    ck_assert_uint_eq(first.length, 20000);
    ck_assert_uint_eq(second.length, 20000);
    ck_assert_ptr_null(mw_encode_with(run, &encoder, map).at);
    ck_assert_int_eq(fault_of(run), MW_TOO_BIG);
    for (size_t i = 0; i < 20000; i++)
        ck_assert(first.at[i] == 'a' && second.at[i] == 'b');
}

static void put_by_memory(struct mw_run *run, const struct mw_map *map)
{
    (void)map;
    memset(mw_alloc(run, 1, 20000), 'x', 20000);
    mw_put_char(run, 'x');
}

TEST(writing_gives_its_memory_back)
{
    static const struct mw_encoder encoder = {.name = "memory", .encode = put_by_memory};
    struct mw_run *run = unit_open_with(sizeof(struct mw_run) + 30000, 0);
    const struct mw_map *map = make_in(run, nothing);
    for (int i = 0; i < 10; i++)
        ck_assert_msg(mw_encode_with(run, &encoder, map).at != NULL, "%s", unit_problems(run));
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
    uint64_t own, limit, ticks, batch;
    enum mw_fault fault;
} budgets[] = {
    {1000, 5000, 1000, 1, MW_OK},
    {1000, 5000, 1001, 1, MW_TOO_HARD},
    {1000, 0, 0, 0, MW_OK},
    {1000, 0, 1000, 1, MW_OK},
    {1000, 0, 1001, 1, MW_TOO_HARD},
    {1000, 0, 1, 1000, MW_OK},
    {1000, 0, 1, 1001, MW_TOO_HARD},
    {UINT64_MAX, 1, 1, 1, MW_OK},
    {UINT64_MAX, 1, 2, 1, MW_TOO_HARD},
    {UINT64_MAX, 5000, 5000, 1, MW_OK},
    {UINT64_MAX, 5000, 51, 100, MW_TOO_HARD},
    {UINT64_MAX, UINT64_C(1) << 40, 100, UINT64_C(1) << 30, MW_OK},
    {UINT64_MAX, UINT64_C(1) << 40, 1025, UINT64_C(1) << 30, MW_TOO_HARD},
    {UINT64_MAX, (1 << 20) - 1, 1 << 20, 1, MW_TOO_HARD},
    {UINT64_MAX, 1 << 20, 1 << 20, 1, MW_OK},
    {UINT64_MAX, 1 << 20, (1 << 20) + 1, 1, MW_TOO_HARD},
    {UINT64_MAX, 3 << 20, 3 << 20, 1, MW_OK},
    {UINT64_MAX, (3 << 20) - 1, 3 << 20, 1, MW_TOO_HARD},
};

TEST(a_budget_is_met_to_the_step, .end = COUNT(budgets))
{
    ticks = budgets[_i].ticks;
    batch = budgets[_i].batch;
    struct mw_run *run = unit_open_with(1 << 20, budgets[_i].limit);
    probe.steps = budgets[_i].own;
    const struct mw_map *map = make_in(run, tick);
    probe.steps = OWN_STEPS;
    ck_assert_int_eq(fault_of(run), budgets[_i].fault);
    ck_assert_int_eq(map != NULL, budgets[_i].fault == MW_OK);
    if (map)
        ck_assert_uint_eq(mw_steps(run), ticks * batch);
}

TEST(steps_of_binding_count)
{
    steps_of_check = 100;
    struct mw_run *run = unit_open_with(1 << 20, 100);
    ck_assert_ptr_nonnull(make_in(run, nothing));
    ck_assert_uint_eq(mw_steps(run), 100);
    run = unit_open_with(1 << 20, 99);
    ck_assert_ptr_null(make_in(run, nothing));
    ck_assert_int_eq(fault_of(run), MW_TOO_HARD);
    run = unit_open_with(1 << 20, 10);
    ck_assert_ptr_null(make_in(run, nothing));
    ck_assert_int_eq(fault_of(run), MW_TOO_HARD);
    steps_of_check = 0;
}

static void tick_much(struct mw_run *run, const struct mw_map *map)
{
    (void)map;
    for (int i = 0; i < 10000; i++)
        mw_tick(run, 1000);
}

TEST(writing_has_no_budget)
{
    static const struct mw_encoder encoder = {.name = "much", .encode = tick_much};
    struct mw_run *run = unit_open_with(1 << 20, 10);
    const struct mw_map *map = make_in(run, nothing);
    ck_assert_ptr_nonnull(mw_encode_with(run, &encoder, map).at);
}

/* ---- stop ------------------------------------------------------------------------------------ */

static int asked, patience;
static uint64_t told;

static bool stop(void *arg, uint64_t steps)
{
    told = steps;
    ck_assert_ptr_eq(arg, &patience);
    return asked++ == patience;
}

static struct mw_run *open_impatient(void)
{
    static _Alignas(64) char block[1 << 20];
    struct mw_limits limits = {block, sizeof block, UINT64_C(1) << 40, stop, &patience};
    asked = 0;
    probe.steps = 0;
    return mw_open(&limits);
}

TEST(the_host_stops_a_run, .end = 4)
{
    ticks = 30000;
    batch = 1000;
    struct mw_run *run = open_impatient();
    patience = _i;
    ck_assert_ptr_null(make_in(run, tick));
    ck_assert_int_eq(fault_of(run), MW_STOPPED);
    ck_assert_int_eq(asked, patience + 1);
}

TEST(the_host_is_asked_every_million_steps_or_so)
{
    ticks = 100000;
    batch = 1000;
    struct mw_run *run = open_impatient();
    patience = INT32_MAX;
    ck_assert_ptr_nonnull(make_in(run, tick));
    ck_assert_int_ge(asked, 90);
    ck_assert_int_le(asked, 110);
    ck_assert_uint_ge(told, UINT64_C(90) << 20);
    ck_assert_uint_le(told, mw_steps(run));
}

TEST(the_host_stops_the_writing_too)
{
    static const struct mw_encoder encoder = {.name = "much", .encode = tick_much};
    struct mw_run *run = open_impatient();
    patience = 5;
    const struct mw_map *map = make_in(run, nothing);
    ck_assert_ptr_nonnull(map);
    ck_assert_ptr_null(mw_encode_with(run, &encoder, map).at);
    ck_assert_int_eq(fault_of(run), MW_STOPPED);
}

/* ---- failing --------------------------------------------------------------------------------- */

static void fail_deep(struct mw_run *run)
{
    mw_alloc(run, 1, 5000);
    mw_fail(run, MW_NO_RESULT, "/width", "%d of %s", 3, "them");
}

TEST(a_failed_run_says_why_and_its_block_serves_again)
{
    struct mw_run *run = unit_open();
    ck_assert_ptr_null(make_in(run, fail_deep));
    ck_assert_str_eq(unit_problems(run), "/width: 3 of them\n");
    ck_assert_int_eq(fault_of(run), MW_NO_RESULT);
    ck_assert_ptr_nonnull(make_in(unit_open(), nothing));
}

TEST(messages_know_every_conversion_that_they_need)
{
    struct mw_run *run = unit_open();
    mw_add_problem(run, MW_BAD_PARAM, "/a", "%d %d %u %lld %llu %zu %s %.*s %c %%", INT32_MIN,
                   INT32_MAX, UINT32_MAX, (long long)INT64_MIN, (unsigned long long)UINT64_MAX,
                   (size_t)12345, "text", 3, "abcdef", '!');
    ck_assert_str_eq(
        unit_problems(run),
        "/a: -2147483648 2147483647 4294967295 -9223372036854775808 18446744073709551615 12345 "
        "text abc ! %\n");
}

/* Characters of one to four bytes, so that the cut falls into each place of each. */
static const char *const characters[] = {"x", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x97\xba"};

TEST(a_long_message_is_cut_between_characters, .end = 16)
{
    size_t n = strlen(characters[_i / 4]);
    char text[2 * MW_DETAIL_MAX + 8] = "", *to = text + _i % 4;
    memset(text, '.', (size_t)(_i % 4));
    for (int i = 0; i < MW_DETAIL_MAX / 2; i++, to += n)
        memcpy(to, characters[_i / 4], n + 1);
    while (strlen(text) < 2 * MW_DETAIL_MAX - 8 && n < 3)
        strcat(text, characters[_i / 4]);
    struct mw_run *run = unit_open();
    mw_add_problem(run, MW_BAD_PARAM, text, "%s", text);
    const char *cut[] = {mw_problems(run)->list[0].detail, mw_problems(run)->list[0].pointer};
    static const size_t room[] = {MW_DETAIL_MAX, MW_POINTER_MAX};
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(cut[i]);
        ck_assert_mem_eq(cut[i], text, length);
        ck_assert_uint_eq((length - (size_t)(_i % 4)) % n, 0);
        ck_assert_uint_lt(length, room[i]);
        ck_assert_uint_ge(length + n, room[i]);
    }
}
