/*
 * starlanes_maximum.c: the maximum graph, as if all pairs of stars had been tried.
 *
 * All pairs of stars stand in one order: by length, then by the coordinates of their ends. In that
 * order a pair becomes a lane unless a lane crosses it, a star lies on it or a lane is too close
 * at one of its ends. A million million pairs cannot be tried; but nearly all of them need not be,
 * as they lie behind something shorter. So the search goes by sight.
 *
 * It keeps a triangulation of the stars of which every lane is a side (starlanes_mesh.c). A side
 * that is no lane is UNDECIDED until its own place in the order has come, and OPEN from then on:
 * it will never be a lane. Star a looks through the triangles around it. What it can see past a
 * side, it sees in a wedge:
 *
 *              y
 *             /|\               a sees z through the side x-y, and more through x-z and z-y. If
 *            / | \              x-y is undecided, then any pair that crosses it and comes after
 *          a   |   z            it can be left alone: x-y has to be decided first. If it becomes
 *            \ | /              a lane, the pair is gone; if not, a is asked again. So a looks no
 *             \|/               farther through x-y than x-y is long, and most stars see nothing.
 *              x
 *
 * A lane opens up nothing and hides what is behind it, so the search runs once through the order:
 * it takes the next of the sides of the beginning, sorted once, and of a queue that holds further
 * pairs and questions, "what does star a see from this place in the order on?". In a Delaunay
 * triangulation nearly all lanes are sides, nearly all sides become lanes, and the queue stays
 * almost empty.
 *
 * WHY IT IS EXACT. What is tried, is tried exactly: crossings by walking through the triangles
 * between the two stars, angles by turning from the pair to its neighbours at both ends until the
 * angle is wide enough. What must be shown is that each pair that obeys the rules is tried when
 * its place comes. Until then it crosses no lane, and no lane of its stars is too close, as lanes
 * never go. So at any time it is
 *
 *   (1) a side of the beginning in a triangle that has not changed: it is in the sorted list; or
 *   (2) in the queue; or
 *   (3) one for which a question of its first star waits in the queue, at its place or before; or
 *   (4) behind undecided sides that come before it, and its first star waits for one of them.
 *
 * At the beginning all stars are asked. A question finds each pair that is not behind an undecided
 * side as (2), if it is among the next HELD; the others, and those out of reach for now, are left
 * to a later question (3); and the rest is (4). When an undecided side opens, all who wait there
 * are asked. When triangles change, their stars are asked, and all who wait there; what these
 * stars had in the queue is void. (A new side is itself a pair of its first star, whose triangle
 * has changed.) So nobody falls out of the four. When the pair's place comes it cannot be (4), as
 * all sides before it are decided, nor (3), as all questions up to there have been answered: it is
 * tried. Whether a side is undecided is told from its place alone.
 *
 * WHY IT ENDS. Places are taken in order. A question at a place is followed, at that star, by one
 * at a later place only: behind the pairs that were found, or beyond the reach, or after the side
 * waited for.
 *
 * COST. On skies without large holes a star is asked once or twice and sees a dozen triangles; the
 * order is kept by one sort and a small queue: n log n in all. Along the rims of large holes stars
 * see each other by the hundreds. There the reach saves the day: a star looks only GROWTH times as
 * far as it has to, in squares, and holds only the next few pairs. A ring of n stars costs about
 * n^1.6.
 */
#include "starlanes.h"
#include "starlanes_mesh.h"
#include "starlanes_queue.h"

#define NEVER INT64_MAX

enum {
    HELD = 2,    /* pairs of a star that are found at once */
    GROWTH = 16, /* how much farther a star looks each time, squared */
    CALM = 16, /* before the shift */
    DULL = 1 << 28, /* before the shift: nothing is seen from that corner */
    EPOCH = 8,   /* the shift of the event at which a triangle was changed */
    CHANGED = 8, /* beside the bits of lanes: its sides are not those of the beginning */
};

/* The side of a task that asks star a for its pairs from that place on: all, or ~s for those that
   it sees through the triangle to the left of side s. */
#define ALL INT32_MIN

/* What is seen from a star through side s, strictly between two rays. */
struct portal {
    struct ray right, left;
    int64_t limit; /* squared length of the shortest undecided side between */
    int32_t s, limit_side;
};

/* The sector of a star between two lanes, to the left of the first. */
struct sector {
    bool whole;             /* there are no lanes */
    bool wide;              /* there are directions in it, if it is less than a half turn */
    int32_t first, last;    /* the sides of the two lanes */
    struct ray from, to;    /* along the lanes */
    struct ray right, left; /* the allowed directions lie between */
};

/* A star that waits at a triangle for a side of that to be decided, to look to the left of `side`.
 */
struct waiting {
    int32_t star, side, next;
};

/* The event at which a star was asked, and to the left of which side, or all around. */
struct asked {
    int32_t event, side;
};

/* A star's question to its surroundings, under way. */
struct view {
    int32_t star;
    int64_t least;   /* shorter pairs are not wanted, */
    int32_t least_b; /* nor those of this length with an earlier star, */
    int64_t high;    /* nor longer ones, */
    int64_t later;   /* of which none seen so far is shorter than this */
    struct sector sector;
    int32_t side;    /* in the sector, out of the star: it looks to the left of it, */
    int64_t nearest; /* past a side that is this long, squared, if that is undecided */
    struct task found[HELD];
    int32_t count;
    bool more; /* more than could be held */
};

struct search {
    struct mw_run *run;
    struct mesh mesh;
    struct lanes *lanes;
    int64_t cosine;   /* of the least angle: squared, times 2^20 */
    struct ray least; /* a direction at the least angle or barely below */
    struct ray twice; /* one at twice that angle or barely below */
    struct place now; /* all pairs before are decided */
    struct queue queue;
    int32_t queue_room;
    struct portal *stack;
    struct waiting *waiting;
    int32_t waiting_count, waiting_room, waiting_free;
    struct asked *asked; /* when each star was asked last */
    int32_t event;       /* counts sides that will not be lanes, and channels dug */
};

