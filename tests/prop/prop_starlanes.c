/*
 * prop_starlanes.c: the promises of /starlanes, on stars at given positions (sky.h).
 *
 * Every map is judged by check_starlanes.c, and up to a size all three graphs must be those of the
 * naive way. MAPWRIGHT_LONG=1 tries twenty times as many, and skies of 1000 stars.
 */
#define ASK_BLOCK (96 << 20)
#define ASK_QUERY (4 << 20)

#include "ask.h"
#include "check_starlanes.h"
#include "sky.h"

#include <math.h>

static struct arbitrary source_numbered(uint64_t n)
{
    return arbitrary_of(mw_find("starlanes"), n);
}

/* ---- asking ---------------------------------------------------------------------------------- */

static const char *const angles[] = {"0",  "0.5", "7.25", "15",     "22.5",
                                     "30", "37",  "45",   "59.999", "60"};

static void ask_lanes(const char *rest)
{
    ask_anew("starlanes", 1);
    ask("%s", rest);
}

static void ask_sky(const char *rest)
{
    ask_lanes(rest);
    ask("&positions=%s", sky_positions());
}

static int32_t naive_most;

static const char *judge(const struct mw_map *map, char *why, size_t room)
{
    return check_starlanes_fully(map, naive_most, why, room);
}

/* The map, judged; with at most `naive` stars against the naive way. */
static const struct mw_map *answer(int32_t naive)
{
    naive_most = naive;
    const struct mw_map *map = ask_judged(judge);
    ck_assert_msg(map, "%.2000s: %s", query, refusal);
    return map;
}

static bool bind(struct mw_run **run, struct mw_request *request)
{
    *run = mw_open(&(struct mw_limits){.memory = block, .size = sizeof block});
    return mw_bind_address(*run, query, written, request);
}

/* Sets `refusal` to the first problem of a request that must be refused; the steps that took. */
static uint64_t refused(void)
{
    static struct mw_request request;
    struct mw_run *run;
    if (bind(&run, &request) && mw_make(run, &request))
        ck_abort_msg("%.2000s was not refused", query);
    const struct mw_problem *problem = &mw_problems(run)->list[0];
    snprintf(refusal, sizeof refusal, "%s %s", problem->pointer, problem->detail);
    return mw_steps(run);
}

static uint64_t estimated_steps(void)
{
    static struct mw_request request;
    struct mw_run *run;
    ck_assert(bind(&run, &request));
    return mw_estimate(&request, mw_encoder_named("json")).steps;
}

/* Random parameters that do not move the maximum graph. */
static void ask_family(struct arbitrary *source, int family, int32_t n)
{
    char rest[200];
    sky_make(source, family, n);
    int homes = 1 + (int)arbitrary_below(source, stars < 6 ? (uint32_t)stars - 1 : 5);
    snprintf(rest, sizeof rest, "&graphs=true&min_angle=%s&homeworlds=%d&density=%.3f",
             angles[arbitrary_below(source, (uint32_t)COUNT(angles))], homes,
             arbitrary_below(source, 1001) / 1000.0);
    ask_sky(rest);
}

/* ---- the graphs ------------------------------------------------------------------------------ */

static void try_families(int each, int32_t least, int32_t most)
{
    for (int family = 0; family < SKIES; family++)
        for (int i = 0; i < each; i++) {
            struct arbitrary source =
                source_numbered((uint64_t)(family * 1000000 + most * 1000 + i) * 16 + 1);
            ask_family(&source, family,
                       least + (int32_t)arbitrary_below(&source, (uint32_t)(most - least + 1)));
            answer(most);
        }
}

TEST(small_skies_are_naive) { try_families(rounds(150), 2, 14); }

TEST(middling_skies_are_naive) { try_families(rounds(40), 15, 70); }

TEST(large_skies_are_naive)
{
    try_families(is_long() ? 3 : 1, 150, 180);
    if (is_long())
        try_families(16, 900, 1000);
}

/* Stars with hundreds of lanes, next to no least angle, any density. */
TEST(hubs_are_naive)
{
    for (int i = 0; i < (is_long() ? 100 : 8); i++) {
        struct arbitrary source = source_numbered((uint64_t)i + 4200);
        char rest[100];
        sky_make(&source, SKY_HUBS, 200 + 10 * i % 70);
        snprintf(rest, sizeof rest, "&graphs=true&min_angle=%s&homeworlds=%d&density=%.3f",
                 i % 3 ? "0" : "0.01", 1 + i % (stars - 1), (i + 1) % 8 / 7.0);
        ask_sky(rest);
        answer(stars);
    }
}

/* All stars of a square of 3, by subset: every way in which few stars can lie to each other
   there. A sanitizer sees every fifth. */
TEST(all_tiny_skies_are_naive)
{
    for (uint32_t subset = 1; subset < 512; subset += is_sanitized() ? 5 : 1) {
        stars = 0;
        for (int i = 0; i < 9; i++)
            if (subset >> i & 1)
                sky[stars++] = (struct mw_point){i % 3, i / 3};
        if (stars < 2)
            continue;
        ask_sky(subset % 2 ? "&graphs=true&min_angle=45" : "&graphs=true&min_angle=26.565");
        ask("&homeworlds=%d", stars > 2 ? 2 : 1);
        answer(9);
    }
}

