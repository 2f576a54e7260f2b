/*
 * visibility.c: which pairs a star sees, from a place in the order on.
 *
 *              y
 *             /|\               Star a looks through a corner of a triangle and past the opposite
 *            / | \              side x-y: it sees z, and more through x-z and z-y. While x-y is
 *          a   |   z            undecided, pairs that cross it and come after it can wait: if it
 *            \ | /              becomes a lane they are impossible, else a looks again. So a looks
 *             \|/               no farther through x-y than x-y is long.
 *              x
 *
 * A LOOK is about one corner. It queues one task: for the first pair that the star sees there, at
 * the pair's place, where it will look again; or for a look alone, at an earlier place: just after
 * that of an undecided side that hides something. Nothing is queued for what x-y itself hides: if
 * that does not become a lane, its two triangles look in any case (maximum.c). Directions closer to
 * a lane along a-x or a-y than the least angle are left out.
 *
 * So each corner has at most one valid task. The triangle counts the looks of each corner; a task
 * with an older count is stale. The queue has room for what stars in general position need; when it
 * is full, stale tasks are dropped, and if that is not enough, it grows.
 *
 * FIRST LOOKS. At first the circle through a, x and y holds no star. So what a sees past x-y lies
 * beyond that circle, and is farther from a than the nearer one of x and y. Two things follow. If
 * x-y is the shortest side, all that a sees past it comes after it: a need not look. And if a-x or
 * a-y is an expected side (maximum.c), what is closer to it than the least angle can be skipped.
 * Take a-y: its corners, at a and y, are no narrower than the least angle f, as it is expected. At
 * less than f from a-y, all beyond the circle is farther than y if f is at most 180 degrees less
 * twice the corner at x. That holds if the corner at x is the smaller of those at x and a: the rest
 * is then the corner at y or more. Else a-y is longer than x-y, past which a looks no farther than
 * that is long: the circle reaches that far if f is at most the corner at y. Most stars need not
 * look, as the circles of a few triangles beyond x-y show that nothing there is as near as x-y is
 * long. That saves time and no more.
 */
#include "lane_search.h"

/* ---- tasks ----------------------------------------------------------------------------------- */

enum { LOOKS = 10 }; /* bits for the number of looks of a corner, modulo its power of 2 */

static int32_t looks_of(const struct mesh *m, int32_t s)
{
    return m->triangle[s >> 3].note >> LOOKS * (s & 3) & ((1 << LOOKS) - 1);
}

static void count_look(struct mesh *m, int32_t s)
{
    int32_t *note = &m->triangle[s >> 3].note, more = (looks_of(m, s) + 1) & ((1 << LOOKS) - 1);
    *note = (*note & ~(((1 << LOOKS) - 1) << LOOKS * (s & 3))) | more << LOOKS * (s & 3);
}

bool visibility_is_stale(const struct lane_search *q, struct pair_task task)
{
    return task.side < 0 && looks_of(&q->mesh, ~task.side) != task.look;
}

/* Drops stale tasks, and doubles the queue if that is not enough. */
static void make_room(struct lane_search *q)
{
    struct pair_queue *queue = &q->queue, old = *queue;
    mw_tick(q->run, 2 * (uint64_t)queue->count);
    queue->count = 0;
    for (int32_t i = 0; i < old.count; i++)
        if (!visibility_is_stale(q, old.at[i]))
            pair_queue_push(queue, old.at[i]);
    if (4 * (int64_t)queue->count < 3 * (int64_t)queue->room)
        return;
    queue->room *= 2;
    queue->at = MW_NEW(q->run, struct pair_task, queue->room);
    memcpy(queue->at, old.at, (size_t)queue->count * sizeof *queue->at);
}

static void push(struct lane_search *q, struct pair_task task)
{
    assert(!pair_before(task.pair, q->now)); /* tasks are taken in order */
    if (q->queue.count == q->queue.room)
        make_room(q);
    pair_queue_push(&q->queue, task);
}

