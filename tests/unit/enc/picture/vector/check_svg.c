/*
 * check_svg.c: outlines, read back from the drawing.
 *
 * Each label has one path, in order of label. Its loops close; by the shoelace formula they enclose
 * the label's cells to the last unit; and by the even-odd rule the middle of a cell lies inside the
 * path of its own label alone.
 */
#include "unit/unit.h"

#include <stdlib.h>

enum { MOST_CELLS = 400, MOST_LABELS = 64, MOST_CORNERS = 8192 };

struct path {
    int corners;
    struct {
        int x, y, next; /* the index of the corner that follows */
    } at[MOST_CORNERS];
};

static long cross(const struct path *path, int a, int b)
{
    return (long)path->at[a].x * path->at[b].y - (long)path->at[b].x * path->at[a].y;
}

static int number_at(const char **d)
{
    char *end;
    int n = (int)strtol(*d, &end, 10);
    ck_assert_msg(end > *d, "«%.9s» is no number", *d);
    *d = end;
    return n;
}

static void add_corner(struct path *path, int x, int y)
{
    int n = path->corners++;
    ck_assert_int_lt(n, MOST_CORNERS);
    path->at[n].x = x;
    path->at[n].y = y;
    path->at[n].next = n + 1;
}

/* Reads relative moves, steps and closings, "m x y x y h x v y z m ...", where a letter may stand
   for several, and z draws the last side; the signed double area, clockwise on the screen counted
   as positive. */
static long read_path(const char *d, struct path *path)
{
    long twice = 0;
    int start = 0, x = 0, y = 0;
    char command = '\0';
    bool open = false;
    path->corners = 0;
    while (*d != '"') {
        if (*d >= 'a')
            command = *d++;
        ck_assert_msg(strchr("mlhvz", command) && command, "«%c» is no command", command);
        ck_assert_msg(open == (command != 'm'), "a loop is not closed, or not begun");
        if (command == 'z') {
            int last = path->corners - 1;
            path->at[last].next = start;
            twice += cross(path, last, start);
            x = path->at[start].x;
            y = path->at[start].y;
            open = false;
            continue;
        }
        open = true;
        x += command == 'v' ? 0 : number_at(&d);
        y += command == 'h' ? 0 : number_at(&d);
        start = command == 'm' ? path->corners : start;
        add_corner(path, x, y);
        if (command != 'm')
            twice += cross(path, path->corners - 2, path->corners - 1);
        command = command == 'm' ? 'l' : command;
    }
    ck_assert_msg(!open, "the last loop is not closed");
    return twice;
}

/* Crossings of the ray to the right from (x, y), both doubled, y made odd so that it meets no
   corner. */
static bool is_inside(const struct path *path, int x, int y)
{
    bool inside = false;
    int ray_x = 2 * x, ray_y = 2 * y + 1;
    for (int i = 0; i < path->corners; i++) {
        int j = path->at[i].next, ax = 2 * path->at[i].x, ay = 2 * path->at[i].y;
        int bx = 2 * path->at[j].x, by = 2 * path->at[j].y;
        if ((ay > ray_y) == (by > ray_y))
            continue;
        long side = (long)(bx - ax) * (ray_y - ay) - (long)(ray_x - ax) * (by - ay);
        inside ^= by > ay ? side > 0 : side < 0;
    }
    return inside;
}

static void check_path(const struct mw_lattice *l, const int32_t *cells, int32_t label,
                       const char *d)
{
    static struct path path;
    bool hex = l->tiling == MW_HEX;
    long twice = read_path(d, &path), count = 0;
    for (int32_t c = 0; c < l->width * l->height; c++) {
        int32_t x = c % l->width, y = c / l->width;
        int middle_x = hex ? 8 + 14 * x + 7 * (y & 1) : 7 + 12 * x,
            middle_y = hex ? 9 + 12 * y : 7 + 12 * y;
        count += cells[c] == label;
        ck_assert_msg(is_inside(&path, middle_x, middle_y) == (cells[c] == label),
                      "the path of %d is wrong about cell %d, %d", label, x, y);
    }
    ck_assert_int_eq(twice, count * (hex ? 336 : 288));
}

/* The labels in the grid in the order of the paths: upwards, ways between last. */
static int labels_in(const int32_t *cells, int32_t count, int32_t *labels)
{
    int n = 0;
    for (int64_t label = 1; label <= (int64_t)MOST_LABELS + 1; label++)
        for (int32_t c = 0; c < count; c++)
            if (cells[c] == (label > MOST_LABELS ? -1 : label)) {
                labels[n++] = cells[c];
                break;
            }
    return n;
}

