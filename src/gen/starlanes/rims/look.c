/*
 * look.c: which pairs come next, asked by a batch of corners at a time.
 *
 * Neighbours on a rim have nearly the same in sight, and nearly all of it is lost to them before
 * its place comes: to the one lane that is made across, or to each other. So they do not ask one by
 * one. A BATCH of them asks for the next few pairs of any of them. The first of these waits in the
 * queue; when it has been tried, the next that is still open; and behind the last the batch, to ask
 * again. So the queue is short, and of most pairs it hears nothing.
 *
 * What it asks goes down the tree of the face. A node is left alone where all of it is too near or
 * too far from all of the batch, or no direction from one to the other is open to both; nearer ones
 * are seen first, so that it is known early how far to look. It begins with the batch where the
 * last pair ended, and climbs from there to the root, with a look aside into each subtree: what is
 * wanted is mostly near. In the end two batches are held against each other, all leaves at once
 * (facing.c).
 *
 * WHAT IS FAR CAN WAIT. In a wedge of two rows lanes are made from its point on, and a batch loses
 * what it finds far ahead of them, each time with half of the way to them left. So it does not look
 * for pairs there: what lies FAR times as far ahead of the place as the batch and the subtree are
 * large, has a length within a small part of that way, and the batch asks again at the least it may
 * be. When there was nothing, it looks twice as far from then on: so a batch that has only its own
 * row ahead of it does not ask a hundred times on the way.
 *
 * WHERE BOXES TELL TOO LITTLE. Stars of a batch may lie far from each other, as two hubs do that a
 * row has on either side: all of the row is near the box around them, and nearly all of it too far
 * from both. And a slanted row has a box that is as high as it is long. So where a node is smaller
 * than the batch, or a row, the strip around it is held against each of the leaves, as batches are
 * in the end. In a row that is rough some stars have a steep lane beside them, and are open along
 * the row, over all others: who has asked twice in vain does the same with all that is slim.
 *
 * THE FEW LOOK FOR THE MANY. Of two corners the one on the coarser rim looks for the other. Think
 * of two rows that part, where lanes meet the finer row at right angles. The next stars of that, as
 * many as the root of all, are about as far from the next star of the coarser row. They would all
 * ask for it, and all but one lose it, again and again; but each star of the coarser row has a
 * nearest place of its own on the finer one. On rims alike it is the one to the left in the tree,
 * so that of any two batches one has nothing to ask of the other.
 *
 * WHAT IS HIDDEN ONCE. Two capes lie across a bay from each other, with one long lane in between.
 * All hundreds of stars on the one would try all hundreds on the other, for nothing: the square.
 * So a batch remembers the last lane that was in the way of one of its pairs, as a VEIL (veil.c).
 * As lanes never go, what lies behind it is hidden for ever, whole subtrees at once.
 */
#include "look.h"
#include "facing.h"
#include "gen/starlanes/mesh/search.h"

enum {
    FAR = 4,         /* times as far ahead as it is large, what can wait */
    VAIN_MOST = 12,  /* times that this is doubled */
    CAREFUL = 2,     /* questions in vain, after which each leaf is asked of all that is slim */
    GROWTH = 1 << 5, /* how much farther than it has to a batch looks for pieces, squared */
    ALIKE = 64,      /* grains that differ by no more: a fiftieth of the length */
};

/* ---- what was found -------------------------------------------------------------------------- */

/* How far to look: not beyond the last of enough pairs. */
static struct pair farthest_of(const struct outlook *o)
{
    return o->count == HELD_MOST ? o->at[HELD_MOST - 1].pair : (struct pair){o->reach, 0, 0};
}

static struct range range_of(const struct look *l, const struct outlook *o)
{
    return (struct range){(double)l->now.square, (double)mw_min64(farthest_of(o).square, FARTHEST)};
}

/* Leaves all that is as far, squared, to the next question. */
static void leave_from(struct outlook *o, int64_t reach)
{
    o->reach = reach;
    while (o->count && o->at[o->count - 1].pair.square >= reach)
        o->count--;
}

