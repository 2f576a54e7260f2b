/*
 * visibility.c: which pairs a star sees, from a place in the order on.
 *
 * A star looks through the triangles around it. What it can see past a side, it sees in a wedge:
 *
 *              y
 *             /|\               a sees z through the side x-y, and more through x-z and z-y. If
 *            / | \              x-y is undecided, any pair that crosses it and comes after it can
 *          a   |   z            be left for later, as x-y is decided first. If x-y becomes a lane,
 *            \ | /              the pair is impossible; if not, a looks again. So a looks no
 *             \|/               farther through x-y than x-y is long.
 *              x
 *
 * A QUERY is about one triangle of a star, or about all. Its answer goes into the queue: the next
 * HELD pairs, and a further query at the place behind which there may be more. Where a wedge ends
 * at an undecided side, the star is entered as waiting at the triangle of that side, and is queried
 * again if the side does not become a lane. A star looks only GROWTH times as far, squared, as it
 * has to: along thin curves stars see each other by the hundreds. Pairs that are closer to a lane
 * of the star than the least angle are skipped.
 *
 * AT THE BEGINNING the circle through a, x and y holds no star. So what a sees past x-y lies beyond
 * that circle, and is farther from a than the nearer one of x and y. Two things follow. If x-y is
 * the shortest side, all that a sees past it comes after it: a need not look. And if a-x or a-y is
 * an expected side (maximum.c), what is closer to it than the least angle can be skipped. Take a-y:
 * its corners, at a and y, are no narrower than the least angle f, as it is expected. At less than
 * f from a-y, all beyond the circle is farther than y if f is at most 180 degrees less twice the
 * corner at x. That holds if the corner at x is the smaller of those at x and a: the rest is then
 * the corner at y or more. Else a-y is longer than x-y, past which a looks no farther than that is
 * long: the circle reaches that far if f is at most the corner at y.
 *
 * Nor need a look where nothing past x-y is as near as x-y is long, which empty_circles.c tells for
 * most: one star in five looks.
 *
 * When the queue is full, it is emptied and all stars are queried for all their pairs: each then
 * has HELD pairs and one query in it.
 */
#include "lane_search.h"

enum { GROWTH = 8 }; /* how much farther a star looks each time, squared */

/* The sector of a star between two lanes, to the left of the first. */
struct sector {
    bool whole;             /* there are no lanes */
    bool wide;              /* there are directions in it, if it is less than a half turn */
    int32_t first, last;    /* the sides of the two lanes */
    struct ray from, to;    /* along the lanes */
    struct ray right, left; /* the allowed directions lie between */
};

/* A query of a star while it is answered. */
struct view {
    int32_t star;
    int64_t least;   /* skips shorter pairs, */
    int32_t least_b; /* and those of this length with an earlier star; */
    int64_t high;    /* postpones longer ones, */
    int64_t later;   /* of which the shortest seen so far is this long */
    struct sector sector;
    int32_t side;    /* out of the star, which looks through the triangle to its left, */
    int64_t nearest; /* past a side of this squared length, if that is undecided */
    struct pair_task found[HELD];
    int32_t count;
    bool more; /* found more than HELD */
};

/* ---- the queue ------------------------------------------------------------------------------- */

/* Whether a task is a query about a triangle that has changed since. */
static bool is_stale(const struct lane_search *q, struct pair_task task)
{
    return task.side < 0 && task.side != ALL &&
           (epoch_of(q, ~task.side) != task.epoch ||
            side_from(&q->mesh, ~task.side) != task.pair.a);
}

/* Drops stale tasks. */
static void drop_stale(struct lane_search *q)
{
    struct pair_queue *queue = &q->queue;
    int32_t kept = 0;
    mw_tick(q->run, 2 * (uint64_t)queue->count);
    for (int32_t i = 0; i < queue->count; i++)
        if (!is_stale(q, queue->at[i]))
            queue->at[kept++] = queue->at[i];
    queue->count = kept;
    pair_queue_build(queue);
}

void visibility_push(struct lane_search *q, struct pair_task task)
{
    assert(q->queue.count < q->queue_room);
    assert(!pair_before(task.pair, q->now)); /* tasks are taken in order */
    task.epoch = task.side < 0 && task.side != ALL ? epoch_of(q, ~task.side) : 0;
    pair_queue_push(&q->queue, task);
}

/* ---- waiting --------------------------------------------------------------------------------- */

