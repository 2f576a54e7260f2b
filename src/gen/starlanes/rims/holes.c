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
 * Of their next few pairs the first waits in a queue; behind it the others, and then the next
 * question. When the place of a pair comes, it is tried exactly: the angles at both corners, and
 * whether a lane or a star lies in the way. If it becomes a lane both its corners are divided, and
 * so is the face, unless the lane joins two pieces.
 *
 * THE SMALLER HALF AT ONCE. What happens in one face is nothing to any other. So when a lane cuts a
 * face in two, the half with fewer corners leaves its tree, gets one of its own, and is searched
 * through from there to the end before anything else is done; what is left keeps the tree, the
 * queue and all that was found. So trees never change but for what drops out of them, and a corner
 * moves into another some log n times at most, as it has half as many then. Halves lie close
 * together, on the plane and in memory, and most have a few corners, which are looked at by pairs.
 *
 * What a corner need not look at: whole stretches that lie nearer than the place reached; those who
 * look for it; what lies behind a lane that was in its way (look.c); and, once something beside it
 * was, what its own rim hides for ever (horizon.c). While there are pieces a corner looks only some
 * times as far as it has to: most of the time there is little to find, and soon the rims are whole.
 * When there are far fewer pieces all corners are strung anew along their rims, and ask: so those
 * that ask together lie on the same side of a row.
 *
 *          o---o---o---o---o            Corners lie on loops. Around a bounded face runs one with
 *         /   c     d       \           a positive area, to the left of its lanes, and around each
 *        o                   o          piece of the graph one without. While there are pieces, all
 *         \       o--o      /           loops of faces that have more than one, or may have, are AT
 *          o---o--/  \---o-o            SEA: in one tree. All others are done with at once.
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
 * which of them does not change as long as the tree stands, as leaves keep their grain. So that one
 * has found the pair, in the queue, or asks again at this place or before. What lies in the way is
 * asked of their tree, as nothing leaves a face but across its loops.
 *
 * WHY IT ENDS. Places are taken in order, and who asks again asks for what comes after the place
 * of the question. There are six corners a star at most, as there are three lanes.
 *
 * COST. An answer, a corner that changes, whether something lies in the way: some log n steps each,
 * where rims are smooth; loops that are cut, and joined, the shorter one: n log n in all. How often
 * corners ask is not bounded so: where they compete, as in a wedge of two rows, a batch that loses
 * asks for its next, mostly when half of its way to the last lane is left, so some log n times; and
 * while there are pieces, whenever the place is a few times as far. Of 50 kinds of skies most have
 * one question a star, or less.
 */
#include "holes.h"
#include "horizon.h"
#include "look.h"

enum {
    ROOM_MORE = 64, /* for corners, where they are few */
    FEWER = 512,    /* pieces, before all corners are strung anew */
    ROOMY = 4,      /* twice the area of a face that may hold a piece, by the square of a lane */
    FEW = 8,        /* corners of a face of which all pairs are looked at */
};

struct loop {
    uint64_t area; /* twice, modulo 2^64; that of a loop itself is less */
    int32_t corners;
};

struct holes {
    struct mw_run *run;
    struct rims rims;
    int32_t pieces;    /* of the graph; a loop without a positive area each */
    struct loop *loop; /* at sea; each has the number of one of its corners */
    struct lanes *lanes;
    int32_t most; /* lanes that there is room for */
};

/* Makes all lanes of a face with one loop, that of the corner, from a place on. */
static void solve(struct holes *, int32_t corner, struct pair now);

/* ---- making a lane --------------------------------------------------------------------------- */

/* What a corner adds to the area of its loop. */
static uint64_t area_of(const struct rims *r, int32_t corner)
{
    const struct corner *c = &r->corner[corner];
    if (c->right < 0)
        return 0;
    struct mw_point a = r->at[c->star], b = r->at[c->right];
    return (uint64_t)((int64_t)a.x * b.y) - (uint64_t)((int64_t)a.y * b.x);
}

/* The corner whose loop is the shorter one: walks along both in step. */
static int32_t shorter_of(struct holes *h, int32_t a, int32_t b)
{
    const struct corner *corners = h->rims.corner;
    int32_t i = a, k = b;
    do {
        mw_tick(h->run, 1);
        i = corners[i].neighbour[1];
        k = corners[k].neighbour[1];
    } while (i != a && k != b);
    return i == a ? a : b;
}

/* A loop's corner more, or less: `sign` is 1 or -1. */
static void count_in(struct holes *h, int32_t loop, int32_t corner, int32_t sign)
{
    h->loop[loop].corners += sign;
    h->loop[loop].area += (uint64_t)(int64_t)sign * area_of(&h->rims, corner);
}

/* Corners from one to another become part of a loop. */
static void relabel(struct holes *h, int32_t from, int32_t to, int32_t loop)
{
    struct corner *corners = h->rims.corner;
    for (int32_t i = from;; i = corners[i].neighbour[1]) {
        mw_tick(h->run, 1);
        count_in(h, corners[i].loop, i, -1);
        count_in(h, loop, i, 1);
        corners[i].loop = loop;
        if (i == to)
            return;
    }
}

