/*
 * search.c: the last word on whether so many islands fit, where shelves hold too few.
 *
 * A picture of land and air is drawn cell by cell, row by row along the map's shorter side. What is
 * drawn can only matter to what is still to come by its frontier, the last cell drawn of each
 * column: which of them are land of the same island, and how many cells that has so far. So of all
 * pictures that agree in this only one is kept, with the most islands done: dynamic programming
 * over a broken profile, as it is used to count paths and polyominoes (Jensen 2001).
 *
 *     1 1 1 . 2     drawn down to here: islands 1 and 2 are open, of 4 and 2 cells; whatever else
 *     . 1 ? . .     lies above, the rest of the map sees no more of it than . 1 1 . 2, and the cell
 *                   above the one just drawn
 *
 * What is cut off. The corners of the map's cells are what islands compete for, as no two share
 * one. Those yet to be drawn must suffice for the cells that open islands lack, and for every
 * island not begun; how many these take at least is known (look_ahead, islands_cover). Where
 * demands are tight there is little to spare, and few pictures live: 5,482 of a cell at most on
 * maps to 8 by 8.
 *
 * Why nothing is lost. Islands may be taken to have exactly the least size, as larger ones can
 * lose cells. A lake that holds no island may be filled, and so may one whose shore meets itself at
 * a corner only; what is too much then goes from the coast, where a disc can always lose a cell and
 * stay one (discs can be shelled). So only islands without lakes are drawn: cells of land never
 * meet at a corner alone, and nothing closes a ring. An island around another one wastes corners:
 * `may_enclose` says when that can be, and there the search finds, but proves nothing.
 *
 * What it costs. PICTURES in all are drawn on, as many of a cell as of the next; those go on that
 * have the most corners to spare. While none is dropped, the answer is exact; else what is found is
 * found, and where nothing is, all is drawn anew with four times as many of a cell, and corners
 * above the cells to come counted more closely, until ALL_PICTURES were drawn on. What is not found
 * then is unknown. No draw decides what is kept: the answer is the same for every seed, which
 * chooses among pictures that agree.
 */
#include "islands.h"
#include <stddef.h>

enum {
    OPEN_MOST = NARROW_MOST / 2 + 1, /* islands that cross it */
    PICTURES = 1 << 20,              /* drawn on at first, about */
    ALL_PICTURES = 5 * PICTURES,     /* and in all */
    BREADTH_MOST = 1 << 15,
    NEVER = 1 << 14, /* corners that no such map has */
};

/* What is to be known of a picture; what comes before `done` makes two agree. */
struct frontier {
    uint8_t label[NARROW_MOST]; /* of each column: an open island, 1 .. open; 0: air */
    uint16_t size[OPEN_MOST];   /* cells of the open islands; zeros after them */
    uint8_t open, corner;       /* corner: the cell above, and left of the next one, is land */
    int16_t done;               /* islands that are not open any more */
    int16_t spare;              /* corners */
};

enum { COMPARED = offsetof(struct frontier, done) };

struct picture {
    struct frontier frontier;
    uint64_t land[]; /* cells, a bit each */
};

/* Pictures down to the same cell, one after another. */
struct layer {
    char *at;
    int32_t count;
};

struct search {
    struct world *world;
    bool upright;          /* columns of the search are rows of the map */
    int32_t width, height; /* width <= height */
    int32_t size, wanted;  /* cells of an island, islands */
    uint16_t *lack;        /* corners that an open one takes at least in the rows below, by corners
                              of the line above them less one, and cells that it lacks */
    int32_t fresh;         /* corners that an island takes at least in the rows to come */
    int32_t pictures, breadth; /* to draw on, were there enough; of a layer */
    int32_t left;              /* to draw on, in all */
    size_t weight;             /* of a picture, in bytes */
    bool complete;             /* none was dropped */
    bool close;                /* corners above cells to come are counted */
    struct layer now, next;
    int32_t *slot; /* pictures of `next`, hashed by frontier; -1: none */
    uint32_t mask; /* of places in slot[] */
};

static inline struct picture *picture_at(const struct search *s, const struct layer *l, int32_t i)
{
    return (struct picture *)(void *)(l->at + (size_t)i * s->weight);
}

/* ---- what is to come ------------------------------------------------------------------------- */

/*
 * The corners that m more cells of an island take in the rows below, at the least, where it touches
 * r + 1 corners of the line above them: the longest of these rows, of w cells, takes w - r corners
 * of that line, or none; and each row takes one more below it than it has cells.
 */
static int32_t lacking(const struct search *s, int32_t r, int32_t m, int32_t rows)
{
    int32_t least = m ? NEVER : 0;
    for (int32_t w = r; w && w <= s->width && m + w - r < least; w++) {
        int32_t deep = (int32_t)mw_ceil_div(m, w);
        if (deep <= rows)
            least = mw_min(least, m + deep + w - r);
    }
    return least;
}

