/*
 * prop_starlanes.c: the promises of /starlanes, on skies of its own.
 *
 * Families of stars that are hard in different ways: uniform, clusters, lattices, rings, spirals,
 * lines, far clusters, tiny squares full of equal lengths. Every map is judged by
 * check_starlanes.c, and up to a size all three graphs must be those of the naive way.
 *
 * MAPWRIGHT_LONG=1 tries twenty times as many, and skies of 1000 stars.
 */
#define ASK_BLOCK (96 << 20)
#define ASK_QUERY (4 << 20)

#include "ask.h"
#include "check_starlanes.h"

#include <math.h>

enum { STARS_MOST = 100000, SIDE = 1 << 23 };

static struct mw_point sky[STARS_MOST];
static int32_t stars;

static struct arbitrary lots_numbered(uint64_t n) { return arbitrary_of(mw_find("starlanes"), n); }

/* ---- families -------------------------------------------------------------------------------- */

static double unit(struct arbitrary *source)
{
    return arbitrary_below(source, 1u << 30) / (double)(1 << 30);
}

/* Two independent normal numbers would do; twelve uniform ones a coordinate are as round. */
static double bell(struct arbitrary *source)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += unit(source);
    return sum;
}

static void put(double x, double y)
{
    double most = SIDE - 1;
    sky[stars++] =
        (struct mw_point){(int32_t)fmax(0, fmin(most, x)), (int32_t)fmax(0, fmin(most, y))};
}

static void uniform(struct arbitrary *source, int32_t i, int32_t n)
{
    (void)i, (void)n;
    put(unit(source) * SIDE, unit(source) * SIDE);
}

static void clusters(struct arbitrary *source, int32_t i, int32_t n)
{
    struct arbitrary where = lots_numbered((uint64_t)(i % (1 + n / 12)) * 1000 + (uint64_t)n);
    double spread = 10000 * (1 + (double)arbitrary_below(&where, 8));
    double x = unit(&where) * SIDE, y = unit(&where) * SIDE;
    put(x + spread * bell(source), y + spread * bell(source));
}

static void lattice(struct arbitrary *source, int32_t i, int32_t n)
{
    (void)source;
    int32_t across = (int32_t)ceil(sqrt(n));
    int32_t column = i % across, row = i / across;
    put(7 * column, 7 * row);
}

static void jittered(struct arbitrary *source, int32_t i, int32_t n)
{
    int32_t across = (int32_t)ceil(sqrt(n));
    int32_t column = i % across, row = i / across;
    put(20 * column + (int32_t)arbitrary_below(source, 7),
        20 * row + (int32_t)arbitrary_below(source, 7));
}

static void around(struct arbitrary *source, double radius)
{
    double turn = unit(source) * 6.283185307;
    put(4000000 + radius * cos(turn), 4000000 + radius * sin(turn));
}

static void ring(struct arbitrary *source, int32_t i, int32_t n)
{
    (void)i, (void)n;
    around(source, 3000000);
}

static void rings(struct arbitrary *source, int32_t i, int32_t n)
{
    (void)n;
    around(source, 900000 * (1 + i % 4));
}

static void spiral(struct arbitrary *source, int32_t i, int32_t n)
{
    (void)i, (void)n;
    double turn = unit(source) * 25, radius = turn * 150000;
    put(4000000 + radius * cos(turn) + unit(source) * 60000,
        4000000 + radius * sin(turn) + unit(source) * 60000);
}

static void line(struct arbitrary *source, int32_t i, int32_t n)
{
    (void)i;
    int32_t k = (int32_t)arbitrary_below(source, 4 * (uint32_t)n);
    put(3 * k, 5 * k);
}

/* All on one line but a few. */
static void nearly_line(struct arbitrary *source, int32_t i, int32_t n)
{
    put(10 * (int32_t)arbitrary_below(source, 4 * (uint32_t)n),
        i % 9 ? 1000 : arbitrary_below(source, 2000));
}

static void far_clusters(struct arbitrary *source, int32_t i, int32_t n)
{
    (void)n;
    put(i % 2 * 8000000 + (int32_t)arbitrary_below(source, 100000),
        arbitrary_below(source, 100000));
}

static void two_lines(struct arbitrary *source, int32_t i, int32_t n)
{
    (void)n;
    put(i % 2 * 1000000, arbitrary_below(source, SIDE));
}

static void small_square(struct arbitrary *source, int32_t i, int32_t n)
{
    (void)i;
    uint32_t side = 2 + (uint32_t)sqrt(1.5 * n);
    put(arbitrary_below(source, side), arbitrary_below(source, side));
}

