/*
 * prop_regions.c: the promises of /regions on every kind of land.
 *
 * Every map that is made is judged by check_regions.c. A full map must be made whatever is asked of
 * it; on land with water some requests have no answer. On small land brute force tells which: those
 * alone may be refused. Land that was put together of parts must come apart. On other land, and
 * with capitals, the number of refusals is bounded for each kind, so closely that no way of
 * dividing land can be taken away.
 *
 * MAPWRIGHT_LONG=1 tries twenty times as many.
 */
#define ASK_BLOCK (64 << 20)
#define ASK_QUERY (1 << 20)

#include "ask.h"
#include "judge.h"
#include "land.h"

static const struct mw_map *answer(void) { return ask_judged(check_regions); }

static void judge_refusals(int refused, int asked, int per_mille, const char *what)
{
    printf("regions on %s: %d of %d refused\n", what, refused, asked);
    int grace = per_mille ? 1000 : 0; /* one, as few may be asked */
    if (is_sanitized())               /* too few were tried to tell */
        return;
    ck_assert_msg(asked > 0 && refused * 1000 <= asked * per_mille + grace,
                  "%s: %d of %d are refused", what, refused, asked);
}

/* ---- any land -------------------------------------------------------------------------------- */

enum { GIVEN = 1, CAPITALS = 2, WAYS = 4, ANY = 1000 };

/* Of a thousand requests, how many may be refused: for even sizes and for given ones, then for each
   of these with capitals. On corridors most cannot be met. */
static const struct kind {
    const char *name;
    land_draw *draw;
    int most[WAYS];
} kinds[] = {
    {"full land", land_full, {0, 0, 10, 10}},
    {"full land, capitals in one quarter", land_full, {0, 0, 60, 100}},
    {"two rows of a torus", land_two_rows, {0, 0, 30, 30}},
    {"noise", land_noise, {100, 20, 250, 300}},
    {"lakes", land_lakes, {30, 10, 30, 20}},
    {"islands", land_islands, {40, 20, 20, 30}},
    {"an isthmus", land_isthmus, {40, 10, 40, 80}},
    {"combs", land_comb, {200, 230, 500, ANY}},
    {"spirals", land_spiral, {10, 10, 400, 720}},
    {"mazes", land_maze, {360, 80, ANY, ANY}},
    {"mazes with loops", land_loops, {300, 100, ANY, ANY}},
    {"trees", land_tree, {350, 180, ANY, ANY}},
};

/* A request in the making. */
static struct plan {
    struct land land;
    int count, size[LAND_CELLS], home[LAND_CELLS]; /* of countries: cells, and piece of land */
} plan;

/* Of few, of many, of as many as there are, and of nearly as many. */
static int draw_count(struct arbitrary *source, int least, int most)
{
    int span = most - least + 1, few = span < 12 ? span : 12;
    switch (below(source, 5)) {
    case 0: return most - below(source, few);
    case 1: return least + below(source, span);
    case 2: return least + below(source, span / 4 + 1);
    default: return least + below(source, few);
    }
}

/* Cuts each piece into sizes, small ones as a rule; in no order. */
static void draw_sizes(struct arbitrary *source, int least)
{
    static int cells[LAND_CELLS + 1];
    const struct land *l = &plan.land;
    int reach = 1 + below(source, l->cells);
    memset(cells, 0, ((size_t)l->pieces + 1) * sizeof *cells);
    for (int i = 0; i < l->width * l->height; i++)
        cells[l->piece_of[i]]++;
    plan.count = 0;
    for (int piece = 1; piece <= l->pieces; piece++)
        for (int left = cells[piece]; left > 0; left -= plan.size[plan.count++]) {
            int room = least > 1 ? left / 3 : left, most = room < reach ? room : reach;
            plan.size[plan.count] = room < least ? left : least + below(source, most);
            plan.home[plan.count] = piece;
        }
    for (int k = plan.count - 1; k > 0; k--) {
        int other = below(source, k + 1), size = plan.size[k], home = plan.home[k];
        plan.size[k] = plan.size[other], plan.home[k] = plan.home[other];
        plan.size[other] = size, plan.home[other] = home;
    }
}

static void ask_sizes(void)
{
    for (int k = 0; k < plan.count; k++)
        ask("%s%d", k ? "," : "&sizes=", plan.size[k]);
}

static void ask_look(struct arbitrary *source, bool varied)
{
    ask("&roughness=%.1f", below(source, 11) / 10.0);
    if (varied)
        ask("&variation=%.1f", (1 + below(source, 10)) / 10.0);
}

