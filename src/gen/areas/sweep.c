/*
 * sweep.c: the longest walk on small masked land, found or proven not to be.
 *
 * The land is swept cell by cell, and all walks at once: what matters of a walk's part on the cells
 * behind is only which steps lead across the line of the sweep, and which of these hang together
 * behind it. Parts that agree in that are one state, and of each only the longest is kept.
 *
 *      behind   o-o o-o        a step across is one of a pair, ( and ), or lone: its part's other
 *              o| o-o |        end is an end of the walk, of which there are two
 *      --------(---- -)--
 *      ahead
 *
 * (Broken profiles: Klein 1980; Simpath: Knuth 2008.) Parts do not cross, so pairs nest, and two
 * bits a step say all. There are few states where land is narrow, and fewer as only so many cells,
 * light or dark, may be left out. Where there are too many, those with the longest parts go on:
 * then what is found is a walk as before, but nothing is proven. A longer walk is cut to length.
 *
 * Cost: a state and cell some 100 ns and 4 bytes, of which there are TOTAL at most.
 */
#include "areas.h"

enum { NO_STEP, OPEN, CLOSE, LONE };
enum { RIGHT = 1, DOWN = 2 };
enum { ACROSS_MOST = 30, TOTAL = 1 << 22, FEWEST = 1 << 11, MOST = 1 << 16 };

/* Two bits for each step across the line, from the left; above them how many ends there are. */
#define ENDS_AT 62
#define STEPS ((UINT64_C(1) << ENDS_AT) - 1)

struct state {
    uint64_t key;
    int32_t used, light; /* cells of its parts, and those of them that are light */
    uint32_t from;       /* the state before, times 4, and the steps from the cell */
};

struct sweep {
    struct area *area;
    int32_t across, down;
    int32_t ahead, light; /* cells of land that are still to come, and how many are light */
    bool turned;          /* columns are rows */
    int32_t most;         /* states that go on */
    struct state *before, *after;
    int32_t befores, afters, before_room, after_room, index_room;
    uint32_t *index, mask; /* of `after`, by hash: a place + 1 */
    uint32_t **from;       /* by cell and state */
    uint32_t last;         /* how the walk that was found ends */
    bool proven, found;
};

/* ---- land ------------------------------------------------------------------------------------ */

static int32_t cell_at(const struct sweep *s, int32_t row, int32_t column)
{
    int32_t width = s->area->grid->lattice.width;
    return s->turned ? column * width + row : row * width + column;
}

static bool is_land(const struct sweep *s, int32_t row, int32_t column)
{
    const struct grid *g = s->area->grid;
    return row < s->down && column < s->across && g->owner[cell_at(s, row, column)] == g->vacant;
}

/* ---- states ---------------------------------------------------------------------------------- */

static unsigned step_at(uint64_t key, int i) { return key >> 2 * i & 3; }

static uint64_t with_step(uint64_t key, int i, unsigned step)
{
    return (key & ~(UINT64_C(3) << 2 * i)) | (uint64_t)step << 2 * i;
}

/* Where the other one of a pair is. */
static int mate_of(uint64_t key, int i)
{
    int by = step_at(key, i) == OPEN ? 1 : -1, depth = 0, own = i;
    for (; i >= 0 && i <= ACROSS_MOST; i += by) {
        depth += (step_at(key, i) == OPEN) - (step_at(key, i) == CLOSE);
        if (!depth)
            return i;
    }
    assert(false); /* steps come in pairs */
    return own;
}

/*
 * Whether it may become a walk of the wanted length: that has as many light cells as dark, give or
 * take one. (Of two states with one key the longer is kept: what can follow the one can follow the
 * other, so if the longer leaves too few light cells, the shorter leaves too few in all.)
 */
static bool is_hopeful(const struct sweep *s, int32_t used, int32_t light)
{
    int32_t area = s->area->wanted->area, all = used + s->ahead, lights = light + s->light;
    return all >= area && lights >= area / 2 && all - lights >= area / 2;
}

static void add(struct sweep *s, uint64_t key, const struct state *as, uint32_t steps)
{
    if (!is_hopeful(s, as->used, as->light))
        return;
    uint32_t at = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & s->mask;
    while (s->index[at] && s->after[s->index[at] - 1].key != key)
        at = (at + 1) & s->mask;
    if (!s->index[at]) {
        assert(s->afters < s->after_room);
        s->index[at] = (uint32_t)++s->afters;
        s->after[s->afters - 1].used = -1;
    }
    struct state *to = &s->after[s->index[at] - 1];
    if (to->used < as->used)
        *to = (struct state){key, as->used, as->light, as->from | steps};
}

/* The walk is whole: it is one if no other parts are left. */
static void finish(struct sweep *s, uint64_t key, const struct state *as)
{
    if (key & STEPS || as->used < s->area->wanted->area)
        return;
    s->found = true;
    s->last = as->from;
}

