/*
 * prop_look.c: countries look like those of a continent, areas and large islands like land, in
 * figures (look.c), on some dozen maps of each kind; `make bench-look` measures hundreds.
 */
#define ASK_BLOCK (64 << 20)
#define ASK_QUERY (1 << 18)

#include "ask.h"
#include "judge.h"
#include "land.h"
#include "look.h"

#include <math.h>

/* Other suites judge such maps. */
static const char *accept(const struct mw_map *map, char *why, size_t room)
{
    (void)map, (void)why, (void)room;
    return NULL;
}

/* The map of an address, until the next is made. */
static const struct mw_map *make(void) { return ask_made(ask_judged(accept)); }

static const struct mw_cells *cells_of(const struct mw_map *map)
{
    int p = 0;
    while (map->request->generator->parts[p].kind != MW_GRID)
        p++;
    return &map->slots[p].as.grid;
}

static const struct mw_cells *make_regions(const char *fields, bool hex, int seed)
{
    ask_anew("regions", (uint32_t)seed);
    ask("&grid=%s&%s", hex ? "hex" : "square", fields);
    return cells_of(make());
}

/* ---- land ------------------------------------------------------------------------------------ */

/* Round, so that no coast shows the axes, with bays and lakes. */
static void draw_coast(struct land *l, int seed)
{
    struct arbitrary source = {.state = (uint64_t)seed};
    *l = (struct land){.width = 160, .height = 120, .hex = l->hex};
    for (int i = 0; i < l->width * l->height; i++) {
        int x = i % l->width, y = i / l->width, dx = x - l->width / 2, dy = y - l->height / 2;
        int bay = abs((x + y) % 22 - 11) / 3;
        l->is[i] = dx * dx + dy * dy * (l->hex ? 3 : 4) / 4 < (50 - bay) * (50 - bay);
    }
    for (int lakes = 0; lakes < 12; lakes++) {
        int cx = (int)arbitrary_below(&source, 160), cy = (int)arbitrary_below(&source, 120);
        int r = 2 + (int)arbitrary_below(&source, 7);
        for (int i = 0; i < l->width * l->height; i++) {
            int dx = i % l->width - cx, dy = i / l->width - cy;
            l->is[i] = l->is[i] && dx * dx + dy * dy > r * r;
        }
    }
}

/* One arm of land, eight times to and fro. */
static void draw_arm(struct land *l, int wide)
{
    *l = (struct land){.width = 60, .height = 8 * (wide + 1) - 1, .hex = l->hex};
    for (int i = 0; i < l->width * l->height; i++) {
        int x = i % l->width, y = i / l->width;
        int back = y / (wide + 1) % 2 ? x : l->width - 1 - x;
        l->is[i] = y % (wide + 1) != wide || back < wide;
    }
}

static void draw_comb(struct land *l, int wide)
{
    *l = (struct land){.width = 90, .height = 70, .hex = l->hex};
    for (int i = 0; i < l->width * l->height; i++)
        l->is[i] = i / l->width >= l->height - wide || i % l->width % (wide + 3) < wide;
}

/* ---- figures --------------------------------------------------------------------------------- */

#define CONTINENT "width=320&height=240&count=80"
#define ANYHOW \
    {LOOK_COUNT, 600, 1e9}, { LOOK_ALONG, 0, .4 }
#define ON_A_COAST \
    {LOOK_COUNT, 80, 1e9}, { LOOK_ALONG, 0, .4 }
#define COAST \
    .maps = 60, .least = 500, \
    .figures = {{LOOK_DISC, 0, .75}, \
                {LOOK_DISC_SPREAD, .1, 1}, \
                {LOOK_ELONGATION, 2, 9}, \
                {LOOK_AT_RIM, 0, 0}}
#define NO_BANDS .maps = 48, .figures = {{LOOK_ELONGATION, 1, 2.5}}
#define GOOD_FORM .maps = 48, .figures = {{LOOK_ROUNDEST, 0, .5}, {LOOK_FRAMED, 0, .01}}

