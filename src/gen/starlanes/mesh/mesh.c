/*
 * mesh.c: the triangulation beneath the lanes.
 *
 * BUILDING. Stars are inserted one by one, in rounds each eight times as large as the one before
 * (the biased randomised order of Amenta, Choi and Rote). The map is cut from top to bottom into
 * strips of as many stars each, and a round goes down one strip and up the next. So each star is
 * near the one before, no order of the client's can make it slow, and triangles lie in memory as
 * along the strips. The walk from the last star finds the triangle of the next; the triangle is
 * split into three, and Lawson's flips make all circles empty again. A star outside of the hull
 * falls into a triangle with the star at infinity, whose circle is the half-plane beyond its hull
 * side: the same code adds it.
 *
 * INSERTING A LANE, as in a constrained triangulation (Sloan 1993). A side of the mesh becomes a
 * lane by setting its bit. Any other lane a-b crosses sides, which are flipped where the two
 * triangles beside them make a convex quadrilateral, until a-b is a side:
 *
 *            u1----u2-----u3                      u1----u2-----u3
 *           /  \   |    /   \                    / `---._ `---.  \
 *          a- - \ -| - / - - b        =>        a-------------`--b
 *           \    \ |  /    _/                    \ `-._        _/
 *            `-----v1----'                        `-----v1----'
 *
 * The new side must not cross a-b; or it may, if of all four stars the farthest from a-b is an end
 * of the old one. WHY IT ENDS: the sides that cross never become more, and while they stay as many
 * their ends become nearer to a-b. There is always one to flip. Let u be the farthest star with
 * sides that cross a-b. From the star before it on its hand, over the other ends of these sides, to
 * the star after it runs a chain around u. If no side at u could be flipped the chain would bend
 * away from u nowhere, so all of it would lie on that side of the line between its ends on which u
 * does. But its ends lie on the hand of u, or are a or b, and what is between lies on the other.
 *
 * COST. n log n for the building; a lane costs as many steps as it crosses sides, mostly none or
 * one.
 */
#include "mesh.h"

enum { ROUNDS = 8 };

/* ---- linking and flipping -------------------------------------------------------------------- */

static void link_sides(struct mesh *m, int32_t s, int32_t t)
{
    m->number[s + 4] = t;
    m->number[t + 4] = s;
}

/*
 * Side s runs a -> b between the apexes c, to its left, and d. Afterwards next(s) is d -> c; the
 * side a -> d has moved to s, b -> c to its twin; c -> a and d -> b have stayed.
 */
static void flip(struct mesh *m, int32_t s)
{
    int32_t t = side_twin(m, s), sn = side_next(s), tn = side_next(t);
    int32_t a = side_from(m, s), b = side_from(m, t), c = side_apex(m, s), d = side_apex(m, t);
    int32_t ad = side_twin(m, tn), bc = side_twin(m, sn);
    assert(side_twin(m, t) == s && side_to(m, s) == b && c != d);
    m->number[sn] = d;
    m->number[tn] = c;
    link_sides(m, s, ad);
    link_sides(m, t, bc);
    link_sides(m, sn, tn);
    m->out[a] = s;
    m->out[b] = t;
}

/* ---- building -------------------------------------------------------------------------------- */

static void add_term(struct wide *sums, int64_t lift, int64_t area)
{
    struct wide term = wide_product((uint64_t)lift, (uint64_t)(area < 0 ? -area : area));
    sums[area < 0] = wide_sum(sums[area < 0], term);
}

/* A star as seen from a new one. */
struct seen {
    int32_t star;
    struct star_offset at;
};

static inline struct seen see(const struct mesh *m, int32_t from, int32_t star)
{
    return (struct seen){star, offset_of(star_ray(m, from, star == m->stars ? from : star))};
}

static inline double seen_cross(struct seen a, struct seen b)
{
    return a.at.x * b.at.y - a.at.y * b.at.x;
}