/* ---- angles --------------------------------------------------------------------------------- */

/* Whether two directions make less than the least angle. */
static bool too_close(const struct search *q, struct ray a, struct ray b)
{
    int64_t along = dot(a, b);
    if (along <= 0)
        return false;
    int64_t aa = square(a), bb = square(b);
    double is = (double)along * (double)along * 0x1p20,
           may = (double)aa * (double)bb * (double)q->cosine;
    if (is < may * (1 - 0x1p-48))
        return false;
    if (is > may * (1 + 0x1p-48))
        return true;
    struct wide l = wide_product((uint64_t)along, (uint64_t)along);
    struct wide r = wide_product((uint64_t)aa, (uint64_t)bb),
                low = wide_product(r.low, (uint64_t)q->cosine);
    l = (struct wide){l.high << 20 | l.low >> 44, l.low << 20};
    r = (struct wide){low.high + r.high * (uint64_t)q->cosine, low.low};
    return wide_compare(l, r) > 0;
}

static struct ray turned_left(struct ray a, struct ray by)
{
    return (struct ray){a.x * by.x - a.y * by.y, a.x * by.y + a.y * by.x};
}
static struct ray turned_right(struct ray a, struct ray by)
{
    return turned_left(a, (struct ray){by.x, -by.y});
}

static int64_t root_below(int64_t n)
{
    int64_t root = 0;
    for (int64_t bit = INT64_C(1) << 30; bit; bit >>= 1)
        if ((root + bit) * (root + bit) <= n)
            root += bit;
    return root;
}

/* A direction (c, s) with c * c / (c * c + s * s) >= cosine / 2^20: its angle is at most the least
 * one. */
static struct ray least_direction(int64_t cosine)
{
    return (struct ray){root_below(cosine << 6) + 1, root_below(((1 << 20) - cosine) << 6)};
}

/* Twice the angle, cut down to the same scale, and rounded to where the angle is smaller. */
static struct ray twice_direction(struct ray a)
{
    int64_t x = (a.x * a.x - a.y * a.y) / (1 << 13) + 1, y = 2 * a.x * a.y / (1 << 13);
    return (struct ray){x, x < 0 ? y + 1 : y};
}

/* ---- lanes ----- */

static inline struct place place_of(const struct mesh *m, int32_t s)
{
    int32_t a = side_from(m, s), b = side_to(m, s);
    return (struct place){square(star_ray(m, a, b)), a < b ? a : b, a < b ? b : a};
}

static inline bool is_calm(const struct mesh *m, int32_t s)
{
    return m->triangle[s >> 2].lanes >> (s & 3) & CALM;
}

/* Whether a side is a lane by now; a calm one that is, is marked. */
static inline bool is_lane(const struct search *q, int32_t s)
{
    struct triangle *t = &q->mesh.triangle[s >> 2];
    uint32_t bits = t->lanes >> (s & 3);
    if ((bits & (1 | CALM)) != CALM)
        return bits & 1;
    struct place place = place_of(&q->mesh, s);
    if (place.square > q->now.square || place_before(q->now, place))
        return false;
    t->lanes |= 1u << (s & 3);
    return true;
}

/* ---- the queue ------------------------------------------------------------------------------ */

/* The event that made a triangle what it is. */
static int32_t epoch_of(const struct search *q, int32_t side)
{
    return (int32_t)(q->mesh.triangle[side >> 2].lanes >> EPOCH & 0xfffff);
}

/* Whether it is a question about a triangle that has changed. */
static bool is_void(const struct search *q, struct task task)
{
    return task.side < 0 && task.side != ALL && epoch_of(q, ~task.side) != task.epoch;
}

/* Drops void tasks. */
static void tidy(struct search *q)
{
    struct queue *queue = &q->queue;
    int32_t kept = 0;
    mw_tick(q->run, 2 * (uint64_t)queue->count);
    for (int32_t i = 0; i < queue->count; i++)
        if (!is_void(q, queue->at[i]))
            queue->at[kept++] = queue->at[i];
    queue->count = kept;
    for (int32_t i = kept / 4; i >= 0 && kept; i--)
        queue_sink(queue, i, queue->at[i]);
}

static void push(struct search *q, struct task task)
{
    task.epoch = task.side < 0 && task.side != ALL ? epoch_of(q, ~task.side) : 0;
    queue_push(&q->queue, task);
}

/* ---- waiting -------------------------------------------------------------------------------- */

static bool waits_there(const struct search *q, int32_t note, const struct view *view)
{
    const struct waiting *w = &q->waiting[note - 1];
    return note && w->star == view->star && w->side == view->side;
}

/*
 * The star waits for side s to be decided, to be asked again if it does not become a lane. Where
 * there is no room to wait it is asked just after. For the side opposite of it, in its own
 * triangle, it need not wait: there it is asked in any case.
 */
static void wait_for(struct search *q, struct view *view, int32_t s, int64_t limit)
{
    int32_t *note = &q->mesh.triangle[s >> 2].note, i = q->waiting_free;
    if (waits_there(q, *note, view))
        return;
    if (i)
        q->waiting_free = q->waiting[i - 1].next;
    else if (q->waiting_count < q->waiting_room)
        i = ++q->waiting_count;
    if (!i) {
        view->later = limit + 1 < view->later ? limit + 1 : view->later;
        return;
    }
    q->waiting[i - 1] = (struct waiting){view->star, view->side, *note};
    *note = i;
}

/* Takes those who wait at a triangle, and puts them before the others of a list. */
static int32_t take_waiting(struct search *q, int32_t triangle, int32_t list)
{
    int32_t *note = &q->mesh.triangle[triangle].note, first = *note;
    if (!first)
        return list;
    int32_t last = first;
    while (q->waiting[last - 1].next)
        last = q->waiting[last - 1].next;
    q->waiting[last - 1].next = list;
    *note = 0;
    return first;
}

