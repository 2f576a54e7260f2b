/*
 * rim.c: loops of corners in treaps.
 */
#include "rim.h"

/* ---- directions ------------------------------------------------------------------------------ */

uint32_t arc_direction(struct ray ray)
{
    double x = (double)(ray.x < 0 ? -ray.x : ray.x), y = (double)(ray.y < 0 ? -ray.y : ray.y);
    uint32_t part = (uint32_t)(y / (x + y) * 0x1p30), half = UINT32_C(1) << 31;
    if (ray.y >= 0)
        return ray.x >= 0 ? part : half - part;
    return ray.x < 0 ? half + part : 0 - part;
}

struct arc arc_between(struct ray from, struct ray to)
{
    uint32_t first = arc_direction(from), width = arc_direction(to) - first;
    return (struct arc){first - 2, width > UINT32_MAX - 4 ? UINT32_MAX : width + 4};
}

static uint64_t width_to_hold(struct arc a, struct arc b)
{
    uint64_t width = (uint64_t)(uint32_t)(b.from - a.from) + b.width;
    return width > a.width ? width : a.width;
}

struct arc arc_around(struct arc a, struct arc b)
{
    if (!a.width || !b.width)
        return a.width ? a : b;
    uint64_t one = width_to_hold(a, b), other = width_to_hold(b, a);
    if (one > UINT32_MAX && other > UINT32_MAX)
        return whole_arc;
    return one <= other ? (struct arc){a.from, (uint32_t)one}
                        : (struct arc){b.from, (uint32_t)other};
}

/* What two arcs have in common; or, where those are two pieces, one of the two arcs. */
static struct arc arc_common(struct arc a, struct arc b)
{
    uint32_t to_b = b.from - a.from, to_a = a.from - b.from;
    if (!a.width || !b.width || (to_b > a.width && to_a > b.width))
        return no_arc;
    if (to_b <= a.width && to_a <= b.width)
        return a.width < b.width ? a : b;
    return to_b <= a.width
               ? (struct arc){b.from, a.width - to_b < b.width ? a.width - to_b : b.width}
               : (struct arc){a.from, b.width - to_a < a.width ? b.width - to_a : a.width};
}