/* ---- a cell ---------------------------------------------------------------------------------- */

/* A state that takes a cell, and the steps by which the cell may be left. */
struct crossing {
    struct state as; /* with the cell, and without the two steps that may lead to it */
    int at;
    uint32_t ways;
};

static uint64_t one_more_end(uint64_t key) { return key + (UINT64_C(1) << ENDS_AT); }

/* Goes on from a part, by the way down or to the right. */
static void leave(struct sweep *s, const struct crossing *c, uint64_t key, unsigned step)
{
    if (c->ways & DOWN)
        add(s, with_step(key, c->at, step), &c->as, DOWN);
    if (c->ways & RIGHT)
        add(s, with_step(key, c->at + 1, step), &c->as, RIGHT);
}

static void begin_part(struct sweep *s, const struct crossing *c)
{
    uint64_t key = c->as.key;
    if (c->ways == (RIGHT | DOWN))
        add(s, with_step(with_step(key, c->at, OPEN), c->at + 1, CLOSE), &c->as, RIGHT | DOWN);
    if (key >> ENDS_AT < 2)
        leave(s, c, one_more_end(key), LONE);
}

/* A part that came by the step at place i of the key before goes on, or ends here. */
static void go_on(struct sweep *s, const struct crossing *c, uint64_t before, int i)
{
    uint64_t key = c->as.key;
    unsigned step = step_at(before, i);
    leave(s, c, key, step);
    if (key >> ENDS_AT == 2)
        return;
    if (step == LONE)
        finish(s, one_more_end(key), &c->as);
    else
        add(s, with_step(one_more_end(key), mate_of(before, i), LONE), &c->as, 0);
}

/* Two parts become one, unless they are the two ends of one. */
static void join(struct sweep *s, const struct crossing *c, uint64_t before)
{
    uint64_t key = c->as.key;
    unsigned left = step_at(before, c->at), up = step_at(before, c->at + 1);
    if (left == LONE && up == LONE)
        finish(s, key, &c->as);
    else if (left == LONE)
        add(s, with_step(key, mate_of(before, c->at + 1), LONE), &c->as, 0);
    else if (up == LONE)
        add(s, with_step(key, mate_of(before, c->at), LONE), &c->as, 0);
    else if (left == OPEN && up == OPEN)
        add(s, with_step(key, mate_of(before, c->at + 1), OPEN), &c->as, 0);
    else if (left == CLOSE && up == CLOSE)
        add(s, with_step(key, mate_of(before, c->at), CLOSE), &c->as, 0);
    else if (left == CLOSE)
        add(s, key, &c->as, 0);
}

struct place {
    int column;
    bool land, light;
    uint32_t ways;
};

static void cross(struct sweep *s, const struct state *state, uint32_t number, struct place p)
{
    struct state as = *state;
    as.from = number << 2;
    if (!p.column)
        as.key = (as.key & ~STEPS) | (as.key << 2 & STEPS);
    uint64_t before = as.key;
    unsigned left = step_at(before, p.column), up = step_at(before, p.column + 1);
    if (!left && !up)
        add(s, as.key, &as, 0);
    if (!p.land)
        return;
    as.key = with_step(with_step(as.key, p.column, NO_STEP), p.column + 1, NO_STEP);
    as.used++;
    as.light += p.light;
    struct crossing c = {as, p.column, p.ways};
    if (!left && !up)
        begin_part(s, &c);
    else if (left && up)
        join(s, &c, before);
    else
        go_on(s, &c, before, left ? p.column : p.column + 1);
}

/* ---- a layer of states ----------------------------------------------------------------------- */

/* Keeps the longest, where there are too many. */
static void thin_out(struct sweep *s)
{
    int32_t longest = 0, n = 0, kept = 0;
    if (s->afters <= s->most)
        return;
    s->proven = false;
    for (int32_t i = 0; i < s->afters; i++)
        longest = mw_max(longest, s->after[i].used);
    int32_t *by_length = MW_NEW0(s->area->grid->run, int32_t, longest + 1), least = longest;
    for (int32_t i = 0; i < s->afters; i++)
        by_length[s->after[i].used]++;
    while (least > 0 && n + by_length[least] <= s->most)
        n += by_length[least--];
    for (int32_t i = 0, spare = s->most - n; i < s->afters; i++)
        if (s->after[i].used > least || (s->after[i].used == least && spare-- > 0))
            s->after[kept++] = s->after[i];
    s->afters = kept;
}