static bool waits_there(const struct lane_search *q, int32_t note, const struct view *view)
{
    const struct waiting *w = &q->waiting[note - 1];
    return note && w->star == view->star && w->side == view->side;
}

/*
 * Enters the star as waiting for side s, to be queried again if that does not become a lane. Where
 * there is no room for the entry, the query comes just after the side's place. For the side
 * opposite to it, in its own triangle, no entry is needed: there it is queried in any case.
 */
static void wait_for(struct lane_search *q, struct view *view, int32_t s, int64_t limit)
{
    int32_t *note = &q->mesh.triangle[s >> 3].note, i = q->waiting_free;
    assert(side_from(&q->mesh, view->side) == view->star);
    if (waits_there(q, *note, view))
        return;
    if (i)
        q->waiting_free = q->waiting[i - 1].next;
    else if (q->waiting_count < q->waiting_room)
        i = ++q->waiting_count;
    if (!i) {
        view->later = mw_min64(limit + 1, view->later);
        return;
    }
    q->waiting[i - 1] = (struct waiting){view->star, view->side, *note};
    *note = i;
}

int32_t visibility_take_waiting(struct lane_search *q, int32_t triangle, int32_t list)
{
    int32_t *note = &q->mesh.triangle[triangle].note, first = *note;
    if (!first)
        return list;
    int32_t last = first, left = q->waiting_count;
    while (q->waiting[last - 1].next && left-- > 0)
        last = q->waiting[last - 1].next;
    assert(left >= 0); /* no entry is in two lists */
    q->waiting[last - 1].next = list;
    *note = 0;
    return first;
}

/* ---- seeing ---------------------------------------------------------------------------------- */

static void postpone(struct view *view, int64_t square)
{
    if (square < view->later)
        view->later = square;
}

/* Keeps a pair among the first HELD found, in order. */
static void hold(struct view *view, int64_t square, int32_t b, int32_t side)
{
    struct pair_task task = {{square, view->star, b}, side, 0};
    int32_t i = view->count;
    assert(b > view->star && i <= HELD);
    if (i == HELD) {
        view->more = true;
        if (!pair_before(task.pair, view->found[HELD - 1].pair))
            return;
        i--;
    } else {
        view->count++;
    }
    for (; i > 0 && pair_before(task.pair, view->found[i - 1].pair); i--)
        view->found[i] = view->found[i - 1];
    view->found[i] = task;
    if (view->count == HELD)
        view->high = view->found[HELD - 1].pair.square;
}

/* Whether the pair with star b precedes those that the query is for. */
static bool is_past(const struct view *view, int64_t length, int32_t b)
{
    return b < view->star || length < view->least || (length == view->least && b < view->least_b);
}

/* A side must be tried at its place, as stars may wait for it. */
static void meet_neighbour(struct lane_search *q, struct view *view, int32_t b, int32_t side)
{
    int64_t length = square(star_ray(&q->mesh, view->star, b));
    if (is_past(view, length, b))
        return;
    if (length > view->high)
        postpone(view, length);
    else
        hold(view, length, b, side);
}

/* The star sees star b, through sides of which the shortest undecided one is `limit` long. */
static void meet(struct lane_search *q, struct view *view, int32_t b, int64_t limit,
                 int32_t limit_side)
{
    struct ray ray = star_ray(&q->mesh, view->star, b);
    int64_t length = square(ray);
    const struct sector *c = &view->sector;
    assert(b != view->star && b != q->mesh.stars);
    if (length > view->nearest || is_past(view, length, b))
        return;
    if (!c->whole && (too_close(&q->angle, ray, c->from) || too_close(&q->angle, ray, c->to)))
        return;
    if (length > view->high)
        postpone(view, length);
    else if (length > limit)
        wait_for(q, view, limit_side, limit);
    else
        hold(view, length, b, view->side);
}

/* At most the squared distance from the origin to the segment between two points. */
static int64_t least_square(struct ray a, struct ray b)
{
    struct ray ab = {b.x - a.x, b.y - a.y};
    int64_t along = -dot(a, ab), length = square(ab), end = mw_min64(square(a), square(b));
    double height = (double)cross(a, b);
    int64_t middle = (int64_t)(height * height / (double)length * (1 - 0x1p-48));
    return ((along > 0) & (along < length)) ? middle : end;
}

/* An undecided side limits the pairs that may be seen through it to those before it. */
static void limit_by_side(const struct lane_search *q, struct portal *portal, int32_t x, int32_t y)
{
    struct pair side = {square(star_ray(&q->mesh, x, y)), x < y ? x : y, x < y ? y : x};
    if (side.square >= portal->limit || !pair_before(q->now, side))
        return;
    portal->limit = side.square;
    portal->limit_side = portal->s;
}

