/*
 * face.c: trees over the corners of faces.
 */
#include "face.h"

static const struct node idle = {{0, 0, 0, 0}, {0, 0}, 0, 0};
static const struct mw_box nowhere = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};

static struct mw_box box_of(struct mw_point at) { return (struct mw_box){at.x, at.y, at.x, at.y}; }

static struct mw_box box_around(struct mw_box a, struct mw_box b)
{
    return (struct mw_box){mw_min(a.x0, b.x0), mw_min(a.y0, b.y0), mw_max(a.x1, b.x1),
                           mw_max(a.y1, b.y1)};
}

static bool boxes_apart(struct mw_box a, struct mw_box b)
{
    return (a.x0 > b.x1) | (a.x1 < b.x0) | (a.y0 > b.y1) | (a.y1 < b.y0);
}

/* ---- growing --------------------------------------------------------------------------------- */

enum { SPARE = 32 }; /* batches to two more, before and behind a star far off */

struct face face_new(struct mw_run *run, struct rims *r, int32_t corners)
{
    int32_t full = (corners + BATCH - 1) / BATCH, spare = MW_SHORTCUTS ? full / SPARE * 2 : 0,
            batches = full + spare;
    struct face f = {.rims = r,
                     .batches = batches,
                     .batch = MW_NEW(run, struct batch, batches),
                     .node = MW_NEW(run, struct node, 2 * (int64_t)batches),
                     .lanes = MW_NEW(run, struct mw_box, 2 * (int64_t)batches)};
    if (MW_SHORTCUTS) {
        f.spare[0] = spare;
        f.row[0] = MW_NEW0(run, int32_t, 2 * (int64_t)batches);
        f.shape[0] = MW_NEW0(run, uint8_t, 2 * (int64_t)batches);
        f.strip[0] = MW_NEW(run, struct strip, 2 * (int64_t)batches);
        f.lines[0] = MW_NEW(run, struct lines, 2 * (int64_t)batches);
    }
    memset(f.batch, -1, (size_t)batches * sizeof *f.batch); /* some leaves may have no corners */
    return f;
}

/* Reads off its corners what a leaf is; the grain stays. */
static void update_leaf(struct face *f, int32_t leaf)
{
    const struct rims *r = f->rims;
    struct batch *b = &f->batch[leaf / BATCH];
    int32_t k = leaf % BATCH, i = b->corner[k];
    b->opens[k] = no_arc;
    b->several &= ~(UINT32_C(1) << k);
    if (i < 0)
        return;
    const struct corner *c = &r->corner[i];
    struct mw_point at = r->at[c->star], to = r->at[c->right < 0 ? c->star : c->right];
    b->star[k] = c->star;
    b->x[k] = at.x;
    b->y[k] = at.y;
    b->to_x[k] = to.x;
    b->to_y[k] = to.y;
    b->several |= (uint32_t)(c->also >= 0) << k;
    int32_t left = r->corners; /* no corner is there twice */
    for (; i >= 0 && left-- > 0; i = r->corner[i].also)
        b->opens[k] = arc_around(b->opens[k], r->corner[i].open);
    assert(i < 0);
}

static struct node node_around(const struct node *a, const struct node *b)
{
    if (!a->opens.width || !b->opens.width)
        return a->opens.width ? *a : b->opens.width ? *b : idle;
    return (struct node){box_around(a->box, b->box), arc_around(a->opens, b->opens),
                         a->fine < b->fine ? a->fine : b->fine,
                         a->coarse > b->coarse ? a->coarse : b->coarse};
}

/* The same of a batch, off its leaves. */
static void update_batch(struct face *f, int32_t batch)
{
    const struct rims *r = f->rims;
    const struct batch *b = &f->batch[batch];
    struct node node = idle;
    struct mw_box lanes = nowhere;
    for (int32_t k = 0; k < BATCH; k++) {
        int32_t i = b->corner[k];
        if (i < 0)
            continue;
        struct mw_point at = {b->x[k], b->y[k]}, to = {b->to_x[k], b->to_y[k]};
        struct node leaf = {box_of(at), b->opens[k], b->grain[k], b->grain[k]};
        node = node_around(&node, &leaf);
        lanes = box_around(box_around(lanes, box_of(at)), box_of(to));
        int32_t left = r->corners;
        if (b->several >> k & 1)
            while ((i = r->corner[i].also) >= 0 && left-- > 0)
                if (r->corner[i].right >= 0)
                    lanes = box_around(lanes, box_of(r->at[r->corner[i].right]));
    }
    f->node[f->batches + batch] = node;
    f->lanes[f->batches + batch] = lanes;
}