/* The loop of a corner leaves the sea for good, and its face is searched through at once. */
static void leave_sea(struct holes *h, int32_t corner, struct pair now)
{
    struct corner *corners = h->rims.corner;
    int32_t i = corner;
    do {
        mw_tick(h->run, 1);
        corners[i].loop = -1;
        i = corners[i].neighbour[1];
    } while (i != corner);
    solve(h, corner, now);
}

/* Whether no piece has room within the loop of a corner. */
static bool is_narrow_loop(const struct holes *h, int32_t corner, int64_t square)
{
    assert(h->rims.corner[corner].loop >= 0);
    int64_t area = (int64_t)h->loop[h->rims.corner[corner].loop].area;
    return area > 0 && area < ROOMY * square;
}

/* The loop of a corner, which has changed, leaves the sea if it may. */
static void settle(struct holes *h, struct look *sea, int32_t corner)
{
    if (!is_narrow_loop(h, corner, sea->now.square))
        return;
    face_drop(h->run, &sea->face, corner);
    leave_sea(h, corner, sea->now);
}

/* The new part of a corner, if there is one, is where that is. */
static void add_part(struct holes *h, struct face *f, int32_t corner, int32_t part)
{
    struct corner *c = &h->rims.corner[corner], *new = &h->rims.corner[part];
    if (part != corner) {
        new->leaf = c->leaf;
        new->loop = c->loop;
        new->also = c->also;
        c->also = part;
    }
    face_refresh(f, corner);
}

/* Loops at sea are joined, or one is cut; `beyond` is what rim_divide() made. */
static void sort_loops(struct holes *h, struct look *sea, const int32_t corner[2],
                       const int32_t beyond[2])
{
    const struct corner *corners = h->rims.corner;
    for (int i = 0; i < 2; i++) {
        count_in(h, corners[beyond[i]].loop, beyond[i], 1);
        h->loop[corners[beyond[i]].loop].corners -= beyond[i] == corner[i];
    }
    int32_t loop[] = {corners[corner[0]].loop, corners[corner[1]].loop};
    if (loop[0] != loop[1]) {
        int less = h->loop[loop[1]].corners < h->loop[loop[0]].corners;
        relabel(h, corner[less], beyond[less], loop[!less]);
        h->pieces--;
    } else {
        int32_t shorter = shorter_of(h, corner[0], beyond[0]);
        h->loop[beyond[0]] = (struct loop){0, 0};
        relabel(h, shorter, corners[shorter].neighbour[0], beyond[0]);
        settle(h, sea, beyond[0]);
    }
    settle(h, sea, corner[0]);
}

static void insert_between(struct holes *h, struct look *l, const int32_t corner[2])
{
    struct rims *r = &h->rims;
    int32_t beyond[2], a = r->corner[corner[0]].star, b = r->corner[corner[1]].star;
    assert(h->lanes->count < h->most);
    h->lanes->at[h->lanes->count++] = (struct mw_edge){mw_min(a, b), mw_max(a, b)};
    rim_divide(r, corner, beyond);
    for (int i = 0; i < 2; i++)
        add_part(h, &l->face, corner[i], beyond[i]);
    if (l->at_sea) {
        sort_loops(h, l, corner, beyond);
        return;
    }
    int32_t shorter = shorter_of(h, corner[0], beyond[0]);
    face_drop(h->run, &l->face, shorter);
    solve(h, shorter, l->now);
}

/* A pair, at its place: a lane, unless lanes are in the way, which may hide more. */
static void try(struct holes *h, struct look *l, const int32_t leaf[2])
{
    struct face *f = &l->face;
    struct mw_point from = face_star(f, leaf[0]), to = face_star(f, leaf[1]);
    struct ray ray = ray_to(from, to), back = {-ray.x, -ray.y};
    int32_t corner[] = {face_admits(f, leaf[0], ray), face_admits(f, leaf[1], back)};
    if (corner[0] < 0 || corner[1] < 0)
        return;
    int32_t between = face_between(h->run, f, from, to);
    if (between < 0) {
        insert_between(h, l, corner);
        return;
    }
    look_veil(l, leaf[0], between);
    for (int i = 0; i < 2; i++)
        if (horizon_narrow(h->run, &h->rims, corner[i], l->now.square))
            face_refresh(f, corner[i]);
}

/* Goes on by one place. */
static void perform(struct holes *h, struct look *l)
{
    int32_t leaf[2];
    if (!look_next(h->run, l, leaf))
        return;
    try(h, l, leaf);
    face_tell(&l->face);
    look_on(l, leaf[0]);
}

/* ---- faces ----------------------------------------------------------------------------------- */