/* Whether a wanted pair may be seen through a portal. */
static bool opens(struct lane_search *q, struct view *view, struct portal *portal)
{
    const struct mesh *m = &q->mesh;
    int32_t a = view->star, x = side_from(m, portal->s), y = side_to(m, portal->s);
    int64_t least = least_square(star_ray(m, a, x), star_ray(m, a, y));
    if (((x < a) & (y < a)) | (least > view->nearest) || is_lane(q, portal->s))
        return false;
    if (least > view->high) {
        postpone(view, least);
        return false;
    }
    if (least <= portal->limit)
        limit_by_side(q, portal, x, y);
    if (least <= portal->limit)
        return true;
    wait_for(q, view, portal->limit_side, portal->limit);
    return false;
}

/* Meets the star beyond a portal, and makes portals of what is seen past it on both sides. */
static void look_through(struct lane_search *q, struct view *view, const struct portal *p,
                         struct portal *left, struct portal *right)
{
    const struct mesh *m = &q->mesh;
    int32_t t = side_twin(m, p->s), z = side_apex(m, t);
    mw_tick(q->run, 1);
    left->s = right->s = -1;
    if (z == m->stars)
        return;
    struct ray ray = star_ray(m, view->star, z);
    bool not_right = cross(p->right, ray) > 0, not_left = cross(ray, p->left) > 0;
    if (not_right && not_left)
        meet(q, view, z, p->limit, p->limit_side);
    if (not_left)
        *left = (struct portal){not_right ? ray : p->right, p->left, p->limit, side_prev(t),
                                p->limit_side};
    if (not_right)
        *right = (struct portal){p->right, not_left ? ray : p->left, p->limit, side_next(t),
                                 p->limit_side};
}

/* Meets all that the star sees through the triangle to the left of its side s. */
static void look(struct lane_search *q, struct view *view, int32_t s, struct ray right,
                 struct ray left)
{
    struct portal p = {right, left, NEVER, side_next(s), 0}, to_left, to_right;
    int32_t top = 0;
    limit_by_side(q, &p, side_from(&q->mesh, p.s), side_to(&q->mesh, p.s));
    view->side = s;
    view->nearest = p.limit;
    for (;;) {
        look_through(q, view, &p, &to_left, &to_right);
        assert(top < q->mesh.stars);
        if (to_left.s >= 0 && opens(q, view, &to_left))
            q->stack[top++] = to_left;
        if (to_right.s >= 0 && opens(q, view, &to_right))
            p = to_right;
        else if (top > 0)
            p = q->stack[--top];
        else
            return;
    }
}

/* Narrows the view through the triangle to the left of s by the least angle from the sector's
   lanes. */
static bool narrow(const struct sector *c, int32_t s, bool last, struct ray *x, struct ray *y)
{
    if (cross(c->from, *y) > 0 && cross(*y, c->right) >= 0)
        return false;
    if (cross(c->left, *x) >= 0 && cross(*x, c->to) > 0)
        return false;
    bool cut_right = s == c->first || (cross(c->from, *x) > 0 && cross(*x, c->right) > 0);
    bool cut_left = last || (cross(c->left, *y) > 0 && cross(*y, c->to) > 0);
    if (cut_right)
        *x = c->right;
    if (cut_left)
        *y = c->left;
    return cut_right && cut_left ? c->wide : cross(*x, *y) > 0;
}

/* Whether a star cannot see a later one through the triangle to the left of its side s. */
static bool is_blind(const struct lane_search *q, int32_t s)
{
    const struct mesh *m = &q->mesh;
    int32_t a = side_from(m, s), x = side_to(m, s), y = side_apex(m, s);
    return (a == m->stars) | (x == m->stars) | (y == m->stars) | ((x < a) & (y < a)) ||
           is_lane(q, side_next(s));
}

/* Meets all that the star sees through the triangle to the left of its side s, in its sector. */
static void look_left(struct lane_search *q, struct view *view, int32_t s)
{
    const struct mesh *m = &q->mesh;
    const struct sector *c = &view->sector;
    if (is_blind(q, s))
        return;
    int32_t a = view->star, x = side_to(m, s), y = side_apex(m, s);
    struct ray right = star_ray(m, a, x), left = star_ray(m, a, y);
    if (c->whole || narrow(c, s, side_left(m, s) == c->last, &right, &left))
        look(q, view, s, right, left);
}

