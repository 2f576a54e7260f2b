/*
 * look.c: which pairs come next, asked by a batch of corners at a time.
 *
 * Neighbours on a rim have nearly the same in sight, and nearly all of it is lost to them before
 * its place comes: to the one lane that is made across, or to each other. So they do not ask one by
 * one. A BATCH of them asks for the next few pairs of any of them, which wait in the queue; and
 * behind the last of these waits the batch, to ask again.
 *
 * What it asks goes down the tree of the face twice at once (Gray and Moore 2000), once from the
 * node of the batch. A couple of nodes is left alone where all of one is too near or too far from
 * all of the other, or no direction from one to the other is open to both; else the larger of the
 * two is taken apart. Those nearer are seen first.
 *
 * WHAT IS FAR CAN WAIT. In a wedge of two rows lanes are made from its point on, and a batch loses
 * what it finds far ahead of them, each time with half of the way to them left. So it does not look
 * for pairs there: what lies FAR times as far ahead of the place as the batch and the subtree are
 * large, has a length within a small part of that way, and the batch asks again at the least it may
 * be.
 *
 * THE FEW LOOK FOR THE MANY. Of two corners the one on the coarser rim looks for the other, or on
 * rims alike that of the earlier star. Think of two rows that part, where lanes meet the finer row
 * at right angles. The next stars of that, as many as the root of all, are about as far from the
 * next star of the coarser row. They would all ask for it, and all but one lose it, again and
 * again; but each star of the coarser row has a nearest place of its own on the finer one.
 */
#include "look.h"
#include "gen/starlanes/mesh/search.h"

enum {
    HELD_MOST = BATCH / 2, /* pairs; most of more would be in each other's way */
    FAR = 4,               /* times as far ahead as it is large, what can wait */
    GROWTH = 1 << 5,       /* how much farther than it has to a batch looks for pieces, squared */
    ALIKE = 64,            /* grains that differ by no more: a fiftieth of the length */
};

struct found {
    struct pair pair;
    int32_t leaf, other;
};

/* What a batch has found so far. */
struct finds {
    struct found at[HELD_MOST];
    int32_t count;
    int64_t reach; /* how far it looks, squared */
};

/* How far to look: not beyond the last of enough pairs. */
static struct pair farthest_of(const struct finds *b)
{
    return b->count == HELD_MOST ? b->at[HELD_MOST - 1].pair : (struct pair){b->reach, 0, 0};
}

/* Leaves all that is as far, squared, to the next question. */
static void leave_from(struct finds *b, int64_t reach)
{
    b->reach = reach;
    while (b->count && b->at[b->count - 1].pair.square >= reach)
        b->count--;
}

static void hold(struct finds *b, struct found found)
{
    int32_t i = b->count < HELD_MOST ? b->count++ : HELD_MOST - 1;
    for (; i > 0 && pair_before(found.pair, b->at[i - 1].pair); i--)
        b->at[i] = b->at[i - 1];
    b->at[i] = found;
}

static int32_t star_at(const struct face *f, int32_t leaf)
{
    return f->rims->corner[f->head[leaf]].star;
}

/* Whether it is for the one to find the other. */
static bool is_wanted(const struct node *one, int32_t star, const struct node *other, int32_t to)
{
    if (other->fine < one->fine - ALIKE)
        return to != star;
    return other->fine <= one->fine + ALIKE && to > star;
}

/* Two leaves. */
static void meet(const struct look *l, struct finds *b, int32_t leaf, int32_t other)
{
    const struct face *f = &l->face;
    const struct mw_point *at = f->rims->at;
    int32_t s = star_at(f, leaf), t = star_at(f, other);
    if (!is_wanted(&f->node[f->leaves + leaf], s, &f->node[f->leaves + other], t))
        return;
    struct ray ray = ray_to(at[s], at[t]), back = {-ray.x, -ray.y};
    struct pair pair = {square(ray), mw_min(s, t), mw_max(s, t)};
    if (!pair_before(l->now, pair) || !pair_before(pair, farthest_of(b)))
        return;
    if (face_admits(f, leaf, ray) >= 0 && face_admits(f, other, back) >= 0)
        hold(b, (struct found){pair, leaf, other});
}

