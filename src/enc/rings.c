/*
 * rings.c: the area of each label as polygons.
 *
 * The loops of outline.c are almost rings of polygons. On squares a loop can return to a corner
 * where the label touches itself at that corner only. There it is cut: the part between the two
 * visits, which is on a stack of corners, becomes a ring of its own, and the loop goes on without
 * it. What remains does not touch itself.
 *
 * The label is on the right of a loop, so also of the rings that it is cut into, and the sign of a
 * ring's area says whether it is a hole. A piece is a set of cells joined by sides; all cells along
 * a loop are in one piece.
 */
#include "rings.h"
#include "kit/dsf.h"
#include "kit/integer.h"

struct tracer {
    struct mw_run *run;
    const struct mw_cells *cells;
    struct outline outline;
    int32_t *pieces; /* a disjoint-set forest of cells */
    int32_t *visits; /* by corner of squares: the height of the stack up to it; 0: not on it */
    struct mw_point *stack, *corners;
    struct ring *rings;
    int32_t height, used, count;
    int32_t sides; /* of all borders: bounds the stack and the corners */
};

/* ---- one ring -------------------------------------------------------------------------------- */

/* Whether three corners are in line, which happens on squares only. */
static bool is_straight(struct mw_point a, struct mw_point b, struct mw_point c)
{
    return (a.x == b.x && b.x == c.x) || (a.y == b.y && b.y == c.y);
}

/* Twice the signed area; positive if clockwise with y down. */
static int64_t area_of(const struct mw_point *at, int32_t count)
{
    int64_t area = 0;
    for (int32_t i = 0; i < count; i++) {
        struct mw_point a = at[i], b = at[i + 1 < count ? i + 1 : 0];
        area += (int64_t)a.x * b.y - (int64_t)b.x * a.y;
    }
    return area;
}

static int32_t *visit_of(const struct tracer *t, struct mw_point corner)
{
    const struct cell_shape *shape = &outline_shapes[MW_SQUARE];
    int32_t x = corner.x / shape->pitch_x, y = corner.y / shape->pitch_y;
    return &t->visits[(int64_t)y * (t->cells->lattice.width + 1) + x];
}

/* Pops what is above `low` from the stack, reversed: a ring of the piece of a cell. */
static void close_ring(struct tracer *t, int32_t low, int32_t cell)
{
    const struct mw_point *at = t->stack + low;
    int32_t count = t->height - low, start = t->used;
    for (int32_t i = count - 1; i >= 0; i--) {
        if (t->visits)
            *visit_of(t, at[i]) = 0;
        assert(t->used < t->sides);
        if (!is_straight(at[i ? i - 1 : count - 1], at[i], at[i + 1 < count ? i + 1 : 0]))
            t->corners[t->used++] = at[i];
    }
    assert(t->count <= t->sides / 4);
    t->rings[t->count++] = (struct ring){.label = t->cells->at[cell],
                                         .piece = mw_dsf_find(t->pieces, cell),
                                         .hole = area_of(at, count) < 0,
                                         .start = start,
                                         .count = t->used - start};
    t->height = low;
    assert(t->used - start >= 4);
}

/* ---- a loop ---------------------------------------------------------------------------------- */

/* The corner where the side begins. */
static struct mw_point corner_of(const struct tracer *t, int32_t cell, int side)
{
    const struct cell_shape *shape = &outline_shapes[t->cells->lattice.tiling];
    return outline_corner(shape, t->cells->lattice.width, cell, side);
}

static void push(struct tracer *t, struct mw_point corner, int32_t cell)
{
    int32_t *visit = t->visits ? visit_of(t, corner) : NULL;
    if (visit && *visit)
        close_ring(t, *visit - 1, cell);
    assert(t->height < t->sides);
    t->stack[t->height++] = corner;
    if (visit)
        *visit = t->height;
}

static void trace_loop(struct tracer *t, int32_t cell, int side)
{
    int32_t first = cell;
    for (; outline_take(&t->outline, cell, side); outline_advance(&t->outline, &cell, &side))
        push(t, corner_of(t, cell, side), first);
    close_ring(t, 0, first);
}

/* ---- all ------------------------------------------------------------------------------------- */

static void join_pieces(const struct tracer *t)
{
    const struct mw_lattice *l = &t->outline.flat;
    int32_t count = l->width * l->height;
    mw_dsf_init(t->pieces, count);
    for (int32_t c = 0; c < count; c++)
        for (int s = 0; s < mw_sides(l) / 2; s++) {
            int32_t other = mw_neighbour(l, c, s);
            if (other >= 0 && t->cells->at[other] == t->cells->at[c])
                mw_dsf_join(t->pieces, c, other);
        }
    mw_tick(t->run, (uint64_t)count);
}

static const struct ring *sort_rings(const struct tracer *t)
{
    uint64_t *keys = MW_NEW(t->run, uint64_t, t->count);
    int32_t *order = MW_NEW(t->run, int32_t, t->count);
    struct ring *sorted = MW_NEW(t->run, struct ring, t->count);
    for (int32_t i = 0; i < t->count; i++) {
        const struct ring *r = &t->rings[i];
        keys[i] = (uint64_t)r->label << 32 | (uint64_t)r->piece << 1 | r->hole;
        order[i] = i;
    }
    mw_sort(t->run, keys, order, t->count);
    for (int32_t i = 0; i < t->count; i++)
        sorted[i] = t->rings[order[i]];
    return sorted;
}

static struct tracer tracer_of(struct mw_run *run, const struct mw_cells *cells)
{
    const struct mw_lattice *l = &cells->lattice;
    struct tracer t = {.run = run, .cells = cells, .outline = outline_of(run, cells)};
    int32_t sides = t.sides = outline_count_sides(&t.outline);
    t.pieces = MW_NEW(run, int32_t, l->width * l->height);
    if (l->tiling == MW_SQUARE)
        t.visits = MW_NEW0(run, int32_t, (l->width + 1) * (l->height + 1));
    t.stack = MW_NEW(run, struct mw_point, sides);
    t.corners = MW_NEW(run, struct mw_point, sides);
    t.rings = MW_NEW(run, struct ring, sides / 4 + 1);
    join_pieces(&t);
    return t;
}

struct label_rings rings_of(struct mw_run *run, const struct mw_cells *cells)
{
    struct tracer t = tracer_of(run, cells);
    int32_t *starts, loops = outline_loops(&t.outline, &starts);
    for (int32_t i = 0; i < loops; i++)
        if (cells->at[starts[i] / 8] > 0)
            trace_loop(&t, starts[i] / 8, starts[i] % 8);
    return (struct label_rings){t.corners, sort_rings(&t), t.count};
}