static const struct {
    int32_t width, height;
    enum mw_tiling tiling;
    int32_t most;
    bool patches;
} rows[] = {
    {1, 1, MW_HEX, 1, false},      {1, 1, MW_SQUARE, 1, false},   {5, 1, MW_HEX, 2, false},
    {1, 5, MW_HEX, 2, false},      {20, 20, MW_HEX, 3, true},     {20, 20, MW_SQUARE, 3, true},
    {19, 13, MW_HEX, 30, true},    {19, 13, MW_SQUARE, 30, true}, {20, 20, MW_HEX, 1, false},
    {20, 20, MW_SQUARE, 1, false}, {20, 20, MW_HEX, 2, false},    {20, 20, MW_SQUARE, 2, false},
    {7, 20, MW_SQUARE, 5, false},  {7, 20, MW_HEX, 5, false},
};

TEST(outlines_enclose_their_cells, .end = COUNT(rows))
{
    int32_t cells[MOST_CELLS], labels[MOST_LABELS + 2];
    struct mw_lattice l = {rows[_i].width, rows[_i].height, rows[_i].tiling, MW_WRAP_NONE};
    int32_t count = l.width * l.height;
    struct mw_rng rng = unit_rng((uint64_t)_i);
    if (rows[_i].patches)
        unit_patches(&rng, &l, rows[_i].most, cells);
    for (int32_t c = 0; !rows[_i].patches && c < count; c++)
        cells[c] = mw_between(&rng, -1, rows[_i].most);
    cells[0] = 1;
    struct mw_run *run = unit_open();
    struct mw_bytes bytes =
        mw_encode_with(run, mw_encoder_named("svg"), unit_grid_map(run, &l, cells));
    ck_assert_msg(bytes.at != NULL, "%s", unit_problems(run));
    static char text[1 << 20];
    memcpy(text, bytes.at, bytes.length);
    text[bytes.length] = '\0';
    int n = labels_in(cells, count, labels), met = 0;
    for (const char *at = text; (at = strstr(at, "<path "));) {
        bool shallows = !strncmp(at, "<path fill=\"none\"", 17);
        at = strstr(at, " d=\"") + 4;
        if (shallows)
            continue;
        ck_assert_msg(met < n, "there are more paths than labels");
        check_path(&l, cells, labels[met++], at);
    }
    ck_assert_int_eq(met, n);
}

TEST(an_empty_map_has_no_path)
{
    int32_t cells[] = {0, 0, 0, 0};
    struct mw_lattice l = {2, 2, MW_HEX, MW_WRAP_XY};
    struct mw_run *run = unit_open();
    struct mw_bytes bytes =
        mw_encode_with(run, mw_encoder_named("svg"), unit_grid_map(run, &l, cells));
    ck_assert_ptr_nonnull(bytes.at);
    mw_put_char(run, '\0');
    ck_assert_ptr_null(strstr(bytes.at, "<path"));
}

TEST(marks_lie_on_their_cells)
{
    struct mw_run *run = unit_open();
    struct mw_request request;
    size_t n;
    const struct mw_arg *args = unit_args(run, "width=3&height=1&marks=3", &n);
    ck_assert(mw_bind(run, &mw_null, args, n, "<s>", &request));
    struct mw_bytes bytes = mw_encode_with(run, mw_encoder_named("svg"), mw_make(run, &request));
    ck_assert_ptr_nonnull(bytes.at);
    mw_put_char(run, '\0');
    static const char *const wanted[] = {"cx=\"7\" cy=\"7\"", "cx=\"19\" cy=\"7\"",
                                         "cx=\"31\" cy=\"7\"", "viewBox=\"0 0 38 14\"",
                                         "null, seed &lt;s&gt;"};
    for (int i = 0; i < COUNT(wanted); i++)
        ck_assert_msg(strstr(bytes.at, wanted[i]) != NULL, "%s is not in the drawing", wanted[i]);
}

static struct mw_bytes draw_again(struct mw_run *run, const char *address)
{
    const struct mw_request *request = mw_ask(run, address, NULL, NULL);
    ck_assert_msg(request != NULL, "%s", unit_problems(run));
    const struct mw_map *map = mw_make(run, request);
    ck_assert_msg(map != NULL, "%s", unit_problems(run));
    struct mw_bytes first = mw_encode(run, map, NULL), second = mw_encode(run, map, NULL);
    ck_assert_ptr_nonnull(second.at);
    ck_assert_uint_eq(first.length, second.length);
    ck_assert_msg(!memcmp(first.at, second.at, first.length), "%s is drawn otherwise", address);
    return second;
}

/* Groups of text have ids of the drawing's own: a page may show two drawings. */
TEST(a_second_drawing_is_the_same_and_shares_no_id_with_another_map)
{
    struct mw_run *run = unit_open();
    struct mw_bytes one = draw_again(run, "/islands.svg?seed=7&names=latin"),
                    other = draw_again(run, "/islands.svg?seed=8&names=latin");
    const char *id = memmem(one.at, one.length, " id=\"w", 6);
    ck_assert_ptr_nonnull(id);
    const char *end = strchr(id + 6, '"');
    ck_assert_ptr_null(memmem(other.at, other.length, id, (size_t)(end - id) + 1));
}