static inline uint16_t *lack_of(const struct search *s, int32_t r)
{
    return s->lack + r * (s->size + 1);
}

static void look_ahead(struct search *s, int32_t rows)
{
    for (int32_t r = 0; r <= s->width; r++)
        for (int32_t m = 0; m <= s->size; m++)
            lack_of(s, r)[m] = (uint16_t)lacking(s, r, m, rows);
    mw_tick(s->world->run, (uint64_t)s->width * (uint64_t)s->width * (uint64_t)s->size);
}

/* The columns of each island, as bits; of no island first. */
static void spread_out(const struct search *s, const struct frontier *f, uint64_t *at)
{
    for (int k = 0; k <= f->open; k++)
        at[k] = 0;
    for (int32_t i = 0; i < s->width; i++)
        at[f->label[i]] |= UINT64_C(1) << i;
}

/* Corners on one line that cells in a row touch, on the side of it where they lie. */
static inline int32_t corners_of(uint64_t cells) { return mw_count_bits(cells | cells << 1); }

/* The corners that are touched by land in the frontier, and not yet passed. */
static int32_t touched(const struct search *s, const struct frontier *f, const uint64_t *at,
                       int32_t x)
{
    uint64_t columns = (UINT64_C(1) << s->width) - 1, drawn = (UINT64_C(2) << x) - 1;
    uint64_t land = columns & ~at[0], above = land & ~drawn;
    bool notch = x < s->width - 1 && (f->corner || land >> x & 1);
    return corners_of(land & drawn) +
           mw_count_bits(above | above << 1 | (uint64_t)notch << (x + 1));
}

/* Cells to come in this row that island k may take: they touch no other one that it cannot join. */
static uint64_t reach(const struct search *s, const struct frontier *f, const uint64_t *at,
                      int32_t x, int k)
{
    uint64_t columns = (UINT64_C(1) << s->width) - 1, drawn = (UINT64_C(2) << x) - 1;
    uint64_t barred = at[k] >> x ? drawn : columns;
    for (int j = 1; j <= f->open; j++)
        if (j != k && f->size[j - 1] + f->size[k - 1] >= s->size)
            barred |= at[j] | at[j] << 1 | at[j] >> 1;
    return columns & ~barred;
}

/* The corners that island k takes yet, at the least. Each cell in this row takes one below it, or
   two, and one above it to the right, if no land is there. */
static int32_t needed(const struct search *s, const struct frontier *f, const uint64_t *at,
                      int32_t x, int k)
{
    uint64_t columns = (UINT64_C(1) << s->width) - 1, drawn = (UINT64_C(2) << x) - 1;
    uint64_t cells = reach(s, f, at, x, k), above = columns & ~at[0] & ~drawn;
    int32_t m = s->size - f->size[k - 1], r = mw_max(corners_of(at[k] & drawn) - 1, 0);
    int32_t most = mw_min(mw_min(mw_count_bits(cells), m), s->width - r), least = lack_of(s, r)[m];
    int32_t roofed = s->close ? mw_count_bits(cells & (above | above >> 1)) : most;
    for (int32_t n = 1; n <= most; n++)
        least = mw_min(least, lack_of(s, r + n)[m - n] + n + !r + mw_max(n - roofed, 0));
    return least;
}

/* Whether the corners left when cell (x, y) is drawn may suffice; those to spare are noted. */
static bool has_room(const struct search *s, struct frontier *f, int32_t x, int32_t y)
{
    uint64_t at[OPEN_MOST + 1];
    spread_out(s, f, at);
    int32_t left = (s->height - y) * (s->width + 1) + (x < s->width - 1 ? s->width - x : 0);
    int32_t used = touched(s, f, at, x);
    for (int k = 1; k <= f->open; k++)
        used += needed(s, f, at, x, k);
    int32_t fresh = s->wanted - f->done - f->open;
    used += fresh > 0 ? fresh * s->fresh : 0;
    f->spare = (int16_t)mw_max(left - used, -1);
    return used <= left;
}

/* ---- a cell more ----------------------------------------------------------------------------- */

/* Numbers the open islands in the order of their first cells. */
static void number(const struct search *s, struct frontier *f)
{
    uint16_t size[OPEN_MOST] = {0};
    uint8_t id[OPEN_MOST + 1] = {0};
    int n = 0;
    for (int32_t i = 0; i < s->width; i++) {
        int own = f->label[i];
        if (own && !id[own]) {
            size[n] = f->size[own - 1];
            id[own] = (uint8_t)++n;
        }
        f->label[i] = id[own];
    }
    memcpy(f->size, size, sizeof size);
    f->open = (uint8_t)n;
}

