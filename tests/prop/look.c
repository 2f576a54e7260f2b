/* look.c: what shapes on maps look like, in figures. */
#include "look.h"
#include "judge.h"

#include <math.h>

#define PI 3.14159265358979

/* A map at work. */
struct view {
    struct judge_grid grid;
    int count;
    struct form *form; /* by id */
    bool *beside;      /* pairs of ids */
};

struct form {
    double n, x, y, xx, yy, xy; /* sums over its cells */
    double sides, open;         /* all; of these, those that face no other shape */
    double inside;              /* cells in the disc */
    bool at_rim;
};

/* Where the centre of a cell lies. */
static void place(const struct judge_grid *g, int cell, double *x, double *y)
{
    double high = g->hex ? .9306048591020996 : 1; /* the root of the root of 3/4 */
    *x = (cell % g->width + (g->hex && cell / g->width % 2 ? .5 : 0)) / high;
    *y = cell / g->width * high;
}

static double side_length(bool hex) { return hex ? .6204032394013997 : 1; }

/* ---- cells ----------------------------------------------------------------------------------- */

static void add_sides(struct view *v, struct look *look, int cell)
{
    const int32_t *cells = v->grid.cells;
    int32_t to[8], own = cells[cell], same = 0, others = 0;
    int sides = judge_beside(&v->grid, cell, false, to);
    struct form *f = &v->form[own];
    for (int k = 0; k < sides; k++) {
        int32_t other = to[k] < 0 ? 0 : cells[to[k]];
        same += other == own;
        others += other && other != own;
        f->sides += other != own;
        f->open += !other;
        f->at_rim |= to[k] < 0;
        v->beside[own * (v->count + 1) + other] = true;
        look->level += other == own && to[k] / v->grid.width == cell / v->grid.width;
    }
    look->pairs += same;
    look->length += others / 2.0 * side_length(v->grid.hex);
    look->border += others > 0;
    look->teeth += others == sides - 1 && same == 1;
}

static void add_cell(struct view *v, struct look *look, int cell)
{
    struct form *f = &v->form[v->grid.cells[cell]];
    double x, y;
    place(&v->grid, cell, &x, &y);
    f->n++;
    f->x += x, f->y += y;
    f->xx += x * x, f->yy += y * y, f->xy += x * y;
    add_sides(v, look, cell);
}

static void add_to_disc(struct view *v, int cell)
{
    struct form *f = &v->form[v->grid.cells[cell]];
    double x, y;
    place(&v->grid, cell, &x, &y);
    x -= f->x / f->n;
    y -= f->y / f->n;
    f->inside += x * x + y * y <= f->n / PI;
}

static void add_shape(struct view *v, struct look *look, int id)
{
    const struct form *f = &v->form[id];
    struct look_shape *s = &look->shape[look->shapes];
    double x = f->x / f->n, y = f->y / f->n;
    double vx = f->xx / f->n - x * x, vy = f->yy / f->n - y * y, vxy = f->xy / f->n - x * y;
    double d = hypot(vx - vy, 2 * vxy), turn = fmod(atan2(2 * vxy, vx - vy) * 90 / PI + 180, 90);
    if (f->n < look->least || look->shapes == LOOK_SHAPES)
        return;
    *s = (struct look_shape){.cells = f->n, .map = look->maps, .at_rim = f->at_rim};
    s->perimeter = f->sides * side_length(v->grid.hex);
    s->elongation = sqrt((vx + vy + d) / fmax(1e-9, vx + vy - d));
    s->turn = fmin(turn, 90 - turn);
    s->disc = f->inside / f->n;
    for (int other = 1; other <= v->count; other++)
        s->neighbours += other != id && v->beside[id * (v->count + 1) + other];
    s->framed = s->neighbours == 1 && f->sides > 2 * f->open;
    look->shapes++;
}

/* ---- where three meet ------------------------------------------------------------------------ */

enum { AROUND = 4 }; /* cells in each direction */

