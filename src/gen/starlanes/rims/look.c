/*
 * look.c: which pairs come next, asked by a batch of corners at a time.
 *
 * Neighbours on a rim have nearly the same in sight, and nearly all of it is lost to them before
 * its place comes: to the one lane that is made across, or to each other. So they do not ask one by
 * one. A BATCH of them asks for the next few pairs of any of them, which wait in the queue; and
 * behind the last of these waits the batch, to ask again. Once its members lie in several faces, it
 * asks in each.
 *
 * What it asks goes down two trees at once (Gray and Moore 2000): a small one over the batch, and
 * that over the rim. A couple of their nodes, a group each, is left alone where all of one is too
 * near or too far from all of the other, or no direction from one to the other is open to both;
 * else the larger group of the two is taken apart. Those nearer are seen first.
 *
 * WHAT IS FAR CAN WAIT. In a wedge of two rows lanes are made from its point on, and a batch loses
 * what it finds far ahead of them, each time with half of the way to them left. So it does not look
 * for pairs there: what lies FAR times as far ahead of the place as the batch and the subtree are
 * large, has a length within a small part of that way, and the batch asks again at the least it may
 * be.
 *
 * THE PARTS OF A CORNER. Where a lane divides a corner, the part to the left of the lane is linked
 * to the other. So a pair found before finds its part, and a batch has all parts of its corners as
 * members. When a corner has been divided some times, further parts GO APART: each is a batch by
 * itself, and is found by its star, as nobody may have to walk past all lanes of a hub.
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
    BATCH = 16,      /* corners that ask together */
    FAR = 8,         /* times as far ahead as it is large, what can wait */
    GROWTH = 1 << 5, /* how much farther than it has to a batch looks for pieces, squared */
    ALIKE = 64,      /* grains that differ by no more: a fiftieth of the length */
};

struct found {
    struct pair pair;
    int32_t corner, other;
};

/* A corner that looks. */
struct member {
    int32_t corner, root;
};

/* One corner or more. */
struct group {
    struct mw_box box;
    struct mw_point first; /* the earliest, where they look */
    struct arc opens;
    int32_t grain; /* the highest where they look, the lowest where they are looked for */
};

/* Corners that look together; those of one tree at a time. */
struct batch {
    struct member member[BATCH * MOST_PARTS];
    struct group group[2 * BATCH * MOST_PARTS];
    int32_t members, from, to;
    int64_t reach; /* how far they look, squared */
    struct found found[BATCH];
    int32_t count, most;
};

/* How far to look: not beyond the last of enough pairs. */
static struct pair farthest_of(const struct batch *b)
{
    return b->count == b->most ? b->found[b->most - 1].pair : (struct pair){b->reach, 0, 0};
}

/* Whether it is the one's to find the other. */
static bool is_wanted(const struct corner *one, const struct corner *other)
{
    if (other->grain < one->grain - ALIKE)
        return other->star != one->star;
    return other->grain <= one->grain + ALIKE && other->star > one->star;
}

/* Leaves all that is as far, squared, to the next question. */
static void leave_from(struct batch *b, int64_t reach)
{
    b->reach = reach;
    while (b->count && b->found[b->count - 1].pair.square >= reach)
        b->count--;
}

static void hold(struct batch *b, struct found found)
{
    int32_t i = b->count < b->most ? b->count++ : b->most - 1;
    for (; i > 0 && pair_before(found.pair, b->found[i - 1].pair); i--)
        b->found[i] = b->found[i - 1];
    b->found[i] = found;
}