/* ---- seeing --------------------------------------------------------------------------------- */

static void postpone(struct view *view, int64_t square)
{
    if (square < view->later)
        view->later = square;
}

/* Holds a pair, in order; of too many the first. */
static void hold(struct view *view, int64_t square, int32_t b, int32_t side)
{
    struct task task = {{square, view->star, b}, side, 0};
    int32_t i = view->count;
    if (i == HELD) {
        view->more = true;
        if (!place_before(task.place, view->found[HELD - 1].place))
            return;
        i--;
    } else {
        view->count++;
    }
    for (; i > 0 && place_before(task.place, view->found[i - 1].place); i--)
        view->found[i] = view->found[i - 1];
    view->found[i] = task;
    if (view->count == HELD)
        view->high = view->found[HELD - 1].place.square;
}

/* Whether star b comes before the pairs that are wanted. */
static bool is_past(const struct view *view, int64_t length, int32_t b)
{
    return b < view->star || length < view->least || (length == view->least && b < view->least_b);
}

/* A side of the mesh that is new has to be tried at its time, as others may wait for it. */
static void meet_next(struct search *q, struct view *view, int32_t b, int32_t side)
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
static void meet(struct search *q, struct view *view, int32_t b, int64_t limit, int32_t limit_side)
{
    struct ray ray = star_ray(&q->mesh, view->star, b);
    int64_t length = square(ray);
    const struct sector *c = &view->sector;
    if (length > view->nearest || is_past(view, length, b))
        return;
    if (!c->whole && (too_close(q, ray, c->from) || too_close(q, ray, c->to)))
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
    int64_t along = -dot(a, ab), length = square(ab);
    if (along <= 0)
        return square(a);
    if (along >= length)
        return square(b);
    double height = (double)cross(a, b);
    return (int64_t)(height * height / (double)length * (1 - 0x1p-48));
}

/* An undecided side limits the pairs that may be seen through it to those before it. */
static void limit_by_side(const struct search *q, struct portal *portal, int32_t x, int32_t y)
{
    struct place side = {square(star_ray(&q->mesh, x, y)), x < y ? x : y, x < y ? y : x};
    if (side.square >= portal->limit || !place_before(q->now, side))
        return;
    portal->limit = side.square;
    portal->limit_side = portal->s;
}