/* What three shapes have of the disc around a corner; false: another is there, or the rim. */
static bool share_disc(const struct judge_grid *g, int cell, double x, double y,
                       const int32_t id[3], double share[3])
{
    int cx = cell % g->width, cy = cell / g->width;
    double all = 0;
    for (int dy = -AROUND - 1; dy <= AROUND + 1; dy++)
        for (int dx = -AROUND - 1; dx <= AROUND + 1; dx++) {
            int at = judge_cell(g, cx + dx, cy + dy), k = 0;
            double px, py;
            place(g, at < 0 ? 0 : at, &px, &py);
            if (at >= 0 && hypot(px - x, py - y) > AROUND)
                continue;
            while (k < 3 && (at < 0 || g->cells[at] != id[k]))
                k++;
            if (k == 3)
                return false;
            share[k]++;
            all++;
        }
    for (int k = 0; k < 3; k++)
        share[k] /= all;
    return true;
}

static void add_corner(struct look *look, const struct judge_grid *g, const int32_t *around, int n)
{
    int32_t id[4], ids = 0;
    double x = 0, y = 0, share[3] = {0};
    for (int i = 0; i < n; i++) {
        double px, py;
        bool again = around[i] < 0 || !g->cells[around[i]];
        for (int k = 0; k < ids; k++)
            again |= around[i] >= 0 && id[k] == g->cells[around[i]];
        if (!again)
            id[ids++] = g->cells[around[i]];
        place(g, around[i] < 0 ? 0 : around[i], &px, &py);
        x += px / n, y += py / n;
    }
    if (ids != 3 || !share_disc(g, around[0], x, y, id, share))
        return;
    double most = fmax(share[0], fmax(share[1], share[2]));
    double least = fmin(share[0], fmin(share[1], share[2]));
    look->tees += fabs(most - .5) <= .055 && least >= .18;
    look->wyes += least >= .25 && most <= .417;
}

static void add_corners(struct look *look, const struct judge_grid *g, int cell)
{
    int x = cell % g->width, y = cell / g->width, lean = y % 2;
    for (int down = -1; g->hex && down <= 1; down += 2) {
        const int32_t around[3] = {cell, judge_cell(g, x + lean - 1, y + down),
                                   judge_cell(g, x + lean, y + down)};
        add_corner(look, g, around, 3);
    }
    const int32_t around[4] = {cell, judge_cell(g, x + 1, y), judge_cell(g, x, y + 1),
                               judge_cell(g, x + 1, y + 1)};
    if (!g->hex)
        add_corner(look, g, around, 4);
}

/* ---- boxes ----------------------------------------------------------------------------------- */

/* Boxes have a row and a column in common with the next, so that borders between two count. */
static bool has_border(const struct judge_grid *g, int x0, int y0, int side)
{
    int32_t first = 0;
    for (int y = y0; y <= y0 + side; y++)
        for (int x = x0; x <= x0 + side; x++) {
            int32_t id = judge_value(g, g->cells, x, y, 0);
            if (id && first && id != first)
                return true;
            first = id ? id : first;
        }
    return false;
}

static void add_boxes(struct look *look, const struct judge_grid *g)
{
    for (int k = 0; k < LOOK_BOXES; k++)
        for (int y = 0; y < g->height; y += 2 << k)
            for (int x = 0; x < g->width; x += 2 << k)
                look->boxes[k] += has_border(g, x, y, 2 << k);
}

void look_add(struct look *look, const struct mw_cells *map)
{
    const struct mw_lattice *l = &map->lattice;
    struct view v = {.grid = {.width = l->width, .height = l->height, .hex = l->tiling == MW_HEX}};
    int cells = l->width * l->height;
    v.grid.cells = map->at;
    for (int i = 0; i < cells; i++)
        v.count = map->at[i] > v.count ? map->at[i] : v.count;
    v.form = calloc((size_t)v.count + 1, sizeof *v.form);
    v.beside = calloc(((size_t)v.count + 1) * ((size_t)v.count + 1), 1);
    for (int i = 0; i < cells; i++)
        if (map->at[i] > 0) {
            add_cell(&v, look, i);
            add_corners(look, &v.grid, i);
        }
    for (int i = 0; i < cells; i++)
        if (map->at[i] > 0)
            add_to_disc(&v, i);
    add_boxes(look, &v.grid);
    for (int id = 1; id <= v.count; id++)
        add_shape(&v, look, id);
    look->maps++;
    free(v.form);
    free(v.beside);
}