/* A couple whose directions are open to each other. */
static void meet(const struct holes *h, struct batch *b, int32_t corner, int32_t other)
{
    const struct rims *r = &h->rims;
    const struct corner *c = &r->corner[corner], *d = &r->corner[other];
    struct ray ray = ray_to(r->at[c->star], r->at[d->star]), back = {-ray.x, -ray.y};
    if (!is_wanted(c, d))
        return;
    struct pair pair = {square(ray), mw_min(c->star, d->star), mw_max(c->star, d->star)};
    if (!pair_before(h->now, pair) || !pair_before(pair, farthest_of(b)))
        return;
    if (!rim_admits(r, corner, ray) || !rim_admits(r, other, back))
        return;
    hold(b, (struct found){pair, corner, other});
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

/* Whether all of a subtree is for others to find. */
static inline bool is_for_others(const struct group *g, const struct group *t)
{
    if (t->grain < g->grain - ALIKE)
        return false;
    return t->grain > g->grain + ALIKE || t->box.x1 < g->first.x ||
           (t->box.x1 == g->first.x && t->box.y1 < g->first.y);
}

static inline bool is_hopeless(const struct holes *h, const struct batch *b, const struct group *g,
                               const struct group *t)
{
    if (!t->opens.width || is_for_others(g, t) || square_across(t->box, g->box) < h->now.square ||
        square_between(t->box, g->box) > farthest_of(b).square)
        return true;
    struct arc arc = arc_of_boxes(t->box, g->box);
    if (!arcs_meet(t->opens, arc))
        return true;
    arc.from += UINT32_C(1) << 31;
    return !arcs_meet(g->opens, arc);
}

static int32_t size_of(struct mw_box box) { return mw_max(box.x1 - box.x0, box.y1 - box.y0); }

static struct mw_box box_of(struct mw_point at) { return (struct mw_box){at.x, at.y, at.x, at.y}; }

static struct group group_of(const struct rims *r, const struct corner *c)
{
    struct mw_point at = r->at[c->star];
    return (struct group){box_of(at), at, c->open, c->grain};
}

/* Meets all corners of a tree that may be among the first. A couple on the stack is a group of the
   batch and a subtree, or ~ the corner at its root alone. */
static void look_into(const struct holes *h, struct batch *b, int32_t root)
{
    const struct rims *r = &h->rims;
    int32_t *stack = h->stack, top = 0, leaves = b->to - b->from;
    stack[top++] = 1;
    stack[top++] = root;
    while (top > 0) {
        int32_t node = stack[--top], i = stack[--top], corner = node < 0 ? ~node : node;
        const struct corner *c = &r->corner[corner];
        const struct group *g = &b->group[i];
        struct group t =
            node < 0 ? group_of(r, c) : (struct group){c->box, {0, 0}, c->opens, c->finest};
        mw_tick(h->run, 1);
        if (is_hopeless(h, b, g, &t))
            continue;
        int64_t near = square_between(t.box, g->box), far = square_across(t.box, g->box);
        if (i == 1 && leaves > 1 && FAR * (far - near) < near - h->now.square) {
            leave_from(b, near);
            continue;
        }
        if (node < 0 && i >= leaves) {
            meet(h, b, b->member[b->from + i - leaves].corner, corner);
        } else if (node < 0 || (i < leaves && size_of(g->box) > size_of(t.box))) {
            for (int k = 0; k < 2; k++) {
                stack[top++] = 2 * i + k;
                stack[top++] = node;
            }
        } else {
            const int32_t *child = c->child;
            bool swap = child[0] >= 0 && child[1] >= 0 &&
                        square_between(g->box, r->corner[child[1]].box) <
                            square_between(g->box, r->corner[child[0]].box);
            for (int k = 0; k < 2; k++) {
                stack[top] = i;
                stack[top + 1] = child[swap ? k : !k];
                top += stack[top + 1] >= 0 ? 2 : 0;
            }
            stack[top++] = i;
            stack[top++] = ~corner;
        }
    }
}

/* All parts of some corners that may still find something. */
static void gather(const struct holes *h, struct batch *b, int32_t first, int32_t count)
{
    const struct rims *r = &h->rims;
    b->members = 0;
    for (int32_t i = first; i < first + count; i++)
        for (int32_t k = i; k >= 0; k = h->part[k]) {
            const struct corner *c = &r->corner[k];
            if (!c->open.width)
                continue;
            b->member[b->members++] = (struct member){k, rim_root(r, k)};
        }
}

/* Those of two groups. */
static struct group both(const struct group *p, const struct group *q)
{
    bool first = p->first.x < q->first.x || (p->first.x == q->first.x && p->first.y < q->first.y);
    return (struct group){box_around(p->box, q->box), first ? p->first : q->first,
                          arc_around(p->opens, q->opens), mw_max(p->grain, q->grain)};
}

/* Moves all members from one on that lie in its tree to the front, and makes them ready to look. */
static void line_up(const struct holes *h, struct batch *b, int32_t from)
{
    const struct rims *r = &h->rims;
    int32_t root = b->member[from].root;
    b->from = b->to = from;
    for (int32_t i = from; i < b->members; i++) {
        struct member member = b->member[i];
        if (member.root != root)
            continue;
        b->member[i] = b->member[b->to];
        b->member[b->to++] = member;
    }
    int32_t leaves = b->to - from;
    for (int32_t i = 2 * leaves - 1; i > 0; i--)
        b->group[i] = i < leaves ? both(&b->group[2 * i], &b->group[2 * i + 1])
                                 : group_of(r, &r->corner[b->member[from + i - leaves].corner]);
}

void look_ask(struct holes *h, int32_t first, int32_t count)
{
    struct batch *b = h->batch;
    b->count = 0;
    b->most = mw_max(1, count / 2 - 2); /* most of more would be in each other's way */
    b->reach = h->pieces == 1 ? NEVER : mw_max64(h->now.square, 1) * GROWTH;
    gather(h, b, first, count);
    if (!b->members)
        return;
    for (int32_t from = 0; from < b->members; from = b->to) {
        line_up(h, b, from);
        look_into(h, b, b->member[from].root);
    }
    if (count == 1 && b->count) {
        queue_push(&h->queue, (struct task){b->found[0].pair, first, ~b->found[0].other});
        return;
    }
    for (int32_t i = 0; i < b->count; i++)
        queue_push(&h->queue,
                   (struct task){b->found[i].pair, b->found[i].corner, b->found[i].other});
    if (farthest_of(b).square <= FARTHEST)
        queue_push(&h->queue, (struct task){farthest_of(b), ~first, count});
}

void look_ask_all(struct holes *h)
{
    struct rims *r = &h->rims;
    for (int32_t c = 0; c < r->corners; c++) {
        h->part[c] = -1;
        r->corner[c].splits = 0;
        r->corner[c].apart = false;
    }
    h->queue.count = 0;
    for (int32_t c = 0; c < r->corners; c += BATCH)
        look_ask(h, c, mw_min(BATCH, r->corners - c));
}

void look_begin(struct holes *h, int32_t room)
{
    h->queue.at = MW_NEW(h->run, struct task, room);
    h->stack = MW_NEW(h->run, int32_t, room);
    h->part = MW_NEW(h->run, int32_t, room);
    h->batch = MW_NEW(h->run, struct batch, 1);
}