/* Nothing but size is new here, so what each graph promises by itself will do. */
TEST(wide_skies_are_sound)
{
    for (int family = 0; family < SKIES; family++) {
        struct arbitrary source = source_numbered((uint64_t)family + 77);
        ask_family(&source, family, family == SKY_HUBS || is_sanitized() ? 1000 : 3000);
        answer(0);
    }
}

/* ---- thin curves ----------------------------------------------------------------------------- */

static void ask_curve(int curve, int32_t n)
{
    stars = 0;
    for (int32_t i = 0; i < n; i++)
        sky_put_on_curve(curve, i, (double)i / n);
    sky_sort();
    ask_sky("&graphs=true");
}

TEST(few_stars_on_thin_curves_have_their_lanes, .end = CURVES)
{
    ask_curve(_i, is_sanitized() ? 800 : 2000);
    answer(0);
}

/* Long before the budget is spent, and with a number that would do. The estimate knows too: boxes
   tell curves from areas before anything is searched. */
TEST(many_stars_on_thin_curves_are_refused_early, .end = CURVES, .measures = true)
{
    struct arbitrary source = source_numbered(7);
    ask_curve(_i, 80000);
    ck_assert_uint_lt(refused(), mw_find("starlanes")->steps / 8);
    const char *most = strstr(refusal, "at most some ");
    ck_assert_msg(!strncmp(refusal, "/positions", 10) && strstr(refusal, "thin curves") && most,
                  "%s", refusal);
    int enough = atoi(most + strlen("at most some "));
    ck_assert_msg(enough > 1000 && enough < stars, "%s", refusal);
    ask_curve(_i, 20000);
    uint64_t thin = estimated_steps();
    sky_make(&source, SKY_UNIFORM, 20000);
    ask_sky("");
    ck_assert_uint_gt(thin, 10 * estimated_steps());
}

/* ---- the stars ------------------------------------------------------------------------------- */

TEST(generated_skies_are_naive)
{
    static const char *const rest[] = {
        "&stars=2&width=1&height=2",
        "&stars=64&width=8&height=8",
        "&stars=63&width=8&height=8&jitter=1",
        "&stars=17&width=1000&height=1",
        "&stars=100&width=3&height=8388608",
        "&stars=99&jitter=0&width=100&height=100",
        "&stars=100&jitter=1",
        "&stars=3&homeworlds=2&density=1",
        "&stars=40&homes=7,3,39",
        "",
    };
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        for (int graphs = 0; graphs < 2; graphs++) {
            ask_lanes(rest[i]);
            ask("%s", graphs ? "&graphs=true" : "");
            answer(100);
        }
}

TEST(no_jitter_gives_a_lattice)
{
    ask_lanes("&stars=400&width=400&height=400&jitter=0");
    const int32_t *const *columns = (const int32_t *const *)answer(0)->slots[3].as.table.columns;
    for (int i = 0; i < 400; i++) {
        ck_assert_int_eq(columns[0][i] % 20, columns[0][0] % 20);
        ck_assert_int_eq(columns[1][i] % 20, columns[1][0] % 20);
    }
}

static const struct {
    const char *query, *says; /* pointer and detail of the problem begin so */
} refusals[] = {
    {"&positions=1,1;2,2;3,1;2,2", "/positions/3"},
    {"&positions=1,1;2,8388608", "/positions/1"},
    {"&positions=1,1", "/positions"},
    {"&stars=1", "/stars"},
    {"&stars=5&positions=1,1;2,2", "/stars"},
    {"&width=9&positions=1,1;9,2", "/width"},
    {"&stars=10&homes=1,10", "/homes/1"},
    {"&stars=10&homes=1,2,1", "/homes/2"},
    {"&stars=10&homes=1,2&homeworlds=3", "/homeworlds"},
    {"&stars=10&homeworlds=10", "/homeworlds"},
    {"&stars=101&width=10&height=10", "/stars"},
};

TEST(what_cannot_be_is_refused, .end = COUNT(refusals))
{
    ask_lanes(refusals[_i].query);
    refused();
    ck_assert_msg(!strncmp(refusal, refusals[_i].says, strlen(refusals[_i].says)), "%s", refusal);
}

/* ---- angles ---------------------------------------------------------------------------------- */

int32_t starlanes_cosine(int32_t angle); /* the generator's own */

/* No angle comes so near to the middle between two results that the digits of a long double would
   not tell. */
TEST(cosines_are_rounded_right)
{
    for (int32_t angle = 0; angle <= 60000; angle++) {
        long double c = cosl(angle * (3.14159265358979323846264338327950288L / 180000));
        long double wanted = c * c * 1048576;
        ck_assert_msg(fabsl(wanted - floorl(wanted) - 0.5L) > 0x1p-20L, "angle %d", (int)angle);
        ck_assert_int_eq(starlanes_cosine(angle), (int32_t)floorl(wanted + 0.5L));
    }
    ck_assert_int_eq(starlanes_cosine(0), 1 << 20);
    ck_assert_int_eq(starlanes_cosine(45000), 1 << 19);
    ck_assert_int_eq(starlanes_cosine(60000), 1 << 18);
}
