/*
 * holes.c: the rest of the maximum graph, where stars see each other across large holes.
 *
 * The search by visibility (maximum.c) has stopped at some place in the order of pairs. All
 * pairs before it are decided; this goes on from there, one pair after the other, until the end.
 *
 * THE IDEA. A lane that is still to come runs through one face of the lanes so far, from a
 * corner of it to another. Stars along the rim of a hole are many, and lie close together; but
 * nearly all that a corner has in sight it may not be joined with, as both have lanes along the
 * rim, and those leave little room. So a corner does not walk past its neighbours. It asks a
 * tree over the rim (rim.c) for the nearest corner that lies in a direction that is open to it,
 * and to which its own direction is open; whole stretches of the rim drop out at once. It does
 * not ask what lies in the way.
 *
 * That pair is the corner's FIRST: no lane of the corner comes before it. All first pairs wait
 * in a queue. When the place of one comes, it is tried exactly: the angles at both corners, and
 * whether a lane or a star lies in the way. If it is refused the corner asks for the next; from
 * the same place on where the other corner was divided meanwhile, as the pair may lead to the
 * other part of it. If it becomes a lane both its corners are divided, and so is the face, unless
 * the lane joins two pieces; the new corners ask.
 *
 * What a corner need not look at: what is out of its sight for ever, as the mesh told at the
 * beginning (horizon.c); whole stretches that lie nearer than the place reached; and, once all
 * hangs together, those who look for it. While there are pieces a corner looks only some hundred
 * times as far as it has to: most of the time there is little to find, and soon the rims are whole.
 * When the last piece is joined all corners ask anew.
 *
 * THE FEW LOOK FOR THE MANY. Once all hangs together, of two corners the one on the coarser rim
 * looks for the other, or on rims alike that of the earlier star. Think of two rows that part,
 * where lanes meet the finer row at right angles. The next stars of that, as many as the root of
 * all, are about as far from the next star of the coarser row. They would all ask for it, and all
 * but one lose it, again and again; but each star of the coarser row has a nearest place of its own
 * on the finer one.
 *
 *          o---o---o---o---o            Corners lie on loops. Around a bounded face runs one with
 *         /   c     d       \           a positive area, to the left of its lanes; it has a tree of
 *        o                   o          its own, and divided in two it becomes two such. All other
 *         \       o--o      /           loops, around a piece of the graph, are AT SEA: in one tree
 *          o---o--/  \---o-o            with each other, as long as there are pieces.
 *
 * WHY IT IS EXACT. Consider a pair that obeys the rules at its place. All along, both stars have
 * a corner that is open to the other, as corners only become narrower, and nothing lies in the
 * way, so both corners are in one face. While there are pieces: if both loops are the same, or
 * both are at sea, then both corners find each other, or what comes before. Else one loop bounds
 * the face and the other is at sea: the bounding one asks at sea as well, within the box around
 * it, and goes on to bound a face until both are on one loop. Without pieces a face has one loop,
 * and it is for one of the two to find the other; which of them does not change, as the parts of a
 * corner keep its grain. So at least one of the two always has a first pair in the queue that is at
 * this place or before. A corner that finds nothing is done, or while there are pieces closed,
 * unless it is at sea: then it may still be found.
 *
 * What lies in the way is asked of the face's rims: its own tree, and the sea. Between two
 * corners at sea the rims around may be anybody's, so while there are pieces all lanes are asked
 * (fence.c).
 *
 * WHY IT ENDS. Places are taken in order, and a corner asks twice from the same place only after
 * its first pair turned out to be too close to a lane. There are six corners a star at most, as
 * there are three lanes.
 *
 * COST. An answer, a cut, a join, whether something lies in the way: some log n steps each,
 * where rims are smooth. How often a corner asks is not bounded so: where corners compete, as in a
 * wedge of two rows, one that loses asks for its next, mostly when half of its way to the last lane
 * is left, so some log n times. Of 80 kinds of skies most make a corner ask three to ten times.
 */
#include "holes.h"
#include "fence.h"
#include "horizon.h"

