/*
 * diagram.c: where countries begin: a power diagram on a bent plane, grown cell by cell.
 *
 * Every country has a seat and a reach. In a power diagram (Aurenhammer 1987) a point belongs to
 * the seat for which |point - seat|^2 - reach is least: Voronoi's diagram with cells as large as
 * one likes, since a longer reach makes a larger cell. The plane is bent first: noise moves each
 * point by some part of a country's diameter, on several scales, so that cells are no polygons and
 * no two alike.
 *
 *        .  o   .                  +---.   .--+
 *      o     .    o      ->        |    \_/   |      the seat o moves to the middle of its cell,
 *        .     o                   |_.-'\  .-'|      its reach follows what the cell lacks
 *      o    .                      |     \/   |
 *
 * The diagram is not drawn but grown: all places wait in one queue by their key, the expression
 * above, for each country beside them, and the first in line is taken, if taking it leaves the rest
 * of the map connected (label_grid.c, test 2). So every country is connected and encloses nothing,
 * which no diagram on a bent plane of cells would be by itself. Then seats move to the centroids
 * of what they got, as in Lloyd's method (1982), and reaches change by the area that is wanted, as
 * in the capacity-constrained diagrams of Balzer and Heck (2008); and all grow again. Some few
 * rounds will do, as sizes are made exact elsewhere. A country that lies within the arms of one
 * other is seated somewhere else.
 *
 * The order of countries that are far apart does not matter, but memory locality does. So the queue
 * of a large map is split by bands of rows: for one step of keys, a quarter of a country's span,
 * the first band is processed, then the next. Only places at the edge of two bands may be late.
 *
 * Why it ends. A place enters the queue at most once for each of its sides, and leaves it once.
 * Places that were refused may be left over. Passes over these give them to any neighbour that may
 * have them; a pass that gives none is the last, and the caller then begins in another way.
 *
 * What it costs. Rounds times some 100 ns a place, on a grid of a dozen places or some more for
 * each country.
 */
#include "kit/bucket_queue.h"
#include "kit/fractal.h"
#include "kit/integer.h"
#include "regions.h"

/* Units of a cell, across; from row to row of hexagons. */
enum { GRAIN = 64, HEX_ROW = 55 };
/* Buckets of keys; how many of them a band takes at once; a band has 2^BAND_BITS places. */
enum { KEYS = 1 << 12, STEP = 1 << 7, BAND_BITS = 14 };
/* How many times larger keys may be where there is water. */
enum { WIDE = 8 };
/* How much of the area that is lacking is added to the reach, in percent. */
enum { EAGER = 80 };
/* Waves of the noise that bends the plane: the longest has so many widths of a country, the least
   is such a part of one, and none is shorter than so many sixteenths of a cell. How far it moves a
   place, in percent of that width, at the unit of the noise. */
enum { LONGEST = 3, SHORTEST = 2, FINEST = 32, BEND = 110 };

struct plane_point {
    int32_t x, y;
};

struct seat {
    struct plane_point spot;
    int64_t reach;
    int32_t place;
    int64_t dx, dy; /* of its country's places from the seat, summed */
    int64_t best;   /* of them, the square of the least; -1: its place is its capital, and stays */
};

struct diagram {
    struct label_grid *grid;
    struct plane_point *spot; /* of every place, by index: where it lies once the plane is bent */
    struct seat *seat;
    const int32_t *place;         /* all places of land, row by row */
    int32_t row, across, down;    /* units from row to row, and of the whole plane */
    int64_t base;                 /* what is subtracted from a key: the least there is */
    int shift;                    /* of keys, to buckets */
    struct mw_bucket_queue queue; /* of places, each for a country beside it */
    int32_t bands;
    uint16_t *asked; /* by index: the last country that asked for the place */
    int32_t free;
    struct mw_rng dither; /* of keys, so that no country leads on the whole map */
};

/* ---- the plane ------------------------------------------------------------------------------- */

/* The shorter difference, where the map wraps. */
static int32_t wrap_around(int32_t d, int32_t around, bool wraps)
{
    if (!wraps)
        return d;
    return d > around / 2 ? d - around : d < -around / 2 ? d + around : d;
}