/* ---- figures --------------------------------------------------------------------------------- */

static double quotient(const struct look_shape *s)
{
    return 4 * PI * s->cells / (s->perimeter * s->perimeter);
}

/* Of shapes inside the map. */
static double figure_inside(const struct look *look, enum look_measure measure)
{
    double n = 0, sum = 0, squares = 0, neighbours = 0, longish = 0, along = 0;
    for (const struct look_shape *s = look->shape; s < look->shape + look->shapes; s++) {
        if (s->at_rim)
            continue;
        n++;
        sum += quotient(s);
        squares += quotient(s) * quotient(s);
        neighbours += s->neighbours;
        longish += s->elongation > 1.15;
        along += s->elongation > 1.15 && s->turn <= 15;
    }
    return measure == LOOK_COUNT        ? longish
           : measure == LOOK_ALONG      ? along / longish
           : measure == LOOK_NEIGHBOURS ? neighbours / n
                                        : sqrt(squares / n - sum / n * sum / n);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of all shapes. */
static double figure_of_all(const struct look *look, enum look_measure measure)
{
    static double elongation[LOOK_SHAPES];
    double n = look->shapes, framed = 0, at_rim = 0, round = 0, sum = 0, squares = 0;
    for (int i = 0; i < look->shapes; i++) {
        const struct look_shape *s = &look->shape[i];
        framed += s->framed;
        at_rim += s->at_rim;
        round += quotient(s);
        sum += s->disc;
        squares += s->disc * s->disc;
        elongation[i] = s->elongation;
    }
    qsort(elongation, (size_t)look->shapes, sizeof *elongation, compare);
    return measure == LOOK_FRAMED       ? framed / n
           : measure == LOOK_AT_RIM     ? at_rim / n
           : measure == LOOK_QUOTIENT   ? round / n
           : measure == LOOK_DISC       ? sum / n
           : measure == LOOK_ELONGATION ? elongation[look->shapes * 9 / 10]
                                        : sqrt(squares / n - sum / n * sum / n);
}

/* Of the largest shape of each map, and the smallest. */
static double figure_of_sizes(const struct look *look, enum look_measure measure)
{
    double roundest = 0, logarithms = 0;
    for (int i = 0, end; i < look->shapes; i = end) {
        const struct look_shape *least = &look->shape[i], *most = least;
        for (end = i; end < look->shapes && look->shape[end].map == look->shape[i].map; end++) {
            const struct look_shape *s = &look->shape[end];
            least = s->cells < least->cells ? s : least;
            most = s->cells > most->cells ? s : most;
        }
        roundest = fmax(roundest, quotient(most));
        logarithms += log(most->cells / least->cells) / look->maps;
    }
    return measure == LOOK_ROUNDEST ? roundest : exp(logarithms);
}

double look_figure(const struct look *look, enum look_measure measure, bool hex)
{
    const double *boxes = look->boxes;
    switch (measure) {
    case LOOK_COUNT:
    case LOOK_ALONG:
    case LOOK_NEIGHBOURS:
    case LOOK_SPREAD: return figure_inside(look, measure);
    case LOOK_ROUNDEST:
    case LOOK_RATIO: return figure_of_sizes(look, measure);
    case LOOK_LENGTH: return look->length / look->maps;
    case LOOK_TEETH: return look->teeth / look->border;
    case LOOK_LEVEL: return look->level / look->pairs * (hex ? 3 : 2);
    case LOOK_WYES: return look->wyes / look->tees;
    case LOOK_DIMENSION: return log2(boxes[0] / boxes[2]) / 2;
    case LOOK_BEND: return log2(boxes[1] / boxes[2]) - log2(boxes[0] / boxes[1]);
    case LOOK_ELONGATION:
    case LOOK_FRAMED:
    case LOOK_AT_RIM:
    case LOOK_QUOTIENT:
    case LOOK_DISC:
    case LOOK_DISC_SPREAD: return figure_of_all(look, measure);
    case LOOK_END: break;
    }
    return NAN;
}