/* Each state becomes four at most; its index is twice as large. */
static void make_room(struct sweep *s)
{
    struct mw_run *run = s->area->grid->run;
    int32_t states = 4 * mw_max(s->befores, 16), places = 64;
    while (places < 2 * states)
        places *= 2;
    if (s->after_room < states) {
        s->after_room = 2 * states;
        s->after = MW_NEW(run, struct state, s->after_room);
    }
    if (s->index_room < places) {
        s->index_room = places;
        s->index = MW_NEW(run, uint32_t, places);
    }
    memset(s->index, 0, (size_t)places * sizeof *s->index);
    s->mask = (uint32_t)places - 1;
    s->afters = 0;
    mw_tick(run, (uint64_t)s->befores * 10);
}

/* Which state and steps each came from; what is after is before the next cell. */
static void go_ahead(struct sweep *s, int32_t at)
{
    uint32_t *from = s->from[at] = MW_NEW(s->area->grid->run, uint32_t, mw_max(s->afters, 1));
    for (int32_t i = 0; i < s->afters; i++)
        from[i] = s->after[i].from;
    struct state *states = s->before;
    int32_t room = s->before_room;
    s->before = s->after;
    s->before_room = s->after_room;
    s->befores = s->afters;
    s->after = states;
    s->after_room = room;
}

static void cross_all(struct sweep *s, int32_t at)
{
    int32_t row = at / s->across, column = at % s->across;
    struct place p = {column, is_land(s, row, column), (row + column) % 2, 0};
    p.ways = is_land(s, row, column + 1) * (uint32_t)RIGHT |
             is_land(s, row + 1, column) * (uint32_t)DOWN;
    s->ahead -= p.land;
    s->light -= p.land && p.light;
    make_room(s);
    for (int32_t i = 0; i < s->befores && !s->found; i++)
        cross(s, &s->before[i], (uint32_t)i, p);
    if (s->found)
        return;
    thin_out(s);
    go_ahead(s, at);
}

/* ---- the walk -------------------------------------------------------------------------------- */

/* Notes the steps of the walk, which was found at place `at` of the sweep: for each cell those to
   the right and down, then those back as well. */
static void note_steps(struct sweep *s, int32_t at, uint8_t *steps)
{
    uint32_t from = s->last;
    for (int32_t i = at; i >= 0; i--) {
        steps[i] = from & 3;
        if (i)
            from = s->from[i - 1][from >> 2];
    }
    for (int32_t i = at; i >= 0; i--) {
        if (steps[i] & RIGHT)
            steps[i + 1] |= 4;
        if (steps[i] & DOWN)
            steps[i + s->across] |= 8;
    }
}

static void follow(struct sweep *s, const uint8_t *steps)
{
    struct area *a = s->area;
    const int32_t by[4] = {1, s->across, -1, -s->across};
    int32_t at = 0, back = -1;
    while (at < a->grid->cells - 1 && (!steps[at] || steps[at] & (steps[at] - 1)))
        at++;
    for (a->size = 0; a->size < a->wanted->area;) {
        assert(at >= 0 && at < a->grid->cells);
        int32_t cell = cell_at(s, at / s->across, at % s->across);
        assert(a->grid->owner[cell] == a->grid->vacant);
        a->grid->owner[cell] = a->id;
        a->cells[a->size++] = cell;
        int way = 0;
        while (way < 4 && (!(steps[at] >> way & 1) || way == back))
            way++;
        if (way == 4)
            break;
        at += by[way];
        back = (way + 2) % 4;
    }
    assert(a->size == a->wanted->area);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static struct sweep ready(struct area *a)
{
    struct grid *g = a->grid;
    int32_t w = g->lattice.width, h = g->lattice.height;
    struct sweep s = {.area = a,
                      .across = mw_min(w, h),
                      .down = mw_max(w, h),
                      .turned = w > h,
                      .most = mw_min(mw_max(TOTAL / g->cells, FEWEST), MOST),
                      .proven = true};
    for (int32_t i = 0; i < g->cells; i++) {
        bool land = is_land(&s, i / s.across, i % s.across);
        s.ahead += land;
        s.light += land && (i / s.across + i % s.across) % 2;
    }
    s.from = MW_NEW(g->run, uint32_t *, g->cells);
    s.before = MW_NEW(g->run, struct state, 1);
    s.before_room = s.befores = 1;
    s.before[0] = (struct state){0, 0, 0, 0};
    return s;
}

int areas_walk_sweep(struct area *a)
{
    const struct grid *g = a->grid;
    if (!g->flat || !a->wanted->holes || a->wanted->area < 2 ||
        mw_min(g->lattice.width, g->lattice.height) > ACROSS_MOST ||
        g->cells > ACROSS_MOST * ACROSS_MOST * 2)
        return -1;
    struct sweep s = ready(a);
    int32_t at = -1;
    while (!s.found && s.befores && at + 1 < g->cells) {
        at++;
        cross_all(&s, at);
    }
    if (!s.found)
        return s.proven ? 0 : -1;
    uint8_t *steps = MW_NEW0(g->run, uint8_t, g->cells);
    note_steps(&s, at, steps);
    follow(&s, steps);
    return 1;
}