static struct plane_point away(const struct diagram *d, const struct seat *seat, int32_t at)
{
    const struct plane_point *spot = &d->spot[at];
    return (struct plane_point){
        wrap_around(spot->x - seat->spot.x, d->across, d->grid->across),
        wrap_around(spot->y - seat->spot.y, d->down, d->grid->down),
    };
}

static int64_t square(struct plane_point v) { return (int64_t)v.x * v.x + (int64_t)v.y * v.y; }

/* The width of the largest country, at most half of the map's shorter side. */
static int32_t largest_width(const struct diagram *d)
{
    const struct balance *c = d->grid->balance;
    int32_t cells = 1;
    for (int32_t k = 1; k <= c->count; k++)
        cells = mw_max(cells, c->low[k]);
    int64_t width = mw_root((int64_t)cells * GRAIN * d->row);
    return (int32_t)mw_min64(width, mw_min(d->across, d->down) / 2);
}

/* Lays all places on the plane, and bends it: noise moves each across and down. */
static void lay_plane(struct diagram *d, struct mw_rng *rng)
{
    const struct label_grid *g = d->grid;
    const struct mw_lattice lattice = regions_lattice(g);
    char *mark = mw_mark(g->run);
    uint16_t *noise[2];
    int32_t country = largest_width(d), wave = country * 16 / GRAIN;
    for (int axis = 0; axis < 2; axis++) {
        noise[axis] = MW_NEW(g->run, uint16_t, g->width * g->height);
        mw_fractal(g->run, rng, &lattice, mw_max(LONGEST * wave, FINEST),
                   mw_max(wave / SHORTEST, FINEST), noise[axis]);
    }
    for (int32_t y = 0; y < g->height; y++) {
        const int32_t row = regions_at(g, 0, y), width = g->width;
        const int32_t shove = g->hex && y & 1 ? GRAIN / 2 : 0;
        for (int32_t x = 0; x < width; x++) {
            int64_t across = noise[0][y * width + x] - MW_FRACTAL_MOST / 2;
            int64_t down = noise[1][y * width + x] - MW_FRACTAL_MOST / 2;
            d->spot[row + x] = (struct plane_point){
                x * GRAIN + shove + (int32_t)(across * country * BEND / (100 * MW_FRACTAL_UNIT)),
                y * d->row + (int32_t)(down * country * BEND / (100 * MW_FRACTAL_UNIT))};
        }
    }
    mw_tick(g->run, (uint64_t)g->width * (uint64_t)g->height);
    mw_rewind(g->run, mark);
}

static const int32_t *list_all(const struct label_grid *g)
{
    int32_t *place = MW_NEW(g->run, int32_t, g->width * g->height), n = 0;
    for (int32_t y = 0; y < g->height; y++)
        for (int32_t x = 0; x < g->width; x++)
            place[n++] = regions_at(g, x, y) * 2 + (y & 1);
    return place;
}

/* ---- growth ---------------------------------------------------------------------------------- */

/* Where in the queue a key stands, for a place. */
static int32_t bucket_of(const struct diagram *d, int64_t key, int32_t at)
{
    int32_t k = key >= KEYS ? KEYS - 1 : mw_max((int32_t)key, 0);
    int32_t i = (k / STEP * d->bands + (at >> BAND_BITS)) * STEP + k % STEP;
    assert(0 <= i && i < d->queue.buckets);
    return i;
}

/* Pushes a place for a country; what does not fit into the queue is left over. One branch: the
   parts of it would mispredict. */
static void ask(struct diagram *d, int32_t place, uint16_t country)
{
    int32_t at = place >> 1;
    if ((d->grid->label[at] != 0) | (d->asked[at] == country) | mw_bucket_queue_is_full(&d->queue))
        return;
    d->asked[at] = country;
    const struct seat *seat = &d->seat[country];
    int64_t dither = (int64_t)(mw_next(&d->dither) >> (64 - d->shift));
    int64_t key = (square(away(d, seat, at)) - seat->reach - d->base + dither) >> d->shift;
    mw_bucket_push(&d->queue, bucket_of(d, key, at), place, country);
}