/* Different cells, each on the piece of its country where sizes are given, in no order; how many
   pieces have none. */
static int ask_capitals(struct arbitrary *source, int towns, bool given, bool crowded)
{
    static bool taken[LAND_CELLS], met[LAND_CELLS + 1];
    const struct land *l = &plan.land;
    int empty = l->pieces;
    memset(taken, 0, sizeof taken);
    memset(met, 0, sizeof met);
    for (int k = 0; k < towns; k++) {
        int x, y, cell;
        do {
            x = below(source, crowded ? (l->width + 1) / 2 : l->width);
            y = below(source, crowded ? (l->height + 1) / 2 : l->height);
            cell = y * l->width + x;
        } while (!l->is[cell] || taken[cell] || (given && l->piece_of[cell] != plan.home[k]));
        taken[cell] = true;
        empty -= !met[l->piece_of[cell]];
        met[l->piece_of[cell]] = true;
        ask("%s%d,%d", k ? ";" : "&capitals=", x, y);
    }
    return empty;
}

static void draw_plan(struct arbitrary *source, const struct kind *kind, int way)
{
    land_shape(&plan.land, source, below(source, 4) || way & CAPITALS ? LAND_SIDE : 20);
    kind->draw(&plan.land, source);
    if (way == GIVEN)
        land_keep_one_piece(&plan.land);
    else
        land_find_pieces(&plan.land);
    if (way & GIVEN)
        draw_sizes(source, way & CAPITALS ? 12 : 1);
    else if (way & CAPITALS)
        plan.count = plan.land.pieces + below(source, plan.land.cells / 24 + 1);
    else
        plan.count = draw_count(source, plan.land.pieces, plan.land.cells);
}

/* False: nothing can be told of it. A piece without a capital needs a country without one. */
static bool judge_one(struct arbitrary *source, const struct kind *kind, int way, bool *made)
{
    bool crowded = kind == &kinds[1], varied = !(way & GIVEN) && !below(source, 3);
    int towns = way & CAPITALS ? 1 + below(source, plan.count) : 0;
    if (way & GIVEN)
        ask_sizes();
    else
        ask("&count=%d", plan.count);
    ask_look(source, varied);
    int empty = ask_capitals(source, towns, way & GIVEN, crowded);
    ask("%s", land_fields(&plan.land));
    *made = answer() != NULL;
    if (way == CAPITALS && empty > plan.count - towns)
        ck_assert_msg(!*made && strstr(refusal, "separate pieces"), "%.2000s", query);
    else if (kind < &kinds[2] && varied) /* sizes that vary give way to capitals */
        ck_assert_msg(*made, "%s: %.3000s", refusal, query);
    return way != CAPITALS || empty <= plan.count - towns;
}

TEST(land_of_every_kind_is_divided, .end = WAYS * COUNT(kinds))
{
    const struct kind *kind = &kinds[_i / WAYS];
    int asked = 0, refused = 0, way = _i % WAYS;
    if (kind->most[way] == ANY)
        return;
    clock_t end = cpu_limit(2);
    for (int i = 0; i < rounds(100) && clock() < end; i++) {
        struct arbitrary source = {.state = (uint64_t)(i + 7919 * _i)};
        bool made;
        draw_plan(&source, kind, way);
        if (plan.land.cells < (way & CAPITALS ? 60 : 1))
            continue;
        ask_anew("regions", (uint32_t)i);
        if (!judge_one(&source, kind, way, &made))
            continue;
        asked++;
        refused += !made;
    }
    static const char *const ways[WAYS] = {"even sizes", "given sizes", "even sizes, capitals",
                                           "given sizes, capitals"};
    char what[99];
    snprintf(what, sizeof what, "%s, %s", kind->name, ways[way]);
    judge_refusals(refused, asked, kind->most[way], what);
}

/* ---- small land, against brute force --------------------------------------------------------- */

enum { FEW_CELLS = 18 };

struct puzzle {
    uint32_t beside[FEW_CELLS]; /* by cell: bits of the cells beside it */
    int left[FEW_CELLS + 1];    /* by size: countries still to be placed */
};

static bool can_place_rest(struct puzzle *, uint32_t free);