/* The same of a node, off those below. */
static void update(struct face *f, int32_t i)
{
    f->node[i] = node_around(&f->node[2 * i], &f->node[2 * i + 1]);
    f->lanes[i] = box_around(f->lanes[2 * i], f->lanes[2 * i + 1]);
}

/* The lines of a batch, off its leaves. A lane mostly leads to the next star. */
static struct lines lines_of_batch(const struct face *f, int32_t batch)
{
    const struct rims *r = f->rims;
    const struct batch *b = &f->batch[batch];
    struct lines lines = {no_line, no_line};
    for (int k = 0; k < BATCH && (line_may_be(&lines.open) || line_may_be(&lines.lanes)); k++) {
        struct end end = {{b->x[k], b->y[k]}, BATCH * batch + k};
        if (b->opens[k].width)
            line_add(&lines.open, end);
        if (b->corner[k] < 0)
            continue;
        line_add(&lines.lanes, (struct end){end.at, 0});
        if (k == BATCH - 1 || b->to_x[k] != b->x[k + 1] || b->to_y[k] != b->y[k + 1])
            line_add(&lines.lanes, (struct end){{b->to_x[k], b->to_y[k]}, 0});
        int32_t left = r->corners;
        if (b->several >> k & 1)
            for (int32_t i = b->corner[k]; i >= 0 && left-- > 0; i = r->corner[i].also)
                if (r->corner[i].right >= 0)
                    line_add(&lines.lanes, (struct end){r->at[r->corner[i].right], 0});
    }
    return lines;
}

/* The same of the lines of a node; whether that is anything new. */
static bool update_lines(struct face *f, int32_t i)
{
    struct lines *own = &f->lines[0][i], *l = &f->lines[0][2 * i];
    if (f->row[0][i] == NOTHING)
        return false;
    bool other;
    if (i < f->batches) {
        other = line_unite(&own->open, &l[0].open, &l[1].open) |
                line_unite(&own->lanes, &l[0].lanes, &l[1].lanes);
    } else {
        struct lines new = lines_of_batch(f, i - f->batches);
        other = line_set(&own->open, &new.open) | line_set(&own->lanes, &new.lanes);
    }
    uint8_t *shape = &f->shape[0][i];
    *shape = (uint8_t)((*shape & ~IN_LINE) | (line_is_one(&own->open) ? IN_LINE : 0));
    return other;
}

/* As many corners of a loop have the same grain, or up to twice as many: the longer, the less it is
   a matter of chance. */
enum { STRETCH = 1024, STRETCHES = 16 };

/* The binary logarithm of the square of a corner's first lane, times 2^10, a twelfth of a doubling
   off at most: the upper bits of a double. */
static int64_t grain_alone(const struct rims *r, const struct corner *c)
{
    if (c->right < 0)
        return UINT16_MAX;
    double length = (double)square(ray_to(r->at[c->star], r->at[c->right]));
    uint64_t bits;
    memcpy(&bits, &length, sizeof bits);
    return (int64_t)(bits >> 42) - (INT64_C(1023) << 10);
}

static void sift(struct face *f, int32_t from, int32_t to)
{
    int32_t end, most = mw_max(STRETCH, (to - from) / STRETCHES);
    for (int32_t i = from; i < to; i = end) {
        int64_t sum = 0;
        end = to - i < 2 * most ? to : i + most;
        int32_t count = end - i;
        for (int32_t k = i; k < end; k++)
            if (MW_SHORTCUTS && *face_corner(f, k) < 0)
                count--;
            else
                sum += grain_alone(f->rims, &f->rims->corner[*face_corner(f, k)]);
        for (int32_t k = i; k < end; k++)
            f->batch[k / BATCH].grain[k % BATCH] = (uint16_t)(sum / count);
    }
}

static struct ray lane_of(const struct rims *r, int32_t corner)
{
    const struct corner *c = &r->corner[corner];
    return ray_to(r->at[c->star], r->at[c->right]);
}

static void put_in_row(struct face *f, int32_t leaf, int32_t row)
{
    int32_t *of = &f->row[0][f->batches + leaf / BATCH];
    *of = *of == 0 || *of == row ? row : SEVERAL;
}

/* Numbers the rows of a loop; where it bends, the star is the last of a row. The last row may lead
   on to the first one. */