static void take(struct diagram *d, int32_t place, uint16_t country)
{
    assert(country && !regions_country(d->grid, place) && d->free > 0);
    struct label_grid *g = d->grid;
    struct seat *seat = &d->seat[country];
    struct plane_point way = away(d, seat, place >> 1);
    regions_assign(g, place, country);
    g->balance->size[country]++;
    seat->dx += way.x;
    seat->dy += way.y;
    if (square(way) < seat->best) {
        seat->best = square(way);
        seat->place = place;
    }
    d->free--;
}

static void take_and_ask(struct diagram *d, int32_t place, uint16_t country)
{
    const struct label_grid *g = d->grid;
    take(d, place, country);
    for (int32_t i = 0, p; (p = regions_beside(g, place, i)) >= 0; i++)
        if (p != place)
            ask(d, p, country);
}

/* Gives a place to a neighbouring country that may take it; if `any`, to one that may not. */
static void glean_place(struct diagram *d, int32_t place, bool any)
{
    struct label_grid *g = d->grid;
    for (int32_t i = 0, p; !regions_country(g, place) && (p = regions_beside(g, place, i)) >= 0;
         i++) {
        uint16_t country = regions_country(g, p);
        if (country && (any || regions_may_take(g, place, country)))
            take(d, place, country);
    }
}

/* Gives away places that were refused; false: some are left. */
static bool glean(struct diagram *d, bool any)
{
    const struct label_grid *g = d->grid;
    for (int32_t before = d->free + 1; d->free && d->free < before;) {
        before = d->free;
        for (int32_t i = 0; i < g->land; i++)
            glean_place(d, d->place[i], any);
        mw_tick(g->run, (uint64_t)g->width * (uint64_t)g->height);
    }
    return !d->free;
}

static void clear(struct diagram *d)
{
    struct label_grid *g = d->grid;
    regions_clear_labels(g);
    memset(d->asked, 0, (size_t)g->indices * sizeof *d->asked);
    memset(g->balance->size, 0, ((size_t)g->balance->count + 1) * sizeof *g->balance->size);
    mw_clear_bucket_queue(&d->queue);
    d->free = g->land;
}

/* The cells round capitals first. */
static void take_shields(struct diagram *d)
{
    struct label_grid *g = d->grid;
    for (int32_t n = 0; n < g->capitals.count; n++) {
        uint16_t k = g->capitals.country[n];
        if (!regions_shields(g, k))
            continue;
        for (int32_t i = 0, p; (p = regions_beside(g, d->seat[k].place, i)) >= 0; i++)
            if (!regions_country(g, p) && regions_may_take(g, p, k))
                take_and_ask(d, p, k);
    }
}

bool regions_grow_diagram(struct diagram *d)
{
    struct label_grid *g = d->grid;
    int32_t count = g->balance->count;
    int64_t most = 1;
    clear(d);
    for (int32_t k = 1; k <= count; k++) {
        most = mw_max64(most, d->seat[k].reach);
        d->seat[k].dx = d->seat[k].dy = 0;
        d->seat[k].best = d->seat[k].best < 0 ? -1 : INT64_MAX;
    }
    d->base = -most;
    for (d->shift = 1; (g->sides ? WIDE : 1) * 6 * most >> d->shift >= KEYS;)
        d->shift++;
    for (int32_t k = 1; k <= count; k++)
        if (d->seat[k].place >= 0)
            take(d, d->seat[k].place, (uint16_t)k);
    take_shields(d);
    for (int32_t k = 1; k <= count; k++)
        for (int32_t i = 0, p;
             d->seat[k].place >= 0 && (p = regions_beside(g, d->seat[k].place, i)) >= 0; i++)
            ask(d, p, (uint16_t)k);
    for (const struct mw_bucket_entry *e; (e = mw_bucket_pop(&d->queue));) {
        int32_t place = e->item;
        uint16_t country = (uint16_t)e->owner;
        if (!regions_country(g, place) && regions_may_take(g, place, country))
            take_and_ask(d, place, country);
    }
    mw_tick(g->run, (uint64_t)d->queue.entries);
    return glean(d, false) || (g->across && glean(d, true)); /* round a seam rings may close */
}

/* ---- seats ----------------------------------------------------------------------------------- */