/* A star in the middle of a ring of whole numbers that are all 5, 25, 65, ... away. */
static void wheel(struct arbitrary *source, int32_t i, int32_t n)
{
    static const int spoke[][2] = {{65, 0},  {63, 16}, {60, 25}, {56, 33}, {52, 39},
                                   {39, 52}, {33, 56}, {25, 60}, {16, 63}, {0, 65}};
    (void)n;
    const int *s = spoke[arbitrary_below(source, 10)];
    int x = arbitrary_below(source, 2) ? s[0] : -s[0],
        y = arbitrary_below(source, 2) ? s[1] : -s[1];
    put(1000 + (i ? x : 0), 1000 + (i ? y : 0));
}

/* Bays between capes, which see each other but for what lies before the bay (Lissajous). */
static void capes(struct arbitrary *source, int32_t i, int32_t n)
{
    (void)i, (void)n;
    double turn = unit(source) * 6.283185307;
    put(4000000 + 4000000 * sin(3 * turn), 4000000 + 4000000 * sin(4 * turn + .4));
}

/* A row, or nearly, and a few stars far from it on both sides: with no least angle each is a hub,
   with most of the row around it. */
static void hubs(struct arbitrary *source, int32_t i, int32_t n)
{
    if (i % 100 == 3)
        put(arbitrary_below(source, 3 * (uint32_t)n), arbitrary_below(source, 100000));
    else
        put(3 * i, 50000 + i - (i % 200 < 100 ? 0 : (int32_t)arbitrary_below(source, 2)));
}

static const struct {
    const char *name;
    void (*add)(struct arbitrary *, int32_t i, int32_t n);
} families[] = {
    {"uniform", uniform},
    {"clusters", clusters},
    {"lattice", lattice},
    {"jittered", jittered},
    {"ring", ring},
    {"rings", rings},
    {"spiral", spiral},
    {"line", line},
    {"nearly line", nearly_line},
    {"far clusters", far_clusters},
    {"two lines", two_lines},
    {"small square", small_square},
    {"wheel", wheel},
    {"capes", capes},
    {"hubs", hubs},
};
enum { FAMILIES = sizeof families / sizeof *families, HUBS = FAMILIES - 1 };

static const char *const angles[] = {"0",  "0.5", "7.25", "15",     "22.5",
                                     "30", "37",  "45",   "59.999", "60"};
enum { ANGLES = sizeof angles / sizeof *angles };

static int point_order(const void *a, const void *b)
{
    const struct mw_point *p = a, *q = b;
    return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->y > q->y) - (p->y < q->y);
}

/* Sorts the stars, and drops those at the place of another. */
static void sort_sky(void)
{
    qsort(sky, (size_t)stars, sizeof *sky, point_order);
    int32_t kept = 1;
    for (int32_t i = 1; i < stars; i++)
        if (point_order(&sky[kept - 1], &sky[i]))
            sky[kept++] = sky[i];
    stars = kept;
}

static void shuffle(struct arbitrary *source)
{
    for (int32_t i = stars - 1; i > 0; i--) {
        int32_t k = (int32_t)arbitrary_below(source, (uint32_t)i + 1);
        struct mw_point swap = sky[i];
        sky[i] = sky[k];
        sky[k] = swap;
    }
}

/* Up to n different stars of a family, in any order; at least two. */
static void make_sky(struct arbitrary *source, int family, int32_t n)
{
    stars = 0;
    for (int32_t i = 0; i < n; i++)
        families[family].add(source, i, n);
    sort_sky();
    if (stars == 1)
        sky[stars++] = (struct mw_point){sky[0].x + (sky[0].x < 9 ? 1 : -1), sky[0].y};
    shuffle(source);
}

/* ---- asking ---------------------------------------------------------------------------------- */

static void ask_lanes(const char *rest)
{
    ask_anew("starlanes", 1);
    ask("%s", rest);
}

static void ask_sky(const char *rest)
{
    ask_lanes(rest);
    for (int32_t i = 0; i < stars; i++)
        ask("%s%d,%d", i ? ";" : "&positions=", (int)sky[i].x, (int)sky[i].y);
}

static struct mw_run *run;

static const struct mw_map *make_map(void)
{
    static struct mw_request request;
    struct mw_limits limits = {.memory = block, .size = sizeof block};
    run = mw_open(&limits);
    return mw_bind_address(run, query, written, &request) ? mw_make(run, &request) : NULL;
}