/* Whether the new star lies inside of the circle through b, a and d, which turn to the left. */
static inline bool in_circle(const struct mesh *m, struct seen a, struct seen b, struct seen d)
{
    double da = seen_cross(d, a), bd = seen_cross(b, d), ab = seen_cross(a, b);
    double about = -(b.at.square * da + a.at.square * bd + d.at.square * ab);
    if (about > m->doubt || about < -m->doubt)
        return about > 0;
    struct wide sums[2] = {{0, 0}, {0, 0}};
    add_term(sums, (int64_t)b.at.square, (int64_t)da);
    add_term(sums, (int64_t)a.at.square, (int64_t)bd);
    add_term(sums, (int64_t)d.at.square, (int64_t)ab);
    return wide_compare(sums[0], sums[1]) < 0;
}

/*
 * The factors of in_circle are exact as doubles. None of its three products exceeds the fourth
 * power of the map's diagonal, so three roundings of products and two of sums err by less than
 *
 *     16 * 2^-53 * diagonal^4
 *
 * Where the whole sum stays below 2^53 nothing is rounded at all.
 */
static double doubt_for(struct mw_point low, struct mw_point high)
{
    double x = (double)high.x - low.x, y = (double)high.y - low.y,
           most = (x * x + y * y) * (x * x + y * y);
    return most < 0x1p50 ? 0 : most * 0x1p-49;
}

/* Whether side s, a -> b, must be flipped to one from the new star p, on its left, to star d. */
static inline bool must_flip(const struct mesh *m, int32_t p, struct seen a, struct seen b,
                             struct seen d)
{
    int32_t infinity = m->stars;
    if (d.star == infinity)
        return turn(m->at[a.star], m->at[b.star], m->at[p]) <= 0;
    if (a.star == infinity)
        return turn(m->at[d.star], m->at[b.star], m->at[p]) > 0;
    if (b.star == infinity)
        return turn(m->at[a.star], m->at[d.star], m->at[p]) > 0;
    return in_circle(m, a, b, d);
}

static void set_triangle(struct mesh *m, int32_t t, int32_t a, int32_t b, int32_t c)
{
    m->triangle[t] = (struct triangle){.star = {a, b, c}};
    m->out[a] = 8 * t;
    m->out[b] = 8 * t + 1;
    m->out[c] = 8 * t + 2;
}

/* Triangle t becomes three that meet at p. */
static void split(struct mesh *m, int32_t t, int32_t p)
{
    assert(m->triangles + 2 <= 2 * m->stars);
    struct triangle old = m->triangle[t];
    int32_t part[3] = {t, m->triangles, m->triangles + 1};
    m->triangles += 2;
    for (int i = 0; i < 3; i++) {
        set_triangle(m, part[i], old.star[i], old.star[(i + 1) % 3], p);
        link_sides(m, 8 * part[i], old.twin[i]);
    }
    for (int i = 0; i < 3; i++)
        link_sides(m, 8 * part[i] + 1, 8 * part[(i + 1) % 3] + 2);
}

/* Goes round the new star of triangle t and flips until all sides opposite of it may stay. */
static void settle(struct mw_run *run, struct mesh *m, int32_t t)
{
    int32_t s = 8 * t, p = side_apex(m, s), asked = 0;
    struct seen a = see(m, p, side_from(m, s)), b = see(m, p, side_to(m, s));
    int32_t most = 3 + 2 * m->triangles; /* each flip adds one side */
    for (int32_t left = 3; left > 0 && asked < most; asked++) {
        struct seen d = see(m, p, side_apex(m, side_twin(m, s)));
        if (must_flip(m, p, a, b, d)) {
            flip(m, s);
            b = d;
            left++;
        } else {
            s = side_next(side_twin(m, side_next(s)));
            a = b;
            b = see(m, p, side_to(m, s));
            left--;
        }
    }
    assert(asked < most);
    mw_tick(run, (uint64_t)asked);
}

/* The triangle of point p, found by walking from side s; with the star at infinity where p is
   outside. */
static int32_t locate(struct mw_run *run, const struct mesh *m, int32_t s, struct mw_point p)
{
    int32_t hull = mesh_hull_side(m, s >> 3);
    if (hull >= 0)
        s = side_twin(m, hull);
    for (int held = 0; held < 3;) {
        mw_tick(run, 1);
        if (turn(m->at[side_from(m, s)], m->at[side_to(m, s)], p) >= 0) {
            held++;
            s = side_next(s);
            continue;
        }
        s = side_twin(m, s);
        if (side_apex(m, s) == m->stars)
            break;
        s = side_next(s); /* p lies to the left of the side just crossed */
        held = 1;
    }
    return s >> 3;
}