/* Whether a wanted pair may be seen through a portal. */
static bool opens(struct search *q, struct view *view, struct portal *portal)
{
    const struct mesh *m = &q->mesh;
    int32_t a = view->star, x = side_from(m, portal->s), y = side_to(m, portal->s);
    if (is_lane(q, portal->s) || (x < a && y < a))
        return false;
    int64_t least = least_square(star_ray(m, a, x), star_ray(m, a, y));
    if (least > view->nearest)
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
static void look_through(struct search *q, struct view *view, const struct portal *p,
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

/* A vector in doubles, which hold all differences and their squares exactly. */
struct arrow {
    double x, y;
};

static inline struct arrow arrow_to(const struct mesh *m, int32_t a, int32_t b)
{
    return (struct arrow){m->at[b].x - m->at[a].x, m->at[b].y - m->at[a].y};
}
static inline double along(struct arrow a, struct arrow b)
{
    return a.x * b.x + a.y * b.y;
}
static inline double across(struct arrow a, struct arrow b)
{
    return a.x * b.y - a.y * b.x;
}
static inline double size(double x)
{
    return x < 0 ? -x : x;
}
static inline double taxi(struct arrow a)
{
    return size(a.x) + size(a.y);
}

/* A circle through three stars, as star a sees it: |v|^2 - (n . v) / area + power / area is zero on
   it; each is right up to its doubt. */
struct circle {
    struct arrow n;
    double area, power, n_doubt, power_doubt;
};

static inline struct circle circle_of(struct arrow x, struct arrow y, struct arrow z)
{
    struct arrow u = {x.x - y.x, x.y - y.y}, w = {z.x - y.x, z.y - y.y};
    double yy = along(y, y), a = along(x, x) - yy, b = along(z, z) - yy;
    struct circle c = {.n = {a * w.y - b * u.y, b * u.x - a * w.x}, .area = across(u, w)};
    c.n_doubt = (size(a) * taxi(w) + size(b) * taxi(u)) * 0x1p-49;
    c.power = along(c.n, y) - yy * c.area;
    c.power_doubt = c.n_doubt * taxi(y) + yy * c.area * 0x1p-49;
    return c;
}

/* Whether the point on the ray whose squared distance is that lies in the circle. */
static inline bool is_within(const struct circle *c, struct arrow ray, double square_of)
{
    double n = along(c->n, ray) - c->n_doubt * taxi(ray);
    double rest = square_of * c->area + c->power + c->power_doubt;
    return (n > 0) & (n * n * square_of > rest * rest * along(ray, ray) * (1 + 0x1p-40));
}

enum { GLANCES = 8 }; /* triangles that are passed until it is worth a real look */

/* What a star may see past side s, which runs from x to y, between two rays. A ray is `far` when it
   leads to an end of the side that is not too near. */
struct glimpse {
    int32_t s, star;
    bool right_far, left_far;
    struct arrow x, y, right, left;
};

static struct glimpse glimpse_right(const struct glimpse *g, int32_t t, struct arrow z, bool ahead,
                                    bool far)
{
    struct glimpse r = *g;
    r.s = side_next(t);
    r.y = z;
    if (ahead) {
        r.left = z;
        r.left_far = far;
    }
    return r;
}

static struct glimpse glimpse_left(const struct glimpse *g, int32_t t, struct arrow z, bool ahead,
                                   bool far)
{
    struct glimpse l = *g;
    l.s = side_prev(t);
    l.x = z;
    if (ahead) {
        l.right = z;
        l.right_far = far;
    }
    return l;
}

/* Whether a star may be seen that is no farther than that, squared. */
static bool peek(const struct mesh *m, const struct glimpse *glimpse, double most, int depth)
{
    struct glimpse g = *glimpse;
    for (; depth > 0; depth--) {
        int32_t t = side_twin(m, g.s), z = side_apex(m, t);
        if (z == m->stars)
            return false;
        struct arrow az = arrow_to(m, g.star, z);
        struct circle c = circle_of(g.x, g.y, az);
        if ((g.right_far | is_within(&c, g.right, most)) & (g.left_far | is_within(&c, g.left, most)))
            return false;
        bool not_right = across(g.right, az) > 0, not_left = across(az, g.left) > 0;
        bool ahead = not_right & not_left, far = along(az, az) > most;
        if (ahead & !far)
            return true;
        struct glimpse l = glimpse_left(&g, t, az, ahead, far);
        if (ahead && peek(m, &l, most, depth - 1))
            return true;
        g = not_right ? glimpse_right(&g, t, az, ahead, far) : l;
    }
    return true;
}

/* Meets all that the star sees through the triangle to the left of its side s. */
static void look(struct search *q, struct view *view, int32_t s, struct ray right, struct ray left)
{
    struct portal p = {right, left, NEVER, side_next(s), 0}, to_left, to_right;
    int32_t top = 0;
    limit_by_side(q, &p, side_from(&q->mesh, p.s), side_to(&q->mesh, p.s));
    view->side = s;
    view->nearest = p.limit;
    for (;;) {
        look_through(q, view, &p, &to_left, &to_right);
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
 * lanes. */
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

/* Meets all that the star sees through the triangle to the left of its side s, in its sector. */
static void look_left(struct search *q, struct view *view, int32_t s)
{
    const struct mesh *m = &q->mesh;
    const struct sector *c = &view->sector;
    int32_t a = view->star, x = side_to(m, s), y = side_apex(m, s);
    if (x == m->stars || y == m->stars || (x < a && y < a) || is_lane(q, side_next(s)))
        return;
    struct ray right = star_ray(m, a, x), left = star_ray(m, a, y);
    if (c->whole || narrow(c, s, side_left(m, s) == c->last, &right, &left))
        look(q, view, s, right, left);
}

/* Meets all in the star's sector. Sides of the beginning are listed elsewhere. */
static void look_around(struct search *q, struct view *view)
{
    const struct mesh *m = &q->mesh;
    const struct sector *c = &view->sector;
    int32_t s = c->first;
    do {
        mw_tick(q->run, 1);
        if (m->triangle[s >> 2].lanes & CHANGED && side_to(m, s) != m->stars && !is_lane(q, s) && !is_calm(m, s))
            meet_next(q, view, side_to(m, s), s);
        look_left(q, view, s);
        s = side_left(m, s);
    } while (s != c->last);
}

/* The sector that begins at side s. */
static void enter(struct search *q, struct view *view, int32_t s)
{
    const struct mesh *m = &q->mesh;
    struct sector *c = &view->sector;
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
    c->right = turned_left(c->from, q->least);
    c->left = turned_right(c->to, q->least);
    c->wide = cross(turned_left(c->from, q->twice), c->to) > 0;
}

/* A lane at the star, the first from side s to the right; s itself where there is none. */
static int32_t lane_right(const struct search *q, int32_t s)
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

/* Puts what was found into the queue: the next few pairs, and a question for the rest. */
static void queue_found(struct search *q, struct view *view, int32_t question)
{
    struct task *last = &view->found[HELD - 1];
    int64_t end = view->later;
    if (view->more && last->place.square <= end)
        last->side = question;
    else if (end != NEVER)
        push(q, (struct task){{end, view->star, 0}, question, 0});
    for (int32_t i = 0; i < view->count && view->found[i].place.square <= end; i++)
        push(q, view->found[i]);
}

static struct view new_view(const struct search *q, int32_t a, int32_t side, int64_t least, int32_t least_b)
{
    int32_t x = side_to(&q->mesh, side);
    if (x == q->mesh.stars)
        x = side_apex(&q->mesh, side);
    int64_t scale = square(star_ray(&q->mesh, a, x));
    return (struct view){.star = a,
                         .least = least,
                         .least_b = least_b,
                         .later = NEVER,
                         .high = (least > scale ? least : scale) * GROWTH};
}

/* Asks star a for its pairs from a place on. */
static void ask(struct search *q, int32_t a, int64_t least, int32_t least_b)
{
    const struct mesh *m = &q->mesh;
    struct view view = new_view(q, a, m->out[a], least, least_b);
    int32_t start = lane_right(q, m->out[a]), s = start;
    do {
        enter(q, &view, s);
        look_around(q, &view);
        s = view.sector.last;
    } while (s != start);
    queue_found(q, &view, ALL);
}

/* The same for what it sees through the triangle to the left of side s alone. */
static void ask_left(struct search *q, int32_t a, int32_t s, int64_t least, int32_t least_b)
{
    struct view view = new_view(q, a, s, least, least_b);
    enter(q, &view, lane_right(q, s));
    look_left(q, &view, s);
    queue_found(q, &view, ~s);
}

/* A star's first pair after now: its least length, and the least number of the other star. */
static int64_t now_least(const struct search *q, int32_t a)
{
    return q->now.square + (a < q->now.a);
}
static int32_t now_least_b(const struct search *q, int32_t a)
{
    return a == q->now.a ? q->now.b + 1 : 0;
}

/*
 * Makes room in the queue for the answer to a question. If the void tasks do not make enough, all
 * stars are asked anew: then each has no more than HELD pairs and a question.
 */
static void make_room(struct search *q)
{
    if (q->queue.count + HELD < q->queue_room)
        return;
    tidy(q);
    if (q->queue.count + HELD + q->mesh.stars / 2 < q->queue_room)
        return;
    q->queue.count = 0;
    for (int32_t a = 0; a < q->mesh.stars; a++)
        ask(q, a, now_least(q, a), now_least_b(q, a));
}

/* Whether star a has not been asked that at this event; makes room for the answer. */
static bool asks_anew(struct search *q, int32_t a, int32_t side)
{
    struct asked *asked = &q->asked[a];
    if (asked->event == q->event && (asked->side == side || asked->side == ALL))
        return false;
    *asked = (struct asked){q->event, side};
    make_room(q);
    return true;
}

/* Asks the waiting of a list, unless their surroundings have changed, as then they are asked
 * anyway. */
static void ask_waiting(struct search *q, int32_t list)
{
    while (list) {
        struct waiting *w = &q->waiting[list - 1];
        int32_t star = w->star, side = w->side, next = w->next;
        w->next = q->waiting_free;
        q->waiting_free = list;
        list = next;
        if (side_from(&q->mesh, side) == star && asks_anew(q, star, side))
            ask_left(q, star, side, now_least(q, star), now_least_b(q, star));
    }
}

/* ---- trying --------------------------------------------------------------------------------- */

/* Whether a lane to the left of side s, out of star a, is too close to `ray`, which is near the
 * side. */
static bool crowded_left(const struct search *q, int32_t a, struct ray ray, int32_t s)
{
    const struct mesh *m = &q->mesh;
    for (;; s = side_left(m, s)) {
        int32_t x = side_apex(m, s);
        mw_tick(q->run, 1);
        if (x == m->stars)
            return false;
        bool close = too_close(q, ray, star_ray(m, a, x));
        if (!close || is_lane(q, side_prev(s)))
            return close;
    }
}

static bool crowded_right(const struct search *q, int32_t a, struct ray ray, int32_t s)
{
    const struct mesh *m = &q->mesh;
    for (;;) {
        int32_t t = side_twin(m, s), x = side_apex(m, t);
        mw_tick(q->run, 1);
        if (x == m->stars)
            return false;
        s = side_next(t);
        bool close = too_close(q, ray, star_ray(m, a, x));
        if (!close || is_lane(q, s))
            return close;
    }
}

/* Whether a lane at star a is too close to `ray`, which runs between side s and the next to the
 * left. */
static bool crowded_between(const struct search *q, int32_t a, struct ray ray, int32_t s)
{
    const struct mesh *m = &q->mesh;
    bool close = too_close(q, ray, star_ray(m, a, side_to(m, s)));
    if (close && is_lane(q, s))
        return true;
    return crowded_left(q, a, ray, s) || (close && crowded_right(q, a, ray, s));
}

/* The side toward a from b, given the one toward b from a, which is not it; or -1 where a lane
 * crosses. */
static int32_t reach(const struct search *q, int32_t a, int32_t b, int32_t side)
{
    const struct mesh *m = &q->mesh;
    int32_t s = side_next(side);
    while (!is_lane(q, s)) {
        int32_t t = side_twin(m, s), z = side_apex(m, t);
        mw_tick(q->run, 1);
        if (z == b)
            return side_prev(t);
        s = turn(m->at[a], m->at[b], m->at[z]) > 0 ? side_next(t) : side_prev(t);
    }
    return -1;
}

/* Asks the star that looks at side s from its left. */
static void ask_apex(struct search *q, int32_t s)
{
    int32_t a = side_apex(&q->mesh, s);
    if (a != q->mesh.stars && asks_anew(q, a, side_prev(s)))
        ask_left(q, a, side_prev(s), now_least(q, a), now_least_b(q, a));
}

/* Sides s and t, its twin, will never be a lane: asks all who may see through them. */
static void give_up(struct search *q, int32_t s, int32_t t)
{
    int32_t waiting = take_waiting(q, s >> 2, take_waiting(q, t >> 2, 0));
    q->event++;
    ask_waiting(q, waiting);
    ask_apex(q, s);
    ask_apex(q, t);
}

/* Asks a star what it sees in the triangle to the left of its side s. */
static void ask_side(struct search *q, int32_t s)
{
    int32_t a = side_from(&q->mesh, s);
    if (a != q->mesh.stars && asks_anew(q, a, s))
        ask_left(q, a, s, now_least(q, a), now_least_b(q, a));
}

/* A calm side is to be tried at its time. */
static void wake(struct search *q, int32_t s)
{
    struct mesh *m = &q->mesh;
    int32_t t = side_twin(m, s), first = side_from(m, s) < side_from(m, t) ? s : t;
    m->triangle[s >> 2].lanes &= ~((uint32_t)CALM << (s & 3));
    m->triangle[t >> 2].lanes &= ~((uint32_t)CALM << (t & 3));
    m->triangle[first >> 2].lanes |= CHANGED;
    make_room(q);
    push(q, (struct task){place_of(m, first), first, 0});
    q->event++;
    ask_side(q, s);
    ask_side(q, t);
    ask_side(q, side_next(s));
    ask_side(q, side_next(t));
}

/* Wakes the calm sides of star a that are too close to its new lane, side s. */
static void wake_around(struct search *q, int32_t a, int32_t s)
{
    const struct mesh *m = &q->mesh;
    struct ray ray = star_ray(m, a, side_to(m, s));
    for (int32_t t = side_left(m, s); side_to(m, t) != m->stars; t = side_left(m, t)) {
        if (!too_close(q, ray, star_ray(m, a, side_to(m, t))))
            break;
        if (is_calm(m, t))
            wake(q, t);
    }
    for (int32_t t = side_right(m, s); side_to(m, t) != m->stars; t = side_right(m, t)) {
        if (!too_close(q, ray, star_ray(m, a, side_to(m, t))))
            break;
        if (is_calm(m, t))
            wake(q, t);
    }
}

/* Makes a lane of side s, out of star a, or leaves it for ever. */
static void try_side(struct search *q, int32_t a, int32_t s)
{
    struct mesh *m = &q->mesh;
    int32_t b = side_to(m, s), t = side_twin(m, s);
    struct ray ray = star_ray(m, a, b);
    struct ray back = {-ray.x, -ray.y};
    if (!crowded_left(q, a, ray, s) && !crowded_right(q, b, back, t) &&
        !crowded_right(q, a, ray, s) && !crowded_left(q, b, back, t)) {
        mesh_mark(m, s);
        q->event++;
        wake_around(q, a, s);
        wake_around(q, b, t);
        return;
    }
    give_up(q, s, t);
}

/* The sides between triangles made anew are pairs to be tried. */
static void queue_sides(struct search *q, const int32_t *triangle, int32_t count)
{
    const struct mesh *m = &q->mesh;
    for (int32_t i = 0; i < count; i++)
        for (int32_t s = 4 * triangle[i]; s < 4 * triangle[i] + 3; s++) {
            if (epoch_of(q, side_twin(m, s)) != epoch_of(q, s) || side_from(m, s) > side_to(m, s) ||
                side_to(m, s) == m->stars || side_is_lane(m, s) || is_calm(m, s) ||
                place_before(place_of(m, s), q->now))
                continue;
            make_room(q);
            push(q, (struct task){place_of(m, s), s, 0});
        }
}

/* Digs the lane from a to b and asks all around again. */
static void dig(struct search *q, int32_t a, int32_t b, int32_t side)
{
    struct mesh *m = &q->mesh;
    char *mark = mw_mark(q->run);
    int32_t count, *channel = mesh_channel(q->run, m, a, b, side, &count), waiting = 0;
    for (int32_t i = 0; i < count; i++)
        waiting = take_waiting(q, channel[i], waiting);
    mesh_dig(q->run, m, a, b, side, channel, count);
    q->event++;
    for (int32_t i = 0; i < count; i++)
        m->triangle[channel[i]].lanes |= CHANGED | ((uint32_t)q->event & 0xfffff) << EPOCH;
    queue_sides(q, channel, count);
    for (int32_t i = 0; i < count; i++)
        for (int32_t s = 4 * channel[i]; s < 4 * channel[i] + 3; s++)
            ask_side(q, s);
    ask_waiting(q, waiting);
    int32_t s = mesh_toward(q->run, m, a, b, m->out[a]);
    wake_around(q, a, s);
    wake_around(q, b, side_twin(m, s));
    mw_rewind(q->run, mark);
}

/* Makes a lane between a and b if the rules allow it. */
static void try_pair(struct search *q, int32_t a, int32_t b, int32_t guess)
{
    struct mesh *m = &q->mesh;
    int32_t there = mesh_toward(q->run, m, a, b, guess);
    if (side_to(m, there) == b) {
        if (!is_lane(q, there))
            try_side(q, a, there);
        return;
    }
    struct ray ray = star_ray(m, a, b);
    if (crowded_between(q, a, ray, there))
        return;
    int32_t back = reach(q, a, b, there);
    if (back >= 0 && !crowded_between(q, b, (struct ray){-ray.x, -ray.y}, back))
        dig(q, a, b, there);
}

static void perform(struct search *q, struct task task)
{
    struct place p = task.place;
    if (is_void(q, task))
        return;
    q->now = p;
    make_room(q);
    if (task.side >= 0)
        try_pair(q, p.a, p.b, task.side);
    else if (task.side == ALL)
        ask(q, p.a, p.square, p.b);
    else
        ask_left(q, p.a, ~task.side, p.square, p.b);
}

/* ---- the search ----------------------------------------------------------------------------- */

/* The sides of the beginning that are not calm, out of the earlier of their stars. */
struct pair {
    int32_t a, b, side;
};
struct sides {
    struct pair *at;
    int32_t count;
};

/* The calm bits of the sides of triangle t: of those with no narrow corner there. */
static uint32_t wide_sides(const struct search *q, int32_t t)
{
    const struct mesh *m = &q->mesh;
    const int32_t *star = m->triangle[t].star;
    for (int i = 0; i < 3; i++)
        if (star[i] == m->stars)
            return (uint32_t)CALM << (i + 1) % 3 | 7 * (uint32_t)DULL;
    struct arrow side[3] = {arrow_to(m, star[0], star[1]), arrow_to(m, star[1], star[2]),
                            arrow_to(m, star[2], star[0])};
    double square_of[3] = {along(side[0], side[0]), along(side[1], side[1]), along(side[2], side[2])};
    double most = (double)q->cosine * (1 - 0x1p-40);
    uint32_t wide = 7 * CALM;
    for (int i = 0; i < 3; i++) {
        int before = i ? i - 1 : 2;
        double dot_product = -along(side[i], side[before]);
        uint32_t narrow = (dot_product > 0) & (dot_product * dot_product * 0x1p20 >
                                               square_of[i] * square_of[before] * most);
        wide &= ~(narrow * (uint32_t)(CALM << i | CALM << before));
        int opposite = i == 2 ? 0 : i + 1;
        uint32_t dull = (square_of[opposite] <= square_of[i]) &
                        (square_of[opposite] <= square_of[before]);
        wide |= dull * (uint32_t)DULL << i;
    }
    return wide;
}

/* Lists the sides that are not calm. */
static int32_t calm_sides(struct search *q, int32_t *side)
{
    struct mesh *m = &q->mesh;
    int32_t count = 0;
    for (int32_t t = 0; t < m->triangles; t++)
        m->triangle[t].lanes = wide_sides(q, t);
    for (int32_t s = 0; s < 4 * m->triangles; s += 1 + (s % 4 == 2)) {
        int32_t t = side_twin(m, s), a = side_from(m, s), b = side_to(m, s);
        uint32_t calm = m->triangle[t >> 2].lanes >> (t & 3) & CALM;
        m->triangle[s >> 2].lanes &= ~(((uint32_t)CALM ^ calm) << (s & 3));
        side[count] = s;
        count += (a < b) & (b != m->stars) & !is_calm(m, s);
    }
    return count;
}

/* Whether star a must look for pairs through the side opposite of it, before which they come.
   Side s is out of it. */
static bool must_look(const struct search *q, const struct arrow *turns, int32_t s)
{
    const struct mesh *m = &q->mesh;
    int32_t a = side_from(m, s), x = side_to(m, s), y = side_apex(m, s);
    struct arrow ax = arrow_to(m, a, x), ay = arrow_to(m, a, y);
    struct arrow xy = {ay.x - ax.x, ay.y - ax.y};
    double l = along(xy, xy), axax = along(ax, ax), ayay = along(ay, ay);
    double at_x = -along(ax, xy), at_y = along(ay, xy);
    struct glimpse g = {side_next(s), a, axax >= l, ayay >= l, ax, ay, ax, ay};
    bool turn_right = !g.right_far & is_calm(m, s) &
                      ((axax <= ayay) | ((at_y > 0) & (4 * at_y * at_y >= ayay * l)));
    bool turn_left = !g.left_far & is_calm(m, side_prev(s)) &
                     ((ayay <= axax) | ((at_x > 0) & (4 * at_x * at_x >= axax * l)));
    struct arrow by = turns[turn_right];
    g.right = (struct arrow){ax.x * by.x - ax.y * by.y, ax.x * by.y + ax.y * by.x};
    by = turns[turn_left];
    g.left = (struct arrow){ay.x * by.x + ay.y * by.y, ay.y * by.x - ay.x * by.y};
    return across(g.right, g.left) >= 0 && peek(m, &g, l, GLANCES);
}

static bool look_first(struct search *q, int32_t s)
{
    if (q->queue.count + HELD >= q->queue_room)
        return false;
    struct view view = new_view(q, side_from(&q->mesh, s), s, 0, 0);
    view.sector = (struct sector){.whole = true};
    look_left(q, &view, s);
    queue_found(q, &view, ~s);
    return true;
}

enum { BATCH = 256 };


/* Lists the sides out of stars from which something may be seen in the triangles to their left. */
static int32_t list_corners(const struct mesh *m, int32_t from, int32_t end, int32_t *corner)
{
    int32_t count = 0;
    for (int32_t t = from; t < end; t++) {
        const struct triangle *at = &m->triangle[t];
        for (int i = 0; i < 3; i++) {
            int32_t a = at->star[i], x = at->star[i == 2 ? 0 : i + 1], y = at->star[i ? i - 1 : 2];
            corner[count] = 4 * t + i;
            count += !((at->lanes >> i & DULL) != 0) & !((x < a) & (y < a));
        }
    }
    return count;
}

/* Finds the first pairs of all stars. */
static void look_all(struct search *q)
{
    const struct mesh *m = &q->mesh;
    const struct arrow turns[2] = {{1, 0}, {(double)q->least.x, (double)q->least.y}};
    int32_t corner[3 * BATCH + 1];
    for (int32_t t = 0; t < m->triangles; t += BATCH) {
        int32_t end = t + BATCH < m->triangles ? t + BATCH : m->triangles;
        int32_t count = list_corners(m, t, end, corner);
        for (int32_t i = 0; i < count; i++) {
            if (!must_look(q, turns, corner[i]) || look_first(q, corner[i]))
                continue;
            q->queue.count = 0;
            for (int32_t a = 0; a < m->stars; a++)
                ask(q, a, 0, 0);
            return;
        }
    }
}

/* Sorts sides by their place. */
static void sort_places(struct mw_run *run, const struct mesh *m, int32_t *side, int32_t count)
{
    char *mark = mw_mark(run);
    uint64_t *keys = MW_NEW(run, uint64_t, count);
    for (int32_t i = 0; i < count; i++)
        keys[i] = (uint64_t)place_of(m, side[i]).square;
    mw_sort(run, keys, side, count);
    for (int32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && keys[end] == keys[i];)
            end++;
        if (end == i + 1)
            continue;
        for (int32_t k = i; k < end; k++)
            keys[k] = (uint64_t)side_from(m, side[k]) << 32 | (uint32_t)side_to(m, side[k]);
        mw_sort(run, keys + i, side + i, end - i);
        keys[end - 1] = 0;
    }
    mw_rewind(run, mark);
}

static struct sides list_sides(struct search *q)
{
    char *mark = mw_mark(q->run);
    int32_t *side = MW_NEW(q->run, int32_t, 3 * (int64_t)q->mesh.stars + 1);
    mw_tick(q->run, 8 * (uint64_t)q->mesh.stars);
    int32_t count = calm_sides(q, side);
    (void)mark;
    sort_places(q->run, &q->mesh, side, count);
    struct sides sides = {MW_NEW(q->run, struct pair, count), count};
    for (int32_t i = 0; i < count; i++)
        sides.at[i] = (struct pair){side_from(&q->mesh, side[i]), side_to(&q->mesh, side[i]), side[i]};
    return sides;
}

/* Performs the tasks before a place. */
static void catch_up(struct search *q, struct place place)
{
    while (q->queue.count && place_before(q->queue.at[0].place, place))
        perform(q, queue_pop(&q->queue));
}

static void fetch(const struct mesh *m, int32_t triangle)
{
    __builtin_prefetch(&m->triangle[triangle]);
}

static void fetch_ahead(const struct mesh *m, const struct sides *sides, int32_t i)
{
    if (i + 32 >= sides->count)
        return;
    fetch(m, sides->at[i + 32].side >> 2);
    int32_t s = sides->at[i + 16].side, t = side_twin(m, s);
    fetch(m, t >> 2);
    for (int k = 0; k < 3; k++)
        __builtin_prefetch(&m->at[m->triangle[s >> 2].star[k]]);
    __builtin_prefetch(&m->at[side_apex(m, side_twin(m, sides->at[i + 8].side))]);
}

static void search_all(struct search *q, const struct sides *sides)
{
    struct mesh *m = &q->mesh;
    look_all(q);
    for (int32_t i = 0; i < sides->count; i++) {
        struct pair p = sides->at[i];
        mw_tick(q->run, 8);
        fetch_ahead(m, sides, i);
        struct place place = {square(star_ray(m, p.a, p.b)), p.a, p.b};
        catch_up(q, place);
        q->now = place;
        try_pair(q, p.a, p.b, p.side);
    }
    catch_up(q, (struct place){NEVER, 0, 0});
}

/* All stars on one line: each is joined with the next. */
static void join_line(struct mw_run *run, const struct mw_point *at, int32_t stars,
                      struct lanes *lanes)
{
    uint64_t *square_of = MW_NEW(run, uint64_t, stars);
    int32_t *first = MW_NEW(run, int32_t, stars);
    for (int32_t i = 0; i < stars - 1; i++) {
        square_of[i] = (uint64_t)square(ray_to(at[i], at[i + 1]));
        first[i] = i;
    }
    mw_sort(run, square_of, first, stars - 1);
    for (int32_t i = 0; i < stars - 1; i++)
        lanes->at[i] = (struct mw_edge){first[i], first[i] + 1};
    lanes->count = stars - 1;
}

static void new_search(struct mw_run *run, struct search *q, int32_t stars)
{
    q->asked = MW_NEW0(run, struct asked, stars);
    q->stack = MW_NEW(run, struct portal, stars);
    q->waiting_room = 3 * stars;
    q->waiting = MW_NEW(run, struct waiting, q->waiting_room);
    q->queue_room = (HELD + 2) * stars + 64;
    q->queue.at = MW_NEW(run, struct task, q->queue_room);
}

/* Numbers in their order, squeezed into 22 bits: all of a small one, 17 bits of a large one. */
static uint32_t squeeze(int64_t n)
{
    int over = 47 - __builtin_clzll((unsigned long long)n | 1);
    return over <= 0 ? (uint32_t)n : ((uint32_t)over << 16) + (uint32_t)(n >> over);
}

enum { HALF = 11, HALVES = 1 << HALF };

static void scatter_places(const struct place *from, struct place *to, int32_t count, int shift)
{
    int32_t begin[HALVES] = {0};
    for (int32_t i = 0; i < count; i++)
        begin[squeeze(from[i].square) >> shift & (HALVES - 1)]++;
    for (int32_t d = 0, sum = 0, n; d < HALVES; d++, sum += n) {
        n = begin[d];
        begin[d] = sum;
    }
    for (int32_t i = 0; i < count; i++)
        to[begin[squeeze(from[i].square) >> shift & (HALVES - 1)]++] = from[i];
}

/* Puts a few places, or many alike, in order. */
static void sort_run(struct mw_run *run, struct place *at, int32_t count)
{
    if (count > 32) {
        char *mark = mw_mark(run);
        uint64_t *keys = MW_NEW(run, uint64_t, count);
        int32_t *order = MW_NEW(run, int32_t, count);
        struct place *old = MW_NEW(run, struct place, count);
        memcpy(old, at, (size_t)count * sizeof *at);
        for (int32_t i = 0; i < count; i++) {
            keys[i] = (uint64_t)at[i].a << 32 | (uint32_t)at[i].b;
            order[i] = i;
        }
        mw_sort(run, keys, order, count);
        for (int32_t i = 0; i < count; i++)
            keys[i] = (uint64_t)old[order[i]].square;
        mw_sort(run, keys, order, count);
        for (int32_t i = 0; i < count; i++)
            at[i] = old[order[i]];
        mw_rewind(run, mark);
        return;
    }
    for (int32_t i = 1; i < count; i++) {
        struct place place = at[i];
        int32_t k = i;
        for (; k > 0 && place_before(place, at[k - 1]); k--)
            at[k] = at[k - 1];
        at[k] = place;
    }
}

/* Writes down a side, out of its earlier star, if it is a lane. */
static bool add_lane(const struct mesh *m, int32_t s, struct place *place)
{
    int32_t a = side_from(m, s), b = side_to(m, s), end = b == m->stars ? a : b;
    *place = (struct place){square(star_ray(m, a == m->stars ? end : a, end)), a, b};
    return (a < b) & ((m->triangle[s >> 2].lanes >> (s & 3) & (1 | CALM)) != 0);
}

static void collect_lanes(struct search *q)
{
    const struct mesh *m = &q->mesh;
    int32_t count = 0;
    struct place *at = MW_NEW(q->run, struct place, 3 * (int64_t)m->stars + 1),
                 *spare = MW_NEW(q->run, struct place, 3 * (int64_t)m->stars);
    for (int32_t t = 0; t < m->triangles; t++)
        for (int32_t s = 4 * t; s < 4 * t + 3; s++)
            count += add_lane(m, s, &at[count]);
    mw_tick(q->run, 8 * (uint64_t)count);
    scatter_places(at, spare, count, 0);
    scatter_places(spare, at, count, HALF);
    for (int32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && squeeze(at[end].square) == squeeze(at[i].square);)
            end++;
        sort_run(q->run, at + i, end - i);
    }
    for (int32_t i = 0; i < count; i++)
        q->lanes->at[i] = (struct mw_edge){at[i].a, at[i].b};
    q->lanes->count = count;
}

void starlanes_maximum(struct mw_run *run, const struct mw_point *at, int32_t stars, int32_t cosine,
                       struct lanes *lanes)
{
    char *mark = mw_mark(run);
    struct search q = {
        .run = run, .cosine = cosine, .least = least_direction(cosine), .lanes = lanes};
    q.twice = twice_direction(q.least);
    lanes->count = 0;
    if (mesh_build(run, &q.mesh, at, stars)) {
        char *search = mw_mark(run);
        struct sides sides = list_sides(&q);
        new_search(run, &q, stars);
        search_all(&q, &sides);
        mw_rewind(run, search);
        collect_lanes(&q);
    } else {
        join_line(run, at, stars, lanes);
    }
    mw_rewind(run, mark);
}