/* The map, judged; with at most `naive` stars against the naive way. */
static const struct mw_map *answer(int32_t naive)
{
    const struct mw_map *map = make_map();
    char why[256];
    if (!map)
        ck_abort_msg("%.2000s: %s", query, mw_problems(run)->list[0].detail);
    const char *bad = check_starlanes_fully(map, naive, why, sizeof why);
    if (bad)
        ck_abort_msg("%s: %.2000s", bad, query);
    return map;
}

/* A request that must be refused; the problem. */
static const struct mw_problem *refused(enum mw_fault fault, const char *pointer)
{
    if (make_map())
        ck_abort_msg("%.2000s was not refused", query);
    for (size_t i = 0; i < mw_problems(run)->count; i++)
        if (!strcmp(mw_problems(run)->list[i].pointer, pointer)) {
            ck_assert_int_eq(mw_problems(run)->list[i].fault, fault);
            return &mw_problems(run)->list[i];
        }
    ck_abort_msg("%.2000s: no problem at %s", query, pointer);
}

/* Random parameters that do not move the maximum graph. */
static void ask_family(struct arbitrary *source, int family, int32_t n)
{
    char rest[200];
    make_sky(source, family, n);
    int homes = 1 + (int)arbitrary_below(source, stars < 6 ? (uint32_t)stars - 1 : 5);
    snprintf(rest, sizeof rest, "&graphs=true&min_angle=%s&homeworlds=%d&density=%.3f",
             angles[arbitrary_below(source, ANGLES)], homes,
             arbitrary_below(source, 1001) / 1000.0);
    ask_sky(rest);
}

/* ---- the graphs ------------------------------------------------------------------------------ */

static void try_families(int each, int32_t least, int32_t most)
{
    for (int family = 0; family < FAMILIES; family++)
        for (int i = 0; i < each; i++) {
            struct arbitrary source =
                lots_numbered((uint64_t)(family * 1000000 + most * 1000 + i) * 16 + 1);
            ask_family(&source, family,
                       least + (int32_t)arbitrary_below(&source, (uint32_t)(most - least + 1)));
            answer(most);
        }
}

TEST(small_skies_are_naive) { try_families(rounds(400), 2, 14); }

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
        struct arbitrary source = lots_numbered((uint64_t)i + 4200);
        char rest[100];
        make_sky(&source, HUBS, 200 + 10 * i % 70);
        snprintf(rest, sizeof rest, "&graphs=true&min_angle=%s&homeworlds=%d&density=%.3f",
                 i % 3 ? "0" : "0.01", 1 + i % (stars - 1), (i + 1) % 8 / 7.0);
        ask_sky(rest);
        answer(stars);
    }
}

/* All stars of a square of 3, by subset: every way in which few stars can lie to each other
   there. */