static int64_t square_between(struct mw_box a, struct mw_box b)
{
    int64_t x = mw_max(mw_max(b.x0 - a.x1, a.x0 - b.x1), 0),
            y = mw_max(mw_max(b.y0 - a.y1, a.y0 - b.y1), 0);
    return x * x + y * y;
}

/* The square of the distance of the farthest points of two boxes. */
static int64_t square_across(struct mw_box a, struct mw_box b)
{
    int64_t x = mw_max(b.x1 - a.x0, a.x1 - b.x0), y = mw_max(b.y1 - a.y0, a.y1 - b.y0);
    return x * x + y * y;
}

/* Whether all below a node is for others to find. */
static inline bool is_for_others(const struct node *g, const struct node *t)
{
    if (t->fine < g->coarse - ALIKE)
        return false;
    return t->fine > g->coarse + ALIKE || t->box.x1 < g->box.x0;
}

static inline bool is_hopeless(const struct look *l, const struct finds *b, const struct node *g,
                               const struct node *t)
{
    if (!g->opens.width || !t->opens.width || is_for_others(g, t) ||
        square_across(t->box, g->box) < l->now.square ||
        square_between(t->box, g->box) > farthest_of(b).square)
        return true;
    struct arc arc = arc_of_boxes(t->box, g->box);
    if (!arcs_meet(t->opens, arc))
        return true;
    arc.from += UINT32_C(1) << 31;
    return !arcs_meet(g->opens, arc);
}

static int32_t size_of(struct mw_box box) { return mw_max(box.x1 - box.x0, box.y1 - box.y0); }

/* Meets all that may be among the first. A couple on the stack is a node of the batch and one of
   the face. */
static void look_from(struct mw_run *run, const struct look *l, struct finds *b, int32_t batch)
{
    const struct face *f = &l->face;
    struct {
        int32_t i, k;
    } stack[DEPTH] = {{batch, 1}};
    int32_t top = 1;
    while (top > 0) {
        int32_t i = stack[--top].i, k = stack[top].k;
        const struct node *g = &f->node[i], *t = &f->node[k];
        mw_tick(run, 1);
        if (2 * k < f->leaves) {
            __builtin_prefetch(&f->node[4 * k]);
            __builtin_prefetch(&f->node[4 * k + 3]);
        }
        if (is_hopeless(l, b, g, t))
            continue;
        int64_t near = square_between(t->box, g->box), far = square_across(t->box, g->box);
        if (i == batch && FAR * (far - near) < near - l->now.square) {
            leave_from(b, near);
            continue;
        }
        bool ends = k >= f->leaves;
        if (ends && i >= f->leaves) {
            meet(l, b, i - f->leaves, k - f->leaves);
            continue;
        }
        bool mine = ends || (i < f->leaves && size_of(g->box) > size_of(t->box));
        const struct node *child = &f->node[2 * (mine ? i : k)], *other = mine ? t : g;
        int64_t between[] = {square_between(other->box, child[0].box),
                             square_between(other->box, child[1].box)};
        for (int n = 0; n < 2; n++) { /* the nearer one last, to come first */
            int32_t which = n == (between[1] < between[0]);
            if (between[which] > farthest_of(b).square)
                continue;
            stack[top].i = mine ? 2 * i + which : i;
            stack[top++].k = mine ? k : 2 * k + which;
        }
    }
}

void look_ask(struct mw_run *run, struct look *l, int32_t first)
{
    const struct face *f = &l->face;
    int32_t batch = (f->leaves + first) / BATCH;
    struct finds b = {.reach = l->at_sea ? mw_max64(l->now.square, 1) * GROWTH : NEVER};
    if (!f->node[batch].opens.width)
        return;
    look_from(run, l, &b, batch);
    for (int32_t i = 0; i < b.count; i++)
        queue_push(&l->queue, (struct task){b.at[i].pair, b.at[i].leaf, b.at[i].other});
    if (farthest_of(&b).square <= FARTHEST)
        queue_push(&l->queue, (struct task){farthest_of(&b), ~first, 0});
}

void look_ask_all(struct mw_run *run, struct look *l)
{
    l->queue.count = 0;
    for (int32_t i = 0; i < l->face.leaves; i += BATCH)
        look_ask(run, l, i);
}

void look_begin(struct mw_run *run, struct look *l)
{
    l->queue = (struct queue){
        MW_NEW(run, struct task, (int64_t)l->face.leaves / BATCH * (HELD_MOST + 2)), 0};
}