#define FARTHEST (INT64_C(1) << 47) /* no two stars are as far apart, squared */

enum {
    GROWTH = 1 << 14, /* how much farther than it has to a corner looks for pieces, squared */
    ALIKE = 64,       /* grains that differ by no more: a fiftieth of the length */
};

/* All loops that lie around a face have a tree each; all others lie in one, the sea. */
struct holes {
    struct mw_run *run;
    struct rims rims;
    int32_t sea;    /* its root, or -1 */
    int32_t pieces; /* of the graph; a loop at sea each */
    struct fence fence;
    struct queue queue;
    int32_t *stack; /* of a search */
    struct pair now;
    struct lanes *lanes;
};

/* ---- looking --------------------------------------------------------------------------------- */

/* A corner that looks for the first pair of its star from now on. */
struct looker {
    int32_t corner, star, root;
    struct mw_point at;
    bool for_all; /* it looks for all, whoever else does */
    int32_t grain;
    bool narrow;            /* less than a half turn is left, */
    struct ray right, left; /* between these; both are zero where there are no lanes */
    struct mw_box limit;    /* of what it may see */
    int64_t least;          /* nothing nearer is wanted, squared */
    struct pair best;       /* at first how far it looks */
    int32_t found;          /* the other corner, or -1 */
};

/* How far a corner looks, squared. */
static int64_t reach_of(const struct holes *h, const struct corner *c)
{
    if (h->pieces == 1)
        return NEVER;
    const struct mw_point *at = h->rims.at;
    int64_t lane = c->right < 0 ? 1 : square(ray_to(at[c->star], at[c->right]));
    return mw_max64(h->now.square, lane) * GROWTH;
}

static struct looker new_looker(const struct holes *h, int32_t corner)
{
    const struct rims *r = &h->rims;
    const struct corner *c = &r->corner[corner];
    struct looker l = {.corner = corner,
                       .star = c->star,
                       .root = rim_root(r, corner),
                       .at = r->at[c->star],
                       .least = h->now.square,
                       .for_all = h->pieces > 1,
                       .grain = c->grain,
                       .best = {reach_of(h, c), 0, 0},
                       .found = -1};
    l.limit = r->corner[l.root].box;
    if (c->right < 0)
        return l;
    struct ray right = ray_to(l.at, r->at[c->right]), left = ray_to(l.at, r->at[c->left]);
    l.right = turned_left(right, r->angle.least);
    l.left = turned_right(left, r->angle.least);
    l.narrow = cross(turned_left(right, r->angle.twice), left) > 0;
    return l;
}

/* Whether nothing lies between a corner's star and another, in its face or at sea. */
static bool sees(const struct holes *h, int32_t corner, int32_t b)
{
    const struct rims *r = &h->rims;
    int32_t a = r->corner[corner].star, root = rim_root(r, corner);
    if (root == h->sea && h->pieces > 1)
        return !fence_blocks(h->run, &h->fence, a, b, h->stack);
    if (rim_blocks(h->run, r, root, a, b, h->stack))
        return false;
    return root == h->sea || h->pieces == 1 || !rim_blocks(h->run, r, h->sea, a, b, h->stack);
}

/* Whether it is the looker's to find that corner; of two it is one's to find the other. */
static bool is_wanted(const struct looker *l, const struct corner *c)
{
    if (l->for_all || c->grain < l->grain - ALIKE)
        return c->star != l->star;
    return c->grain <= l->grain + ALIKE && c->star > l->star;
}

static void meet(const struct holes *h, struct looker *l, int32_t corner)
{
    const struct corner *c = &h->rims.corner[corner];
    struct ray ray = ray_to(l->at, h->rims.at[c->star]), back = {-ray.x, -ray.y};
    struct pair pair = {square(ray), mw_min(l->star, c->star), mw_max(l->star, c->star)};
    if (!is_wanted(l, c) || !pair_before(pair, l->best) || !pair_before(h->now, pair))
        return;
    if (!arc_holds(c->open, back) || !arc_holds(h->rims.corner[l->corner].open, ray))
        return;
    if (!rim_admits(&h->rims, l->corner, ray) || !rim_admits(&h->rims, corner, back))
        return;
    l->best = pair;
    l->found = corner;
}

