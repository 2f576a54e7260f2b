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
 * tree over the rim (rim.c) for the nearest corners that lie in a direction that is open to it,
 * and to which its own direction is open; whole stretches of the rim drop out at once. It does
 * not ask what lies in the way. And it does not ask alone, but with its neighbours (look.c).
 *
 * Their next few pairs wait in a queue, and behind these waits the next question. When the place
 * of a pair comes, it is tried exactly: the angles at both corners, and whether a lane or a star
 * lies in the way. If it becomes a lane both its corners are divided, and so is the face, unless
 * the lane joins two pieces.
 *
 * What a corner need not look at: whole stretches that lie nearer than the place reached; those who
 * look for it; and, once something was in the way of it, what its own rim hides for ever
 * (horizon.c). While there are pieces a corner looks only some times as far as it has to: most of
 * the time there is little to find, and soon the rims are whole. When there are far fewer pieces,
 * and when the last is joined, all corners are numbered anew along their rims, and ask: so those
 * that ask together lie on the same side of a row.
 *
 *          o---o---o---o---o            Corners lie on loops. Around a bounded face runs one with
 *         /   c     d       \           a positive area, to the left of its lanes, and around each
 *        o                   o          piece of the graph one without. While there are pieces, all
 *         \       o--o      /           loops of faces that have more than one, or may have, are AT
 *          o---o--/  \---o-o            SEA: in one tree. All others have a tree each.
 *
 * WHAT IS AT SEA. In which faces pieces lie is not known; but they want room. At a place of the
 * length l no lane is longer, and stars of different pieces that see each other are no nearer, as
 * starlanes.c shows of the end. Of a bounded face with pieces, let x on the rim and y on a piece
 * be the nearest points. If both are stars they see each other, so they are l apart. Else one is,
 * say y, and x is its foot on a lane, one end of which is within l / 2 of x. Turn at y towards that
 * end. The first star to come into view, or else the end, is nearer to the lane than y, so it is no
 * star of a piece but one of the rim. It is l away from y or more, and x the root of 3/4 l^2. So a
 * disc of that radius around a star of the piece is free of the rim, and twice the area of the face
 * is more than 4.7 l^2. One with less than ROOMY l^2 has one loop, for good.
 *
 * WHY IT IS EXACT. Consider a pair that obeys the rules at its place. All along, both stars have
 * a corner that is open to the other, as lanes only make corners narrower, and horizon.c closes
 * nothing but what is hidden. Nothing lies in the way, so both corners are in one face, and in one
 * tree: all loops of a face are at sea, or it has one. It is for one of the two to find the other;
 * which of them does not change until all ask anew, as the parts of a corner keep its grain. So
 * that one has found the pair, in the queue, or asks again at this place or before. What lies in
 * the way is asked of their tree, as nothing leaves a face but across its loops.
 *
 * WHY IT ENDS. Places are taken in order, and who asks again asks for what comes after the place
 * of the question. There are six corners a star at most, as there are three lanes.
 *
 * COST. An answer, a cut, a join, whether something lies in the way: some log n steps each,
 * where rims are smooth. How often corners ask is not bounded so: where they compete, as in a wedge
 * of two rows, a batch that loses asks for its next, mostly when half of its way to the last lane
 * is left, so some log n times; and while there are pieces, whenever the place is a few times as
 * far. Of 80 kinds of skies most have one question a star, or less.
 */
#include "holes.h"
#include "horizon.h"
#include "look.h"

enum {
    ROOM_MORE = 64, /* for stacks and the queue, where corners are few */
    FEWER = 512,    /* pieces, before all corners are numbered anew */
    ROOMY = 4,      /* twice the area of a face that may hold a piece, by the square of a lane */
};

/* ---- making a lane --------------------------------------------------------------------------- */

/* A loop taken out of where it was: before that corner, or at the end. */
struct taken {
    int32_t loop, behind;
};

static struct taken take(struct holes *h, int32_t corner)
{
    struct rims *r = &h->rims;
    int32_t root = rim_root(r, corner), before, behind;
    if (root != h->sea)
        return (struct taken){root, -1};
    root = rim_take_loop(r, corner, &before, &behind);
    struct taken taken = {root, rim_end(r, behind, 0)};
    h->sea = rim_join(r, before, behind);
    return taken;
}

