/* check_null.c: the promises of the template. */
#include "unit/unit.h"

enum { MARKS = 2, CELLS = 3 };

static const struct mw_map *make(const char *query)
{
    static struct mw_request request;
    struct mw_run *run = unit_open();
    size_t n;
    const struct mw_arg *args = unit_args(run, query, &n);
    return mw_bind(run, &mw_null, args, n, NULL, &request) ? mw_make(run, &request) : NULL;
}

static const struct {
    const char *query;
    int32_t marks; /* -1: refused */
} rows[] = {
    {"", 5},
    {"marks=0", 0},
    {"width=1&height=1&marks=1", 1},
    {"width=1&height=1&marks=2", -1},
    {"width=5&height=7&marks=35&seed=a", 35},
    {"width=5&height=7&marks=34&seed=b", 34},
    {"width=5&height=7&marks=36", -1},
    {"width=300&height=300&marks=65535", 65535},
};

TEST(so_many_cells_are_marked, .end = COUNT(rows))
{
    const struct mw_map *map = make(rows[_i].query);
    ck_assert_int_eq(map != NULL, rows[_i].marks >= 0);
    if (!map)
        return;
    const struct mw_cells *cells = &map->slots[CELLS].as.grid;
    const struct mw_rowset *marks = &map->slots[MARKS].as.table;
    int32_t met = 0;
    for (int32_t c = 0; c < cells->lattice.width * cells->lattice.height; c++) {
        if (!cells->at[c])
            continue;
        ck_assert_int_eq(cells->at[c], ++met);
        struct mw_point at = ((const struct mw_point *)marks->columns[1])[met - 1];
        ck_assert_int_eq(at.y * cells->lattice.width + at.x, c);
    }
    ck_assert_int_eq(met, rows[_i].marks);
    ck_assert_int_eq(marks->rows, rows[_i].marks);
}

/* Two of the four cells of a row: all six choices, each as often as the others within chance. */
TEST(every_choice_is_equally_likely)
{
    enum { DRAWS = 3000 };
    int choices[16] = {0}, met = 0;
    for (int i = 0; i < DRAWS; i++) {
        char query[60] = "width=4&height=1&marks=2&seed=";
        *mw_write_int(query + strlen(query), i) = '\0';
        const struct mw_map *map = make(query);
        int choice = 0;
        for (int c = 0; c < 4; c++)
            choice |= (map->slots[CELLS].as.grid.at[c] > 0) << c;
        choices[choice]++;
    }
    for (int i = 0; i < 16; i++) {
        ck_assert_msg(!choices[i] || (choices[i] > 400 && choices[i] < 600),
                      "choice %d comes %d times", i, choices[i]);
        met += choices[i] > 0;
    }
    ck_assert_int_eq(met, 6);
}