static void line_up(struct face *f, int32_t corner)
{
    const struct rims *r = f->rims;
    const struct corner *corners = r->corner;
    int32_t from = corners[corner].leaf, row = from + 1, last = corners[corner].neighbour[0];
    struct ray first = {0, 0}, line = {0, 0};
    put_in_row(f, from, row);
    if (last == corner)
        return;
    line = first = lane_of(r, corner);
    for (int32_t i = corner, next; i != last; i = next) {
        next = corners[i].neighbour[1];
        if (cross(line, lane_of(r, i)) != 0) {
            row = corners[next].leaf + 1;
            line = lane_of(r, i);
        }
        put_in_row(f, corners[next].leaf, row);
    }
    if (row == from + 1 || cross(line, first) != 0 || cross(line, lane_of(r, last)) != 0)
        return;
    for (int32_t i = f->batches + corners[last].leaf / BATCH;
         i >= f->batches && f->row[0][i] == row; i--)
        f->row[0][i] = from + 1;
}

enum { BESIDE = 4, LEAP = 1 << 10 }; /* lanes; how much longer than these a leap is, squared */

/* Whether all of some lanes on a loop, on from a corner, are shorter. */
static bool are_shorter(const struct rims *r, int32_t corner, int way, int64_t square_of_most)
{
    for (int n = 0; n < BESIDE; n++) {
        int32_t next = r->corner[corner].neighbour[way];
        int64_t length = square(ray_to(r->at[r->corner[corner].star], r->at[r->corner[next].star]));
        if (next == corner || length >= square_of_most)
            return false;
        corner = next;
    }
    return true;
}

/* Whether it is far from one corner to the next, which may be on another loop. */
static bool is_leap(const struct rims *r, int32_t from, int32_t to)
{
    int64_t most = square(ray_to(r->at[r->corner[from].star], r->at[r->corner[to].star])) / LEAP;
    return are_shorter(r, from, 0, most) || are_shorter(r, to, 1, most);
}

/* The next leaf for a corner. One that is far off begins a batch, as long as there are spare ones:
   a row's hub shall not ask for what lies near the row's end. */
static int32_t leaf_for(struct face *f, int32_t corner, int32_t leaf)
{
    if (leaf % BATCH == 0 || !f->spare[0] || !is_leap(f->rims, *face_corner(f, leaf - 1), corner))
        return leaf;
    f->spare[0]--;
    return leaf + BATCH - leaf % BATCH;
}

int32_t face_string(struct mw_run *run, struct face *f, int32_t corner, int32_t leaf)
{
    struct corner *corners = f->rims->corner;
    int32_t from = leaf, i = corner;
    do {
        mw_tick(run, 1);
        if (MW_SHORTCUTS)
            leaf = leaf_for(f, i, leaf);
        assert(leaf / BATCH < f->batches);
        corners[i].leaf = leaf;
        corners[i].also = -1;
        *face_corner(f, leaf++) = i;
        i = corners[i].neighbour[1];
    } while (i != corner);
    sift(f, MW_SHORTCUTS ? corners[corner].leaf : from, leaf);
    if (MW_SHORTCUTS)
        line_up(f, corner);
    return leaf;
}

enum { STRAIGHT = 2 }; /* triples of neighbours */

/* Whether the stars of a batch may be on a line one day, but for a few. */
static bool may_have_lines(const struct face *f, int32_t batch)
{
    int straight = 0;
    for (int32_t leaf = BATCH * batch; leaf < BATCH * (batch + 1) - 2; leaf++)
        straight += turn(face_star(f, leaf), face_star(f, leaf + 1), face_star(f, leaf + 2)) == 0;
    return straight >= STRAIGHT;
}

/* The rows and lines of all nodes. */
static void grow_lines(struct face *f)
{
    int32_t *row = f->row[0];
    for (int32_t i = 2 * f->batches - 1; i > 0; i--) {
        int32_t k = 2 * i;
        if (i < f->batches && (row[k] == NOTHING || row[k + 1] == NOTHING))
            row[i] = NOTHING;
        else if (i < f->batches)
            row[i] = row[k] == row[k + 1] ? row[k] : SEVERAL;
        else if (row[i] == SEVERAL && !may_have_lines(f, i - f->batches))
            row[i] = NOTHING;
        f->lines[0][i] = (struct lines){no_line, no_line};
        update_lines(f, i);
    }
}

