/*
 * sample.c: a generator for the tests alone, with every type of field and every kind and type of
 * part.
 *
 * It gives back what it was given, as values and as a table, and a grid of random labels with
 * edges.
 */
#include "unit.h"

struct sample {
    int32_t number, share, tiling;
    bool flag;
    const char *word;
    struct mw_ints range, odds;
    struct mw_points dots;
    struct mw_rows board;
};

static const int32_t default_range[] = {9, 13};

static const struct mw_field fields[] = {
    MW_INT(struct sample, number, -5, 40, 6, "A number"),
    MW_DEC(struct sample, share, -1500, 1000, 250, "A share"),
    MW_CHOICE(struct sample, tiling, mw_tilings, MW_SQUARE, "Shape of cells"),
    MW_BOOL(struct sample, flag, true, "Yes or no"),
    MW_FIELD(struct sample, word, const char *, MW_STRING, .optional = true, .least_count = 2,
             .most_count = 12, .help = "A word"),
    MW_RANGE(struct sample, range, 1, 99, default_range, "Two numbers"),
    MW_LIST(struct sample, odds, 1, 5, -10, 10, "Some numbers"),
    MW_POINT_LIST(struct sample, dots, 1, 4, 0, 100, "Some points"),
    MW_ROW_LIST(struct sample, board, 5, ".#A", "A board", .optional = true),
    MW_END,
};

enum {
    NUMBER,
    SHARE,
    TILING,
    FLAG,
    WORD,
    NOTHING,
    SILENCE,
    ODDS,
    DOTS,
    BOARD,
    ABSENT,
    STARS,
    LANES,
    CELLS,
    HEIGHTS
};
enum { ID, SPEED, HOME, NAME, AT, BOUNDS, NEAR, WAY, LOOK };

static const struct mw_column columns[] = {
    [ID] = MW_COLUMN("id", MW_INTEGER, "Id"),
    [SPEED] = MW_COLUMN("speed", MW_DECIMAL, "Speed", .nullable = true),
    [HOME] = MW_COLUMN("home", MW_BOOLEAN, "Home"),
    [NAME] = MW_COLUMN("name", MW_STRING, "Name"),
    [AT] = MW_COLUMN("at", MW_POINT, "Place", .role = MW_MARK),
    [BOUNDS] = MW_COLUMN("bounds", MW_BOX, "Bounds"),
    [NEAR] = MW_COLUMN("near", MW_INTEGERS, "Neighbours", .role = MW_LINKS),
    [WAY] = MW_COLUMN("way", MW_POINTS, "A way", .nullable = true),
    [LOOK] = MW_COLUMN("look", MW_ROWS, "Looks"),
    MW_END_COLUMNS,
};

static const struct mw_part parts[] = {
    [NUMBER] = MW_VALUE_PART("number", MW_INTEGER, "As given"),
    [SHARE] = MW_VALUE_PART("share", MW_DECIMAL, "As given"),
    [TILING] = MW_CHOICE_PART("tiling", mw_tilings, "As given"),
    [FLAG] = MW_VALUE_PART("flag", MW_BOOLEAN, "As given"),
    [WORD] = MW_VALUE_PART("word", MW_STRING, "As given", .optional = true),
    [NOTHING] = MW_VALUE_PART("nothing", MW_INTEGER, "Null", .nullable = true),
    [SILENCE] = MW_VALUE_PART("silence", MW_STRING, "Null", .nullable = true),
    [ODDS] = MW_VALUE_PART("odds", MW_INTEGERS, "As given"),
    [DOTS] = MW_VALUE_PART("dots", MW_POINTS, "As given"),
    [BOARD] = MW_VALUE_PART("board", MW_ROWS, "As given", .optional = true),
    [ABSENT] = MW_VALUE_PART("absent", MW_INTEGER, "Never", .optional = true),
    [STARS] = MW_TABLE_PART("stars", columns, "Stars"),
    [LANES] = MW_EDGES_PART("lanes", "stars", "Lanes"),
    [CELLS] = MW_GRID_PART("cells", MW_LABEL_GRID, "Labels"),
    [HEIGHTS] = MW_GRID_PART("heights", MW_HEIGHT_GRID, "Heights"),
    MW_END_PARTS,
};

