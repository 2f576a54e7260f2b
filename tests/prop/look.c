/* look.c: what the countries of maps look like, in numbers. */
#include "look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979

/* A corner of cells, and the corners that a border leads to from it. */
struct corner {
    int to[4], count;
    int own[4], other[4]; /* countries on both sides of it */
    bool used[4];
};

struct point {
    double x, y;
};

struct map {
    const int32_t *cells;
    int width, height, count;
    bool hex;
    int across; /* corners in a row of the lattice of corners */
    struct corner *corner;
    int corners;
    double *perimeter; /* by country */
    struct point *line;
    double ruler[RULERS];
};

/* ---- the lattice of corners ------------------------------------------------------------------ */

/* Of hexagons x counts halves of a cell, and y parts of 1 / (2 root 3). */
static int corner_at(const struct map *m, int x, int y) { return y * m->across + x; }

static struct point place_of(const struct map *m, int corner)
{
    int x = corner % m->across, y = corner / m->across;
    return m->hex ? (struct point){x / 2.0, y / (2 * sqrt(3))} : (struct point){x, y};
}

static void add_end(struct corner *corner, int to, int own, int other)
{
    corner->own[corner->count] = own;
    corner->other[corner->count] = other;
    corner->to[corner->count++] = to;
}

static int cell(const struct map *m, int x, int y)
{
    bool inside = x >= 0 && y >= 0 && x < m->width && y < m->height;
    return inside ? m->cells[y * m->width + x] : 0;
}

/* A side between a cell and another, if it is a border of two countries. */
static void look_at_side(struct map *m, int own, int other, int from, int to)
{
    if (!own || !other || own == other)
        return;
    add_end(&m->corner[from], to, own, other);
    add_end(&m->corner[to], from, own, other);
}

static void add_square(struct map *m, int x, int y)
{
    int own = cell(m, x, y);
    look_at_side(m, own, cell(m, x + 1, y), corner_at(m, x + 1, y), corner_at(m, x + 1, y + 1));
    look_at_side(m, own, cell(m, x, y + 1), corner_at(m, x, y + 1), corner_at(m, x + 1, y + 1));
}

static void add_hexagon(struct map *m, int x, int y)
{
    int own = cell(m, x, y);
    int odd = y & 1, cx = 2 * x + odd + 1, cy = 3 * y + 2;
    int right = corner_at(m, cx + 1, cy + 1), low = corner_at(m, cx, cy + 2);
    look_at_side(m, own, cell(m, x + 1, y), corner_at(m, cx + 1, cy - 1), right);
    look_at_side(m, own, cell(m, x + odd, y + 1), right, low);
    look_at_side(m, own, cell(m, x + odd - 1, y + 1), low, corner_at(m, cx - 1, cy + 1));
}

/* ---- borders --------------------------------------------------------------------------------- */

static double distance(struct point a, struct point b) { return hypot(a.x - b.x, a.y - b.y); }

/* The length of a line, stepped off with dividers; a last step that is too short counts by its
   part. */
static double step_off(const struct point *line, int n, double ruler)
{
    struct point at = line[0];
    double length = 0, left = 0;
    for (int i = 1; i < n; i++) {
        left = distance(at, line[i]);
        if (left < ruler)
            continue;
        length += left;
        at = line[i];
        left = 0;
    }
    return length + left;
}

static int find_side(const struct corner *corner, int to)
{
    int i = 0;
    while (corner->to[i] != to || corner->used[i])
        i++;
    return i;
}

/* Follows a border from a corner to where others meet it; into m->line, how many points. */
static int follow(struct map *m, int from, int side)
{
    int n = 0, first = from;
    m->line[n++] = place_of(m, from);
    for (;;) {
        int to = m->corner[from].to[side];
        m->corner[from].used[side] = true;
        struct corner *next = &m->corner[to];
        next->used[find_side(next, from)] = true;
        m->line[n++] = place_of(m, to);
        if (next->count != 2 || to == first)
            return n;
        from = to;
        side = next->used[0] ? 1 : 0;
    }
}

static void measure_border(struct map *m, struct look *look, int at, int side)
{
    int own = m->corner[at].own[side], other = m->corner[at].other[side], n = follow(m, at, side);
    double fine = step_off(m->line, n, m->ruler[0]);
    m->perimeter[own] += fine;
    m->perimeter[other] += fine;
    if (distance(m->line[0], m->line[n - 1]) < 2 * m->ruler[LONG_RULER])
        return;
    for (int i = 0; i < RULERS; i++)
        look->length[i] += step_off(m->line, n, m->ruler[i]);
}

static void measure_borders(struct map *m, struct look *look)
{
    for (int loops = 0; loops < 2; loops++) /* from where borders meet first, then what is left */
        for (int at = 0; at < m->corners; at++)
            for (int side = 0; side < m->corner[at].count; side++)
                if (!m->corner[at].used[side] && (loops || m->corner[at].count != 2))
                    measure_border(m, look, at, side);
}

/* ---- where three meet ------------------------------------------------------------------------ */

/* In which direction a border leaves a corner: to where it is first some cells away. False: it ends
   before. */
