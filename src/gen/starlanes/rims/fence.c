/*
 * fence.c: a complete binary tree over the stars in an order that keeps neighbours together. Each
 * node has the box around its stars and their lanes. Boxes only grow, as lanes never go.
 */
#include "fence.h"

static struct mw_box box_of(struct mw_point a) { return (struct mw_box){a.x, a.y, a.x, a.y}; }

void fence_begin(struct mw_run *run, struct fence *f, const struct rims *rims, const int32_t *order,
                 int32_t stars, int32_t room)
{
    int32_t leaves = 1;
    while (leaves < stars)
        leaves *= 2;
    *f = (struct fence){rims,
                        leaves,
                        MW_NEW(run, struct mw_box, 2 * leaves),
                        MW_NEW(run, int32_t, leaves),
                        MW_NEW(run, int32_t, stars),
                        MW_NEW(run, int32_t, stars),
                        MW_NEW(run, int32_t, room)};
    mw_tick(run, 4 * (uint64_t)leaves);
    for (int32_t i = 0; i < leaves; i++) {
        f->star[i] = i < stars ? order[i] : -1;
        f->box[leaves + i] = (struct mw_box){INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
        if (i >= stars)
            continue;
        f->leaf[order[i]] = i;
        f->first[order[i]] = -1;
        f->box[leaves + i] = box_of(rims->at[order[i]]);
    }
    for (int32_t i = leaves - 1; i > 0; i--)
        f->box[i] = box_around(f->box[2 * i], f->box[2 * i + 1]);
}

void fence_widen(struct fence *f, int32_t corner)
{
    const struct corner *c = &f->rims->corner[corner];
    if (c->right < 0)
        return;
    struct mw_box box = box_of(f->rims->at[c->right]);
    for (int32_t i = f->leaves + f->leaf[c->star]; i > 0; i /= 2)
        f->box[i] = box_around(f->box[i], box);
}

void fence_add(struct fence *f, int32_t corner)
{
    const struct corner *c = &f->rims->corner[corner];
    f->next[corner] = f->first[c->star];
    f->first[c->star] = corner;
    fence_widen(f, corner);
}

static bool star_blocks(struct mw_run *run, const struct fence *f, int32_t star, int32_t a,
                        int32_t b)
{
    for (int32_t i = f->first[star]; i >= 0; i = f->next[i]) {
        mw_tick(run, 1);
        if (rim_blocks_alone(f->rims, &f->rims->corner[i], a, b))
            return true;
    }
    return false;
}

bool fence_blocks(struct mw_run *run, const struct fence *f, int32_t a, int32_t b, int32_t *stack)
{
    struct mw_point p = f->rims->at[a], q = f->rims->at[b];
    struct mw_box box = box_around(box_of(p), box_of(q));
    struct ray ray = ray_to(p, q);
    int32_t count = 0;
    stack[count++] = 1;
    while (count > 0) {
        int32_t i = stack[--count];
        mw_tick(run, 1);
        if (boxes_apart(f->box[i], box) || box_is_aside(f->box[i], p, ray))
            continue;
        if (i < f->leaves) {
            stack[count++] = 2 * i;
            stack[count++] = 2 * i + 1;
        } else if (star_blocks(run, f, f->star[i - f->leaves], a, b)) {
            return true;
        }
    }
    return false;
}