static void check(struct mw_run *run, void *params, mw_given given)
{
    struct sample *p = params;
    if (given & 1 && p->number == 13)
        mw_add_problem(run, MW_NO_RESULT, "/number", "is %d: any other would do", p->number);
    if (p->range.at[0] > p->range.at[1])
        mw_add_problem(run, MW_BAD_PARAM, "/range", "goes from %d down to %d", p->range.at[0],
                       p->range.at[1]);
}

static void give_back(struct mw_map *map, const struct sample *p)
{
    mw_set_int(map, NUMBER, p->number);
    mw_set_int(map, SHARE, p->share);
    mw_set_int(map, TILING, p->tiling);
    mw_set_int(map, FLAG, p->flag);
    mw_set_int(map, NOTHING, MW_NULL);
    mw_set_string(map, SILENCE, NULL);
    mw_set_ints(map, ODDS, p->odds);
    mw_set_points(map, DOTS, p->dots);
    if (p->word)
        mw_set_string(map, WORD, p->word);
    if (p->board.count)
        mw_set_rows(map, BOARD, p->board);
}

static void add_stars(struct mw_run *run, struct mw_map *map, const struct mw_cells *cells)
{
    static const char *const names[] = {"Sol", "caf\xc3\xa9", "\"quoted\"\n\x01", "<&>"};
    static const int32_t near[] = {2, 3};
    static const struct mw_point way[] = {{0, 0}, {1, 0}, {1, 1}};
    const struct mw_lattice *l = &cells->lattice;
    mw_add_table(run, map, STARS, 4);
    struct mw_rows *looks = map->slots[STARS].as.table.columns[LOOK];
    for (int i = 0; i < 4; i++) {
        mw_int_column(map, STARS, ID)[i] = i + 1;
        mw_int_column(map, STARS, SPEED)[i] = i == 1 ? MW_NULL : -1500 + i * 1001;
        mw_int_column(map, STARS, HOME)[i] = i & 1;
        mw_string_column(map, STARS, NAME)[i] = names[i];
        mw_point_column(map, STARS, AT)[i] = (struct mw_point){i % l->width, i / 2 % l->height};
        mw_box_column(map, STARS, BOUNDS)[i] = (struct mw_box){0, -i, i, INT32_MAX};
        mw_ints_column(map, STARS, NEAR)[i] = (struct mw_ints){near, i % 3};
        mw_points_column(map, STARS, WAY)[i] =
            (struct mw_points){i == 2 ? NULL : way, i == 2 ? 0 : i};
        looks[i] = (struct mw_rows){"ab/cd", 2, 2};
    }
    struct mw_edge *lanes = mw_add_edges(run, map, LANES, 3);
    for (int i = 0; i < 3; i++)
        lanes[i] = (struct mw_edge){i, i + 1};
}

static void make(struct mw_run *run, const void *params, struct mw_map *map)
{
    const struct sample *p = params;
    int32_t side = p->number > 1 ? p->number : 1;
    const struct mw_lattice lattice = {side, side + 1, (enum mw_tiling)p->tiling, MW_WRAP_NONE};
    struct mw_rng labels = mw_stream(run, "labels"), heights = mw_stream(run, "heights");
    int32_t *cells = mw_add_grid(run, map, CELLS, &lattice);
    int32_t *land = mw_add_grid(run, map, HEIGHTS, &lattice);
    for (int32_t c = 0; c < side * (side + 1); c++) {
        mw_tick(run, 100);
        cells[c] = mw_between(&labels, -1, 4);
        land[c] = mw_between(&heights, 0, 12);
    }
    if (p->number == 39)
        mw_fail(run, MW_NO_RESULT, "/number", "is %d, and nothing comes of %s", p->number, "that");
    give_back(map, p);
    add_stars(run, map, &map->slots[CELLS].as.grid);
}

const struct mw_generator mw_sample = {
    .name = "sample/maker",
    .version = 3,
    .summary = "Everything that a table can say",
    .about = "Gives back what it was given.",
    .fields = fields,
    .parts = parts,
    .params_size = sizeof(struct sample),
    .steps = UINT64_C(1) << 30,
    .check = check,
    .make = make,
};