/* Meets all in the star's sector: its sides, and what it sees past them. */
static void look_around(struct lane_search *q, struct view *view)
{
    const struct mesh *m = &q->mesh;
    const struct sector *c = &view->sector;
    int32_t s = c->first;
    do {
        mw_tick(q->run, 1);
        if (side_to(m, s) != m->stars && !is_lane(q, s) && !is_expected(m, s))
            meet_neighbour(q, view, side_to(m, s), s);
        look_left(q, view, s);
        s = side_left(m, s);
    } while (s != c->last);
}

/* ---- sectors --------------------------------------------------------------------------------- */

/* The sector that begins at side s. */
static void enter(struct lane_search *q, struct view *view, int32_t s)
{
    const struct mesh *m = &q->mesh;
    struct sector *c = &view->sector;
    assert(side_from(m, s) == view->star);
    c->first = c->last = s;
    do {
        mw_tick(q->run, 1);
        c->last = side_left(m, c->last);
    } while (c->last != s && !is_lane(q, c->last));
    c->whole = !is_lane(q, s);
    if (c->whole)
        return;
    c->from = star_ray(m, view->star, side_to(m, s));
    c->to = star_ray(m, view->star, side_to(m, c->last));
    c->right = turned_left(c->from, q->angle.least);
    c->left = turned_right(c->to, q->angle.least);
    c->wide = cross(turned_left(c->from, q->angle.twice), c->to) > 0;
}

/* A lane at the star, the first from side s to the right; s itself where there is none. */
static int32_t lane_right(const struct lane_search *q, int32_t s)
{
    const struct mesh *m = &q->mesh;
    int32_t t = s;
    while (!is_lane(q, t)) {
        mw_tick(q->run, 1);
        t = side_right(m, t);
        if (t == s)
            break;
    }
    return t;
}

/* ---- queries --------------------------------------------------------------------------------- */

/* Queues what was found: the next few pairs, and a query for the rest. */
static void queue_found(struct lane_search *q, struct view *view, int32_t query)
{
    assert(view->count <= HELD && (!view->more || view->count == HELD));
    struct pair_task *last = &view->found[HELD - 1];
    int64_t end = view->later;
    if (view->more && last->pair.square <= end)
        last->side = query;
    else if (end != NEVER)
        visibility_push(q, (struct pair_task){{end, view->star, 0}, query, 0});
    for (int32_t i = 0; i < view->count && view->found[i].pair.square <= end; i++)
        visibility_push(q, view->found[i]);
}

static struct view new_view(int32_t a, int64_t least, int32_t least_b)
{
    return (struct view){
        .star = a, .least = least, .least_b = least_b, .later = NEVER, .high = least * GROWTH};
}

/* Finds the pairs of star a from a place on. */
static void query_around(struct lane_search *q, int32_t a, int64_t least, int32_t least_b)
{
    const struct mesh *m = &q->mesh;
    struct view view = new_view(a, least, least_b);
    int32_t start = lane_right(q, m->out[a]), s = start;
    do {
        enter(q, &view, s);
        look_around(q, &view);
        s = view.sector.last;
    } while (s != start);
    queue_found(q, &view, ALL);
}

/* The same for the triangle to the left of side s alone. */
static void query_left(struct lane_search *q, int32_t a, int32_t s, int64_t least, int32_t least_b)
{
    assert(side_from(&q->mesh, s) == a);
    if (is_blind(q, s))
        return;
    struct view view = new_view(a, least, least_b);
    enter(q, &view, lane_right(q, s));
    look_left(q, &view, s);
    queue_found(q, &view, ~s);
}

/* A star's first pair after now: its least length, and the least number of the other star. */
static int64_t now_least(const struct lane_search *q, int32_t a)
{
    return q->now.square + (a < q->now.a);
}
static int32_t now_least_b(const struct lane_search *q, int32_t a)
{
    return a == q->now.a ? q->now.b + 1 : 0;
}

/* Empties the queue and queries all stars for their pairs from now on: each gets no more than HELD
   pairs and a query. */
static void query_all(struct lane_search *q)
{
    assert(q->queue_room >= (HELD + 1) * q->mesh.stars);
    q->queue.count = 0;
    for (int32_t a = 0; a < q->mesh.stars; a++)
        query_around(q, a, now_least(q, a), now_least_b(q, a));
}

/* A star's first look to the left of side s, past a side as long as `reach`, squared; false when
   there is no room for what it finds. */