struct arc arc_of_boxes(struct mw_box box, struct mw_box other)
{
    int64_t x0 = (int64_t)other.x0 - box.x1, x1 = (int64_t)other.x1 - box.x0,
            y0 = (int64_t)other.y0 - box.y1, y1 = (int64_t)other.y1 - box.y0;
    if (x0 > 0)
        return arc_between((struct ray){y0 < 0 ? x0 : x1, y0}, (struct ray){y1 > 0 ? x0 : x1, y1});
    if (x1 < 0)
        return arc_between((struct ray){y1 > 0 ? x1 : x0, y1}, (struct ray){y0 < 0 ? x1 : x0, y0});
    if (y0 > 0)
        return arc_between((struct ray){x1, y0}, (struct ray){x0, y0});
    if (y1 < 0)
        return arc_between((struct ray){x0, y1}, (struct ray){x1, y1});
    return whole_arc;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/*
 * Nodes are heaped by this: first by how often the corner's number can be halved, which makes a
 * perfect tree of corners that are numbered along their loop, as they are at the beginning; then by
 * chance.
 */
static uint32_t rank_of(int32_t corner)
{
    uint32_t n = (uint32_t)corner + 1, mixed = n * UINT32_C(0x9e3779b9);
    return (n & -n) << 7 | mixed >> 25;
}

static bool is_above(int32_t a, int32_t b)
{
    uint32_t x = rank_of(a), y = rank_of(b);
    return x > y || (x == y && a > b);
}

struct mw_box box_around(struct mw_box a, struct mw_box b)
{
    return (struct mw_box){mw_min(a.x0, b.x0), mw_min(a.y0, b.y0), mw_max(a.x1, b.x1),
                           mw_max(a.y1, b.y1)};
}

static void add_child(struct rims *r, int32_t node, int32_t below)
{
    struct corner *c = &r->corner[node];
    const struct corner *child = &r->corner[below];
    c->box = box_around(c->box, child->box);
    c->opens = arc_around(c->opens, child->opens);
    c->finest = child->finest < c->finest ? child->finest : c->finest;
    r->area[node] += r->area[below]; /* may wrap, but not that of a loop */
    c->has_beginning |= child->has_beginning;
}

/* Reads off the children what the subtree is. */
static void update(struct rims *r, int32_t node)
{
    struct corner *c = &r->corner[node];
    struct mw_point a = r->at[c->star], b = c->right < 0 ? a : r->at[c->right];
    c->box =
        (struct mw_box){mw_min(a.x, b.x), mw_min(a.y, b.y), mw_max(a.x, b.x), mw_max(a.y, b.y)};
    c->opens = c->open;
    c->finest = c->grain;
    r->area[node] = (uint64_t)((int64_t)a.x * b.y) - (uint64_t)((int64_t)a.y * b.x);
    c->has_beginning = c->begins;
    for (int i = 0; i < 2; i++)
        if (c->child[i] >= 0)
            add_child(r, node, c->child[i]);
}

/* An arc from one ray to the left up to another; the whole turn where that was rounded to none. */
static struct arc unrounded(struct arc arc, struct ray right, struct ray left)
{
    return arc.width < SLIVER && cross(right, left) <= 0 ? whole_arc : arc;
}

/* The directions that are left between the corner's lanes. */
static struct arc opening(const struct rims *r, const struct corner *c)
{
    if (c->right < 0)
        return whole_arc;
    struct mw_point at = r->at[c->star];
    struct ray right = ray_to(at, r->at[c->right]), left = ray_to(at, r->at[c->left]);
    if (cross(right, left) > 0 && cross(turned_left(right, r->angle.twice), left) < 0)
        return no_arc;
    struct arc arc =
        arc_between(turned_left(right, r->angle.least), turned_right(left, r->angle.least));
    return unrounded(arc, right, left);
}

void rim_set(struct rims *r, int32_t corner, int32_t right, int32_t left)
{
    struct corner *c = &r->corner[corner];
    c->right = right;
    c->left = left;
    c->open = arc_common(opening(r, c), c->open);
}

int32_t rim_add(struct rims *r, int32_t star, int32_t right, int32_t left, struct arc open)
{
    int32_t corner = r->corners++;
    r->corner[corner] =
        (struct corner){.star = star & MOST_STARS, .child = {-1, -1}, .parent = -1, .open = open};
    rim_set(r, corner, right, left);
    update(r, corner);
    return corner;
}

void rim_refresh(struct rims *r, int32_t corner)
{
    for (; corner >= 0; corner = r->corner[corner].parent)
        update(r, corner);
}

void rim_narrow(struct rims *r, int32_t corner, struct ray right, struct ray left)
{
    struct corner *c = &r->corner[corner];
    c->open = arc_common(unrounded(arc_between(right, left), right, left), c->open);
    rim_refresh(r, corner);
}

static void adopt(struct rims *r, int32_t node, int side, int32_t child)
{
    r->corner[node].child[side] = child;
    if (child >= 0)
        r->corner[child].parent = node;
}

/* ---- grain ----------------------------------------------------------------------------------- */

/* As many corners of a loop have the same grain, or up to twice as many: the longer, the less it is
   a matter of chance. */
enum { STRETCH = 1024, STRETCHES = 16 };

/* The binary logarithm of the square of a corner's first lane, times 2^10, a twelfth of a doubling
   off at most: the upper bits of a double. */
static int64_t grain_alone(const struct rims *r, const struct corner *c)
{
    if (c->right < 0)
        return UINT16_MAX;
    double length = (double)square(ray_to(r->at[c->star], r->at[c->right]));
    uint64_t bits;
    memcpy(&bits, &length, sizeof bits);
    return (int64_t)(bits >> 42) - (INT64_C(1023) << 10);
}

static int32_t list_corners(const struct rims *r, int32_t node, int32_t *list)
{
    if (node < 0)
        return 0;
    int32_t count = list_corners(r, r->corner[node].child[0], list);
    list[count++] = node;
    return count + list_corners(r, r->corner[node].child[1], list + count);
}

static void sift(struct rims *r, const int32_t *list, int32_t count)
{
    int32_t end, most = mw_max(STRETCH, count / STRETCHES);
    for (int32_t i = 0; i < count; i = end) {
        int64_t sum = 0;
        end = count - i < 2 * most ? count : i + most;
        for (int32_t k = i; k < end; k++)
            sum += grain_alone(r, &r->corner[list[k]]);
        for (int32_t k = i; k < end; k++)
            r->corner[list[k]].grain = (uint16_t)(sum / (end - i));
    }
}

/* The corner of each place of a list moves there. */
static void permute(struct rims *r, int32_t *list)
{
    for (int32_t i = 0; i < r->corners; i++) {
        struct corner first = r->corner[i];
        int32_t to = i, from;
        for (; (from = list[to]) != i; to = from) {
            r->corner[to] = r->corner[from];
            list[to] = to;
        }
        r->corner[to] = first;
        list[to] = to;
    }
}

/* A perfect tree of the corners from one number up to before another, perhaps none. */
static int32_t grow(struct rims *r, int32_t from, int32_t to)
{
    if (from == to)
        return -1;
    int32_t half = 0;
    while ((from ^ to) >> half > 1)
        half++;
    int32_t node = (to >> half << half) - 1;
    adopt(r, node, 0, grow(r, from, node));
    adopt(r, node, 1, grow(r, node + 1, to));
    update(r, node);
    r->corner[node].parent = -1;
    return node;
}

/* Sifts the loops of a list of corners; the first of each remembers where the loop ends. */
static void sift_loops(struct rims *r, const int32_t *list, int32_t from, int32_t to)
{
    for (int32_t i = from, end; i < to; i = end) {
        for (end = i + 1; end < to && !r->corner[list[end]].begins; end++)
            ;
        sift(r, list + i, end - i);
        r->corner[list[i]].parent = end;
        r->corner[list[i]].begins = false;
    }
}

void rim_sift(struct mw_run *run, struct rims *r, int32_t *list)
{
    mw_tick(run, 8 * (uint64_t)r->corners);
    for (int32_t c = 0, count = 0; c < r->corners; c++) {
        if (r->corner[c].parent >= 0)
            continue;
        int32_t from = count;
        count += list_corners(r, c, list + count);
        sift_loops(r, list, from, count);
    }
    permute(r, list);
    for (int32_t i = 0, end; i < r->corners; i = end) {
        end = r->corner[i].parent;
        grow(r, i, end);
    }
}

/* ---- trees ----------------------------------------------------------------------------------- */

int32_t rim_root(const struct rims *r, int32_t corner)
{
    while (r->corner[corner].parent >= 0)
        corner = r->corner[corner].parent;
    return corner;
}

int32_t rim_end(const struct rims *r, int32_t node, int side)
{
    while (node >= 0 && r->corner[node].child[side] >= 0)
        node = r->corner[node].child[side];
    return node;
}

int32_t rim_beside(const struct rims *r, int32_t corner, int side)
{
    const struct corner *c = r->corner;
    int32_t node = c[corner].child[side], up;
    if (node >= 0)
        return rim_end(r, node, !side);
    for (node = corner; (up = c[node].parent) >= 0 && c[up].child[side] == node; node = up)
        ;
    return up;
}

int32_t rim_join(struct rims *r, int32_t first, int32_t second)
{
    if (first < 0 || second < 0)
        return first < 0 ? second : first;
    bool above = is_above(first, second);
    int32_t top = above ? first : second;
    if (above)
        adopt(r, top, 1, rim_join(r, r->corner[first].child[1], second));
    else
        adopt(r, top, 0, rim_join(r, first, r->corner[second].child[0]));
    update(r, top);
    return top;
}

void rim_cut(struct rims *r, int32_t corner, int32_t *first, int32_t *second)
{
    int32_t node = corner, up = r->corner[node].parent;
    *first = r->corner[node].child[0];
    *second = node;
    r->corner[node].child[0] = -1;
    update(r, node);
    for (int32_t child = node; up >= 0; child = node) {
        node = up;
        up = r->corner[node].parent;
        int side = r->corner[node].child[1] == child;
        adopt(r, node, side, side ? *first : *second);
        update(r, node);
        *(side ? first : second) = node;
    }
    for (int i = 0; i < 2; i++) {
        int32_t root = i ? *second : *first;
        if (root >= 0)
            r->corner[root].parent = -1;
    }
}

/* The last beginning in a tree that has one (side 1), or the first (side 0). */
static int32_t beginning_in(const struct rims *r, int32_t node, int side)
{
    for (;;) {
        const struct corner *c = &r->corner[node];
        int32_t child = c->child[side];
        if (child >= 0 && r->corner[child].has_beginning) {
            node = child;
            continue;
        }
        if (c->begins)
            return node;
        node = c->child[!side];
    }
}

/* The next beginning before the corner (side 0) or behind it (side 1); -1 where there is none. */
static int32_t next_beginning(const struct rims *r, int32_t corner, int side)
{
    int32_t node = corner, child = r->corner[node].child[side];
    if (child >= 0 && r->corner[child].has_beginning)
        return beginning_in(r, child, !side);
    for (int32_t up; (up = r->corner[node].parent) >= 0; node = up) {
        const struct corner *c = &r->corner[up];
        if (c->child[side] == node)
            continue;
        if (c->begins)
            return up;
        if (c->child[side] >= 0 && r->corner[c->child[side]].has_beginning)
            return beginning_in(r, c->child[side], !side);
    }
    return -1;
}

int32_t rim_take_loop(struct rims *r, int32_t corner, int32_t *before, int32_t *behind)
{
    int32_t first = r->corner[corner].begins ? corner : next_beginning(r, corner, 0),
            next = next_beginning(r, corner, 1), loop;
    rim_cut(r, first, before, &loop);
    *behind = -1;
    if (next >= 0)
        rim_cut(r, next, &loop, behind);
    r->corner[first].begins = false;
    rim_refresh(r, first);
    return loop;
}

/* ---- looking --------------------------------------------------------------------------------- */

static bool is_within(struct ray right, struct ray left, struct ray ray)
{
    if (cross(right, left) > 0)
        return cross(right, ray) > 0 && cross(ray, left) > 0;
    return cross(right, ray) > 0 || cross(ray, left) > 0;
}

bool rim_admits(const struct rims *r, int32_t corner, struct ray ray)
{
    const struct corner *c = &r->corner[corner];
    if (c->right < 0)
        return true;
    struct mw_point at = r->at[c->star];
    struct ray right = ray_to(at, r->at[c->right]), left = ray_to(at, r->at[c->left]);
    if (c->right == c->left ? cross(right, ray) == 0 && dot(right, ray) > 0
                            : !is_within(right, left, ray))
        return false;
    return !too_close(&r->angle, ray, right) && !too_close(&r->angle, ray, left);
}

int32_t rim_find(struct mw_run *run, const struct rims *r, int32_t root, int32_t star,
                 struct ray ray, int32_t *stack)
{
    struct mw_point at = r->at[star];
    struct mw_box box = {at.x, at.y, at.x, at.y};
    int32_t count = 0;
    stack[count++] = root;
    while (count > 0) {
        int32_t i = stack[--count];
        const struct corner *c = &r->corner[i];
        mw_tick(run, 1);
        if (boxes_apart(c->box, box))
            continue;
        if (c->star == star && rim_admits(r, i, ray))
            return i;
        for (int k = 0; k < 2; k++)
            if (c->child[k] >= 0)
                stack[count++] = c->child[k];
    }
    return -1;
}

/* Whether the box lies on one side of the line from a along the ray. */
static bool box_is_aside(struct mw_box box, struct mw_point a, struct ray ray)
{
    int64_t x0 = (int64_t)box.x0 - a.x, x1 = (int64_t)box.x1 - a.x, y0 = (int64_t)box.y0 - a.y,
            y1 = (int64_t)box.y1 - a.y;
    int64_t most = ray.x * (ray.x > 0 ? y1 : y0) - ray.y * (ray.y > 0 ? x0 : x1),
            least = ray.x * (ray.x > 0 ? y0 : y1) - ray.y * (ray.y > 0 ? x1 : x0);
    return most < 0 || least > 0;
}

/* Whether star c lies between a and b. */
static bool is_between(struct mw_point a, struct mw_point b, struct mw_point c)
{
    return turn(a, b, c) == 0 && dot(ray_to(c, a), ray_to(c, b)) < 0;
}

static bool cross_over(struct mw_point a, struct mw_point b, struct mw_point c, struct mw_point d)
{
    int64_t ac = turn(a, b, c), ad = turn(a, b, d), ca = turn(c, d, a), cb = turn(c, d, b);
    return ((ac > 0 && ad < 0) || (ac < 0 && ad > 0)) && ((ca > 0 && cb < 0) || (ca < 0 && cb > 0));
}

static bool blocks_alone(const struct rims *r, const struct corner *c, int32_t a, int32_t b)
{
    if (is_between(r->at[a], r->at[b], r->at[c->star]))
        return true;
    return c->right >= 0 && cross_over(r->at[a], r->at[b], r->at[c->star], r->at[c->right]);
}

bool rim_blocks(struct mw_run *run, const struct rims *r, int32_t root, int32_t a, int32_t b,
                int32_t *stack)
{
    struct mw_point p = r->at[a], q = r->at[b];
    struct mw_box box = {mw_min(p.x, q.x), mw_min(p.y, q.y), mw_max(p.x, q.x), mw_max(p.y, q.y)};
    struct ray ray = ray_to(p, q);
    int32_t count = 0;
    stack[count++] = root;
    while (count > 0) {
        const struct corner *c = &r->corner[stack[--count]];
        mw_tick(run, 1);
        if (boxes_apart(c->box, box) || box_is_aside(c->box, p, ray))
            continue;
        if (blocks_alone(r, c, a, b))
            return true;
        for (int i = 0; i < 2; i++)
            if (c->child[i] >= 0)
                stack[count++] = c->child[i];
    }
    return false;
}