static int stars_of(const struct face *f, int32_t batch, struct mw_point at[BATCH])
{
    const struct batch *b = &f->batch[batch];
    int count = 0;
    for (int k = 0; k < BATCH; k++)
        if (b->corner[k] >= 0)
            at[count++] = (struct mw_point){b->x[k], b->y[k]};
    return count;
}

/* Around all stars below a node, in a direction. */
static struct strip strip_below(struct mw_run *run, const struct face *f, int32_t node,
                                struct ray e)
{
    struct strip s[2];
    if (node >= f->batches) {
        struct mw_point at[BATCH];
        mw_tick(run, 1);
        return strip_along(at, stars_of(f, node - f->batches, at), e);
    }
    for (int i = 0; i < 2; i++)
        s[i] = strip_below(run, f, 2 * node + i, e);
    return strip_unite(&s[0], &s[1]);
}

/* Around the strips of the two nodes below. If only one lies along parallels of the lattice, the
   other is measured anew, as what matters is exact along these. */
static struct strip strip_above(struct mw_run *run, const struct face *f, int32_t node)
{
    const struct strip *s = &f->strip[0][2 * node];
    struct strip all = strip_unite(&s[0], &s[1]);
    struct ray one = strip_direction(&s[0]), other = strip_direction(&s[1]);
    if (!strip_is_slim(&all) || arc_is_small(one) == arc_is_small(other))
        return all;
    int askew = arc_is_small(one);
    struct strip anew = strip_below(run, f, 2 * node + askew, askew ? one : other);
    return askew ? strip_unite(&s[0], &anew) : strip_unite(&anew, &s[1]);
}

static void grow_strips(struct mw_run *run, struct face *f)
{
    for (int32_t i = 2 * f->batches - 1; i > 0; i--) {
        struct strip *s = &f->strip[0][i], box = strip_of_box(f->node[i].box);
        struct mw_point at[BATCH];
        *s = i < f->batches ? strip_above(run, f, i)
                            : strip_around(at, stars_of(f, i - f->batches, at));
        if (strip_is_slim(s) && 2 * strip_width(s) < strip_width(&box))
            f->shape[0][i] |= IN_ROW;
    }
}

void face_grow(struct mw_run *run, struct face *f)
{
    mw_tick(run, (uint64_t)BATCH * (uint64_t)f->batches);
    for (int32_t i = 0; i < f->batches; i++) {
        f->batch[i].several = 0;
        for (int32_t leaf = BATCH * i; leaf < BATCH * (i + 1); leaf++)
            update_leaf(f, leaf);
        update_batch(f, i);
    }
    for (int32_t i = f->batches - 1; i > 0; i--)
        update(f, i);
    if (MW_SHORTCUTS) {
        grow_lines(f);
        grow_strips(run, f);
    }
}

/* ---- changes --------------------------------------------------------------------------------- */

/* Tells upward what has become of the leaves of a batch. */
static void tell_upward(struct face *f, int32_t batch)
{
    for (int32_t i = f->batches + batch; i > 0; i /= 2) {
        struct node was = f->node[i];
        struct mw_box lanes = f->lanes[i];
        if (i >= f->batches)
            update_batch(f, batch);
        else
            update(f, i);
        if (MW_SHORTCUTS && !update_lines(f, i) && !memcmp(&was, &f->node[i], sizeof was) &&
            !memcmp(&lanes, &f->lanes[i], sizeof lanes))
            break;
    }
}

void face_tell(struct face *f)
{
    while (MW_SHORTCUTS && f->changes)
        tell_upward(f, f->changed[--f->changes]);
}

/* What is above a batch is to be told, once for all that changes there. */
static void note(struct face *f, int32_t batch)
{
    for (int i = 0; i < f->changes; i++)
        if (f->changed[i] == batch)
            return;
    if (!MW_SHORTCUTS) {
        tell_upward(f, batch);
        return;
    }
    if (f->changes == CHANGED_MOST)
        face_tell(f);
    f->changed[f->changes++] = batch;
}

void face_refresh(struct face *f, int32_t corner)
{
    int32_t leaf = f->rims->corner[corner].leaf;
    update_leaf(f, leaf);
    note(f, leaf / BATCH);
}

static void take_off(struct face *f, int32_t corner)
{
    struct corner *corners = f->rims->corner;
    int32_t *link = face_corner(f, corners[corner].leaf), left = f->rims->corners;
    while (*link >= 0 && *link != corner && left-- > 0)
        link = &corners[*link].also;
    assert(*link == corner);
    *link = corners[corner].also;
}