static const struct {
    const char *request;
    int maps, least; /* cells of a shape that counts */
    struct {
        enum look_measure measure;
        double least, most;
    } figures[5];
    void (*draw)(struct land *, int); /* land, by its width or, where that is 0, by the seed */
    int wide;
} rows[] = {
    /* No country shows which way the axes of the map run: a third of those that are longer than
       wide lie within 15 degrees of them if they lie at random. Borders wander alike on all scales.
       Countries have six neighbours or a few less, are of many forms, and meet like Y. */
    {"regions?" CONTINENT "&roughness=0", 24, 12, .figures = {ANYHOW}},
    {"regions?" CONTINENT "&roughness=0.5", 24, 12,
     .figures = {ANYHOW, {LOOK_SPREAD, .05, 1}, {LOOK_NEIGHBOURS, 5.8, 6}, {LOOK_WYES, 1.5, 1e9}}},
    {"regions?" CONTINENT "&roughness=1", 24, 12, .figures = {ANYHOW}},
    {"regions?width=320&height=240&count=14&roughness=0", 12, 12,
     .figures = {{LOOK_DIMENSION, .99, 1.065}, {LOOK_BEND, -.1, .1}}},
    {"regions?width=320&height=240&count=14&roughness=0.5", 12, 12,
     .figures = {{LOOK_DIMENSION, 1.035, 1.095}, {LOOK_BEND, -.1, .1}}},
    {"regions?width=320&height=240&count=14&roughness=1", 12, 12,
     .figures = {{LOOK_DIMENSION, 1.065, 1.13}, {LOOK_BEND, -.1, .1}}},
    {"regions?" CONTINENT "&variation=1", 24, 12, .figures = {ANYHOW}},
    {"regions?count=20&roughness=0", 48, 12, .draw = draw_coast,
     .figures = {ON_A_COAST, {LOOK_WYES, 1.2, 1e9}}},
    {"regions?count=20&roughness=0.5", 48, 12, .draw = draw_coast,
     .figures = {ON_A_COAST, {LOOK_WYES, 1.2, 1e9}}},
    {"regions?count=20&roughness=1", 48, 12, .draw = draw_coast, .figures = {ON_A_COAST}},
    {"regions?width=120&height=120&count=6400", 1, .figures = {{LOOK_LEVEL, .8, 1.2}}},
    /* Along an arm of land one country lies behind the other: borders go across. */
    {"regions?count=15", 12, .figures = {{LOOK_LENGTH, 0, 14 * 3 * 4}}, .draw = draw_arm,
     .wide = 4},
    {"regions?count=15", 12, .figures = {{LOOK_LENGTH, 0, 14 * 3 * 5}}, .draw = draw_arm,
     .wide = 5},
    {"regions?count=15", 12, .figures = {{LOOK_LENGTH, 0, 14 * 3 * 6}}, .draw = draw_arm,
     .wide = 6},
    {"regions?count=45", 12, .figures = {{LOOK_LENGTH, 0, 45 * 4 * 3}}, .draw = draw_comb,
     .wide = 3},
    {"regions?count=45", 12, .figures = {{LOOK_LENGTH, 0, 45 * 4 * 5}}, .draw = draw_comb,
     .wide = 5},
    /* Equal countries are no bands. Of those that vary the largest is no disc, and hardly one lies
       in the arms of another; of two dozen it is 10 to 40 times the smallest. */
    {"regions?width=40&height=30&count=14&roughness=0.5", NO_BANDS},
    {"regions?width=80&height=60&count=14&roughness=0.5", NO_BANDS},
    {"regions?width=160&height=120&count=14&roughness=0.5", NO_BANDS},
    {"regions?width=40&height=30&count=14&roughness=0.5&variation=1", GOOD_FORM},
    {"regions?width=80&height=60&count=14&roughness=0.5&variation=1", GOOD_FORM},
    {"regions?width=160&height=120&count=14&roughness=0.5&variation=1", GOOD_FORM},
    {"regions?width=320&height=240&count=24&variation=1", 24, .figures = {{LOOK_RATIO, 10, 40}}},
    /* Large land is indented, of all sorts, and long now and then. A disc has 1 of its cells in the
       disc of its area, the continents .5 to .75. */
    {"areas?width=50&height=50", COAST},
    {"areas?width=40&height=40&area=500", COAST},
    {"areas?width=150&height=150", COAST},
    {"areas?width=165&height=165&area=9000", COAST},
    {"areas?width=120&height=80&count=4", COAST},
    {"areas?width=80&height=80&holes=false", COAST},
    {"areas?width=90&height=90&algorithm=coast&area=1600&edge=sea", COAST},
    {"islands?", 1000, .figures = {{LOOK_QUOTIENT, .22, .36}}}, /* neither blocks nor threads */
    {"islands?width=120&height=120&islands=4,7&size=500,900", COAST},
    {"islands?width=300&height=300&islands=5,9&size=500,9000", COAST},
    {"islands?width=60&height=60&islands=1,1&size=500,800", COAST},
    {"islands?width=200&height=200&islands=2,3&size=4000,6000&edge=sea", COAST},
};

/* Looks at the maps of a row; false: there are none of hexagons. */
static bool look_at_row(struct look *look, int row, bool hex)
{
    static struct land land;
    bool has_grid = *rows[row].request != 'i';
    *look = (struct look){.least = rows[row].least};
    for (int seed = 1; seed <= rows[row].maps && (has_grid || !hex); seed++) {
        written = 0;
        ask("/%s&seed=%d", rows[row].request, seed);
        land.hex = hex;
        if (rows[row].draw) {
            rows[row].draw(&land, rows[row].wide ? rows[row].wide : seed);
            ask("%s", land_fields(&land));
        } else if (has_grid) {
            ask("&grid=%s", hex ? "hex" : "square");
        }
        look_add(look, cells_of(make()));
    }
    return look->maps;
}