static void seat_at(struct diagram *d, int32_t k, int32_t place)
{
    assert(0 < k && k <= d->grid->balance->count && !regions_country(d->grid, place));
    struct label_grid *g = d->grid;
    g->label[place >> 1] = (uint16_t)k;
    d->seat[k] = (struct seat){
        .place = place,
        .spot = d->spot[place >> 1],
        .reach = (int64_t)g->balance->low[k] * GRAIN * d->row * 100 / 314,
    };
}

static bool has_capital(const struct diagram *d, int32_t k) { return d->seat[k].best < 0; }

/*
 * Frames. A country may come to lie so that another surrounds it, but for the edge of the map. It
 * gets another seat, where the other meets a third.
 */
struct frame {
    uint16_t by;          /* a neighbour; or 0 */
    bool open;            /* there are others */
    uint16_t first, next; /* of those that it frames; of those that `by` frames */
    int32_t inner, outer; /* its sides that face a country, and others */
    int32_t exit, exits;  /* a place of `by` that faces a third, of so many */
};

static void count_sides(const struct diagram *d, int32_t place, struct frame *f)
{
    uint16_t own = regions_country(d->grid, place);
    for (int32_t i = 0, p; (p = regions_beside(d->grid, place, i)) >= 0; i++) {
        uint16_t other = p == place ? 0 : regions_country(d->grid, p);
        f->outer += !other;
        if (!other || other == own)
            continue;
        f->inner++;
        f->open |= f->by && f->by != other;
        f->by = other;
    }
}

static void try_exit(struct diagram *d, int32_t place, int32_t framed, struct frame *f)
{
    bool exit = false;
    for (int32_t i = 0, p; (p = regions_beside(d->grid, place, i)) >= 0; i++) {
        uint16_t other = regions_country(d->grid, p);
        exit |= other && other != f->by && other != framed;
    }
    if (exit && place != d->seat[f->by].place && mw_below(&d->dither, (uint32_t)++f->exits) == 0)
        f->exit = place;
}

/* Lists the framed countries of each country; whether there are any. */
static bool list_framed(const struct diagram *d, struct frame *frame)
{
    bool any = false;
    for (int32_t k = 1; k <= d->grid->balance->count; k++) {
        struct frame *f = &frame[k];
        if (!f->by || f->open || 3 * f->inner <= 2 * f->outer || has_capital(d, k))
            continue;
        f->next = frame[f->by].first;
        frame[f->by].first = (uint16_t)k;
        any = true;
    }
    return any;
}

static void leave_frames(struct diagram *d)
{
    struct label_grid *g = d->grid;
    char *mark = mw_mark(g->run);
    struct frame *frame = MW_NEW0(g->run, struct frame, g->balance->count + 1);
    for (int32_t i = 0; i < g->land; i++)
        if (regions_country(g, d->place[i]))
            count_sides(d, d->place[i], &frame[regions_country(g, d->place[i])]);
    mw_tick(g->run, (uint64_t)g->width * (uint64_t)g->height);
    bool any = list_framed(d, frame);
    for (int32_t i = 0; any && i < g->land; i++)
        for (int32_t k = frame[regions_country(g, d->place[i])].first; k; k = frame[k].next)
            try_exit(d, d->place[i], k, &frame[k]);
    for (int32_t k = 1; any && k <= g->balance->count; k++)
        if (frame[k].exits && regions_country(g, frame[k].exit)) {
            d->seat[k].place = frame[k].exit;
            d->seat[k].spot = d->spot[frame[k].exit >> 1];
            regions_assign(g, frame[k].exit, 0); /* no other country is seated there */
        }
    mw_rewind(g->run, mark);
}

/* Moves seats to the centroids of their countries, and changes reaches by the cells that these
   lack. `place` is near the centroid already. */
