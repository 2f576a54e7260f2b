/*
 * order.c: from the components of the automaton to islands of the number and sizes asked for.
 *
 * What fits as it is stays as it is; each further step changes the look a little more, and is taken
 * only while islands are missing:
 *
 *   1. components of a fitting size     kept; cells that touch an island are dropped
 *   2. larger ones                      a piece of each, then more of them
 *   3. smaller ones, largest first      grown
 *   4. free air                         new islands, at random, then in the tightest corners
 *
 * Steps 1 and 2 go up to the most islands allowed, 3 and 4 up to a number drawn between the bounds.
 * An island is only painted on cells that touch no other, so none ever touches; one that stays too
 * small is taken back.
 *
 * How an island grows makes its coast. Cells around it are compared by their contact with it: two
 * for each side, one for each corner that is its own. Of two random cells, the one with less
 * contact gives coasts as ragged as those of the automaton (measured by 4 pi A / P^2: .29, where
 * components that are kept have .25 and pieces of larger ones .32); of three, the one with most
 * gives smoother ones (.55), which leave more room, and are tried when the first fall short.
 *
 * Whether a cell touches an island made before is asked more often than anything else, and mostly
 * in vain: so there is a bit of each cell that tells, set around each island when it is done.
 *
 * It ends: every component and every cell of air is tried once in each step, and what was tried in
 * vain is marked.
 */
#include "islands.h"

/* An island in the making. */
struct work {
    struct world *world;
    int32_t id, size, pooled;
    int32_t *cells, *pool; /* room for world->largest */
    uint64_t *shut;        /* a bit of each cell: it is of an island made before, or touches one */
};

static inline bool is_shut(const struct work *w, int32_t cell)
{
    bool shut = w->shut[cell / 64] >> cell % 64 & 1;
    mw_assert_costly(w->world->at[cell] > 0 || shut == world_touches(w->world, cell, w->id));
    return shut;
}

/* Shuts a cell and all that touch it. */
static inline void shut_around(const struct work *w, int32_t cell)
{
    for (int k = -1; k <= 1; k++) {
        int32_t first = cell + k * w->world->stride - 1, rest = first % 64;
        w->shut[first / 64] |= UINT64_C(7) << rest;
        if (rest > 61)
            w->shut[first / 64 + 1] |= UINT64_C(7) >> (64 - rest);
    }
}

static void put(struct work *w, int32_t cell)
{
    assert(w->world->at[cell] <= 0 && w->world->at[cell] != CELL_RIM);
    assert(w->size < w->world->largest);
    assert(!is_shut(w, cell));
    w->world->at[cell] = w->id;
    w->cells[w->size++] = cell;
    w->pool[w->pooled++] = cell;
}

static void begin(struct work *w)
{
    w->id = w->world->count + 1;
    w->size = w->pooled = 0;
}

/* Keeps the island if it is large enough, else gives its cells back as `value`. */
static bool finish(struct work *w, int32_t value)
{
    mw_tick(w->world->run, (uint64_t)w->size * 16 + 1);
    assert(w->size <= w->world->largest);
    if (w->size >= w->world->least) {
        for (int32_t i = 0; i < w->size; i++)
            shut_around(w, w->cells[i]);
        w->world->size[++w->world->count] = w->size;
        return true;
    }
    while (w->size)
        w->world->at[w->cells[--w->size]] = value;
    return false;
}

/* ---- growing --------------------------------------------------------------------------------- */

/* Which cells an island may take, and how they are chosen. */
enum manner { ON_LAND, ANYWHERE, COMPACT };

/* Contact of a cell with the island. */
static inline int own_contact(const struct work *w, int32_t cell)
{
    const int32_t *at = w->world->at + cell, *up = at - w->world->stride,
                  *down = at + w->world->stride;
    int32_t id = w->id;
    int sides = (at[1] == id) + (down[0] == id) + (at[-1] == id) + (up[0] == id);
    return 2 * sides + (down[1] == id) + (down[-1] == id) + (up[-1] == id) + (up[1] == id);
}