/* The square of the distance to a box. */
static int64_t square_to(struct mw_point p, struct mw_box box)
{
    int64_t x = mw_max(mw_max(box.x0 - p.x, p.x - box.x1), 0),
            y = mw_max(mw_max(box.y0 - p.y, p.y - box.y1), 0);
    return x * x + y * y;
}

/* That to the farthest point of a box. */
static int64_t square_across(struct mw_point p, struct mw_box box)
{
    int64_t x = mw_max(box.x1 - p.x, p.x - box.x0), y = mw_max(box.y1 - p.y, p.y - box.y0);
    return x * x + y * y;
}

/* Whether all of the box lies to the right of a ray out of p. */
static bool all_right(struct mw_point p, struct ray ray, struct mw_box box)
{
    int64_t x = (ray.y > 0 ? box.x0 : box.x1) - (int64_t)p.x,
            y = (ray.x > 0 ? box.y1 : box.y0) - (int64_t)p.y;
    return ray.x * y - ray.y * x < 0;
}

/* Whether all of the box is too near, too far, or out of what may be seen. */
static inline bool is_out_of_reach(const struct looker *l, struct mw_box box)
{
    return boxes_apart(box, l->limit) || square_to(l->at, box) > l->best.square ||
           square_across(l->at, box) < l->least;
}

/* Whether all of a subtree is for others to find. */
static inline bool is_for_others(const struct looker *l, const struct corner *c)
{
    if (l->for_all || c->finest < l->grain - ALIKE)
        return false;
    return c->finest > l->grain + ALIKE || c->box.x1 < l->at.x ||
           (c->box.x1 == l->at.x && c->box.y1 < l->at.y);
}

/* A narrow corner leaves the box alone where it is beyond either of its rays; a wide one where it
   is beyond both, as is the whole row of stars at the end of which the corner lies. */
static inline bool is_hopeless(const struct looker *l, const struct corner *c)
{
    struct ray back = {-l->left.x, -l->left.y};
    if (!c->opens.width || is_for_others(l, c) || is_out_of_reach(l, c->box))
        return true;
    bool right = all_right(l->at, l->right, c->box), left = all_right(l->at, back, c->box);
    if (l->narrow ? right || left : right && left)
        return true;
    return !arcs_meet(c->opens, arc_of_box(c->box, l->at));
}

/* Meets all corners of a tree that may be the first. */
static void look_into(const struct holes *h, struct looker *l, int32_t root)
{
    const struct corner *corner = h->rims.corner;
    int32_t count = 0;
    if (root >= 0)
        h->stack[count++] = root;
    while (count > 0) {
        int32_t i = h->stack[--count];
        const struct corner *c = &corner[i];
        mw_tick(h->run, 1);
        if (is_hopeless(l, c))
            continue;
        meet(h, l, i);
        int32_t a = c->child[0], b = c->child[1];
        if (a >= 0 && b >= 0 && square_to(l->at, corner[a].box) < square_to(l->at, corner[b].box)) {
            a = b;
            b = c->child[0];
        }
        if (a >= 0)
            h->stack[count++] = a;
        if (b >= 0)
            h->stack[count++] = b;
    }
}

/* Queues the corner's first pair from now on, or that it asks again from where it has looked to.
   One that has none is done, or closed, unless a loop around it may still see it. */
static void ask(struct holes *h, int32_t corner)
{
    struct corner *c = &h->rims.corner[corner];
    if (!c->open.width || c->done)
        return;
    struct looker l = new_looker(h, corner);
    look_into(h, &l, l.root);
    if (h->pieces > 1 && l.root != h->sea)
        look_into(h, &l, h->sea);
    if (l.found >= 0)
        queue_push(&h->queue, (struct task){l.best, corner, l.found});
    else if (l.best.square <= FARTHEST)
        queue_push(&h->queue, (struct task){l.best, corner, -1});
    else if (h->pieces == 1)
        c->done = true;
    else if (l.root != h->sea)
        rim_close(&h->rims, corner);
}