void regions_adjust_diagram(struct diagram *d)
{
    const struct balance *c = d->grid->balance;
    for (int32_t k = 1; k <= c->count; k++) {
        struct seat *seat = &d->seat[k];
        if (seat->place < 0)
            continue;
        seat->spot.x += (int32_t)(seat->dx / c->size[k]);
        seat->spot.y += (int32_t)(seat->dy / c->size[k]);
        if (has_capital(d, k)) { /* no farther than half way from there */
            struct plane_point way = away(d, seat, seat->place >> 1);
            seat->spot.x += way.x / 2;
            seat->spot.y += way.y / 2;
        }
        /* a disc of radius r has the area pi r^2 */
        seat->reach += (int64_t)(c->low[k] - c->size[k]) * GRAIN * d->row * EAGER / 314;
    }
    leave_frames(d);
}

struct diagram *regions_new_diagram(struct label_grid *g, struct mw_rng *noise)
{
    struct mw_run *run = g->run;
    const struct capitals *capitals = &g->capitals;
    struct diagram *d = MW_NEW(run, struct diagram, 1);
    d->grid = g;
    d->place = g->sides ? g->place : list_all(g);
    d->row = g->hex ? HEX_ROW : GRAIN;
    d->across = g->width * GRAIN;
    d->down = g->height * d->row;
    d->bands = (g->indices >> BAND_BITS) + 1;
    mw_new_bucket_queue(run, &d->queue, KEYS * d->bands, 2 * g->width * g->height);
    d->spot = MW_NEW(run, struct plane_point, g->indices);
    d->seat = MW_NEW(run, struct seat, g->balance->count + 1);
    d->asked = MW_NEW(run, uint16_t, g->indices);
    for (int32_t k = 0; k <= g->balance->count; k++)
        d->seat[k] = (struct seat){.place = -1};
    lay_plane(d, noise);
    d->dither = *noise;
    for (int32_t i = 0; i < capitals->count; i++) {
        seat_at(d, capitals->country[i], capitals->place[i]);
        d->seat[capitals->country[i]].best = -1;
    }
    return d;
}

/* ---- seats on land --------------------------------------------------------------------------- */

/*
 * The places of a piece are cut in two, across where they reach farthest, each part for some of its
 * countries, and each part again, down to a country each, which has its seat somewhere in its own.
 * Countries are divided first, and places by their sizes. Those with a capital are not among
 * them: growth and the sweeps make room.
 *
 * Why it ends: both parts of a cut have a country at least, and a place for each. What it costs:
 * some nanoseconds a place for each cut that it meets, of which there are as many as the
 * logarithm of the number of countries.
 */
/* Places, and the countries that are to live there. */
struct seat_plot {
    int32_t first, places;
    int32_t country, count;
};

struct strewing {
    struct diagram *diagram;
    const struct country_quota *quota;
    struct mw_rng *rng;
    int32_t *place, *sorted; /* plot by plot */
    int32_t *start;          /* by row or column, for sorting */
    int32_t *order;          /* countries, plot by plot */
};

/* The column of a place, or its row. */
static int32_t line_of(const struct strewing *s, int32_t place, int row)
{
    int32_t stride = s->diagram->grid->stride;
    return row ? (place >> 1) / stride : (place >> 1) % stride;
}

/* Sorts the places of a plot along its longer side. */
static void sort_places(struct strewing *s, const struct seat_plot *p)
{
    int32_t least[2] = {INT32_MAX, INT32_MAX}, most[2] = {0, 0}, *place = s->place + p->first;
    for (int32_t i = 0; i < p->places; i++)
        for (int row = 0; row < 2; row++) {
            least[row] = mw_min(least[row], line_of(s, place[i], row));
            most[row] = mw_max(most[row], line_of(s, place[i], row));
        }
    bool upright = most[1] - least[1] > most[0] - least[0];
    int32_t span = mw_max(most[upright] - least[upright], 0) + 1, *start = s->start;
    memset(start, 0, ((size_t)span + 1) * sizeof *start);
    for (int32_t i = 0; i < p->places; i++)
        start[line_of(s, place[i], upright) - least[upright] + 1]++;
    for (int32_t i = 1; i < span; i++)
        start[i] += start[i - 1];
    for (int32_t i = 0; i < p->places; i++)
        s->sorted[start[line_of(s, place[i], upright) - least[upright]]++] = place[i];
    memcpy(place, s->sorted, (size_t)p->places * sizeof *place);
    mw_tick(s->diagram->grid->run, (uint64_t)(p->places + span));
}