/* A queued side is not expected. */
static void mark_queued(struct mesh *m, int32_t s)
{
    uint32_t *bits = &m->triangle[s >> 3].lanes;
    *bits = (*bits & ~((uint32_t)EXPECTED << (s & 3))) | (uint32_t)QUEUED << (s & 3);
}

void visibility_queue_side(struct lane_search *q, int32_t s)
{
    assert(is_first(&q->mesh, s));
    mark_queued(&q->mesh, s);
    mark_queued(&q->mesh, side_twin(&q->mesh, s));
    struct pair pair = pair_of(&q->mesh, s);
    if (pair_before(q->now, pair))
        push(q, (struct pair_task){pair, s, 0});
}

/* ---- seeing ---------------------------------------------------------------------------------- */

/* A look through a corner. */
struct view {
    int32_t star;
    int64_t nearest;     /* past the opposite side, of this squared length if it is undecided */
    struct pair first;   /* that it sees after now; NEVER: none */
    int64_t later;       /* what is this far or farther may be hidden for now */
    bool bounded;        /* whether the star has lanes: */
    struct ray from, to; /* along the next to the right and to the left */
};

/* The star sees star b, through sides of which the shortest undecided one is `limit` long. */
static void meet(const struct lane_search *q, struct view *view, int32_t b, int64_t limit)
{
    struct pair pair = {square(star_ray(&q->mesh, view->star, b)), view->star, b};
    assert(b != view->star && b != q->mesh.stars);
    if (b < view->star || pair.square > view->nearest || !pair_before(q->now, pair))
        return;
    struct ray ray = star_ray(&q->mesh, view->star, b);
    if (view->bounded &&
        (too_close(&q->angle, ray, view->from) || too_close(&q->angle, ray, view->to)))
        return;
    if (pair.square > limit)
        view->later = mw_min64(view->later, limit + 1);
    else if (pair_before(pair, view->first))
        view->first = pair;
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
static void limit_by_side(const struct lane_search *q, struct portal *portal)
{
    struct pair side = pair_of(&q->mesh, portal->s);
    if (pair_before(q->now, side))
        portal->limit = mw_min64(portal->limit, side.square);
}

/* Whether a wanted pair may be seen through a portal. */
static bool opens(const struct lane_search *q, struct view *view, struct portal *portal)
{
    const struct mesh *m = &q->mesh;
    int32_t a = view->star, x = side_from(m, portal->s), y = side_to(m, portal->s);
    int64_t least = least_square(star_ray(m, a, x), star_ray(m, a, y));
    if (((x < a) & (y < a)) | (least > view->nearest) | (least > view->first.square) ||
        is_lane(q, portal->s))
        return false;
    if (least <= portal->limit)
        limit_by_side(q, portal);
    if (least <= portal->limit)
        return true;
    view->later = mw_min64(view->later, portal->limit + 1);
    return false;
}

/* Meets the star beyond a portal, and makes portals of what is seen past it on both sides. */
static void look_through(const struct lane_search *q, struct view *view, const struct portal *p,
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
        meet(q, view, z, p->limit);
    __builtin_prefetch(&m->triangle[side_twin(m, side_prev(t)) >> 3]);
    __builtin_prefetch(&m->triangle[side_twin(m, side_next(t)) >> 3]);
    if (not_left)
        *left = (struct portal){not_right ? ray : p->right, p->left, p->limit, side_prev(t)};
    if (not_right)
        *right = (struct portal){p->right, not_left ? ray : p->left, p->limit, side_next(t)};
}

/* Meets all that the star sees through a first portal. */
static void look_on(struct lane_search *q, struct view *view, struct portal p)
{
    struct portal to_left, to_right;
    int32_t top = 0;
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

/* ---- looks ----------------------------------------------------------------------------------- */

/* Whether a star cannot see a later one through the triangle to the left of its side s. */
static bool is_blind(const struct lane_search *q, int32_t s)
{
    const struct mesh *m = &q->mesh;
    int32_t a = side_from(m, s), x = side_to(m, s), y = side_apex(m, s);
    return (a == m->stars) | (x == m->stars) | (y == m->stars) | ((x < a) & (y < a)) ||
           is_lane(q, side_next(s));
}

/* The first lane out of a star from side s on, to the left or to the right; -1: it has none. */
static int32_t lane_beside(const struct lane_search *q, int32_t s, bool left)
{
    int32_t t = s;
    while (!is_lane(q, t)) {
        mw_tick(q->run, 1);
        t = side_turned(&q->mesh, t, left);
        if (t == s)
            return -1;
    }
    return t;
}

/* Narrows what is seen through the triangle to the left of side s to the directions that are far
   enough from the star's next lanes, sides `first` and `last`; false where there are none for
   certain. */
static bool narrow(const struct lane_search *q, const struct view *view, bool first, bool last,
                   struct portal *p)
{
    struct ray x = p->right, y = p->left, from = view->from, to = view->to,
               right = turned_left(from, q->angle.least), left = turned_right(to, q->angle.least);
    if ((cross(from, y) > 0 && cross(y, right) >= 0) || (cross(left, x) >= 0 && cross(x, to) > 0))
        return false;
    bool cut_right = first || (cross(from, x) > 0 && cross(x, right) > 0),
         cut_left = last || (cross(left, y) > 0 && cross(y, to) > 0);
    if (cut_right)
        p->right = right;
    if (cut_left)
        p->left = left;
    return (cut_right && cut_left) || cross(p->right, p->left) > 0;
}

/* There are too many stars for the time that they take. */
static _Noreturn void refuse_thin(const struct lane_search *q)
{
    mw_fail(q->run, MW_TOO_HARD, q->pointer,
            "%d stars lie on thin curves: they would take more than the budget of %llu million "
            "steps; must be at most some %d",
            (int)q->mesh.stars, (unsigned long long)(q->run->budget / 1000000), THIN_MOST);
}

/* Looks in a wedge, and queues what is to be done next. */
static void look(struct lane_search *q, struct view *view, int32_t s, struct portal p)
{
    if (mw_steps(q->run) > q->last_step)
        refuse_thin(q);
    p.s = side_next(s);
    p.limit = NEVER;
    limit_by_side(q, &p);
    view->nearest = p.limit;
    look_on(q, view, p);
    struct pair next = {view->later, view->star, 0};
    if (pair_before(view->first, next))
        next = view->first;
    if (next.square < NEVER)
        push(q, (struct pair_task){next, ~s, looks_of(&q->mesh, s)});
}

void visibility_look(struct lane_search *q, int32_t s)
{
    struct mesh *m = &q->mesh;
    count_look(m, s);
    if (is_blind(q, s))
        return;
    int32_t a = side_from(m, s), t = side_left(m, s), from = lane_beside(q, s, false), to;
    struct view view = {.star = a, .first = {.square = NEVER}, .later = NEVER};
    struct portal p = {.right = star_ray(m, a, side_to(m, s)),
                       .left = star_ray(m, a, side_to(m, t))};
    view.bounded = from >= 0;
    if (view.bounded) {
        to = lane_beside(q, t, true);
        view.from = star_ray(m, a, side_to(m, from));
        view.to = star_ray(m, a, side_to(m, to));
        if (!narrow(q, &view, s == from, t == to, &p))
            return;
    }
    look(q, &view, s, p);
}

/* ---- first looks ----------------------------------------------------------------------------- */

enum { DEPTH = 3 };
/* What a star looks for: stars no farther than `reach`, squared. */
struct star_reach {
    const struct mesh *mesh; /* Delaunay's */
    int32_t star;
    double reach;
};

/*
 * The circle through a, b and c, which turn to the left. A point lies within if it lies below the
 * plane through them once all points are lifted by their squares; here, one as far as the reach. No
 * term exceeds the square of the sum of all squares, and each errs by a few times 2^-53 of that.
 */
struct circle {
    double x, y, level;
};

static inline struct circle circle_of(struct star_offset a, struct star_offset b,
                                      struct star_offset c, double reach)
{
    double bx = b.x - a.x, by = b.y - a.y, up_b = b.square - a.square, cx = c.x - a.x,
           cy = c.y - a.y, up_c = c.square - a.square;
    double x = up_b * cy - up_c * by, y = up_c * bx - up_b * cx,
           all = a.square + b.square + c.square + reach;
    double level = x * a.x + y * a.y + (bx * cy - by * cx) * (reach - a.square);
    return (struct circle){x, y, level + all * all * 0x1p-44};
}

/* Whether the point of a ray as far as the reach lies within, for certain. It is the ray by a root,
   so both sides are squared. */
static inline bool encircles(const struct circle *c, double reach, struct star_offset ray)
{
    double along = c->x * ray.x + c->y * ray.y;
    return (along > 0) & (reach * along * along > c->level * c->level * ray.square * (1 + 0x1p-44));
}

/* An arc between two rays, past a side from x to y; and whether an end is known to lie within. */
struct arc {
    struct ray right, left;
    struct star_offset x, y;
    int32_t side;
    bool right_within, left_within;
};

/* Whether there is nothing past the side up to the arc, for certain, testing triangles up to
   `depth` behind the first. Branch-free where a branch would mispredict. */
static bool is_empty(const struct star_reach *g, struct arc arc, int depth)
{
    const struct mesh *m = g->mesh;
    int32_t t = side_twin(m, arc.side), apex = side_apex(m, t);
    assert(depth >= 0);
    if (apex == m->stars)
        return true;
    struct ray ray = star_ray(m, g->star, apex);
    struct star_offset z = offset_of(ray);
    struct circle circle = circle_of(arc.x, z, arc.y, g->reach);
    arc.right_within |= encircles(&circle, g->reach, offset_of(arc.right));
    arc.left_within |= encircles(&circle, g->reach, offset_of(arc.left));
    if (arc.right_within & arc.left_within)
        return true;
    bool from_right = cross(arc.right, ray) > 0, from_left = cross(ray, arc.left) > 0;
    if (depth == 0 || (from_right && from_left && z.square <= g->reach))
        return false;
    if (from_right) {
        struct arc rest = arc;
        rest.y = z;
        rest.side = side_next(t);
        rest.left = from_left ? ray : arc.left;
        rest.left_within |= from_left;
        if (!is_empty(g, rest, depth - 1))
            return false;
    }
    if (!from_left)
        return true;
    arc.x = z;
    arc.side = side_prev(t);
    arc.right = from_right ? ray : arc.right;
    arc.right_within |= from_right;
    return is_empty(g, arc, depth - 1);
}

void visibility_look_first(struct lane_search *q, int32_t s)
{
    const struct mesh *m = &q->mesh;
    int32_t a = side_from(m, s);
    struct ray x = star_ray(m, a, side_to(m, s)), y = star_ray(m, a, side_apex(m, s));
    const struct ray by[] = {{1, 0}, q->angle.least};
    struct star_reach g = {m, a, (double)square((struct ray){y.x - x.x, y.y - x.y})};
    struct star_offset from = offset_of(x), to = offset_of(y);
    struct ray right = turned_left(x, by[side_is(m, s, EXPECTED)]),
               left = turned_right(y, by[side_is(m, side_prev(s), EXPECTED)]);
    struct arc arc = {
        right, left, from, to, side_next(s), from.square > g.reach, to.square > g.reach};
    assert(cross(x, y) > 0);
    if (is_empty(&g, arc, DEPTH))
        return;
    struct view view = {.star = a, .first = {.square = NEVER}, .later = NEVER};
    look(q, &view, s, (struct portal){.right = right, .left = left});
}