/* Whether the part can grow by so many cells, none of them barred, and the rest be divided too. */
static bool can_grow(struct puzzle *p, uint32_t free, uint32_t part, uint32_t barred, int more)
{
    if (!more)
        return can_place_rest(p, free & ~part);
    uint32_t edge = 0;
    for (int i = 0; i < FEW_CELLS; i++)
        edge |= part >> i & 1 ? p->beside[i] & free & ~part & ~barred : 0;
    for (; edge; edge &= edge - 1) {
        uint32_t cell = edge & -edge;
        if (can_grow(p, free, part | cell, barred, more - 1))
            return true;
        barred |= cell;
    }
    return false;
}

static bool can_place_rest(struct puzzle *p, uint32_t free)
{
    bool can = !free;
    for (int size = 1; size <= FEW_CELLS && !can; size++) {
        if (!p->left[size])
            continue;
        p->left[size]--;
        can = can_grow(p, free, free & -free, 0, size - 1);
        p->left[size]++;
    }
    return can;
}

static bool can_be_divided(const struct land *l)
{
    static int rank[LAND_CELLS];
    struct puzzle p = {.left = {0}};
    int n = 0;
    for (int i = 0; i < l->width * l->height; i++)
        rank[i] = l->is[i] ? n++ : -1;
    for (int i = 0; i < l->width * l->height; i++)
        for (int s = 0; l->is[i] && s < land_sides(l); s++) {
            int other = land_beside(l, i, s);
            if (other >= 0 && other != i && l->is[other])
                p.beside[rank[i]] |= UINT32_C(1) << rank[other];
        }
    for (int k = 0; k < plan.count; k++)
        p.left[plan.size[k]]++;
    return can_place_rest(&p, (UINT32_C(1) << n) - 1);
}

TEST(small_land_is_refused_with_reason_alone, .end = COUNT(kinds))
{
    struct land *l = &plan.land;
    for (int i = 0; i < rounds(1000); i++) {
        struct arbitrary source = {.state = (uint64_t)(i + 7919 * _i)};
        land_shape(l, &source, 8);
        kinds[_i].draw(l, &source);
        land_keep_one_piece(l);
        if (!l->cells || l->cells > FEW_CELLS)
            continue;
        draw_sizes(&source, 1);
        bool even = below(&source, 2);
        plan.count = even ? draw_count(&source, 1, l->cells) : plan.count;
        for (int k = 0; even && k < plan.count; k++)
            plan.size[k] = l->cells / plan.count + (k < l->cells % plan.count);
        ask_anew("regions", (uint32_t)i);
        if (even)
            ask("&count=%d", plan.count);
        else
            ask_sizes();
        ask("%s", land_fields(l));
        ck_assert_msg(answer() || !can_be_divided(l), "refused: %.2000s", query);
    }
}

/* ---- land with an answer --------------------------------------------------------------------- */

/* Adds a part of so many cells, thin and with a loop in so many cells, beside what there is; false:
   there was no room. */
static bool add_part(struct land *l, struct arbitrary *source, int size, int loops)
{
    static int cell[LAND_CELLS];
    int n = 0;
    for (int i = 0; i < l->width * l->height && l->cells; i++)
        if (l->is[i])
            cell[n++] = i;
    cell[n] = l->width / 2 + l->height / 2 * l->width;
    int first = l->cells ? 0 : n++, added = !l->cells;
    l->is[cell[0]] = true;
    int most = 1 + !below(source, loops); /* cells beside the next */
    for (int tries = 0; added < size && tries < 3000; tries++) {
        int from = cell[first + below(source, n - first)];
        int next = land_beside(l, from, below(source, land_sides(l)));
        if (next < 0 || l->is[next] || land_count_beside(l, next) > most)
            continue;
        first = added ? first : n; /* the first cell lies anywhere, the next beside it */
        l->is[cell[n++] = next] = true;
        added++;
        tries = 0;
        most = 1 + !below(source, loops);
    }
    l->cells += added;
    return added == size;
}

/* Even parts of corridors a cell wide, with loops. */
TEST(what_was_put_together_comes_apart)
{
    struct land *l = &plan.land;
    for (int i = 0; i < rounds(150); i++) {
        struct arbitrary source = {.state = (uint64_t)i + 31};
        int parts = 2 + below(&source, 39), size = 2 + below(&source, 700 / parts), done = 0;
        int loops = 4 + below(&source, 12);
        *l = (struct land){.width = LAND_SIDE, .height = LAND_SIDE, .hex = i % 3};
        while (done < parts && add_part(l, &source, size, loops))
            done++;
        if (done < parts)
            continue;
        ask_anew("regions", (uint32_t)i);
        ask("&count=%d%s", parts, land_fields(l));
        ask_made(answer());
    }
}

