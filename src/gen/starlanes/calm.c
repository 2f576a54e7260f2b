/*
 * starlanes_calm.c: what need not be tried, nor looked for, told from the Delaunay triangulation.
 *
 * Nearly all sides of a Delaunay triangulation become lanes. A side is CALM if no corner at its
 * ends, in the two triangles beside it, is narrower than the least angle. It then has nothing to
 * fear from the other sides, and becomes a lane when its place comes, untried, unless by then a
 * lane crosses it, which destroys it, or is laid too close to it, which wakes it (starlanes_lay.c).
 *
 * What may do so comes out of pairs that are no sides, and those that come before all sides that
 * they cross are rare. Most stars can be told to see none of them from a circle:
 *
 *             x-----__          No star lies in the circle through x, y and z. So whatever a sees
 *            / \      z         past x-y is no nearer than the far rim of that circle, and the way
 *          a   |    _/          to the far rim is least along an outermost ray. If the circle holds
 *            \ | _--            the points at the distance |x-y| on both outermost rays, then all
 *              y                that a sees past x-y is longer than x-y, and so comes after it.
 *
 * The circle of the triangle of a itself tells the same: if x-y is its shortest side, it need not
 * be looked past at all. If the test fails the next triangles get their turn, a few of them.
 *
 * The outermost rays are a-x and a-y; or, where these sides are calm, rays turned inward by the
 * least angle: a pair between would be too close to a lane, if the side comes before the pair. It
 * does if it is the shorter one of a-x and a-y, or if the third angle beside it is at most 60
 * degrees, as then the circle through a, x and y is wider than the side is long, all the way
 * between.
 *
 * The tests are made in doubles and err on one side only: a corner that is too narrow by 2^-40 or
 * less is narrow, a point that near to the circle is outside. What they do not settle is tried and
 * looked for, exactly.
 *
 * Cost: a few hundred operations a star, in the order of memory.
 */
#include "search.h"

enum {
    GLANCES = 8, /* triangles that are passed until it is worth a real look */
    BATCH = 256, /* triangles whose corners are listed at once */
};

/* ---- doubles --------------------------------------------------------------------------------- */

/* A vector in doubles, which hold all differences and their squares exactly. */
struct arrow {
    double x, y;
};

static inline struct arrow arrow_to(const struct mesh *m, int32_t a, int32_t b)
{
    return (struct arrow){m->at[b].x - m->at[a].x, m->at[b].y - m->at[a].y};
}
static inline double along(struct arrow a, struct arrow b) { return a.x * b.x + a.y * b.y; }
static inline double across(struct arrow a, struct arrow b) { return a.x * b.y - a.y * b.x; }
static inline double size(double x) { return x < 0 ? -x : x; }
static inline double taxi(struct arrow a) { return size(a.x) + size(a.y); }

/* ---- calm sides ------------------------------------------------------------------------------ */

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
    double square_of[3] = {along(side[0], side[0]), along(side[1], side[1]),
                           along(side[2], side[2])};
    double most = (double)q->angle.cosine * (1 - 0x1p-40);
    uint32_t wide = 7 * CALM;
    for (int i = 0; i < 3; i++) {
        int before = i ? i - 1 : 2;
        double dot_product = -along(side[i], side[before]);
        uint32_t narrow = (dot_product > 0) & (dot_product * dot_product * 0x1p20 >
                                               square_of[i] * square_of[before] * most);
        wide &= ~(narrow * (uint32_t)(CALM << i | CALM << before));
        int opposite = i == 2 ? 0 : i + 1;
        uint32_t dull =
            (square_of[opposite] <= square_of[i]) & (square_of[opposite] <= square_of[before]);
        wide |= dull * (uint32_t)DULL << i;
    }
    return wide;
}

/* Leaves calm the sides that are so in both triangles, and lists the others. */
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
    }
    mw_rewind(run, mark);
}

/* Tells the calm sides of the beginning; the others, in the order of pairs. */
struct pairs calm_list(struct search *q)
{
    struct pairs pairs = {MW_NEW(q->run, struct pair, 3 * (int64_t)q->mesh.stars), 0};
    char *mark = mw_mark(q->run);
    int32_t *side = MW_NEW(q->run, int32_t, 3 * (int64_t)q->mesh.stars + 1);
    mw_tick(q->run, 8 * (uint64_t)q->mesh.stars);
    pairs.count = calm_sides(q, side);
    sort_places(q->run, &q->mesh, side, pairs.count);
    for (int32_t i = 0; i < pairs.count; i++)
        pairs.at[i] =
            (struct pair){side_from(&q->mesh, side[i]), side_to(&q->mesh, side[i]), side[i]};
    mw_rewind(q->run, mark);
    return pairs;
}

/* ---- first looks ----------------------------------------------------------------------------- */

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
        bool right_far = is_within(&c, g.right, most), left_far = is_within(&c, g.left, most);
        if ((g.right_far | right_far) & (g.left_far | left_far))
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
void calm_look(struct search *q)
{
    const struct mesh *m = &q->mesh;
    const struct arrow turns[2] = {{1, 0}, {(double)q->angle.least.x, (double)q->angle.least.y}};
    int32_t corner[3 * BATCH + 1];
    for (int32_t t = 0; t < m->triangles; t += BATCH) {
        int32_t end = t + BATCH < m->triangles ? t + BATCH : m->triangles;
        int32_t count = list_corners(m, t, end, corner);
        mw_tick(q->run, 4 * (uint64_t)count + BATCH);
        for (int32_t i = 0; i < count; i++) {
            if (!must_look(q, turns, corner[i]) || sight_look_first(q, corner[i]))
                continue;
            sight_ask_all(q);
            return;
        }
    }
}