/* The same, COMPACT with all that is solid (rim, and air beside others); -1: not to be taken. */
static int contact_of(const struct work *w, int32_t cell, enum manner manner)
{
    const struct world *s = w->world;
    if (is_shut(w, cell))
        return -1;
    int32_t own = s->at[cell];
    if (own > CELL_LAND && (manner == ON_LAND || (own != CELL_AIR && own != CELL_HELD)))
        return -1;
    int contact = own_contact(w, cell);
    for (int k = 0; manner == COMPACT && k < 8; k++) {
        int32_t beside = cell + s->ring[k], value = s->at[beside];
        contact += value == CELL_RIM || (value <= 0 && is_shut(w, beside)) ? 2 - k % 2 : 0;
    }
    return contact;
}

/* A random cell beside one of the pool that may be taken, and its contact; -1: none. */
static int32_t beside(const struct work *w, int32_t cell, enum manner manner, int *contact)
{
    const struct world *s = w->world;
    uint32_t turn = (uint32_t)(mw_next(&w->world->rng) >> 62);
    for (uint32_t k = 0; k < 4; k++) {
        int32_t next = cell + s->ring[(k + turn) % 4 * 2];
        *contact = contact_of(w, next, manner);
        if (*contact >= 0)
            return next;
    }
    return -1;
}

static int32_t choose(struct work *w, enum manner manner)
{
    bool compact = manner == COMPACT || w->world->smooth;
    int best = -1, left = manner == COMPACT ? 12 : compact ? 3 : 2;
    int32_t chosen = -1;
    while (left && w->pooled) {
        int contact;
        int32_t i = (int32_t)mw_below(&w->world->rng, (uint32_t)w->pooled);
        int32_t cell = beside(w, w->pool[i], manner, &contact);
        if (cell < 0) {
            w->pool[i] = w->pool[--w->pooled];
            continue;
        }
        left--;
        if (chosen >= 0 && (compact ? contact <= best : contact >= best))
            continue;
        chosen = cell;
        best = contact;
    }
    return chosen;
}

static void grow(struct work *w, int32_t size, enum manner manner)
{
    memcpy(w->pool, w->cells, (size_t)w->size * sizeof *w->pool);
    w->pooled = w->size;
    while (w->size < size) {
        int32_t cell = choose(w, manner);
        if (cell < 0)
            return;
        put(w, cell);
    }
}

static int32_t draw_size(struct world *s) { return mw_between(&s->rng, s->least, s->largest); }

/* ---- components that fit, and smaller ones --------------------------------------------------- */

/* Lists the cells of a component, of which there are at most world->largest, and holds them. */
static void hold(struct work *w, int32_t start)
{
    const struct world *s = w->world;
    w->world->at[start] = CELL_HELD;
    w->cells[w->size++] = start;
    for (int32_t i = 0; i < w->size; i++)
        for (int k = 0; k < 8; k += 2) {
            int32_t next = w->cells[i] + s->ring[k];
            if (s->at[next] > CELL_LAND)
                continue;
            w->world->at[next] = CELL_HELD;
            w->cells[w->size++] = next;
        }
}

/* Keeps of the cells held some that hang together and touch no other island. */
static void keep_clear(struct work *w)
{
    int32_t held = w->size, kept = 0;
    for (int32_t i = 0; i < held && !kept; i++) {
        if (is_shut(w, w->cells[i]))
            continue;
        w->pool[kept++] = w->cells[i];
        w->world->at[w->cells[i]] = w->id;
    }
    for (int32_t i = 0; i < kept; i++)
        for (int k = 0; k < 8; k += 2) {
            int32_t next = w->pool[i] + w->world->ring[k];
            if (w->world->at[next] != CELL_HELD || is_shut(w, next))
                continue;
            w->pool[kept++] = next;
            w->world->at[next] = w->id;
        }
    for (int32_t i = 0; i < held; i++)
        if (w->world->at[w->cells[i]] == CELL_HELD)
            w->world->at[w->cells[i]] = CELL_AIR;
    memcpy(w->cells, w->pool, (size_t)kept * sizeof *w->cells);
    w->size = kept;
}

static void settle_component(struct work *w, int32_t start)
{
    if (w->world->at[start] > CELL_LAND) /* a neighbour has grown over it */
        return;
    begin(w);
    hold(w, start);
    keep_clear(w);
    if (w->size && w->size < w->world->least)
        grow(w, draw_size(w->world), ANYWHERE);
    finish(w, CELL_AIR);
}