/* Combs whose teeth countries must share lengthwise, and into which no country fits; and a corridor
   of 80,000 cells. */
static const struct {
    int side, tooth, gap, back, hex, countries;
} combs[] = {
    {150, 5, 5, 5, 0, 20},  {150, 5, 5, 5, 1, 20},   {150, 3, 3, 3, 0, 20},
    {150, 3, 3, 3, 1, 20},  {150, 4, 2, 4, 0, 20},   {150, 4, 2, 4, 1, 20},
    {150, 5, 5, 1, 0, 20},  {150, 5, 5, 1, 1, 20},   {60, 2, 1, 1, 0, 13},
    {60, 2, 1, 1, 1, 13},   {60, 1, 2, 5, 1, 8},     {50, 2, 1, 1, 1, 10},
    {40, 2, 1, 2, 1, 10},   {400, 0, 0, 0, 0, 2},    {400, 0, 0, 0, 0, 7},
    {400, 0, 0, 0, 0, 100}, {400, 0, 0, 0, 0, 3000}, {400, 0, 0, 0, 0, 30000},
};

TEST(combs_and_corridors_are_divided, .end = COUNT(combs))
{
    struct land *l = &plan.land;
    int side = combs[_i].side, pitch = combs[_i].tooth + combs[_i].gap;
    *l = (struct land){.width = side, .height = side, .hex = combs[_i].hex};
    for (int i = 0; pitch && i < side * side; i++)
        l->is[i] = i / side < combs[_i].back || i % side % pitch < combs[_i].tooth;
    if (!pitch)
        land_spiral(l, NULL);
    for (uint32_t seed = 1; seed <= (side == 150 ? 3 : 1); seed++) {
        ask_anew("regions", seed);
        ask("&count=%d%s", combs[_i].countries, land_fields(l));
        ask_made(answer());
    }
}

/* Cells of a country that grows at random over what is free from `start` on; how many. */
static int grow(struct arbitrary *source, int start, int k, int size)
{
    struct land *l = &plan.land;
    int cells[36] = {start}, n = 1;
    l->piece_of[start] = k;
    for (int tries = 0; n < size && tries < 200; tries++) {
        int to = land_beside(l, cells[below(source, n)], below(source, land_sides(l)));
        if (to < 0 || l->piece_of[to])
            continue;
        l->piece_of[to] = k;
        cells[n++] = to;
    }
    return n;
}

/* Countries whose sizes differ by one at most, in piece_of[]; false: they did not fit this time. */
static bool draw_countries(struct arbitrary *source, int count)
{
    struct land *l = &plan.land;
    int rest = l->cells % count, start = 0;
    memset(l->piece_of, 0, (size_t)l->cells * sizeof *l->piece_of);
    for (int k = 1; k <= count; k++) {
        bool larger = rest && below(source, count - k + 1) < rest;
        while (l->piece_of[start])
            start++;
        if (grow(source, start, k, l->cells / count + larger) < l->cells / count + larger)
            return false;
        rest -= larger;
    }
    return true;
}

/* Capitals that were taken from a map, so that there is one: nineteen seeds of twenty find one. */
TEST(small_maps_are_divided_by_nearly_every_seed, .end = 2)
{
    struct land *l = &plan.land;
    for (int i = 0; i < rounds(is_sanitized() ? 60 : 300); i++) {
        struct arbitrary source = {.state = (uint64_t)(i + 11000000 * (_i + 1))};
        *l = (struct land){.width = 3 + below(&source, 4), .height = 3 + below(&source, 4)};
        l->hex = _i;
        l->cells = l->width * l->height;
        int count = 2 + below(&source, l->cells / 2), made = 0;
        int towns = count - below(&source, 2) * (count / 3);
        while (!draw_countries(&source, count)) {
        }
        land_full(l, NULL);
        for (int k = 0; k < count; k++)
            plan.home[k] = k + 1; /* a capital in each of the first countries */
        struct arbitrary drawn = source;
        for (uint32_t seed = 0; seed < 20; seed++) {
            source = drawn;
            ask_anew("regions", seed);
            ask("&count=%d&roughness=%s", count, i % 3 ? "0.5" : "0");
            ask_capitals(&source, towns, true, false);
            ask("%s", land_fields(l));
            made += answer() != NULL;
        }
        ck_assert_msg(made >= 19, "%d of 20 seeds: %s", made, query);
    }
}