/* The cell at x is air: false where that leaves land at a corner alone, or an island too small. */
static bool draw_air(const struct search *s, struct frontier *f, int32_t x)
{
    int above = f->label[x], left = x ? f->label[x - 1] : 0;
    if (above && left && !f->corner)
        return false;
    f->label[x] = 0;
    if (!above || memchr(f->label, above, (size_t)s->width))
        return true;
    f->done++;
    return f->size[above - 1] == s->size;
}

/* Joins island `from` to another one; false: they would be too large. */
static bool merge(const struct search *s, struct frontier *f, int from, int to)
{
    f->size[to - 1] = (uint16_t)(f->size[to - 1] + f->size[from - 1]);
    for (int32_t i = 0; i < s->width; i++)
        f->label[i] = (uint8_t)(f->label[i] == from ? to : f->label[i]);
    return f->size[to - 1] < s->size;
}

/* The cell at x is land: false where it meets other land at a corner alone, closes a ring, or is
   too much. */
static bool draw_land(const struct search *s, struct frontier *f, int32_t x)
{
    int above = f->label[x], left = x ? f->label[x - 1] : 0;
    if (!above && !left) {
        assert(f->open < OPEN_MOST);
        f->label[x] = ++f->open;
        f->size[f->open - 1] = 1;
        return !f->corner && f->done + f->open <= s->wanted;
    }
    if (above && left && !f->corner && (above == left || !merge(s, f, above, left)))
        return false;
    int own = left ? left : above;
    f->label[x] = (uint8_t)own;
    return ++f->size[own - 1] <= s->size;
}

/* ---- pictures -------------------------------------------------------------------------------- */