static bool leave(const struct map *m, int from, int side, double *angle)
{
    enum { AWAY = 4 };
    struct point start = place_of(m, from);
    for (int before = from, at = m->corner[from].to[side];;) {
        struct point point = place_of(m, at);
        *angle = atan2(point.y - start.y, point.x - start.x) * 180 / PI;
        if (distance(start, point) >= AWAY)
            return true;
        if (m->corner[at].count != 2)
            return false;
        int next = m->corner[at].to[m->corner[at].to[0] == before];
        before = at;
        at = next;
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void look_at_corner(const struct map *m, struct look *look, int at)
{
    double angle[3], gap[3];
    if (m->corner[at].count != 3)
        return;
    for (int side = 0; side < 3; side++)
        if (!leave(m, at, side, &angle[side]))
            return;
    qsort(angle, 3, sizeof *angle, compare);
    gap[0] = angle[1] - angle[0];
    gap[1] = angle[2] - angle[1];
    gap[2] = 360 - angle[2] + angle[0];
    qsort(gap, 3, sizeof *gap, compare);
    look->points++;
    look->tees += fabs(gap[2] - 180) <= 20 && fabs(gap[0] - 90) <= 25 && fabs(gap[1] - 90) <= 25;
    look->wyes += gap[0] >= 90 && gap[2] <= 150;
}

/* ---- countries ------------------------------------------------------------------------------- */

struct country {
    double n, x, y, xx, yy, xy; /* sums over its cells */
    bool at_edge;
};

static void add_cell(const struct map *m, struct country *country, int x, int y)
{
    double px = x + (m->hex && y & 1 ? .5 : 0), py = m->hex ? y * sqrt(3) / 2 : y;
    country->n++;
    country->x += px, country->y += py;
    country->xx += px * px, country->yy += py * py, country->xy += px * py;
    country->at_edge |= !x || !y || x == m->width - 1 || y == m->height - 1;
}

static void judge(const struct map *m, struct look *look, const struct country *c, double perimeter)
{
    double mx = c->x / c->n, my = c->y / c->n;
    double vx = c->xx / c->n - mx * mx, vy = c->yy / c->n - my * my, vxy = c->xy / c->n - mx * my;
    double d = hypot(vx - vy, 2 * vxy), aspect = sqrt((vx + vy + d) / fmax(1e-9, vx + vy - d));
    double turn = fmod(atan2(2 * vxy, vx - vy) * 90 / PI + 180, 90);
    double quotient = 4 * PI * c->n * (m->hex ? sqrt(3) / 2 : 1) / (perimeter * perimeter);
    look->countries++;
    look->longish += aspect > 1.15;
    look->along += aspect > 1.15 && (turn <= 15 || turn >= 75);
    look->quotient += quotient;
    look->squares += quotient * quotient;
}

static void look_around(const struct map *m, bool *beside, int x, int y)
{
    static const int hexagon[2][6][2] = {{{1, 0}, {-1, 0}, {0, 1}, {-1, 1}, {0, -1}, {-1, -1}},
                                         {{1, 0}, {-1, 0}, {1, 1}, {0, 1}, {1, -1}, {0, -1}}};
    static const int square[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    for (int i = 0; i < (m->hex ? 6 : 4); i++) {
        const int *step = m->hex ? hexagon[y & 1][i] : square[i];
        int own = cell(m, x, y), other = cell(m, x + step[0], y + step[1]);
        if (other && other != own)
            beside[own * (m->count + 1) + other] = true;
    }
}

static void look_at_countries(const struct map *m, struct look *look)
{
    size_t all = (size_t)m->count + 1;
    struct country *country = calloc(all, sizeof *country);
    bool *beside = calloc(all * all, 1);
    for (int y = 0; y < m->height; y++)
        for (int x = 0; x < m->width; x++) {
            add_cell(m, &country[cell(m, x, y)], x, y);
            look_around(m, beside, x, y);
        }
    for (int k = 1; k <= m->count; k++) {
        if (country[k].at_edge || country[k].n < 12)
            continue;
        judge(m, look, &country[k], m->perimeter[k]);
        for (int other = 1; other <= m->count; other++)
            look->neighbours += beside[(size_t)k * all + (size_t)other];
    }
    free(country);
    free(beside);
}

void look_at(struct look *look, const int32_t *cells, int width, int height, bool hex, int count)
{
    struct map m = {.cells = cells, .width = width, .height = height, .count = count, .hex = hex};
    m.across = hex ? 2 * width + 4 : width + 2;
    m.corners = m.across * (hex ? 3 * height + 5 : height + 2);
    m.corner = calloc((size_t)m.corners, sizeof *m.corner);
    m.perimeter = calloc((size_t)count + 1, sizeof *m.perimeter);
    m.line = malloc((size_t)m.corners * 2 * sizeof *m.line);
    double area = (double)width * height * (hex ? sqrt(3) / 2 : 1) / count;
    double diameter = 2 * sqrt(area / PI);
    m.ruler[SHORT_RULER] = 2;
    m.ruler[LONG_RULER] = diameter / 8;
    for (int i = 2; i < RULERS; i++)
        m.ruler[i] = 2 * pow(diameter / 8, (i - 1) / 4.0);
    memcpy(look->ruler, m.ruler, sizeof m.ruler);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            hex ? add_hexagon(&m, x, y) : add_square(&m, x, y);
    measure_borders(&m, look);
    for (int at = 0; at < m.corners; at++)
        look_at_corner(&m, look, at);
    look_at_countries(&m, look);
    free(m.corner);
    free(m.line);
    free(m.perimeter);
}

double look_spread(const struct look *look)
{
    double mean = look->quotient / look->countries;
    return sqrt(look->squares / look->countries - mean * mean);
}

double look_dimension(const struct look *look, int from, int to)
{
    return 1 +
           log(look->length[from] / look->length[to]) / log(look->ruler[to] / look->ruler[from]);
}

double look_alike(const int32_t *cells, const int32_t *others, int n)
{
    int alike = 0;
    for (int i = 0; i < n; i++)
        alike += cells[i] == others[i];
    return (double)alike / n;
}