TEST(all_tiny_skies_are_naive)
{
    for (uint32_t subset = 1; subset < 512; subset++) {
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
    for (int family = 0; family < FAMILIES; family++) {
        struct arbitrary source = lots_numbered((uint64_t)family + 77);
        ask_family(&source, family, family == HUBS ? 1000 : is_long() ? 5000 : 3000);
        answer(0);
    }
}

/* The lanes of a map, by where their stars are, in order. */
struct drawn {
    struct mw_point a, b;
};

static int drawn_order(const void *a, const void *b)
{
    const struct drawn *p = a, *q = b;
    int first = point_order(&p->a, &q->a);
    return first ? first : point_order(&p->b, &q->b);
}

static struct drawn *draw(const struct mw_map *map, int part, size_t *count)
{
    const struct mw_edges *edges = &map->slots[part].as.edges;
    struct drawn *drawn = malloc((size_t)edges->count * sizeof *drawn);
    *count = (size_t)edges->count;
    for (size_t i = 0; i < *count; i++) {
        struct mw_point a = sky[edges->at[i].a], b = sky[edges->at[i].b];
        drawn[i] = point_order(&a, &b) < 0 ? (struct drawn){a, b} : (struct drawn){b, a};
    }
    qsort(drawn, *count, sizeof *drawn, drawn_order);
    return drawn;
}

TEST(order_of_stars_does_not_matter)
{
    for (int i = 0; i < rounds(13); i++) {
        struct arbitrary source = lots_numbered((uint64_t)i + 5000);
        make_sky(&source, i % FAMILIES, 200);
        for (int part = 4; part <= 6; part++) {
            size_t count, again;
            ask_sky("&graphs=true");
            struct drawn *first = draw(answer(0), part, &count);
            shuffle(&source);
            ask_sky("&graphs=true");
            struct drawn *second = draw(answer(0), part, &again);
            ck_assert_uint_eq(count, again);
            ck_assert_mem_eq(first, second, count * sizeof *first);
            free(first);
            free(second);
        }
    }
}

/* ---- thin curves ----------------------------------------------------------------------------- */

static const char *const curves[] = {"circle", "circles", "two rows", "rows that part",
                                     "waves",  "rays",    "spiral",   "a row and one star"};
enum { CURVES = sizeof curves / sizeof *curves };

static void put_on_curve(int curve, int32_t i, int32_t n)
{
    double part = (double)i / n, turn = 6.283185307179586 * part, side = i % 2;
    switch (curve) {
    case 0: put(4e6 + 4e6 * cos(turn), 4e6 + 4e6 * sin(turn)); break;
    case 1: put(4e6 + 2e6 * (1 + side) * cos(turn), 4e6 + 2e6 * (1 + side) * sin(turn)); break;
    case 2: put(1e6 * side, 8e6 * part); break;
    case 3: put(4e6 * part * side, 8e6 * part); break;
    case 4: put(8e6 * part, 4e6 + 3e6 * sin(4 * turn)); break;
    case 5: put(4e6 + 4e6 * part * cos(i % 6), 4e6 + 4e6 * part * sin(i % 6)); break;
    case 6: put(4e6 + 4e6 * part * cos(6 * turn), 4e6 + 4e6 * part * sin(6 * turn)); break;
    default: put(i ? 8e6 * part : 4e6, i ? 5 : 8e6);
    }
}

static void ask_curve(int curve, int32_t n)
{
    stars = 0;
    for (int32_t i = 0; i < n; i++)
        put_on_curve(curve, i, n);
    sort_sky();
    ask_sky("&graphs=true");
}

TEST(few_stars_on_thin_curves_have_their_lanes, .end = CURVES)
{
    ask_curve(_i, 2000);
    answer(0);
}

/* Long before the budget is spent, and with a number that would do. */
TEST(many_stars_on_thin_curves_are_refused_early, .end = CURVES)
{
    ask_curve(_i, 80000);
    const char *detail = refused(MW_TOO_HARD, "/positions")->detail;
    const char *most = strstr(detail, "at most some ");
    ck_assert_msg(strstr(detail, "thin curves") && most, "%s", detail);
    int enough = atoi(most + strlen("at most some "));
    ck_assert_msg(enough > 1000 && enough < stars, "%s", detail);
    ck_assert_uint_lt(mw_steps(run), mw_find("starlanes")->steps / 8);
    printf("%s of %d: %s, after %llu steps\n", curves[_i], (int)stars, detail,
           (unsigned long long)mw_steps(run));
}

/* Boxes tell curves from areas before anything is searched. */
TEST(thin_curves_are_estimated_as_such, .end = CURVES)
{
    static struct mw_request request;
    uint64_t steps[2];
    for (int thin = 0; thin < 2; thin++) {
        struct arbitrary source = lots_numbered(7);
        struct mw_limits limits = {.memory = block, .size = sizeof block};
        if (thin)
            ask_curve(_i, 20000);
        else
            make_sky(&source, 0, 20000), ask_sky("");
        run = mw_open(&limits);
        ck_assert(mw_bind_address(run, query, written, &request));
        steps[thin] = mw_estimate(&request, mw_encoder_named("json")).steps;
    }
    ck_assert_uint_gt(steps[1], 10 * steps[0]);
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

TEST(bad_wishes_are_refused)
{
    ask_lanes("&positions=1,1;2,2;3,1;2,2");
    ck_assert_ptr_nonnull(strstr(refused(MW_BAD_PARAM, "/positions/3")->detail, "star 1"));
    ask_lanes("&positions=1,1;2,8388608");
    refused(MW_BAD_PARAM, "/positions/1");
    ask_lanes("&positions=1,1");
    refused(MW_BAD_PARAM, "/positions");
    ask_lanes("&stars=1");
    refused(MW_BAD_PARAM, "/stars");
    ask_lanes("&stars=5&positions=1,1;2,2");
    refused(MW_NO_RESULT, "/stars");
    ask_lanes("&width=9&positions=1,1;9,2");
    refused(MW_NO_RESULT, "/width");
    ask_lanes("&stars=10&homes=1,10");
    refused(MW_NO_RESULT, "/homes/1");
    ask_lanes("&stars=10&homes=1,2,1");
    refused(MW_BAD_PARAM, "/homes/2");
    ask_lanes("&stars=10&homes=1,2&homeworlds=3");
    refused(MW_NO_RESULT, "/homeworlds");
    ask_lanes("&stars=10&homeworlds=10");
    refused(MW_NO_RESULT, "/homeworlds");
    ask_lanes("&stars=101&width=10&height=10");
    refused(MW_NO_RESULT, "/stars");
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
