/*
 * regions.c: a map divided among countries: parameters, result, checks and costs.
 *
 * Every country is connected, has exactly its number of cells, and has borders as ragged as those
 * of real countries. On a map without water and seam no country encloses another, or a hole.
 * divide.c is the driver: its essay names the files in order, and says why the promises hold.
 *
 * The idea: grow countries on a coarse grid, then let cells at the borders change sides at random,
 * the more rarely the longer that makes the border (Metropolis's rule, for the energy of Ising's
 * magnet). Swaps by coin flip alone have no surface tension: borders fray without end. Roughness
 * comes from noise: each country likes some places more than others, and borders follow that into
 * bays and capes. Sizes are made exact at the end.
 *
 * It ends: growth takes every cell once, a sweep is a fixed number of steps for each cell of
 * border, and rounds of chains are counted. It costs some 9 ns a cell for countries of 10,000
 * cells and 35 ns for 1000, as the work proper goes by length of border; 16 bytes a cell, 40 with
 * water. Borders follow no rivers or ridges.
 */
#include "regions.h"
#include "gen/names/names.h"
#include "kit/integer.h"
#include "kit/mask.h"

struct regions {
    int32_t width, height, grid, wrap, count, variation;
    struct mw_ints sizes;
    int32_t roughness;
    struct mw_rows mask;
    struct mw_points capitals;
    int32_t names;
    int32_t land; /* cells of it, once they are checked */
};

enum { MOST_COUNTRIES = 65535, MOST_CELLS = 4096 * 4096 };

static const struct mw_field fields[] = {
    MW_INT(struct regions, width, 1, 4096, 40, "Cells across", .follows = MW_FOLLOWS(ROWS)),
    MW_INT(struct regions, height, 1, 4096, 30, "Cells down", .follows = MW_FOLLOWS(ROWS)),
    MW_CHOICE(struct regions, grid, mw_tilings, MW_HEX,
              "Hexagons with odd rows shoved right, or squares"),
    MW_CHOICE(struct regions, wrap, mw_wraps, MW_WRAP_NONE, "Which edges of the map meet"),
    MW_INT(struct regions, count, 1, MOST_COUNTRIES, 6, "How many countries",
           .follows = MW_FOLLOWS(POINTS)),
    MW_DEC(struct regions, variation, 0, 1000, 0,
           "0: sizes differ by at most one cell; 1: as much as the real countries of a continent"),
    MW_LIST(struct regions, sizes, 1, MOST_COUNTRIES, 1, MOST_CELLS,
            "The exact cells of each country instead, in order of id"),
    MW_DEC(struct regions, roughness, 0, 1000, 500,
           "0: short, smooth borders; 1: ragged ones; 0.5: like real countries"),
    MW_MASK(struct regions, mask, 4096, "Rows of # for land and . for none"),
    MW_POINT_LIST(struct regions, capitals, 1, MOST_COUNTRIES, 0, 4095,
                  "Cells that are given away: country i holds the i-th"),
    MW_NAMES_FIELD(struct regions, "countries"),
    MW_END,
};
enum { WIDTH, HEIGHT, GRID, WRAP, COUNT, VARIATION, SIZES, ROUGHNESS, MASK, CAPITALS };

static const struct mw_column columns[] = {
    [REGION_ID] = MW_COLUMN("id", MW_INTEGER, "From 1; what the cells say"),
    [REGION_NAME] = MW_NAME_COLUMN,
    [REGION_SIZE] = MW_COLUMN("size", MW_INTEGER, "Its cells"),
    [REGION_CAPITAL] =
        MW_COLUMN("capital", MW_POINT,
                  "A cell with the most steps to the nearest cell that is not of the country",
                  .role = MW_MARK),
    [REGION_BORDER] = MW_COLUMN(
        "border", MW_INTEGER, "Cell edges that face another country, water or the edge of the map"),
    [REGION_NEIGHBORS] =
        MW_COLUMN("neighbors", MW_INTEGERS, "Ids of those it has a border with", .role = MW_LINKS),
    MW_END_COLUMNS,
};

