/*
 * null.c: nothing but marks. The template of a generator: copy it to begin. It is compiled and
 * tested, and not registered.
 *
 * First the essay, which you are reading: what is made, the idea in stages, why it ends, why the
 * promise holds, what it costs, and what it does not do. This one makes an empty map with `marks`
 * marked cells, every choice of cells equally likely.
 *
 *     . . . 1 . .        a cell is 0, or the id of its mark; ids follow the order of reading
 *     . 2 . . . .
 *     . . . . 3 .
 *
 * One walk over the cells. With m marks left to place and c cells left to see, this one among them,
 * the cell is marked with the chance m / c (Knuth's Algorithm S, The Art of Computer Programming,
 * 3.4.2).
 *
 * It ends because each cell is seen once. Exactly `marks` are placed: once m = c the chance is
 * one, so m never outgrows the cells left, and after the last cell m is 0; `check` has refused more
 * marks than cells. It takes one draw and one step a cell, and no memory but the result.
 *
 * It does not keep marks apart.
 *
 * Then, in this order: the struct of parameters and the tables that describe it to everyone else,
 * the helpers, `forecast`, `check`, `make`, and the descriptor last. A folder of its own, the line
 * GENERATOR(null) in src/all/list.h and a judge, tests/prop/check_null.c, would do the rest.
 */
#include "lib/gen.h"

struct null {
    int32_t width, height, marks;
};

static const struct mw_field fields[] = {
    MW_INT(struct null, width, 1, 4096, 24, "Cells across"),
    MW_INT(struct null, height, 1, 4096, 12, "Cells down"),
    MW_INT(struct null, marks, 0, 65535, 5, "How many cells are marked"),
    MW_END,
};

/* Row numbers in the tables below, in the same order. */
enum { WIDTH, HEIGHT, MARKS, CELLS };
enum { MARK_ID, MARK_AT };

static const struct mw_column mark_columns[] = {
    MW_COLUMN("id", MW_INTEGER, "From 1, in the order of reading"),
    MW_COLUMN("at", MW_POINT, "Its cell", .role = MW_MARK),
    MW_END_COLUMNS,
};

static const struct mw_part parts[] = {
    [WIDTH] = MW_VALUE_PART("width", MW_INTEGER, "Cells across"),
    [HEIGHT] = MW_VALUE_PART("height", MW_INTEGER, "Cells down"),
    [MARKS] = MW_TABLE_PART("marks", mark_columns, "What is marked"),
    [CELLS] = MW_GRID_PART("cells", MW_LABEL_GRID, "Rows of cells: 0, or the id of a mark"),
    MW_END_PARTS,
};

/* Somewhat more than a usual map takes: the host sets the memory aside. */
static void forecast(const void *params, struct mw_forecast *f)
{
    const struct null *p = params;
    uint64_t cells = mw_rimmed(p->width, p->height), marks = (uint64_t)p->marks;
    f->plan = (struct mw_lattice){p->width, p->height, MW_SQUARE, MW_WRAP_NONE};
    f->cells = cells;
    f->land = f->rows = marks;
    f->borders = 4 * marks;
    f->steps = cells;
    f->nanoseconds = 10000 + 10 * cells;
    f->bytes = f->kept = 4 * cells + 16 * marks + 4096;
}

/* What one field's range cannot say; with the numbers, and what would be right. */
static void check(struct mw_run *run, void *params, mw_given given)
{
    const struct null *p = params;
    (void)given;
    if (p->marks > p->width * p->height)
        mw_add_problem(run, MW_NO_RESULT, "/marks",
                       "is %d, but %d x %d cells have room for %d at most", p->marks, p->width,
                       p->height, p->width * p->height);
}

static void mark(struct mw_map *map, int32_t cell, int32_t width, int32_t id)
{
    mw_int_column(map, MARKS, MARK_ID)[id - 1] = id;
    mw_point_column(map, MARKS, MARK_AT)[id - 1] = (struct mw_point){cell % width, cell / width};
}

static void make(struct mw_run *run, const void *params, struct mw_map *map)
{
    const struct null *p = params;
    const struct mw_lattice lattice = {p->width, p->height, MW_SQUARE, MW_WRAP_NONE};
    struct mw_rng rng = mw_stream(run, "marks");
    mw_set_int(map, WIDTH, p->width);
    mw_set_int(map, HEIGHT, p->height);
    mw_add_table(run, map, MARKS, p->marks);
    int32_t *cells = mw_add_grid(run, map, CELLS, &lattice);
    int32_t count = p->width * p->height, placed = 0;
    mw_tick(run, (uint64_t)count);
    for (int32_t c = 0; c < count; c++) {
        bool marked = mw_below(&rng, (uint32_t)(count - c)) < (uint32_t)(p->marks - placed);
        cells[c] = marked ? ++placed : 0;
        if (marked)
            mark(map, c, p->width, placed);
    }
}

const struct mw_generator mw_null = {
    .name = "null",
    .version = 1,
    .summary = MW_PROSE("Nothing but marks"),
    .about = MW_PROSE("A map of empty cells, of which as many as you like are marked, each choice "
                      "equally likely."),
    .fields = fields,
    .parts = parts,
    .params_size = sizeof(struct null),
    .steps = UINT64_C(1) << 25,
    .check = check,
    .forecast = forecast,
    .make = make,
};