static bool look_first(struct lane_search *q, int32_t s, int64_t ax, int64_t ay, int64_t reach)
{
    const struct mesh *m = &q->mesh;
    int32_t a = side_from(m, s);
    struct ray x = star_ray(m, a, side_to(m, s)), y = star_ray(m, a, side_apex(m, s));
    const struct ray by[] = {{1, 0}, q->angle.least};
    struct star_reach g = {m, a, (double)reach, turned_left(x, by[is_expected(m, s)]),
                           turned_right(y, by[is_expected(m, side_prev(s))])};
    if (reach_is_empty(&g, side_next(s), x, y))
        return true;
    if (q->queue.count + HELD >= q->queue_room)
        return false;
    struct view view = {
        .star = a, .high = mw_min64(ax, ay) * GROWTH, .later = NEVER, .sector = {.whole = true}};
    look(q, &view, s, g.right, g.left);
    queue_found(q, &view, ~s);
    return true;
}

/* The first looks of the stars of a triangle: not past its shortest side, and not of its last
   star. Branch-free: branches would mispredict. */
static bool look_first_in(struct lane_search *q, int32_t t)
{
    const struct mesh *m = &q->mesh;
    const int32_t *star = m->triangle[t].star;
    if (mesh_hull_side(m, t) >= 0)
        return true;
    int64_t length[3];
    for (int i = 0; i < 3; i++)
        length[i] = square(star_ray(m, star[i], star[(i + 1) % 3]));
    uint32_t looks = 0;
    for (int i = 0; i < 3; i++) {
        int next = (i + 1) % 3, last = (i + 2) % 3;
        bool may = ((star[i] < star[next]) | (star[i] < star[last])) &
                   ((length[next] > length[i]) | (length[next] > length[last]));
        looks |= (uint32_t)may << i;
    }
    for (; looks; looks &= looks - 1) {
        int i = __builtin_ctz(looks), next = (i + 1) % 3, last = (i + 2) % 3;
        if (!look_first(q, 8 * t + i, length[i], length[last], length[next]))
            return false;
    }
    return true;
}

void visibility_begin(struct lane_search *q)
{
    assert(q->event == 0);
    mw_tick(q->run, 4 * (uint64_t)q->mesh.triangles);
    for (int32_t t = 0; t < q->mesh.triangles && mw_steps(q->run) <= q->last_step; t++) {
        mesh_prefetch(&q->mesh, t + AHEAD);
        if (!look_first_in(q, t)) {
            query_all(q);
            return;
        }
    }
}

/* Drops stale tasks, and if that is not enough, queries all stars anew. */
void visibility_make_room(struct lane_search *q)
{
    if (q->queue.count + HELD < q->queue_room)
        return;
    drop_stale(q);
    if (q->queue.count + HELD + q->mesh.stars / 2 >= q->queue_room)
        query_all(q);
}

/* Whether star a has not just been queried so, since the last event; makes room for the answer. */
static bool is_new_query(struct lane_search *q, int32_t a, int32_t side)
{
    struct last_query *last = &q->last[a];
    if (last->event == q->event && last->side == side)
        return false;
    *last = (struct last_query){q->event, side};
    visibility_make_room(q);
    return true;
}

/* Skips stars whose triangle has changed: they are queried anyway. */
void visibility_query_waiting(struct lane_search *q, int32_t list)
{
    for (int32_t left = q->waiting_count; list && left > 0; left--) {
        struct waiting *w = &q->waiting[list - 1];
        int32_t star = w->star, side = w->side, next = w->next;
        w->next = q->waiting_free;
        q->waiting_free = list;
        list = next;
        if (side_from(&q->mesh, side) == star && is_new_query(q, star, side))
            query_left(q, star, side, now_least(q, star), now_least_b(q, star));
    }
}

void visibility_query(struct lane_search *q, int32_t s)
{
    int32_t a = side_from(&q->mesh, s);
    if (!is_blind(q, s) && is_new_query(q, a, s))
        query_left(q, a, s, now_least(q, a), now_least_b(q, a));
}

void visibility_resume(struct lane_search *q, struct pair_task task)
{
    struct pair p = task.pair;
    assert(task.side < 0 && !pair_before(p, q->now));
    if (is_stale(q, task))
        return;
    q->now = p;
    visibility_make_room(q);
    if (task.side == ALL)
        query_around(q, p.a, p.square, p.b);
    else
        query_left(q, p.a, ~task.side, p.square, p.b);
}