/* ---- larger components ----------------------------------------------------------------------- */

static bool carve(struct work *w, int32_t start)
{
    begin(w);
    if (contact_of(w, start, ON_LAND) < 0)
        return false;
    put(w, start);
    int32_t size = draw_size(w->world);
    grow(w, size, ON_LAND);
    if (w->size < w->world->least)
        grow(w, size, ANYWHERE);
    return finish(w, CELL_AIR);
}

/* All cells of larger components, in random order. */
static int32_t list_large(struct world *s, const struct components *c)
{
    int32_t n = 0;
    for (int32_t y = 0; y < s->height; y++)
        for (int32_t r = c->first[y]; r < c->first[y + 1]; r++)
            for (int32_t x = c->runs[r].from; c->size[c->root[r]] > s->largest && x < c->runs[r].to;
                 x++)
                s->list[n++] = world_cell(s, x, y);
    mw_shuffle(&s->rng, s->list, n);
    mw_tick(s->run, (uint64_t)n * 2 + (uint64_t)c->count);
    return n;
}

/*
 * A random order meets memory that is far from all met before. But it is known ahead: so what will
 * be read is asked for some cells before its turn, and what says where that is, twice as early.
 */
enum { AHEAD = 16 };

static inline void fetch_cell(const struct work *w, int32_t cell)
{
    for (int k = -1; k <= 1; k++)
        __builtin_prefetch(w->world->at + cell + k * w->world->stride);
}

/* A piece of each component. */
static void carve_each(struct work *w, struct components *c, int32_t n)
{
    const struct world *s = w->world;
    const int32_t *list = s->list;
    for (int32_t i = 0; i < n && s->count < s->most; i++) {
        if (i + 2 * AHEAD < n) {
            __builtin_prefetch(&s->at[list[i + 2 * AHEAD]]);
            __builtin_prefetch(&c->size[mw_max(CELL_LAND - s->at[list[i + AHEAD]], 0)]);
        }
        int32_t root = CELL_LAND - s->at[list[i]];
        if (root >= 0 && c->size[root] > s->largest && carve(w, list[i]))
            c->size[root] = 0;
    }
}

/* Pieces wherever there is room. */
static void carve_more(struct work *w, int32_t n, int32_t target)
{
    const int32_t *list = w->world->list;
    for (int32_t i = 0; i < n && w->world->count < target; i++) {
        if (i + 2 * AHEAD < n) {
            __builtin_prefetch(&w->shut[list[i + 2 * AHEAD] / 64]);
            if (!is_shut(w, list[i + AHEAD]))
                fetch_cell(w, list[i + AHEAD]);
        }
        carve(w, list[i]);
    }
}

static void carve_large(struct work *w, struct components *c, int32_t target)
{
    int32_t n = list_large(w->world, c);
    carve_each(w, c, n);
    carve_more(w, n, target);
    mw_tick(w->world->run, (uint64_t)n * 4);
}

static void settle_components(struct work *w, const int32_t *starts, int32_t n, int32_t target)
{
    for (int32_t i = 0; i < n && w->world->count < target; i++) {
        if (i + AHEAD < n)
            fetch_cell(w, starts[i + AHEAD]);
        settle_component(w, starts[i]);
    }
}

/* ---- free air -------------------------------------------------------------------------------- */

/* A new island at a cell, if that is free; a place too small for one is marked. */
static bool found_at(struct work *w, int32_t cell, enum manner manner)
{
    struct world *s = w->world;
    begin(w);
    if (s->at[cell] == CELL_HELD || contact_of(w, cell, ANYWHERE) < 0)
        return false;
    put(w, cell);
    grow(w, manner == COMPACT ? s->least : draw_size(s), manner);
    return finish(w, CELL_HELD);
}

static void found_more(struct work *w, int32_t target)
{
    struct world *s = w->world;
    int64_t throws = 2 * (int64_t)s->width * s->height / s->least + 64;
    for (; throws && s->count < target; throws--) {
        int32_t x = (int32_t)mw_below(&s->rng, (uint32_t)s->width);
        int32_t y = (int32_t)mw_below(&s->rng, (uint32_t)s->height);
        found_at(w, world_cell(s, x, y), ANYWHERE);
        mw_tick(s->run, 1);
    }
    for (int32_t cell = s->stride; cell < s->cells - s->stride && s->count < s->fewest; cell++)
        found_at(w, cell, COMPACT);
    mw_tick(s->run, s->count < s->fewest ? (uint64_t)s->cells * 8 : 0);
}