TEST(maps_look_as_they_should, .end = 2 * COUNT(rows), .measures = true)
{
    static struct look look;
    bool hex = _i % 2, any = look_at_row(&look, _i / 2, hex);
    for (int i = 0; i < 5 && any && rows[_i / 2].figures[i].measure; i++) {
        enum look_measure measure = rows[_i / 2].figures[i].measure;
        double least = rows[_i / 2].figures[i].least, most = rows[_i / 2].figures[i].most;
        double figure = look_figure(&look, measure, hex);
        char what[200];
        snprintf(what, sizeof what, "%s %s: figure %d is %.3f, should be %g to %g",
                 rows[_i / 2].request, hex ? "hex" : "square", measure, figure, least, most);
        puts(what);
        ck_assert_msg(figure >= least && figure <= most, "%s", what);
    }
}

/* ---- roughness ------------------------------------------------------------------------------- */

static const struct {
    int width, height, count, maps;
} sizes[] = {{40, 30, 6, 32},   {80, 60, 6, 16},   {80, 60, 14, 16}, {160, 120, 6, 12},
             {160, 120, 24, 8}, {320, 240, 50, 4}, {640, 480, 6, 8}, {640, 480, 100, 2}};

/* Borders of full roughness are twice as long as smooth ones on all maps, and of half roughness
   half as long again; few cells at them have one neighbour alone of their own country. */
TEST(roughness_acts_at_every_size, .end = 4, .measures = true)
{
    static struct look look;
    bool hex = _i % 2;
    double least[3] = {1e9, 1e9, 1e9}, most[3] = {0};
    for (int i = 0; i < COUNT(sizes); i++) {
        double smooth = 0;
        for (int half = 0; half < 3; half++) {
            char fields[99];
            snprintf(fields, sizeof fields, "width=%d&height=%d&count=%d&variation=%g&roughness=%g",
                     sizes[i].width, sizes[i].height, sizes[i].count, .5 * (_i / 2), .5 * half);
            look = (struct look){.least = 1};
            for (int seed = 1; seed <= sizes[i].maps; seed++)
                look_add(&look, make_regions(fields, hex, seed));
            double length = look_figure(&look, LOOK_LENGTH, hex);
            double teeth = look_figure(&look, LOOK_TEETH, hex);
            smooth = half ? smooth : length;
            least[half] = fmin(least[half], length / smooth);
            most[half] = fmax(most[half], length / smooth);
            ck_assert_msg(teeth <= (hex ? .02 : .05), "%s: %.3f are teeth", fields, teeth);
        }
    }
    printf("regions: roughness lengthens borders %.2f to %.2f times by half, %.2f to %.2f full\n",
           least[1], most[1], least[2], most[2]);
    ck_assert(least[1] >= 1.3 && least[2] >= 1.8);
    ck_assert(most[1] <= least[1] * 1.25 && most[2] <= least[2] * 1.25);
}

static double alike(const int32_t *a, const int32_t *b, int n)
{
    int same = 0;
    for (int i = 0; i < n; i++)
        same += a[i] == b[i];
    return (double)same / n;
}

/* Few cells change hands as borders go from calm to ragged; with the seed nearly all. */
TEST(roughness_moves_borders_alone, .end = 2, .measures = true)
{
    enum { CELLS = 320 * 240, MAPS = 24 };
    static int32_t calm[CELLS];
    const char *smooth = CONTINENT "&roughness=0";
    double same = 0, other = 0;
    for (int seed = 1; seed <= MAPS; seed++) {
        memcpy(calm, make_regions(smooth, _i, seed)->at, sizeof calm);
        same += alike(make_regions(CONTINENT "&roughness=1", _i, seed)->at, calm, CELLS) / MAPS;
        other += alike(make_regions(smooth, _i, seed + 1000)->at, calm, CELLS) / MAPS;
    }
    ck_assert_msg(same >= .6 && other <= .1, "%.2f keep their country, %.2f by chance", same,
                  other);
}

/* ---- heights --------------------------------------------------------------------------------- */

/* Of islands of 300 cells or more, with ten or more that lie two steps inland: those cells are one
   or two layers high. */
TEST(heights_vary_along_the_shore, .measures = true)
{
    enum { CELLS = 8, HEIGHTS };
    int all = 0, varied = 0;
    for (int seed = 1; seed <= 30; seed++) {
        ask_anew("islands", (uint32_t)seed);
        ask("&width=90&height=90&islands=3,6&size=300,700&layers=%d", 2 + seed % 9);
        const struct mw_map *map = make();
        const int32_t *heights = map->slots[HEIGHTS].as.grid.at;
        struct judge_grid g = {.width = 90, .height = 90};
        int low[7] = {0}, high[7] = {0};
        judge_open(&g, map->slots[CELLS].as.grid.at);
        judge_depths(&g);
        for (int i = 0; i < 90 * 90; i++)
            if (g.mark[i] == 2)
                (heights[i] == 1 ? low : high)[g.cells[i]]++;
        judge_close(&g);
        for (int id = 1; id <= 6; id++) {
            all += low[id] + high[id] >= 10;
            varied += low[id] && high[id] && low[id] + high[id] >= 10;
        }
    }
    printf("%d of %d islands are not of one height two steps inland\n", varied, all);
    ck_assert_int_gt(all, 80);
    ck_assert_int_ge(varied * 100, all * 85);
}