/* A loop goes to sea if it lies around a piece, or if one may lie within. */
static void put_back(struct holes *h, int32_t loop, int32_t behind)
{
    struct rims *r = &h->rims;
    int64_t area = (int64_t)r->area[loop];
    if (area > 0 && area < ROOMY * h->now.square)
        return;
    int32_t first = rim_end(r, loop, 0), rest = -1;
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
   the one alone. Its ancestors are told when its loop is cut there. */
static int32_t divide(struct holes *h, int32_t corner, int32_t to)
{
    struct rims *r = &h->rims;
    struct corner *c = &r->corner[corner];
    int32_t right = c->right, left = c->left, star = c->star;
    struct arc open = c->open;
    bool alone = right < 0;
    rim_set(r, corner, alone ? to : right, to);
    if (alone)
        return -1;
    int32_t other = rim_add(r, star, to, left, open);
    r->corner[other].grain = r->corner[other].finest = c->grain;
    if (c->splits < MOST_SPLITS) {
        r->corner[other].splits = ++c->splits;
        h->part[other] = h->part[corner];
        h->part[corner] = other;
    } else {
        r->corner[other].apart = true;
        h->part[other] = -1;
    }
    return other;
}

/* Begins anew with the loops there are. */
static void ask_all(struct holes *h)
{
    struct rims *r = &h->rims;
    rim_sift(h->run, r, h->stack);
    h->rounds++;
    h->few = h->pieces / FEWER;
    h->sea = -1;
    for (int32_t c = 0; c < r->corners && h->pieces > 1; c++)
        if (r->corner[c].parent < 0)
            put_back(h, c, -1);
    look_ask_all(h);
}

static void ask_if_apart(struct holes *h, int32_t corner)
{
    if (corner >= 0 && h->rims.corner[corner].apart)
        look_ask(h, corner, 1);
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
        first = rim_join(r, first, beyond_d);
        second = rim_join(r, second, beyond_c);
        if (h->pieces > 1) {
            put_back(h, first, taken.behind);
            put_back(h, second, taken.behind);
        }
    } else {
        second = rotate(r, d);
        first = rim_join(r, rim_join(r, first, beyond_c), rim_join(r, second, beyond_d));
        put_back(h, first, taken.behind);
        h->pieces--;
    }
    h->lanes->at[h->lanes->count++] = (struct mw_edge){mw_min(a, b), mw_max(a, b)};
    if (!same && (h->pieces == 1 || h->pieces < h->few)) {
        ask_all(h);
        return;
    }
    ask_if_apart(h, beyond_c);
    ask_if_apart(h, beyond_d);
}

/* The part of a corner that admits a direction, or -1; `lost` where it may be one that went
   apart. */
static int32_t part_towards(const struct holes *h, int32_t corner, struct ray ray, bool *lost)
{
    for (; corner >= 0; corner = h->part[corner]) {
        if (rim_admits(&h->rims, corner, ray))
            return corner;
        *lost |= h->rims.corner[corner].splits == MOST_SPLITS;
    }
    return -1;
}

/* A pair, at its place: a lane, unless lanes are in the way, which may hide more. */
static void try(struct holes *h, int32_t corner, int32_t other)
{
    struct rims *r = &h->rims;
    int32_t a = r->corner[corner].star, b = r->corner[other].star;
    struct ray ray = ray_to(r->at[a], r->at[b]), back = {-ray.x, -ray.y};
    bool lost = false;
    corner = part_towards(h, corner, ray, &lost);
    if (corner < 0)
        return;
    int32_t root = rim_root(r, corner);
    lost = false;
    other = part_towards(h, other, back, &lost);
    if (other < 0 && lost)
        other = rim_find(h->run, r, root, b, back, h->stack);
    if (other < 0 || rim_root(r, other) != root)
        return;
    if (!rim_blocks(h->run, r, root, a, b, h->stack)) {
        insert_between(h, corner, other);
        return;
    }
    horizon_narrow(h->run, r, corner, h->now.square);
    horizon_narrow(h->run, r, other, h->now.square);
}

static void perform(struct holes *h, struct task task)
{
    int32_t round = h->rounds;
    h->now = task.pair;
    if (task.side < 0) {
        look_ask(h, ~task.side, task.epoch);
        return;
    }
    bool asks = task.epoch < 0;
    try(h, task.side, asks ? ~task.epoch : task.epoch);
    if (asks && round == h->rounds)
        look_ask(h, task.side, 1);
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
        loop = rim_join(r, loop,
                        rim_add(r, side_from(m, s), side_to(m, s), side_to(m, before), whole_arc));
        before = side_twin(m, s);
        s = lane_after(q, s);
    } while (s != side);
    h->pieces += (int64_t)r->area[loop] <= 0;
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
    rim_add(&h->rims, star, -1, -1, whole_arc);
}

static void begin(struct search *q, struct holes *h, const int32_t *order)
{
    const struct mesh *m = &q->mesh;
    bool *strung = MW_NEW0(q->run, bool, 8 * (int64_t)m->triangles);
    mw_tick(q->run, (uint64_t)m->triangles);
    for (int32_t i = 0; i < m->stars; i++)
        string_star(q, h, order[i], strung);
}

void holes_search(struct search *q, struct lanes *lanes)
{
    const struct mesh *m = &q->mesh;
    int32_t room = 6 * m->stars + ROOM_MORE;
    const int32_t *order = mesh_order(q->run, m);
    struct holes h = {
        .run = q->run, .now = {q->now.square, q->now.a, q->now.b - 1}, .lanes = lanes, .sea = -1};
    h.rims = (struct rims){m->at, q->angle, MW_NEW(q->run, struct corner, room),
                           MW_NEW(q->run, uint64_t, room), 0};
    look_begin(&h, room);
    begin(q, &h, order);
    ask_all(&h);
    while (h.queue.count)
        perform(&h, queue_pop(&h.queue));
    assert(h.pieces == 1);
}