/* ---- in order -------------------------------------------------------------------------------- */

enum { STEPS_OF_SIZE = 1024 };

/* 0: fits; then smaller ones, from the largest down; the largest components are not here. */
static int32_t rank(const struct world *s, int32_t size)
{
    return mw_clamp(s->least - size, 0, STEPS_OF_SIZE);
}

/* The first cell of each run that is a root, in place of the run. */
static void locate(struct world *s, const struct components *c, int32_t *roots, int32_t n)
{
    int32_t *row = MW_NEW(s->run, int32_t, c->count + 1);
    for (int32_t y = 0; y < s->height; y++)
        for (int32_t r = c->first[y]; r < c->first[y + 1]; r++)
            row[r] = y;
    for (int32_t i = 0; i < n; i++)
        roots[i] = world_cell(s, c->runs[roots[i]].from, row[roots[i]]);
}

/* First cells of the components that are not too large, by rank, at random within one; how many. */
static int32_t *list_components(struct world *s, const struct components *c, int32_t *count,
                                int32_t *fitting)
{
    int32_t start[STEPS_OF_SIZE + 3] = {0}, n = 0, *root = s->list;
    for (int32_t r = 0; r < c->count; r++)
        if (c->size[r] > 0 && c->size[r] <= s->largest)
            root[n++] = r;
    mw_shuffle(&s->rng, root, n);
    int32_t *sorted = MW_NEW(s->run, int32_t, n + 1);
    for (int32_t i = 0; i < n; i++)
        start[rank(s, c->size[root[i]]) + 1]++;
    *fitting = start[1];
    for (int k = 0; k <= STEPS_OF_SIZE; k++)
        start[k + 1] += start[k];
    for (int32_t i = 0; i < n; i++)
        sorted[start[rank(s, c->size[root[i]])]++] = root[i];
    locate(s, c, sorted, n);
    mw_tick(s->run, (uint64_t)n * 4 + (uint64_t)c->count);
    *count = n;
    return sorted;
}

static void paint(struct world *s, const struct components *c)
{
    for (int32_t i = 0; i < s->cells; i++)
        s->at[i] = CELL_RIM;
    for (int32_t y = 0; y < s->height; y++) {
        int32_t *row = s->at + world_cell(s, 0, y);
        memset(row, 0, (size_t)s->width * sizeof *row);
        for (int32_t r = c->first[y]; r < c->first[y + 1]; r++)
            for (int32_t x = c->runs[r].from; x < c->runs[r].to; x++)
                row[x] = CELL_LAND - c->root[r];
    }
    mw_tick(s->run, (uint64_t)s->cells);
}

static void clear_rest(struct world *s)
{
    for (int32_t i = 0; i < s->cells; i++)
        s->at[i] = s->at[i] <= CELL_LAND || s->at[i] == CELL_HELD ? CELL_AIR : s->at[i];
}

bool islands_order(struct world *s, const struct plane *land)
{
    struct components c;
    s->count = 0;
    life_label(s->run, land, &c);
    paint(s, &c);
    int32_t largest = mw_min(s->largest, s->width * s->height);
    struct work w = {.world = s,
                     .cells = MW_NEW(s->run, int32_t, largest),
                     .pool = MW_NEW(s->run, int32_t, largest),
                     .shut = MW_NEW0(s->run, uint64_t, s->cells / 64 + 1)};
    int32_t target = mw_between(&s->rng, s->fewest, s->most);
    int32_t fitting, n;
    const int32_t *starts = list_components(s, &c, &n, &fitting);
    settle_components(&w, starts, fitting, s->most);
    if (s->count < s->most)
        carve_large(&w, &c, target);
    settle_components(&w, starts + fitting, n - fitting, target);
    found_more(&w, target);
    clear_rest(s);
    assert(s->count <= s->most);
    return s->count >= s->fewest;
}