/* Whether any two of a loop's few corners may be joined, for all that they know. */
static bool may_join(const struct rims *r, int32_t corner, int32_t count)
{
    int32_t i = corner;
    for (int32_t n = 0; n < count; n++, i = r->corner[i].neighbour[1]) {
        const struct corner *c = &r->corner[i];
        int32_t k = c->neighbour[1];
        for (int32_t m = n + 1; m < count; m++, k = r->corner[k].neighbour[1]) {
            const struct corner *d = &r->corner[k];
            struct ray ray = ray_to(r->at[c->star], r->at[d->star]), back = {-ray.x, -ray.y};
            if (c->star != d->star && arc_holds(c->open, ray) && arc_holds(d->open, back) &&
                rim_admits(r, i, ray) && rim_admits(r, k, back))
                return true;
        }
    }
    return false;
}

static void solve(struct holes *h, int32_t corner, struct pair now)
{
    const struct corner *corners = h->rims.corner;
    int32_t count = 0, i = corner;
    do {
        count++;
        i = corners[i].neighbour[1];
    } while (i != corner && count <= FEW);
    mw_tick(h->run, FEW);
    if (i == corner && !may_join(&h->rims, corner, count))
        return;
    for (; i != corner && count <= h->rims.corners; i = corners[i].neighbour[1])
        count++;
    assert(i == corner); /* a loop has each corner once */
    mw_tick(h->run, (uint64_t)count);
    char *mark = mw_mark(h->run);
    struct look l = {.face = face_new(h->run, &h->rims, count), .now = now};
    face_string(h->run, &l.face, corner, 0);
    face_grow(h->run, &l.face);
    look_begin(h->run, &l);
    while (l.queue.count)
        perform(h, &l);
    mw_rewind(h->run, mark);
}

/* Goes on from a place with all loops at sea, strung anew, until far fewer pieces are left; the
   place. Of one piece nothing is at sea. */
static struct pair cross_sea(struct holes *h, struct pair now)
{
    struct corner *corners = h->rims.corner;
    int32_t count = 0, leaf = 0, all = h->rims.corners;
    for (int32_t c = 0; c < all; c++) {
        if (corners[c].loop >= 0 && (h->pieces == 1 || is_narrow_loop(h, c, now.square)))
            leave_sea(h, c, now);
        count += corners[c].loop >= 0;
        corners[c].leaf = -1;
    }
    if (h->pieces == 1)
        return now;
    char *mark = mw_mark(h->run);
    struct look l = {.face = face_new(h->run, &h->rims, count), .now = now, .at_sea = true};
    for (int32_t c = 0; c < all; c++)
        if (corners[c].loop >= 0 && corners[c].leaf < 0)
            leaf = face_string(h->run, &l.face, c, leaf);
    face_grow(h->run, &l.face);
    look_begin(h->run, &l);
    int32_t few = mw_max(h->pieces / FEWER, 1);
    while (h->pieces > few && l.queue.count)
        perform(h, &l);
    mw_rewind(h->run, mark);
    return l.now;
}

/* ---- beginning ------------------------------------------------------------------------------- */

/* The lanes that follow and precede a lane on its loop. */
static int32_t lane_after(const struct search *q, int32_t side)
{
    int32_t s = side_twin(&q->mesh, side), left = 3 * q->mesh.triangles;
    do
        s = side_right(&q->mesh, s);
    while (!is_lane(q, s) && --left > 0);
    assert(is_lane(q, s)); /* the side itself, if no other */
    return s;
}
static int32_t lane_before(const struct search *q, int32_t side)
{
    int32_t s = side, left = 3 * q->mesh.triangles;
    do
        s = side_left(&q->mesh, s);
    while (!is_lane(q, s) && --left > 0);
    assert(is_lane(q, s));
    return side_twin(&q->mesh, s);
}

/* Strings the loop that begins with a side, a lane. */
static void string_loop(struct search *q, struct holes *h, int32_t side, bool *strung)
{
    const struct mesh *m = &q->mesh;
    struct rims *r = &h->rims;
    int32_t first = r->corners, s = side, before = side_twin(m, lane_before(q, side));
    h->loop[first] = (struct loop){0, 0};
    do {
        strung[s] = true;
        mw_tick(q->run, 1);
        int32_t c = rim_add(r, side_from(m, s), side_to(m, s), side_to(m, before), whole_arc);
        r->corner[c].loop = first;
        count_in(h, first, c, 1);
        if (c > first)
            rim_link(r, c - 1, c);
        rim_link(r, c, first);
        before = side_twin(m, s);
        s = lane_after(q, s);
    } while (s != side);
    h->pieces += (int64_t)h->loop[first].area <= 0;
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
    int32_t c = rim_add(&h->rims, star, -1, -1, whole_arc);
    h->rims.corner[c].loop = c;
    h->loop[c] = (struct loop){0, 1};
    h->pieces++;
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
    struct holes h = {.run = q->run,
                      .rims = {m->at, q->angle, MW_NEW(q->run, struct corner, room), 0, room},
                      .loop = MW_NEW(q->run, struct loop, room),
                      .lanes = lanes,
                      .most = 3 * m->stars};
    begin(q, &h, order);
    struct pair now = {q->now.square, q->now.a, q->now.b - 1};
    do
        now = cross_sea(&h, now);
    while (h.pieces > 1);
    cross_sea(&h, now);
}