static void ask_all(struct holes *h)
{
    if (h->pieces == 1)
        rim_sift(h->run, &h->rims, h->stack);
    h->queue.count = 0;
    for (int32_t c = 0; c < h->rims.corners; c++)
        ask(h, c);
}

/* ---- making a lane --------------------------------------------------------------------------- */

/* A loop taken out of where it was: before that corner, or at the end. */
struct taken {
    int32_t loop, behind;
};

static int32_t first_of(const struct rims *r, int32_t node)
{
    while (node >= 0 && r->corner[node].child[0] >= 0)
        node = r->corner[node].child[0];
    return node;
}

static struct taken take(struct holes *h, int32_t corner)
{
    struct rims *r = &h->rims;
    int32_t root = rim_root(r, corner), before, behind;
    if (root != h->sea)
        return (struct taken){root, -1};
    root = rim_take_loop(r, corner, &before, &behind);
    struct taken taken = {root, first_of(r, behind)};
    h->sea = rim_join(r, before, behind);
    return taken;
}

/* A loop without a positive area goes to sea. */
static void put_back(struct holes *h, int32_t loop, int32_t behind)
{
    struct rims *r = &h->rims;
    if ((int64_t)r->area[loop] > 0)
        return;
    int32_t first = first_of(r, loop), rest = -1;
    r->corner[first].begins = true;
    rim_refresh(r, first);
    if (behind >= 0)
        rim_cut(r, behind, &h->sea, &rest);
    h->sea = rim_join(r, rim_join(r, h->sea, loop), rest);
}

/* The loop begins with the corner. */
static int32_t rotate(struct rims *r, int32_t corner)
{
    int32_t first, second;
    rim_cut(r, corner, &first, &second);
    return rim_join(r, second, first);
}

/* The corner, to the right of a new lane, and the new one to the left of it; or -1, where there is
   the one alone. */
static int32_t divide(struct holes *h, int32_t corner, int32_t to)
{
    struct rims *r = &h->rims;
    struct corner *c = &r->corner[corner];
    int32_t right = c->right, left = c->left, star = c->star;
    struct arc open = c->open;
    bool alone = right < 0;
    rim_set(r, corner, alone ? to : right, to);
    rim_refresh(r, corner);
    if (alone) {
        if (h->pieces > 1)
            fence_widen(&h->fence, corner);
        return -1;
    }
    int32_t other = rim_add(r, star, to, left, open);
    r->corner[other].grain = r->corner[other].finest = c->grain;
    r->corner[other].done = c->done;
    if (h->pieces > 1)
        fence_add(&h->fence, other);
    return other;
}

static void insert_between(struct holes *h, int32_t c, int32_t d)
{
    struct rims *r = &h->rims;
    int32_t a = r->corner[c].star, b = r->corner[d].star;
    struct taken taken = take(h, c);
    bool same = rim_root(r, d) == taken.loop;
    if (!same)
        taken = take(h, d);
    int32_t beyond_c = divide(h, c, b), beyond_d = divide(h, d, a), first, second;
    first = rotate(r, c);
    if (same) {
        rim_cut(r, d, &first, &second);
        put_back(h, rim_join(r, first, beyond_d), taken.behind);
        put_back(h, rim_join(r, second, beyond_c), taken.behind);
    } else {
        second = rotate(r, d);
        first = rim_join(r, rim_join(r, first, beyond_c), rim_join(r, second, beyond_d));
        put_back(h, first, taken.behind);
        h->pieces--;
    }
    h->lanes->at[h->lanes->count++] = (struct mw_edge){mw_min(a, b), mw_max(a, b)};
    if (!same && h->pieces == 1) {
        ask_all(h);
        return;
    }
    ask(h, c);
    if (beyond_c >= 0)
        ask(h, beyond_c);
    if (beyond_d >= 0)
        ask(h, beyond_d);
}