/* Seven eighths of all stars come in the last round, of the others in the one before, and so on. */
static int round_of(int32_t star)
{
    uint64_t mixed = (uint64_t)star * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    int round = ROUNDS;
    for (; round > 0 && !(mixed & 7); mixed >>= 3)
        round--;
    return round;
}

void mesh_extent(const struct mw_point *at, int32_t stars, struct mw_point *low,
                 struct mw_point *high)
{
    *low = at[0];
    *high = at[0];
    for (int32_t i = 1; i < stars; i++) {
        *low = (struct mw_point){mw_min(low->x, at[i].x), mw_min(low->y, at[i].y)};
        *high = (struct mw_point){mw_max(high->x, at[i].x), mw_max(high->y, at[i].y)};
    }
}

/* The stars between `low` and `high` in rounds, in each down one strip and up the next. Strips are
   about two stars wide. */
static int32_t *order_stars(struct mw_run *run, const struct mesh *m, struct mw_point low,
                            struct mw_point high)
{
    int32_t *order = MW_NEW(run, int32_t, m->stars);
    char *mark = mw_mark(run);
    uint64_t *keys = MW_NEW(run, uint64_t, m->stars);
    int64_t width = (int64_t)high.x - low.x + 1, height = (int64_t)high.y - low.y + 1;
    int32_t each = 1 + (int32_t)mw_root(4 * m->stars * height / width);
    mw_tick(run, 4 * (uint64_t)m->stars);
    for (int32_t i = 0; i < m->stars; i++) {
        assert(i == 0 || m->at[i].x > m->at[i - 1].x ||
               (m->at[i].x == m->at[i - 1].x && m->at[i].y > m->at[i - 1].y));
        uint64_t strip = (uint64_t)(i / each), round = (uint64_t)round_of(i);
        int32_t down = m->at[i].y - low.y, up = high.y - m->at[i].y;
        keys[i] = round << 48 | strip << 24 | (uint32_t)(strip % 2 ? up : down);
        order[i] = i;
    }
    mw_sort(run, keys, order, m->stars);
    mw_rewind(run, mark);
    return order;
}

/* One triangle, and three beyond its sides. */
static void begin(struct mesh *m, int32_t a, int32_t b, int32_t c)
{
    int32_t star[3] = {a, b, c}, infinity = m->stars;
    set_triangle(m, 0, a, b, c);
    for (int i = 0; i < 3; i++) {
        set_triangle(m, i + 1, star[(i + 1) % 3], star[i], infinity);
        link_sides(m, i, 8 * (i + 1));
    }
    for (int i = 0; i < 3; i++)
        link_sides(m, 8 * (i + 1) + 1, 8 * ((i + 2) % 3 + 1) + 2);
    m->triangles = 4;
}

bool mesh_build(struct mw_run *run, struct mesh *m, const struct mw_point *at, int32_t stars)
{
    *m = (struct mesh){.at = at, .stars = stars};
    int32_t c = 2; /* the first star that is not on the line of the first two */
    while (c < stars && turn(at[0], at[1], at[c]) == 0)
        c++;
    if (c == stars)
        return false;
    m->triangle = MW_NEW(run, struct triangle, 2 * (int64_t)stars);
    m->out = MW_NEW(run, int32_t, stars + 1);
    char *mark = mw_mark(run);
    struct mw_point low, high;
    mesh_extent(at, stars, &low, &high);
    m->doubt = doubt_for(low, high);
    int32_t *order = order_stars(run, m, low, high), last = 0;
    bool left = turn(at[0], at[1], at[c]) > 0;
    begin(m, 0, left ? 1 : c, left ? c : 1);
    for (int32_t i = 0; i < stars; i++) {
        int32_t star = order[i];
        __builtin_prefetch(&at[order[mw_min(i + AHEAD, stars - 1)]]);
        if (star < 2 || star == c)
            continue;
        last = locate(run, m, 8 * last, at[star]);
        split(m, last, star);
        settle(run, m, last);
    }
    assert(m->triangles == 2 * stars - 2); /* Euler's formula, with the star at infinity */
    mw_rewind(run, mark);
    return true;
}

/* ---- inserting lanes ------------------------------------------------------------------------- */