/* Neighbours on a loop mostly lie in one batch. */
void face_drop(struct mw_run *run, struct face *f, int32_t corner)
{
    const struct corner *corners = f->rims->corner;
    int32_t i = corner;
    do {
        mw_tick(run, 1);
        int32_t leaf = corners[i].leaf;
        take_off(f, i);
        update_leaf(f, leaf);
        i = corners[i].neighbour[1];
        if (i == corner || corners[i].leaf / BATCH != leaf / BATCH)
            note(f, leaf / BATCH);
    } while (i != corner);
}

/* ---- looking --------------------------------------------------------------------------------- */

struct strip face_strip(const struct face *f, int32_t node)
{
    if (face_is_in_line(f, node)) {
        const struct end *end = f->lines[0][node].open.end;
        const struct mw_point ends[] = {end[0].at, end[1].at};
        struct ray ray = ray_to(ends[0], ends[1]);
        ray.x += !ray.x && !ray.y;
        return strip_along(ends, 2, ray);
    }
    return f->shape[0][node] & IN_ROW ? f->strip[0][node] : strip_of_box(f->node[node].box);
}

int32_t face_admits(const struct face *f, int32_t leaf, struct ray ray)
{
    int32_t i = *face_corner(f, leaf), left = f->rims->corners;
    while (i >= 0 && !rim_admits(f->rims, i, ray))
        i = left-- > 0 ? f->rims->corner[i].also : -1;
    return i;
}

/* Whether star c lies between a and b. */
static bool is_between(struct mw_point a, struct mw_point b, struct mw_point c)
{
    return turn(a, b, c) == 0 && dot(ray_to(c, a), ray_to(c, b)) < 0;
}

static bool cross_over(struct mw_point a, struct mw_point b, struct mw_point c, struct mw_point d)
{
    int64_t ac = turn(a, b, c), ad = turn(a, b, d), ca = turn(c, d, a), cb = turn(c, d, b);
    return ((ac > 0 && ad < 0) || (ac < 0 && ad > 0)) && ((ca > 0 && cb < 0) || (ca < 0 && cb > 0));
}

static bool is_in_way(const struct rims *r, int32_t corner, struct mw_point a, struct mw_point b)
{
    const struct corner *c = &r->corner[corner];
    struct mw_point at = r->at[c->star];
    return is_between(a, b, at) || (c->right >= 0 && cross_over(a, b, at, r->at[c->right]));
}

/* A corner of a batch that is in the way, or -1. Most lanes lie on one side of the line from a to
   b, so that is asked of all first. */
static int32_t batch_between(const struct face *f, const struct batch *batch, struct mw_point a,
                             struct mw_point b)
{
    double x = b.x - a.x, y = b.y - a.y, from[BATCH], to[BATCH];
    for (int k = 0; k < BATCH; k++) {
        from[k] = x * (batch->y[k] - a.y) - y * (batch->x[k] - a.x);
        to[k] = x * (batch->to_y[k] - a.y) - y * (batch->to_x[k] - a.x);
    }
    for (int k = 0; k < BATCH; k++) {
        bool aside = ((from[k] > 0) & (to[k] > 0)) | ((from[k] < 0) & (to[k] < 0));
        if (MW_SHORTCUTS && (aside & !(batch->several >> k & 1)))
            continue;
        int32_t left = f->rims->corners;
        for (int32_t i = batch->corner[k]; i >= 0 && left-- > 0; i = f->rims->corner[i].also)
            if (is_in_way(f->rims, i, a, b))
                return i;
    }
    return -1;
}

int32_t face_between(struct mw_run *run, const struct face *f, struct mw_point p, struct mw_point q)
{
    struct mw_box box = box_around(box_of(p), box_of(q));
    int32_t stack[DEPTH], count = 0, found = -1;
    stack[count++] = 1;
    while (count > 0 && found < 0) {
        int32_t i = stack[--count];
        mw_tick(run, 1);
        if (boxes_apart(f->lanes[i], box) || box_side(f->lanes[i], p, q) != 0 ||
            (MW_SHORTCUTS && f->row[0][i] != NOTHING && line_is_aside(&f->lines[0][i].lanes, p, q)))
            continue;
        if (i >= f->batches) {
            found = batch_between(f, &f->batch[i - f->batches], p, q);
            continue;
        }
        assert(count + 2 <= DEPTH);
        stack[count++] = 2 * i;
        stack[count++] = 2 * i + 1;
    }
    return found;
}