static inline uint32_t hash_of(const struct frontier *f)
{
    uint64_t word, hash = 0;
    for (size_t i = 0; i + sizeof word <= COMPARED; i += sizeof word) {
        memcpy(&word, (const char *)f + i, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return (uint32_t)hash;
}

/* The place of a frontier among those of the next layer: of one like it, or where it would be. */
static int32_t *place_of(const struct search *s, const struct frontier *f)
{
    uint32_t at = hash_of(f) & s->mask;
    while (s->slot[at] >= 0 && memcmp(picture_at(s, &s->next, s->slot[at]), f, COMPARED) != 0)
        at = (at + 1) & s->mask;
    return &s->slot[at];
}

/* Keeps a picture, or the better one of two that agree; by chance where they are as good. */
static void keep(struct search *s, const struct frontier *f, const uint64_t *land, int32_t cell)
{
    int32_t *place = place_of(s, f);
    bool fresh = *place < 0;
    assert(s->next.count < 2 * s->now.count || !fresh);
    *place = fresh ? s->next.count++ : *place;
    struct picture *p = picture_at(s, &s->next, *place);
    if (!fresh && (f->done < p->frontier.done ||
                   (f->done == p->frontier.done && mw_next(&s->world->rng) >> 63)))
        return;
    p->frontier = *f;
    memcpy(p->land, land, s->weight - sizeof *p);
    p->land[cell / 64] |= (uint64_t)(f->label[cell % s->width] > 0) << cell % 64;
}

static void draw_both(struct search *s, const struct picture *p, int32_t cell)
{
    int32_t x = cell % s->width, y = cell / s->width;
    for (int land = 0; land < 2; land++) {
        struct frontier f = p->frontier;
        if (!(land ? draw_land(s, &f, x) : draw_air(s, &f, x)))
            continue;
        f.corner = p->frontier.label[x] && x < s->width - 1;
        number(s, &f);
        if (has_room(s, &f, x, y))
            keep(s, &f, p->land, cell);
    }
}

/* Makes room for what comes of each picture, and gives back that of the layer before. */
static void draw_cell(struct search *s, int32_t cell, char *bottom)
{
    struct mw_run *run = s->world->run;
    for (s->mask = 1; s->mask < 4 * (uint32_t)s->now.count;)
        s->mask = 2 * s->mask + 1;
    s->slot = MW_NEW(run, int32_t, s->mask + 1);
    memset(s->slot, -1, ((size_t)s->mask + 1) * sizeof *s->slot);
    s->next = (struct layer){mw_alloc(run, 2 * (size_t)s->now.count, s->weight), 0};
    for (int32_t i = 0; i < s->now.count; i++)
        draw_both(s, picture_at(s, &s->now, i), cell);
    mw_rewind(run, bottom);
    s->now = (struct layer){mw_alloc(run, (size_t)s->next.count, s->weight), s->next.count};
    memmove(s->now.at, s->next.at, (size_t)s->next.count * s->weight);
    mw_tick(run, (uint64_t)s->now.count * (s->weight / 8 + (uint64_t)s->width));
}

/* Drops pictures down to `breadth`: those with the fewest corners to spare, the last of them. */
static void thin(struct search *s)
{
    int32_t most = (s->width + 1) * (s->height + 1), n = 0, least = most;
    char *mark = mw_mark(s->world->run);
    int32_t *with = MW_NEW0(s->world->run, int32_t, most + 1);
    for (int32_t i = 0; i < s->now.count; i++) /* what is kept has corners to spare, or 0 */
        with[picture_at(s, &s->now, i)->frontier.spare]++;
    while (least > 0 && n + with[least] <= s->breadth)
        n += with[least--];
    int32_t last = s->breadth - n; /* of those that have just so many */
    n = 0;
    for (int32_t i = 0; i < s->now.count; i++) {
        struct picture *p = picture_at(s, &s->now, i);
        if (p->frontier.spare > least || (p->frontier.spare == least && last-- > 0))
            memmove(picture_at(s, &s->now, n++), p, s->weight);
    }
    mw_rewind(s->world->run, mark);
    s->now.count = n;
    s->complete = false;
}

/* ---- all together ---------------------------------------------------------------------------- */

/*
 * Whether an island may lie in a lake of another one. If the one inside is w by h cells, the lake
 * is two longer each way, and what is around it two more. So the coast of that has 4 (w + h) + 24
 * sides or more; but A cells that hang together have 2 A + 2 at most, and where they close a ring
 * they cover A corners and half as many as they have sides.
 */
static bool may_enclose(const struct search *s)
{
    int32_t cover = (int32_t)islands_cover(s->size, s->width, s->height);
    int32_t half = cover - s->size - 1; /* w + h, at the least */
    int32_t spare = (s->width + 1) * (s->height + 1) - s->wanted * cover;
    return s->size >= 2 * half + 11 && spare >= half + 11;
}

static void draw_all(struct search *s)
{
    s->complete = true;
    s->lack = MW_NEW(s->world->run, uint16_t, (s->width + 1) * (s->size + 1));
    char *bottom = mw_mark(s->world->run);
    s->now = (struct layer){mw_calloc(s->world->run, 1, s->weight), 1};
    for (int32_t cell = 0; cell < s->width * s->height && s->now.count; cell++) {
        int32_t rows = s->height - cell / s->width - (cell % s->width == s->width - 1);
        int64_t fresh = islands_cover(s->size, s->width, rows);
        s->fresh = fresh ? (int32_t)fresh : NEVER;
        if (cell % s->width == 0)
            look_ahead(s, s->height - 1 - cell / s->width);
        s->breadth = mw_min(s->pictures / (s->width * s->height - cell), BREADTH_MOST);
        s->breadth = mw_min(s->breadth, s->left);
        if (s->now.count > s->breadth)
            thin(s);
        s->pictures -= s->now.count;
        s->left -= s->now.count;
        draw_cell(s, cell, bottom);
    }
}

/* The cells of one of the last pictures, turned as the map lies. */
static void copy_picture(const struct search *s, struct plane *plane)
{
    int32_t chosen = (int32_t)mw_below(&s->world->rng, (uint32_t)s->now.count);
    const uint64_t *land = picture_at(s, &s->now, chosen)->land;
    plane_new(s->world->run, plane, s->world->width, s->world->height);
    memset(plane->at, 0, (size_t)plane->height * (size_t)plane->stride * sizeof *plane->at);
    for (int32_t cell = 0; cell < s->width * s->height; cell++) {
        int32_t x = cell % s->width, y = cell / s->width;
        int32_t column = s->upright ? y : x, row = s->upright ? x : y;
        plane_row(plane, row)[column / 64] |= (land[cell / 64] >> cell % 64 & 1) << column % 64;
    }
}

enum found islands_search(struct world *w, int32_t wanted, int rounds, struct plane *plane)
{
    bool upright = w->width > w->height;
    int32_t cells = w->width * w->height;
    struct search s = {.world = w,
                       .upright = upright,
                       .width = upright ? w->height : w->width,
                       .height = upright ? w->width : w->height,
                       .size = w->least,
                       .wanted = wanted,
                       .left = ALL_PICTURES,
                       .weight = sizeof(struct picture) + (size_t)(cells + 63) / 64 * 8};
    if (s.width > NARROW_MOST || cells > SEARCHED_MOST)
        return NOT_KNOWN;
    char *mark = mw_mark(w->run);
    for (int round = 0; round < rounds && !s.now.count && !s.complete && s.left; round++) {
        mw_rewind(w->run, mark);
        s.pictures = PICTURES << 2 * round;
        s.close = round > 0;
        draw_all(&s);
    }
    if (s.now.count) {
        copy_picture(&s, plane);
        return FOUND;
    }
    return s.complete && !may_enclose(&s) ? NO_ROOM : NOT_KNOWN;
}