static bool may_join(const struct holes *h, int32_t corner, int32_t other)
{
    const struct rims *r = &h->rims;
    struct ray ray = ray_to(r->at[r->corner[corner].star], r->at[r->corner[other].star]);
    return rim_admits(r, corner, ray) && rim_admits(r, other, (struct ray){-ray.x, -ray.y});
}

/* The first pair of a corner, at its place: a lane, unless lanes are in the way. */
static void perform(struct holes *h, struct task task)
{
    int32_t corner = task.side, other = task.epoch;
    h->now = task.pair;
    bool divided = other >= 0 && !may_join(h, corner, other);
    h->now.b -= divided;
    if (other < 0 || divided || !sees(h, corner, h->rims.corner[other].star))
        ask(h, corner);
    else
        insert_between(h, corner, other);
}

/* ---- beginning ------------------------------------------------------------------------------- */

/* The lanes that follow and precede a lane on its loop. */
static int32_t lane_after(const struct search *q, int32_t side)
{
    int32_t s = side_twin(&q->mesh, side);
    do
        s = side_right(&q->mesh, s);
    while (!is_lane(q, s));
    return s;
}
static int32_t lane_before(const struct search *q, int32_t side)
{
    int32_t s = side;
    do
        s = side_left(&q->mesh, s);
    while (!is_lane(q, s));
    return side_twin(&q->mesh, s);
}

/* Strings the loop that begins with a side, a lane. */
static void string_loop(struct search *q, struct holes *h, int32_t side, bool *strung)
{
    const struct mesh *m = &q->mesh;
    struct rims *r = &h->rims;
    int32_t loop = -1, s = side, before = side_twin(m, lane_before(q, side));
    do {
        strung[s] = true;
        mw_tick(q->run, 1);
        struct arc open = horizon_between(q, s, before);
        loop =
            rim_join(r, loop, rim_add(r, side_from(m, s), side_to(m, s), side_to(m, before), open));
        before = side_twin(m, s);
        s = lane_after(q, s);
    } while (s != side);
    h->pieces += (int64_t)r->area[loop] <= 0;
    put_back(h, loop, -1);
}

static void string_star(struct search *q, struct holes *h, int32_t star, bool *strung)
{
    const struct mesh *m = &q->mesh;
    int32_t s = m->out[star];
    bool alone = true;
    do {
        mw_tick(q->run, 1);
        if (side_to(m, s) != m->stars && is_lane(q, s)) {
            alone = false;
            if (!strung[s])
                string_loop(q, h, s, strung);
        }
        s = side_left(m, s);
    } while (s != m->out[star]);
    if (!alone)
        return;
    h->pieces++;
    put_back(h, rim_add(&h->rims, star, -1, -1, whole_arc), -1);
}

static void begin(struct search *q, struct holes *h, const int32_t *order)
{
    const struct mesh *m = &q->mesh;
    bool *strung = MW_NEW0(q->run, bool, 8 * (int64_t)m->triangles);
    mw_tick(q->run, (uint64_t)m->triangles);
    for (int32_t i = 0; i < m->stars; i++)
        string_star(q, h, order[i], strung);
    if (h->pieces == 1)
        return;
    fence_begin(q->run, &h->fence, &h->rims, order, m->stars, 6 * m->stars);
    for (int32_t c = 0; c < h->rims.corners; c++)
        fence_add(&h->fence, c);
}

void holes_search(struct search *q, struct lanes *lanes)
{
    const struct mesh *m = &q->mesh;
    int64_t room = 6 * (int64_t)m->stars;
    const int32_t *order = mesh_order(q->run, m);
    struct holes h = {
        .run = q->run, .now = {q->now.square, q->now.a, q->now.b - 1}, .lanes = lanes, .sea = -1};
    h.rims = (struct rims){m->at, q->angle, MW_NEW(q->run, struct corner, room),
                           MW_NEW(q->run, uint64_t, room), 0};
    h.queue.at = MW_NEW(q->run, struct task, room);
    h.stack = MW_NEW(q->run, int32_t, room);
    begin(q, &h, order);
    ask_all(&h);
    while (h.queue.count)
        perform(&h, queue_pop(&h.queue));
    assert(h.pieces == 1);
}