static const struct mw_part parts[] = {
    [REGIONS_WIDTH] = MW_VALUE_PART("width", MW_INTEGER, "Cells across"),
    [REGIONS_HEIGHT] = MW_VALUE_PART("height", MW_INTEGER, "Cells down"),
    [REGIONS_GRID] = MW_CHOICE_PART("grid", mw_tilings, "Shape of the cells"),
    [REGIONS_WRAP] = MW_CHOICE_PART("wrap", mw_wraps, "Which edges of the map meet"),
    [REGIONS_TABLE] = MW_TABLE_PART("regions", columns, "The countries"),
    [REGIONS_CELLS] = MW_GRID_PART("cells", MW_LABEL_GRID,
                                   "Rows of cells: 0 for no land, else the id of a country"),
    MW_END_PARTS,
};

/* ---- checks ---------------------------------------------------------------------------------- */

/* No two capitals may share a cell. */
static void check_apart(struct mw_run *run, const struct mw_points *capitals)
{
    char *mark = mw_mark(run);
    uint64_t *key = MW_NEW(run, uint64_t, capitals->count);
    int32_t *order = MW_NEW(run, int32_t, capitals->count);
    for (int32_t i = 0; i < capitals->count; i++) {
        key[i] = (uint64_t)capitals->at[i].y << 16 | (uint64_t)capitals->at[i].x;
        order[i] = i;
    }
    mw_sort(run, key, order, capitals->count);
    for (int32_t i = 1; i < capitals->count; i++) {
        struct mw_point a = capitals->at[order[i - 1]], b = capitals->at[order[i]];
        if (a.x == b.x && a.y == b.y)
            mw_add_problem_at(run, MW_NO_RESULT, "/capitals", order[i],
                              "must differ from all others, but capital %d is at [%d, %d] as well",
                              order[i - 1], b.x, b.y);
    }
    mw_rewind(run, mark);
}

static void check_capitals(struct mw_run *run, const struct regions *p)
{
    const char *row = p->mask.at;
    for (int32_t i = 0; i < p->capitals.count; i++) {
        struct mw_point at = p->capitals.at[i];
        if (at.x >= p->width || at.y >= p->height)
            mw_add_problem_at(run, MW_NO_RESULT, "/capitals", i,
                              "must lie on the map, from [0, 0] to [%d, %d]", p->width - 1,
                              p->height - 1);
        else if (row && row[(int64_t)at.y * (p->mask.width + 1) + at.x] != '#')
            mw_add_problem_at(run, MW_NO_RESULT, "/capitals", i, "must lie on land");
    }
    if (p->capitals.count > p->count)
        mw_add_problem_at(run, MW_NO_RESULT, "/capitals", p->count,
                          "is the capital of no country: count is %d", p->count);
    check_apart(run, &p->capitals);
}

static void check(struct mw_run *run, void *params, mw_given given)
{
    struct regions *p = params;
    mw_fit_mask(run, &p->mask, given >> WIDTH & 1, given >> HEIGHT & 1, &p->width, &p->height);
    if (p->grid == MW_HEX && p->wrap == MW_WRAP_XY && p->height % 2)
        mw_add_problem(run, MW_NO_RESULT, "/height",
                       "is %d, but hexagons that wrap both ways need an even height", p->height);
    if (p->sizes.count && given >> COUNT & 1 && p->count != p->sizes.count)
        mw_add_problem(run, MW_NO_RESULT, "/count",
                       "is %d, but that of sizes is %d: leave it out, or make them equal", p->count,
                       p->sizes.count);
    if (p->sizes.count)
        p->count = p->sizes.count;
    else if (p->capitals.count && !(given >> COUNT & 1))
        p->count = p->capitals.count;
    check_capitals(run, p);
    p->land = mw_count_land(&p->mask, (struct mw_box){0, 0, p->width - 1, p->height - 1});
    int64_t sum = 0;
    for (int32_t i = 0; i < p->sizes.count; i++)
        sum += p->sizes.at[i];
    if (p->sizes.count && sum != p->land)
        mw_add_problem(run, MW_NO_RESULT, "/sizes", "add up to %lld, but the cells of land to %d",
                       (long long)sum, p->land);
    else if (p->count > p->land)
        mw_add_problem(run, MW_NO_RESULT, "/count", "is %d, more than the cells of land: %d",
                       p->count, p->land);
}

/* ---- what it will take ----------------------------------------------------------------------- */

/* Cells of the grid on which countries grow, or some more: see divide.c. */
static uint64_t garden_of(const struct regions *p)
{
    uint64_t n = mw_rimmed(p->width, p->height), cells = n;
    for (int side = mw_min(p->width, p->height) / 2;
         side >= 8 && cells / 4 >= 12 * (uint64_t)p->count; side /= 2)
        cells /= 4;
    return cells * 32 <= n ? cells * 4 : cells;
}

