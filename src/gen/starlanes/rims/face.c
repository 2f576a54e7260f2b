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

struct face face_new(struct mw_run *run, struct rims *r, int32_t corners)
{
    int32_t leaves = (corners + BATCH - 1) / BATCH * BATCH;
    struct face f = {r, leaves, MW_NEW(run, struct node, 2 * (int64_t)leaves),
                     MW_NEW(run, struct mw_box, 2 * (int64_t)leaves), MW_NEW(run, int32_t, leaves)};
    for (int32_t i = 0; i < leaves; i++) {
        f.node[leaves + i] = idle;
        f.head[i] = -1;
    }
    return f;
}

/* Reads off its corners what a leaf is; the grain stays. */
static void update_leaf(struct face *f, int32_t leaf)
{
    const struct rims *r = f->rims;
    struct node *n = &f->node[f->leaves + leaf];
    struct mw_box *lanes = &f->lanes[f->leaves + leaf];
    n->opens = no_arc;
    *lanes = nowhere;
    for (int32_t i = f->head[leaf]; i >= 0; i = r->corner[i].also) {
        const struct corner *c = &r->corner[i];
        n->box = box_of(r->at[c->star]);
        n->opens = arc_around(n->opens, c->open);
        *lanes = box_around(*lanes, n->box);
        if (c->right >= 0)
            *lanes = box_around(*lanes, box_of(r->at[c->right]));
    }
}

/* The same of a node, off those below. */
static void update(struct face *f, int32_t i)
{
    const struct node *a = &f->node[2 * i], *b = a + 1;
    f->lanes[i] = box_around(f->lanes[2 * i], f->lanes[2 * i + 1]);
    if (!a->opens.width || !b->opens.width)
        f->node[i] = a->opens.width ? *a : b->opens.width ? *b : idle;
    else
        f->node[i] = (struct node){box_around(a->box, b->box), arc_around(a->opens, b->opens),
                                   a->fine < b->fine ? a->fine : b->fine,
                                   a->coarse > b->coarse ? a->coarse : b->coarse};
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
        for (int32_t k = i; k < end; k++)
            sum += grain_alone(f->rims, &f->rims->corner[f->head[k]]);
        for (int32_t k = i; k < end; k++)
            f->node[f->leaves + k].fine = f->node[f->leaves + k].coarse =
                (uint16_t)(sum / (end - i));
    }
}

int32_t face_string(struct mw_run *run, struct face *f, int32_t corner, int32_t leaf)
{
    struct corner *corners = f->rims->corner;
    int32_t from = leaf, i = corner;
    do {
        mw_tick(run, 1);
        corners[i].leaf = leaf;
        corners[i].also = -1;
        f->head[leaf++] = i;
        i = corners[i].neighbour[1];
    } while (i != corner);
    sift(f, from, leaf);
    return leaf;
}

void face_grow(struct mw_run *run, struct face *f)
{
    mw_tick(run, (uint64_t)f->leaves);
    for (int32_t i = 0; i < f->leaves; i++)
        update_leaf(f, i);
    for (int32_t i = f->leaves - 1; i > 0; i--)
        update(f, i);
}

/* ---- changes --------------------------------------------------------------------------------- */

void face_refresh(struct face *f, int32_t corner)
{
    int32_t leaf = f->rims->corner[corner].leaf;
    update_leaf(f, leaf);
    for (int32_t i = (f->leaves + leaf) / 2; i > 0; i /= 2) {
        struct node was = f->node[i];
        struct mw_box lanes = f->lanes[i];
        update(f, i);
        if (!memcmp(&was, &f->node[i], sizeof was) && !memcmp(&lanes, &f->lanes[i], sizeof lanes))
            break;
    }
}

static void take_off(struct face *f, int32_t corner)
{
    struct corner *corners = f->rims->corner;
    int32_t *link = &f->head[corners[corner].leaf];
    while (*link != corner)
        link = &corners[*link].also;
    *link = corners[corner].also;
}

/* Neighbours on a loop have parents in common, mostly one behind the other: each level up has about
   half as many. */
void face_drop(struct mw_run *run, struct face *f, int32_t corner)
{
    const struct corner *corners = f->rims->corner;
    char *mark = mw_mark(run);
    int32_t count = 0, i = corner;
    do {
        mw_tick(run, 1);
        count++;
        i = corners[i].neighbour[1];
    } while (i != corner);
    int32_t *list = MW_NEW(run, int32_t, count);
    count = 0;
    do {
        take_off(f, i);
        update_leaf(f, corners[i].leaf);
        list[count++] = f->leaves + corners[i].leaf;
        i = corners[i].neighbour[1];
    } while (i != corner);
    while (count > 0) {
        int32_t kept = 0;
        for (int32_t k = 0; k < count; k++) {
            int32_t up = list[k] / 2;
            if (up && (!kept || list[kept - 1] != up))
                list[kept++] = up;
        }
        count = kept;
        for (int32_t k = 0; k < count; k++)
            update(f, list[k]);
    }
    mw_rewind(run, mark);
}

/* ---- looking --------------------------------------------------------------------------------- */

int32_t face_admits(const struct face *f, int32_t leaf, struct ray ray)
{
    int32_t i = f->head[leaf];
    while (i >= 0 && !rim_admits(f->rims, i, ray))
        i = f->rims->corner[i].also;
    return i;
}

/* Whether the box lies on one side of the line from a along the ray. */
static bool box_is_aside(struct mw_box box, struct mw_point a, struct ray ray)
{
    int64_t x0 = (int64_t)box.x0 - a.x, x1 = (int64_t)box.x1 - a.x, y0 = (int64_t)box.y0 - a.y,
            y1 = (int64_t)box.y1 - a.y;
    int64_t most = ray.x * (ray.x > 0 ? y1 : y0) - ray.y * (ray.y > 0 ? x0 : x1),
            least = ray.x * (ray.x > 0 ? y0 : y1) - ray.y * (ray.y > 0 ? x1 : x0);
    return most < 0 || least > 0;
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

static bool leaf_blocks(const struct face *f, int32_t leaf, struct mw_point a, struct mw_point b)
{
    const struct rims *r = f->rims;
    for (int32_t i = f->head[leaf]; i >= 0; i = r->corner[i].also) {
        const struct corner *c = &r->corner[i];
        struct mw_point at = r->at[c->star];
        if (is_between(a, b, at) || (c->right >= 0 && cross_over(a, b, at, r->at[c->right])))
            return true;
    }
    return false;
}

bool face_blocks(struct mw_run *run, const struct face *f, int32_t a, int32_t b)
{
    struct mw_point p = f->rims->at[a], q = f->rims->at[b];
    struct mw_box box = box_around(box_of(p), box_of(q));
    struct ray ray = ray_to(p, q);
    int32_t stack[DEPTH], count = 0;
    stack[count++] = 1;
    while (count > 0) {
        int32_t i = stack[--count];
        mw_tick(run, 1);
        if (boxes_apart(f->lanes[i], box) || box_is_aside(f->lanes[i], p, ray))
            continue;
        if (i >= f->leaves) {
            if (leaf_blocks(f, i - f->leaves, p, q))
                return true;
            continue;
        }
        stack[count++] = 2 * i;
        stack[count++] = 2 * i + 1;
    }
    return false;
}