static void hold(struct outlook *o, struct found found)
{
    int32_t i = o->count < HELD_MOST ? o->count++ : HELD_MOST - 1;
    for (; i > 0 && pair_before(found.pair, o->at[i - 1].pair); i--)
        o->at[i] = o->at[i - 1];
    o->at[i] = found;
}

/* ---- looking --------------------------------------------------------------------------------- */

static bool is_hidden(const struct outlook *o, struct mw_point from, struct mw_point to)
{
    struct mw_box one = {from.x, from.y, from.x, from.y}, other = {to.x, to.y, to.x, to.y};
    return MW_SHORTCUTS && veil_hides(&o->veil, one, other);
}

/* Whether all below a node of the tree lies to the left of another node. */
static bool is_left_of(int32_t i, int32_t k)
{
    int above = __builtin_clz((uint32_t)i), there = __builtin_clz((uint32_t)k);
    return (uint64_t)(i + 1) << above <= (uint64_t)k << there;
}

/* Whether it is for a leaf to find another one. */
static bool is_wanted(const struct face *f, int32_t leaf, int32_t other)
{
    int32_t own = leaf / BATCH, to = other / BATCH;
    int grain = f->batch[own].grain[leaf % BATCH], there = f->batch[to].grain[other % BATCH];
    if (there < grain - ALIKE || there > grain + ALIKE)
        return there < grain;
    return own == to ? leaf < other : is_left_of(f->batches + own, f->batches + to);
}

/* Whether a leaf admits a direction. Well within its arc that is taken for granted, without a look
   at its corner: each pair is tried in earnest before it becomes a lane. */
static bool admits(const struct face *f, int32_t leaf, struct ray ray, uint32_t direction)
{
    const struct batch *b = &f->batch[leaf / BATCH];
    int k = leaf % BATCH;
    return (MW_SHORTCUTS && !(b->several >> k & 1) && arc_holds_well(b->opens[k], direction)) ||
           face_admits(f, leaf, ray) >= 0;
}

/* Two leaves. */
static void meet(const struct look *l, struct outlook *o, int32_t leaf, int32_t other)
{
    const struct face *f = &l->face;
    const struct batch *g = &f->batch[leaf / BATCH], *h = &f->batch[other / BATCH];
    int i = leaf % BATCH, k = other % BATCH;
    if (!MW_SHORTCUTS && (!g->opens[i].width || !h->opens[k].width))
        return;
    int32_t s = g->star[i], t = h->star[k];
    if (s == t || !is_wanted(f, leaf, other))
        return;
    struct mw_point from = face_star(f, leaf), to = face_star(f, other);
    struct ray ray = ray_to(from, to), back = {-ray.x, -ray.y};
    struct pair pair = {square(ray), mw_min(s, t), mw_max(s, t)};
    if (!pair_before(l->now, pair) || !pair_before(pair, farthest_of(o)) || is_hidden(o, from, to))
        return;
    uint32_t direction = arc_direction(ray);
    if (admits(f, leaf, ray, direction) && admits(f, other, back, direction + HALF_TURN))
        hold(o, (struct found){pair, leaf, other});
}

/* Two nodes on one line, one behind the other: all pairs have stars between them but one. A row
   that was rough, until lanes made it smooth, would try all. */
static bool meet_in_line(const struct look *l, struct outlook *o, int32_t own, int32_t i)
{
    const struct lines *lines = l->face.lines[0];
    int32_t ends[2];
    if (!face_is_in_line(&l->face, own) || !face_is_in_line(&l->face, i) ||
        !lines_follow(&lines[own].open, &lines[i].open, ends))
        return false;
    meet(l, o, ends[0], ends[1]);
    return true;
}

/* Takes the last bit, or the first. */
static int take(uint32_t *bits, bool last)
{
    int i = last ? 31 - __builtin_clz(*bits) : __builtin_ctz(*bits);
    *bits ^= UINT32_C(1) << i;
    return i;
}

/* Two batches. Rims that face each other lead to and fro, so the last leaves of the one are near
   the first ones of the other, or the other way round: it begins where the last pairs were near. */