/* How many of the first places of a plot have so large a part of its land. */
static int32_t count_places(const struct strewing *s, const struct seat_plot *p, int64_t part,
                            int64_t total)
{
    const int32_t *weight = s->diagram->grid->weight, *place = s->place + p->first;
    int64_t cells = 0, sum = 0;
    int32_t places = 0;
    for (int32_t i = 0; i < p->places; i++)
        cells += weight ? weight[place[i] >> 1] : 1;
    while (places < p->places && sum * total < cells * part) {
        sum += weight ? weight[place[places] >> 1] : 1;
        places++;
    }
    return places;
}

/* Cuts a plot in two, each with so much land as its countries want, and a place for each at least;
   the second comes back. */
static struct seat_plot cut_plot(struct strewing *s, struct seat_plot *p)
{
    assert(1 < p->count && p->count <= p->places);
    const int32_t *low = s->quota->low, *order = s->order + p->country;
    int64_t total = 0, part = 0, percent = mw_between(s->rng, 35, 65);
    for (int32_t i = 0; i < p->count; i++)
        total += low[order[i]];
    int32_t some = 0;
    while (some < p->count - 1 && (!some || part < total * percent / 100))
        part += low[order[some++]];
    sort_places(s, p);
    int32_t places = count_places(s, p, part, total);
    places = mw_clamp(places, some, p->places - (p->count - some));
    struct seat_plot q = {p->first + places, p->places - places, p->country + some,
                          p->count - some};
    p->places = places;
    p->count = some;
    return q;
}

/* Seats the countries of a plot. The second part of a cut wants some 65 % of the cells at most, so
   calls are some forty deep. */
static void seat_plot(struct strewing *s, struct seat_plot p)
{
    assert(p.places >= p.count);
    while (p.count > 1) {
        struct seat_plot second = cut_plot(s, &p);
        seat_plot(s, second);
    }
    int32_t i = p.first + (int32_t)mw_below(s->rng, (uint32_t)p.places);
    seat_at(s->diagram, s->order[p.country], s->place[i]);
}

/* Lists the places of a level that are free, piece by piece: those of piece i end at end[i]. */
static void list_places(struct strewing *s, int32_t *end)
{
    const struct diagram *d = s->diagram;
    const struct label_grid *g = d->grid;
    int32_t *piece = s->sorted;
    mw_tick(g->run, (uint64_t)g->width * (uint64_t)g->height);
    for (int32_t i = 0; i < g->land; i++) {
        int32_t at = d->place[i] >> 1;
        piece[i] = regions_piece_at(s->quota, g->cell ? g->cell[at] : at);
        end[piece[i] + 1] += !g->label[at];
    }
    for (int32_t i = 1; i < s->quota->pieces; i++)
        end[i] += end[i - 1];
    for (int32_t i = 0; i < g->land; i++)
        if (!regions_country(g, d->place[i]))
            s->place[end[piece[i]]++] = d->place[i];
}

void regions_strew(struct diagram *d, const struct country_quota *q, struct mw_rng *rng)
{
    const struct label_grid *g = d->grid;
    assert(q->pieces > 0 && g->land > 0);
    struct mw_run *run = g->run;
    char *mark = mw_mark(run);
    struct strewing s = {.diagram = d, .quota = q, .rng = rng};
    s.place = MW_NEW(run, int32_t, g->land);
    s.sorted = MW_NEW(run, int32_t, g->land);
    s.start = MW_NEW(run, int32_t, mw_max(g->width, g->height) + 2);
    s.order = MW_NEW(run, int32_t, q->count);
    int32_t *end = MW_NEW0(run, int32_t, q->pieces + 1);
    list_places(&s, end);
    memcpy(s.order, q->order, (size_t)q->count * sizeof *s.order);
    for (int32_t i = 0; i < q->pieces; i++) {
        const struct land_piece *p = &q->piece[i];
        int32_t first = i ? end[i - 1] : 0, country = p->first + p->held,
                count = p->seats - p->held;
        if (p->seats == 1 || !count)
            continue;
        mw_shuffle(s.rng, s.order + country, count);
        seat_plot(&s, (struct seat_plot){first, end[i] - first, country, count});
    }
    mw_rewind(run, mark);
}
