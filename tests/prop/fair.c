/*
 * fair.c: how fair homes are. Shares nothing with the generator: ways are put right in floating
 * point until none gets shorter (Bellman 1958, Moore 1959), the hull is wrapped star by star
 * (Jarvis 1973). What counts jumps is read from the map, as check_starlanes.c has counted again.
 */
#include "fair.h"

#include "asked.h"

#include <math.h>

enum { WIDTH, HEIGHT, CENTRE, STARS, LANES, FAIRNESS = 8 }; /* parts */
enum { X, Y, HOMEWORLD };                                   /* columns */
enum { RIVAL = 2, REACH, REALM };

struct place {
    double x, y;
};

struct sky {
    const struct mw_map *map;
    int n, homes;
    struct place *at, middle;
    int *home;         /* which stars */
    int *first, *next; /* of the ends of lanes at a star, and after an end: 2 * lane, + 1 for b */
};

static double distance(struct place a, struct place b) { return hypot(a.x - b.x, a.y - b.y); }

static double turn(struct place a, struct place b, struct place c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* ---- what there is --------------------------------------------------------------------------- */

static struct place find_middle(const struct sky *s)
{
    char *positions = asked_text(s->map->request->address, "positions");
    struct place low = {0, 0}, high = {s->map->slots[WIDTH].as.value.integer,
                                       s->map->slots[HEIGHT].as.value.integer};
    if (positions) {
        low = high = s->at[0];
        for (int i = 1; i < s->n; i++) {
            low = (struct place){fmin(low.x, s->at[i].x), fmin(low.y, s->at[i].y)};
            high = (struct place){fmax(high.x, s->at[i].x), fmax(high.y, s->at[i].y)};
        }
    }
    free(positions);
    return (struct place){(low.x + high.x) / 2, (low.y + high.y) / 2};
}

static void read_lanes(struct sky *s)
{
    const struct mw_edges *lanes = &s->map->slots[LANES].as.edges;
    s->first = malloc((size_t)s->n * sizeof *s->first);
    s->next = malloc(2 * (size_t)lanes->count * sizeof *s->next);
    for (int i = 0; i < s->n; i++)
        s->first[i] = -1;
    for (int end = 0; end < 2 * lanes->count; end++) {
        int star = end % 2 ? lanes->at[end / 2].b : lanes->at[end / 2].a;
        s->next[end] = s->first[star];
        s->first[star] = end;
    }
}

static struct sky read_sky(const struct mw_map *map)
{
    const struct mw_rowset *table = &map->slots[STARS].as.table;
    const int32_t *x = table->columns[X], *y = table->columns[Y], *home = table->columns[HOMEWORLD];
    struct sky s = {.map = map, .n = table->rows};
    s.at = malloc((size_t)s.n * sizeof *s.at);
    s.home = malloc((size_t)s.n * sizeof *s.home);
    for (int i = 0; i < s.n; i++) {
        s.at[i] = (struct place){x[i], y[i]};
        if (home[i])
            s.home[s.homes++] = i;
    }
    s.middle = find_middle(&s);
    read_lanes(&s);
    return s;
}

static void forget(struct sky *s)
{
    free(s->at);
    free(s->home);
    free(s->first);
    free(s->next);
}

/* ---- ways ------------------------------------------------------------------------------------ */

/* How far it is from a star to all others along the lanes; to be freed. */
static double *find_ways(const struct sky *s, int from)
{
    const struct mw_edges *lanes = &s->map->slots[LANES].as.edges;
    double *way = malloc((size_t)s->n * sizeof *way);
    int *queue = malloc((size_t)s->n * sizeof *queue), first = 0, waiting = 1;
    bool *waits = calloc((size_t)s->n, sizeof *waits);
    for (int i = 0; i < s->n; i++)
        way[i] = i == from ? 0 : INFINITY;
    for (queue[0] = from; waiting > 0; waiting--) {
        int a = queue[first];
        first = (first + 1) % s->n;
        waits[a] = false;
        for (int end = s->first[a]; end >= 0; end = s->next[end]) {
            int b = end % 2 ? lanes->at[end / 2].a : lanes->at[end / 2].b;
            if (way[a] + distance(s->at[a], s->at[b]) >= way[b])
                continue;
            way[b] = way[a] + distance(s->at[a], s->at[b]);
            if (!waits[b])
                queue[(first + waiting++ - 1) % s->n] = b;
            waits[b] = true;
        }
    }
    free(queue);
    free(waits);
    return way;
}

/* ---- the rim --------------------------------------------------------------------------------- */

/* The next star around all others, all of which lie to the left. */
static int wrap(const struct sky *s, int a)
{
    int b = a == 0;
    for (int i = 0; i < s->n; i++) {
        double t = turn(s->at[a], s->at[b], s->at[i]);
        if (t < 0 || (t == 0 && distance(s->at[a], s->at[i]) > distance(s->at[a], s->at[b])))
            b = i;
    }
    return b;
}

/* How much of the way from the middle outward, as far as the line through a and b, a place has
   gone. */
static double gone(const struct sky *s, struct place p, struct place a, struct place b)
{
    double here = turn(a, b, p), there = turn(a, b, s->middle);
    return there > 0 ? 1 - here / there : 0;
}

static double find_rim(const struct sky *s)
{
    int leftmost = 0;
    double most = 0;
    for (int i = 1; i < s->n; i++)
        if (s->at[i].x < s->at[leftmost].x ||
            (s->at[i].x == s->at[leftmost].x && s->at[i].y < s->at[leftmost].y))
            leftmost = i;
    for (int a = leftmost, b = -1, turns = 0; b != leftmost && turns < s->n; a = b, turns++) {
        b = wrap(s, a);
        for (int k = 0; k < s->homes; k++)
            most = fmax(most, gone(s, s->at[s->home[k]], s->at[a], s->at[b]));
    }
    return most;
}

/* ---- all of it ------------------------------------------------------------------------------- */

struct span {
    double least, most;
};

static void take(struct span *span, double value)
{
    span->least = fmin(span->least, value);
    span->most = fmax(span->most, value);
}

static double share(struct span span) { return span.most > 0 ? span.least / span.most : 1; }

static void look_at_neighbours(struct fairness *f, const struct sky *s, int centre)
{
    struct span near = {INFINITY, 0};
    for (int k = 0; k < s->homes; k++) {
        double nearest = INFINITY;
        for (int i = 0; i < s->homes; i++)
            if (i != k)
                nearest = fmin(nearest, distance(s->at[s->home[k]], s->at[s->home[i]]));
        take(&near, nearest);
    }
    f->nearest = share(near);
    double far = 0;
    for (int i = 0; i < s->n; i++)
        far = fmax(far, distance(s->at[centre], s->at[i]));
    f->room = s->homes * near.least / far;
}

static void look_at_jumps(struct fairness *f, const struct sky *s)
{
    void *const *columns = s->map->slots[FAIRNESS].as.table.columns;
    const int32_t *rival = columns[RIVAL], *realm = columns[REALM];
    const struct mw_ints *reach = columns[REACH];
    struct span rivals = {INFINITY, 0}, reaches = rivals, realms = rivals;
    for (int k = 0; k < s->homes; k++) {
        take(&rivals, rival[k]);
        take(&reaches, reach[k].at[2]);
        take(&realms, realm[k]);
    }
    f->rival = (int)rivals.least;
    f->reach = share(reaches);
    f->realm = share(realms);
}

struct fairness fair_look(const struct mw_map *map)
{
    struct sky s = read_sky(map);
    int centre = map->slots[CENTRE].as.value.integer;
    double *way = find_ways(&s, centre);
    struct span star = {INFINITY, 0}, middle = star, ways = star;
    struct fairness f = {
        .homes = s.homes, .nearest = 1, .reach = 1, .realm = 1, .rim = find_rim(&s)};
    for (int k = 0; k < s.homes; k++) {
        f.centre |= s.home[k] == centre;
        take(&star, distance(s.at[centre], s.at[s.home[k]]));
        take(&middle, distance(s.middle, s.at[s.home[k]]));
        take(&ways, way[s.home[k]]);
    }
    f.star = share(star);
    f.middle = share(middle);
    f.way = share(ways);
    if (s.homes > 1) {
        look_at_neighbours(&f, &s, centre);
        look_at_jumps(&f, &s);
    }
    free(way);
    forget(&s);
    return f;
}

/* ---- by brute force -------------------------------------------------------------------------- */

struct choice {
    const struct sky *s;
    const double *way;
    int centre, chosen[16], count;
};

static bool is_fair(const struct choice *c)
{
    struct span star = {INFINITY, 0}, middle = star, ways = star, near = star;
    for (int k = 0; k < c->count; k++) {
        struct place at = c->s->at[c->chosen[k]];
        double nearest = INFINITY;
        for (int i = 0; i < c->count; i++)
            if (i != k)
                nearest = fmin(nearest, distance(at, c->s->at[c->chosen[i]]));
        take(&star, distance(c->s->at[c->centre], at));
        take(&middle, distance(c->s->middle, at));
        take(&ways, c->way[c->chosen[k]]);
        take(&near, nearest);
    }
    return share(star) >= 0.7 && share(middle) >= 0.7 && share(ways) >= 0.6 && share(near) >= 0.5;
}

/* Whether so many more stars from the given one on make fair homes. */
static bool can_add(struct choice *c, int from, int more)
{
    if (more == 0)
        return is_fair(c);
    for (int i = from; i + more <= c->s->n; i++) {
        if (i == c->centre)
            continue;
        c->chosen[c->count++] = i;
        bool found = can_add(c, i + 1, more - 1);
        c->count--;
        if (found)
            return true;
    }
    return false;
}

bool fair_exists(const struct mw_map *map)
{
    struct sky s = read_sky(map);
    struct choice c = {.s = &s, .centre = map->slots[CENTRE].as.value.integer};
    double *way = find_ways(&s, c.centre);
    c.way = way;
    bool found = can_add(&c, 0, s.homes);
    free(way);
    forget(&s);
    return found;
}