static void meet_all(struct mw_run *run, const struct look *l, struct outlook *o,
                     const struct facing *facing, int32_t batch, int32_t other, uint32_t leaves)
{
    mw_tick(run, BATCH);
    if (!MW_SHORTCUTS) { /* one by one */
        for (int i = 0; i < BATCH * BATCH; i++)
            meet(l, o, BATCH * batch + i / BATCH, BATCH * other + i % BATCH);
        return;
    }
    struct facing there;
    facing_read(&there, &l->face.batch[other]);
    uint64_t met = 0;
    for (; leaves; met++) {
        int i = take(&leaves, !o->rising);
        uint32_t others = facing_leaf(facing, i, &there, range_of(l, o));
        for (; others; met++)
            meet(l, o, BATCH * batch + i, BATCH * other + take(&others, o->rising));
    }
    mw_tick(run, met);
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
static inline bool is_for_others(const struct face *f, int32_t own, int32_t i)
{
    const struct node *g = &f->node[own], *t = &f->node[i];
    if (t->fine < g->coarse - ALIKE)
        return false;
    return t->fine > g->coarse + ALIKE || is_left_of(i, own);
}

static inline bool is_hopeless(const struct look *l, const struct outlook *o, int32_t own,
                               int32_t i)
{
    const struct node *g = &l->face.node[own], *t = &l->face.node[i];
    if (!t->opens.width || face_is_row(&l->face, own, i) || is_for_others(&l->face, own, i) ||
        square_across(t->box, g->box) < l->now.square ||
        square_between(t->box, g->box) > farthest_of(o).square)
        return true;
    struct arc arc = arc_of_boxes(t->box, g->box);
    if (!arcs_meet(t->opens, arc))
        return true;
    arc.from += HALF_TURN;
    return !arcs_meet(g->opens, arc);
}

/* From a node upward, it and all beside the way to the root; what is nearest comes last. */
static int32_t climb(int32_t node, int32_t *stack)
{
    int32_t count = 0;
    for (int level = 30 - __builtin_clz((uint32_t)node); level >= 0; level--)
        stack[count++] = node >> level ^ 1;
    stack[count++] = node;
    return count;
}

static int64_t square_of_size(struct mw_box box)
{
    return square(ray_to((struct mw_point){box.x0, box.y0}, (struct mw_point){box.x1, box.y1}));
}

/* Whether a node is to be held against each of the leaves: it is a batch, or smaller than theirs,
   or a row; and who found nothing asks so of all that is slim. */
static bool is_for_leaves(const struct look *l, const struct outlook *o, int32_t own, int32_t i)
{
    const struct face *f = &l->face;
    struct mw_box box = f->node[i].box;
    int64_t wide = box.x1 - box.x0, high = box.y1 - box.y0;
    return i >= f->batches || f->shape[0][i] ||
           (o->vain >= CAREFUL && (SLIM * wide < high || SLIM * high < wide)) ||
           square_of_size(box) < square_of_size(f->node[own].box);
}

/* Meets all that may be among the first. */
static void look_from(struct mw_run *run, const struct look *l, struct outlook *o, int32_t batch)
{
    const struct face *f = &l->face;
    int32_t own = f->batches + batch;
    const struct node *g = &f->node[own];
    struct facing facing;
    if (MW_SHORTCUTS)
        facing_read(&facing, &f->batch[batch]);
    int32_t stack[DEPTH], top = climb(o->partner, stack);
    while (top > 0) {
        int32_t i = stack[--top];
        const struct node *t = &f->node[i];
        mw_tick(run, 1);
        if (is_hopeless(l, o, own, i))
            continue;
        uint32_t leaves = (UINT32_C(1) << BATCH) - 1;
        if (MW_SHORTCUTS && is_for_leaves(l, o, own, i)) {
            struct strip strip = face_strip(f, i);
            leaves = facing_strip(&facing, &strip, range_of(l, o), i < f->batches ? ANY : EACH);
        }
        if (!leaves)
            continue;
        int64_t near = square_between(t->box, g->box), far = square_across(t->box, g->box);
        if (FAR * (far - near) << (MW_SHORTCUTS ? o->vain : 0) < near - l->now.square) {
            leave_from(o, near);
            continue;
        }
        if (MW_SHORTCUTS && (veil_hides(&o->veil, g->box, t->box) || meet_in_line(l, o, own, i)))
            continue;
        if (i >= f->batches) {
            meet_all(run, l, o, &facing, batch, i - f->batches, leaves);
            continue;
        }
        int64_t one = square_between(g->box, f->node[2 * i].box),
                other = square_between(g->box, f->node[2 * i + 1].box),
                most = farthest_of(o).square;
        int32_t nearer = 2 * i + (other < one);
        assert(top + 2 <= DEPTH);
        stack[top] = nearer ^ 1; /* the nearer one last, to come first */
        top += other <= most && one <= most;
        stack[top] = nearer;
        top += one <= most || other <= most;
    }
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* Whether a lane that was made meanwhile leaves no room for a pair, or hides it. */
static bool is_lost(const struct look *l, const struct outlook *o, const struct found *found)
{
    const struct face *f = &l->face;
    struct mw_point from = face_star(f, found->leaf), to = face_star(f, found->other);
    struct ray ray = ray_to(from, to), back = {-ray.x, -ray.y};
    return !arc_holds(f->batch[found->leaf / BATCH].opens[found->leaf % BATCH], ray) ||
           !arc_holds(f->batch[found->other / BATCH].opens[found->other % BATCH], back) ||
           is_hidden(o, from, to);
}

/* Queues what is next for a batch. */
static void queue_next(struct look *l, int32_t batch)
{
    struct outlook *o = &l->outlook[batch];
    while (MW_SHORTCUTS && o->next < o->count && is_lost(l, o, &o->at[o->next]))
        o->next++;
    struct pair place = o->next < o->count ? o->at[o->next].pair : farthest_of(o);
    assert(l->queue.count < l->face.batches);
    if (place.square <= FARTHEST)
        queue_push(&l->queue, (struct task){place, batch, 0});
}

static void ask(struct mw_run *run, struct look *l, int32_t batch)
{
    struct outlook *o = &l->outlook[batch];
    o->count = o->next = 0;
    o->reach = l->at_sea ? mw_max64(l->now.square, 1) * GROWTH : NEVER;
    if (!l->face.node[l->face.batches + batch].opens.width)
        return;
    look_from(run, l, o, batch);
    if (MW_SHORTCUTS)
        o->vain = o->count ? 0 : (int8_t)mw_min(o->vain + 1, VAIN_MOST);
    if (MW_SHORTCUTS && o->count && o->at[0].leaf != o->at[o->count - 1].leaf)
        o->rising = o->at[0].leaf < o->at[o->count - 1].leaf;
    if (o->count)
        o->partner = l->face.batches + o->at[o->count - 1].other / BATCH;
    queue_next(l, batch);
}

bool look_next(struct mw_run *run, struct look *l, int32_t leaf[2])
{
    struct task task = queue_pop(&l->queue);
    struct outlook *o = &l->outlook[task.side];
    l->now = task.pair;
    if (o->next == o->count) {
        ask(run, l, task.side);
        return false;
    }
    const struct found *found = &o->at[o->next++];
    leaf[0] = found->leaf;
    leaf[1] = found->other;
    return true;
}

void look_veil(struct look *l, int32_t leaf, int32_t corner)
{
    const struct rims *r = l->face.rims;
    const struct corner *c = &r->corner[corner];
    int32_t batch = leaf / BATCH;
    if (MW_SHORTCUTS && c->right >= 0)
        l->outlook[batch].veil =
            veil_of(r->at[c->star], r->at[c->right], l->face.node[l->face.batches + batch].box);
}

void look_on(struct look *l, int32_t leaf) { queue_next(l, leaf / BATCH); }

void look_begin(struct mw_run *run, struct look *l)
{
    int32_t batches = l->face.batches;
    l->outlook = MW_NEW0(run, struct outlook, batches);
    l->queue = (struct queue){MW_NEW(run, struct task, batches), 0};
    for (int32_t i = 0; i < batches; i++) {
        if (MW_SHORTCUTS && i)
            l->outlook[i].rising = l->outlook[i - 1].rising;
        l->outlook[i].partner = i ? l->outlook[i - 1].partner : 1;
        ask(run, l, i);
    }
}