/*
 * Cells are copied and read some eight times. The rest of the work is along borders, whose length
 * grows with the root of cells times countries. It is many times as much where countries have a few
 * cells each and chains are long, and next to none where they have one (the snake). With water the
 * search for the last cells now and then takes a hundred times as long.
 */
static void forecast(const void *params, struct mw_forecast *f)
{
    const struct regions *p = params;
    uint64_t n = mw_rimmed(p->width, p->height);
    /* as `check` completes it, if it has not yet */
    uint64_t count = (uint64_t)mw_max(p->count, p->capitals.count);
    uint64_t line = (uint64_t)mw_root((int64_t)(n * count)), sides = p->grid == MW_HEX ? 6 : 4;
    bool water = p->mask.count;
    f->plan =
        (struct mw_lattice){p->width, p->height, (enum mw_tiling)p->grid, (enum mw_wrap)p->wrap};
    f->cells = f->land = n;
    f->rows = count;
    f->items = 6 * count; /* on the plane, and on a torus */
    uint64_t rim = 4 * (uint64_t)(p->width + p->height), coast = water ? 2 * n : 0;
    f->borders =
        (uint64_t)mw_min64((int64_t)(sides * n), (int64_t)(line * sides * 9 / 4 + rim + coast));
    f->steps = 8 * n + (uint64_t)mw_min64((int64_t)(1600 * count), (int64_t)(800 * n));
    f->nanoseconds =
        10000 + (p->width * p->height <= p->count ? 500 * n : 10 * n + 1700 * line + 3000 * count);
    f->nanoseconds *= water ? 2 : 1;
    f->steps += water ? 4 * n + (uint64_t)mw_min64((int64_t)(2500 * count), (int64_t)(150 * n))
                      : 0; /* cuts in two, where sizes are not exact */
    bool narrow = mw_max(p->width, p->height) / 64 > mw_min(p->width, p->height);
    f->steps *= narrow ? 8 : 1; /* countries push each other on one by one */
    f->kept = 16 * n + (200 + MW_NAME_BYTES) * count + (water ? 22 * n : 0);
    /* capitals that are close have countries grow on the map itself, or may */
    uint64_t garden = p->capitals.count ? n : water ? 0 : garden_of(p);
    f->nanoseconds *= p->capitals.count ? 3 : 1;
    f->bytes = 40000 + 22 * n + 24 * (uint64_t)p->capitals.count + (444 + MW_NAME_BYTES) * count +
               100 * (uint64_t)p->height + 40 * (uint64_t)p->width + 52 * garden +
               (water ? 80 * n : 0);
}

/* ---- making ---------------------------------------------------------------------------------- */

static void make(struct mw_run *run, const void *params, struct mw_map *map)
{
    const struct regions *p = params;
    const struct mw_lattice lattice = {p->width, p->height, (enum mw_tiling)p->grid,
                                       (enum mw_wrap)p->wrap};
    struct country_quota quota = {
        .sizes = p->sizes, .capitals = p->capitals, .variation = p->variation, .count = p->count};
    quota.capitals.count *= p->count > 1; /* the only country holds any cell */
    quota.low = MW_NEW0(run, int32_t, p->count + 1);
    quota.high = MW_NEW0(run, int32_t, p->count + 1);
    struct balance balance;
    regions_new_balance(run, &balance, p->count);
    struct label_grid grid;
    regions_new_grid(run, &grid, &lattice, &balance);
    if (p->land < p->width * p->height)
        regions_set_land(&grid, &p->mask, p->land);
    regions_divide(&grid, &quota, p->roughness);
    regions_write_result(&grid, &lattice, map);
    mw_name_rows(run, p->names, mw_string_column(map, REGIONS_TABLE, REGION_NAME), p->count);
}

const struct mw_generator mw_regions = {
    .name = "regions",
    .version = 7,
    .summary = MW_PROSE("a map divided among contiguous countries of balanced size"),
    .about = MW_PROSE(
        "Divides a map of hexagons or squares, all of it or the land of a mask, among countries. "
        "Every country is connected, sizes are exact, and borders are as ragged as asked."),
    .fields = fields,
    .parts = parts,
    .params_size = sizeof(struct regions),
    .steps = UINT64_C(1) << 36,
    .check = check,
    .forecast = forecast,
    .make = make,
};