int32_t mesh_toward(struct mw_run *run, const struct mesh *m, int32_t a, int32_t b, int32_t guess)
{
    assert(a != b && a < m->stars && b < m->stars);
    int32_t s = side_from(m, guess) == a ? guess : m->out[a];
    struct ray ray = star_ray(m, a, b);
    for (;; s = side_left(m, s)) {
        int32_t x = side_to(m, s), y = side_apex(m, s);
        mw_tick(run, 1);
        if (x == b)
            return s;
        if (x != m->stars && y != m->stars && y != b && cross(star_ray(m, a, x), ray) > 0 &&
            cross(ray, star_ray(m, a, y)) > 0)
            return s;
    }
}

static uint32_t bits_of(const struct mesh *m, int32_t s)
{
    return m->triangle[s >> 3].lanes >> (s & 3) & SIDE_BITS;
}

static void set_bits(struct mesh *m, int32_t s, uint32_t bits)
{
    uint32_t *lanes = &m->triangle[s >> 3].lanes;
    *lanes = (*lanes & ~((uint32_t)SIDE_BITS << (s & 3))) | bits << (s & 3);
}

/* The same among lanes: sides that move keep their bits. */
static void flip_with_bits(struct mesh *m, int32_t s)
{
    int32_t t = side_twin(m, s), sn = side_next(s), tn = side_next(t);
    uint32_t ad = bits_of(m, tn), bc = bits_of(m, sn);
    flip(m, s);
    set_bits(m, s, ad);
    set_bits(m, t, bc);
    set_bits(m, sn, 0);
    set_bits(m, tn, 0);
}

/* Whether star u is farther than star v from the line through a and b; no two are equally far. */
static bool is_farther(const struct mesh *m, int32_t a, int32_t b, int32_t u, int32_t v)
{
    int64_t to_u = turn(m->at[a], m->at[b], m->at[u]), to_v = turn(m->at[a], m->at[b], m->at[v]);
    to_u = to_u < 0 ? -to_u : to_u;
    to_v = to_v < 0 ? -to_v : to_v;
    return to_u > to_v || (to_u == to_v && u > v);
}

/* Whether to flip side s, x -> y, which crosses a-b, to one between the stars c and d: that must
   lie within the triangles, and not cross a-b unless x or y is the farthest of all four. */
static bool should_flip(const struct mesh *m, int32_t a, int32_t b, int32_t s)
{
    int32_t x = side_from(m, s), y = side_to(m, s), c = side_apex(m, s),
            d = side_apex(m, side_twin(m, s));
    const struct mw_point *at = m->at;
    if (turn(at[c], at[x], at[d]) <= 0 || turn(at[d], at[y], at[c]) <= 0)
        return false;
    int64_t of_c = turn(at[a], at[b], at[c]), of_d = turn(at[a], at[b], at[d]);
    if ((of_c <= 0 && of_d <= 0) || (of_c >= 0 && of_d >= 0))
        return true;
    int32_t far = is_farther(m, a, b, x, y) ? x : y;
    return is_farther(m, a, b, far, c) && is_farther(m, a, b, far, d);
}

/* Goes once along the sides that cross a-b and flips some; `side` is that out of a toward b. */
static void flip_across(struct mw_run *run, struct mesh *m, int32_t a, int32_t b, int32_t side)
{
    bool flipped = false;
    for (int32_t s = side_next(side), d = -1; d != b; mw_tick(run, 4)) {
        assert(!side_is_lane(m, s));
        int32_t t = side_twin(m, s);
        bool flips = should_flip(m, a, b, s);
        d = side_apex(m, t);
        flipped |= flips;
        if (flips)
            flip_with_bits(m, s);
        if (turn(m->at[a], m->at[b], m->at[d]) < 0)
            s = side_prev(t);
        else if (!flips)
            s = side_next(t);
    }
    assert(flipped); /* so it ends */
}

int32_t mesh_insert(struct mw_run *run, struct mesh *m, int32_t a, int32_t b, int32_t guess)
{
    int32_t side = guess, twin;
    while (side_to(m, side = mesh_toward(run, m, a, b, side)) != b)
        flip_across(run, m, a, b, side);
    twin = side_twin(m, side);
    set_bits(m, side, bits_of(m, side) | LANE);
    set_bits(m, twin, bits_of(m, twin) | LANE);
    return side;
}
