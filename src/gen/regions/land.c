/*
 * land.c: countries on the land of a mask, which may lie in several pieces, with lakes,
 * straits and isthmuses.
 *
 *   1. Pieces of land are found (pieces.c), and it is decided who is to live on each (quota.c). Who
 *      has a piece for himself is done.
 *   2. Land that is mostly corridors one cell wide is cut in two, and each part again (bisect.c).
 *   3. Other land becomes coarser, 2 x 2 cells to a place, then 4 x 4, and so on, as long as every
 *      country still has some fifty places, and most of the land is seen (terrain.c).
 *   4. On the coarsest level, or one above, countries grow from seats, as on maps without water: a
 *      power diagram on a bent plane (diagram.c), from their capitals, or from where seats are
 *      strewn on each piece (strew.c). Along an arm they push each other on one by one, so there
 *      they are grown many times.
 *   5. Level by level down to the cells: sweeps roughen the borders, flows and chains even out the
 *      sizes, within the grain of the level (settle.c), and countries are handed down.
 *   6. On the cells sizes are made exact: by chains; by chains that may close a ring round a
 *      neighbour; by cuts in two. With capitals, which leave less room, all is tried anew before. Where sizes vary anyhow, those that came out will do, so that such a request
 *      never fails here.
 *
 * To divide land exactly is hard in the strict sense (it is NP-complete, even for two countries
 * on a grid with holes), so the last step is bounded, and gives up with the numbers: that no way was found does
 * not prove that there is none.
 *
 * Capitals alone on their pieces are nobody's trouble. On every level the others' cells have places
 * of their own, and those stay their countries' (capitals.c): what may fail is sizes, never that.
 */
#include "kit/integer.h"
#include "regions.h"

/* Fewest places of a level: of a country on the mean, of the smallest, of a side. And of a country
   on the mean where it is grown, if that is worth while: a top of more than one in so many cells of
   the map is dear. Of so many eighths of the land, parts must be seen on every level. */
enum { ROOMY = 48, SNUG = 4, NARROW = 4, GARDEN = 12, DEAR = 64, SEEN = 7 };
enum { MOST_LEVELS = 12, GROWTHS = 3, MOST_GROWTHS = 8, MANY = 1 << 11, ROUNDS = 60 };
/* Where countries along arms push each other on, one by one: growths, and of places in all. */
enum { PATIENT = 64, PATIENCE = 1 << 20 };
/* With capitals, which need not lie evenly. */
enum { HELD_GROWTHS = 12, ATTEMPTS = 4 };
/* One place in so many that is not as it should be, after growth: then they grow on. */
enum { FAR_OFF = 6 };
/* Steps of the last resort: for all pieces; for one, where sizes must be exact, and where they need
   not. */
enum { ALL_STEPS = 1 << 26, MOST_STEPS = 1 << 26, SOME_STEPS = 1 << 22 };

struct land {
    struct mw_run *run;
    struct board *board;
    struct quota *quota;
    struct borders borders;
    struct mw_rng seats, plane, halves;
    struct spans spans;
    struct terrain terrain[MOST_LEVELS + 1];
    struct capitals capitals[MOST_LEVELS + 1]; /* on pieces that are shared, on each level */
    int count;                                 /* of levels on which sizes are settled */
};

/* The parameter to blame. */
static const char *pointer(const struct land *land)
{
    return land->quota->sizes.count ? "/sizes" : "/count";
}

/* ---- levels ---------------------------------------------------------------------------------- */

/* Whether most of the land is seen on a level, with some places for every country. */
static bool has_room(const struct land *land, const struct terrain *t, int32_t roomy)
{
    const struct quota *q = land->quota;
    const struct board *b = t->board;
    char *mark = mw_mark(land->run);
    int32_t *places = MW_NEW0(land->run, int32_t, q->pieces), seats = 0, some = 0;
    int64_t cells = 0, seen = 0;
    struct last_span last = {0};
    for (int32_t i = 0; i < b->g.count; i++) {
        int32_t at = b->g.place[i] >> 1;
        int32_t piece = q->pieces > 1 ? regions_piece_of(&land->spans, t->cell[at], &last) : 0;
        places[piece]++;
        seen += q->piece[piece].seats > 1 ? t->weight[at] : 0;
    }
    bool room = true;
    for (int32_t i = 0; i < q->pieces; i++) {
        const struct piece *p = &q->piece[i];
        if (p->seats == 1)
            continue;
        cells += p->cells;
        seats += p->seats;
        some += places[i];
        for (int32_t s = 0; s < p->seats; s++)
            room &= (int64_t)q->low[q->order[p->first + s]] * places[i] >= SNUG * (int64_t)p->cells;
    }
    mw_tick(land->run, (uint64_t)b->width * (uint64_t)b->height);
    mw_rewind(land->run, mark);
    return room && some >= (int64_t)roomy * seats && seen * 8 >= cells * SEEN;
}

/* Builds levels, as long as it may be that they have room; the one on which countries grow. A level
   has if one above it has. */
static int build_levels(struct land *land, const struct mw_lattice *map)
{
    struct mw_lattice lattice[2] = {*map};
    struct terrain *level = land->terrain;
    int32_t seats = 0;
    int top = 0;
    for (int32_t i = 0; i < land->quota->pieces; i++)
        seats += land->quota->piece[i].seats > 1 ? land->quota->piece[i].seats : 0;
    level[0] = (struct terrain){.board = land->board, .places = land->board->land, .usual = 1};
    while (!top || level[top].places >= (int64_t)ROOMY * seats) {
        const struct capitals *held = &land->capitals[top];
        struct mw_lattice *coarse = &lattice[~top & 1], *fine = &lattice[top & 1];
        *coarse = regions_halve(fine);
        if (top + 1 == MOST_LEVELS || coarse->width < NARROW || coarse->height < NARROW ||
            level[top].places < 2 * GARDEN * land->quota->count ||
            !regions_raise_capitals(land->run, fine, coarse, held, &land->capitals[top + 1]))
            break;
        regions_flag_capitals(level[top].board, held);
        regions_coarsen(&level[top], coarse, &level[top + 1]);
        top++;
    }
    int built = top;
    while (top && !has_room(land, &level[top], ROOMY))
        top--;
    land->count = top + 1;
    bool dear = (int64_t)level[top].places * DEAR > land->board->land;
    return top + (top < built && dear && has_room(land, &level[top + 1], GARDEN));
}

/* What the countries are to have on a level, as it is divided now: land of whose places some stand
   for more cells and some for less than usual. */
static void set_quotas(struct land *land, const struct terrain *t)
{
    struct balance *c = land->board->g.balance;
    const struct quota *q = land->quota;
    char *mark = mw_mark(land->run);
    int32_t *lack = MW_NEW0(land->run, int32_t, q->count + 1);
    int32_t *want = MW_NEW(land->run, int32_t, q->count),
            *share = MW_NEW(land->run, int32_t, q->count);
    for (int32_t i = 0; i < t->unusuals; i++)
        lack[t->board->g.label[t->unusual[i]]] += t->usual - t->weight[t->unusual[i]];
    mw_tick(land->run, (uint64_t)t->unusuals);
    memset(c->low, 0, ((size_t)q->count + 1) * sizeof *c->low);
    for (int32_t i = 0; i < q->pieces; i++) {
        const struct piece *p = &q->piece[i];
        const int32_t *country = q->order + p->first;
        int32_t places = 0;
        for (int32_t s = 0; s < p->seats; s++) {
            want[s] = mw_max(q->low[country[s]] + lack[country[s]], 1);
            places += c->size[country[s]];
        }
        if (p->seats > 1)
            regions_share_out(want, p->seats, places, share);
        for (int32_t s = 0; s < p->seats && p->seats > 1; s++)
            c->low[country[s]] = mw_max(share[s], 1);
    }
    memcpy(c->high, c->low, ((size_t)q->count + 1) * sizeof *c->high);
    mw_rewind(land->run, mark);
}

/* ---- from level to level --------------------------------------------------------------------- */

/* Lists the places of a level piece by piece: those of piece i end at end[i]. */
static void list_places(const struct land *land, const struct terrain *t, int32_t *at, int32_t *end)
{
    const struct board *b = t->board;
    const int32_t *place = b->g.place;
    int32_t *piece = MW_NEW(land->run, int32_t, t->places);
    struct last_span last = {0};
    for (int32_t i = 0; i < t->places; i++) {
        int32_t n = place[i] >> 1;
        piece[i] = regions_piece_of(&land->spans, t->cell ? t->cell[n] : n, &last);
        end[piece[i] + 1]++;
    }
    for (int32_t i = 1; i < land->quota->pieces; i++)
        end[i] += end[i - 1];
    for (int32_t i = 0; i < t->places; i++)
        at[end[piece[i]]++] = place[i] >> 1;
    mw_tick(land->run, (uint64_t)b->width * (uint64_t)b->height);
}

/* Countries begin at the seats of a diagram. */
static void begin_countries(struct land *land, int level, struct diagram *d)
{
    char *mark = mw_mark(land->run);
    const struct terrain *t = &land->terrain[level];
    int32_t *at = MW_NEW(land->run, int32_t, t->places);
    int32_t *end = MW_NEW0(land->run, int32_t, land->quota->pieces + 1);
    list_places(land, t, at, end);
    regions_strew(t, land->quota, &land->capitals[level], &land->seats, at, end, d);
    mw_rewind(land->run, mark);
}

/* What everyone wants on a level before he is anywhere. */
static void share_quotas(struct land *land, int level)
{
    const struct quota *q = land->quota;
    struct balance *c = land->board->g.balance;
    for (int32_t i = 0; i < q->pieces; i++)
        for (int32_t s = 0; s < q->piece[i].seats; s++) {
            int32_t k = q->order[q->piece[i].first + s];
            c->low[k] = c->high[k] = mw_max(q->low[k] >> 2 * level, 1);
        }
}

/* Whether countries are to be grown once more: they come out less uneven each time. Many places take
   long, and moves do it sooner, unless sizes are far off. */
static bool grows_on(const struct land *land, int level, int growth, bool fair)
{
    int32_t places = land->terrain[level].places;
    if (land->capitals[level].count)
        return growth < HELD_GROWTHS;
    return fair ? growth < MOST_GROWTHS && places <= MANY
                : growth < PATIENT && growth * places < PATIENCE;
}

static void grow(struct land *land, int level)
{
    const struct terrain *t = &land->terrain[level];
    char *mark = mw_mark(land->run);
    share_quotas(land, level);
    struct diagram *d = regions_new_diagram_on_land(t->board, &land->plane, land->borders.roughness,
                                                    &land->capitals[level]);
    begin_countries(land, level, d);
    bool any = !level || land->capitals[level].count, good = false, fair = any;
    for (int growth = 0; growth < GROWTHS || (!good && grows_on(land, level, growth, fair));
         growth++) {
        if (growth)
            regions_adjust_diagram(d);
        regions_grow_diagram(d);
        if (level)
            set_quotas(land, t);
        int64_t excess = regions_excess(t->board->g.balance);
        good = excess * 10 < t->places;
        fair = any || excess * FAR_OFF < t->places;
    }
    regions_spread(t->board);
    mw_rewind(land->run, mark);
}

static void copy_quotas(struct land *land)
{
    struct balance *c = land->board->g.balance;
    size_t size = ((size_t)land->quota->count + 1) * sizeof *c->low;
    memcpy(c->low, land->quota->low, size);
    memcpy(c->high, land->quota->high, size);
}

/* What the countries are to have now: on the map, or a level above. */
static void want(struct land *land, int level)
{
    if (level)
        set_quotas(land, &land->terrain[level]);
    else
        copy_quotas(land);
}

static void blow_up(struct land *land, struct board *b, int level)
{
    int64_t most = land->terrain[level].places / 8;
    for (int i = 0; i < REGIONS_BREATHS && regions_excess(b->g.balance) > most; i++) {
        regions_blow_up(&b->g, &land->borders);
        want(land, level);
    }
}

/* After a level was handed its countries: looks at them, and sweeps their borders. */
static void begin_level(struct land *land, int level)
{
    struct terrain *t = &land->terrain[level];
    regions_survey(t);
    regions_hold_capitals(t->board, &land->capitals[level]);
    want(land, level);
    if (land->capitals[level].count && level >= land->count - 1)
        blow_up(land, t->board, level);
    regions_sweep_level(&t->board->g, &land->borders, level, land->count);
}

static void work_level(struct land *land, int level)
{
    struct terrain *t = &land->terrain[level];
    begin_level(land, level);
    set_quotas(land, t);
    if (level < land->count)
        regions_settle(&t->board->g, &land->borders.rng,
                       regions_tension_at(&land->borders, level, land->count), 1);
    regions_hand_down(t, &land->terrain[level - 1]);
}

/* Divides the board by growth and sweeps, and not exactly yet. */
static void divide_levels(struct land *land, const struct mw_lattice *map)
{
    char *mark = mw_mark(land->run);
    int top = build_levels(land, map);
    grow(land, top);
    for (; top > 0; top--)
        work_level(land, top);
    mw_rewind(land->run, mark);
}

/* ---- exact sizes ----------------------------------------------------------------------------- */

static bool is_in_range(const struct balance *c, int32_t k)
{
    return c->low[k] <= c->size[k] && c->size[k] <= c->high[k];
}

/* Whether no sizes will do but those wanted. */
static bool is_exact(const struct quota *q) { return !q->variation || q->sizes.count; }

/* Divides pieces anew that are not as they should be, each in about so many steps; false when one
   cannot be, or `all` of them have been tried. */
static bool divide_anew(struct land *land, uint64_t steps, bool all)
{
    const struct ground *g = &land->board->g;
    const struct balance *c = g->balance;
    char *mark = mw_mark(land->run);
    uint64_t end = mw_steps(land->run) + ALL_STEPS;
    int32_t *root = MW_NEW(land->run, int32_t, c->count + 1); /* a place of every country */
    for (int32_t i = 0; i < g->count; i++)
        root[regions_country(g, g->place[i])] = g->place[i];
    bool good = true;
    for (int32_t i = 0; i < land->quota->pieces && (good || all) && mw_steps(land->run) < end;
         i++) {
        const struct piece *p = &land->quota->piece[i];
        const int32_t *country = land->quota->order + p->first;
        int32_t s = 0;
        while (s < p->seats && is_in_range(c, country[s]))
            s++;
        if (s < p->seats)
            good &= regions_bisect(land->board, land->quota, p, &land->halves, root[country[s]],
                                   steps);
    }
    mw_rewind(land->run, mark);
    return good && !regions_excess(c);
}

static _Noreturn void refuse(struct land *land)
{
    const struct ground *g = &land->board->g;
    if (land->capitals[0].count)
        regions_refuse_capitals(land->run, land->quota, &land->capitals[0], g->balance, NULL);
    const char *advice = land->quota->sizes.count
                             ? "other sizes may do, and a count of countries does where they may "
                               "differ, by a variation above 0"
                             : "a variation above 0 lets them differ";
    mw_fail(land->run, MW_NO_RESULT, pointer(land),
            "found no way to divide this land (cells: %d, pieces: %d) among %d connected countries "
            "of these exact sizes: the nearest is off by %lld; %s",
            g->count, land->quota->pieces, g->balance->count,
            (long long)regions_excess(g->balance), advice);
}

/* From levels, and by moves. */
static bool settle(struct land *land, const struct mw_lattice *map)
{
    struct board *b = land->board;
    b->rings = false;
    regions_clear_board(b);
    divide_levels(land, map);
    regions_give_pieces(&land->spans, land->quota, false);
    begin_level(land, 0);
    bool done = regions_settle(&b->g, &land->borders.rng, land->borders.tension, ROUNDS);
    while (!done && !b->rings) {
        b->rings = true;
        done = regions_settle(&b->g, &land->borders.rng, land->borders.tension, ROUNDS);
    }
    return done;
}

static void give_all(struct land *land)
{
    regions_give_pieces(&land->spans, land->quota, true);
    regions_survey(&(struct terrain){.board = land->board});
    copy_quotas(land);
}

static void divide_thick(struct land *land, const struct mw_lattice *map)
{
    bool exact = is_exact(land->quota), done = settle(land, map);
    int attempts = land->capitals[0].count && exact ? ATTEMPTS : 1;
    for (int attempt = 1; attempt < attempts && !done; attempt++) {
        land->capitals[0].shield = false;
        done = settle(land, map);
    }
    uint64_t steps = exact ? MOST_STEPS : SOME_STEPS;
    if (!done && !divide_anew(land, steps, !exact) && exact)
        refuse(land);
}

/* Whether most of the land is corridors, with few loops. */
static bool is_thin(const struct board *b)
{
    int64_t doors = 0;
    for (int32_t n = 0; n < b->strips; n++) {
        const struct strip s = b->strip[n];
        int32_t some = 0;
        for (int32_t at = s.at; at < s.at + s.cells; at++) {
            uint8_t sides = b->sides[at] & 0x3f;
            sides = (uint8_t)((sides & 0x15) + (sides >> 1 & 0x15));
            some += (uint8_t)((sides & 3) + (sides >> 2 & 3) + (sides >> 4));
        }
        doors += some;
    }
    mw_tick(b->g.run, (uint64_t)b->width * (uint64_t)b->height / 4);
    return doors * 8 <= (int64_t)b->land * 2 * 9;
}

/* Divides land at once, each piece by cuts in two, if there is anything to divide; false when that
   cannot be done. */
static bool divide_thin(struct land *land)
{
    struct board *b = land->board;
    if (!is_thin(b) && land->quota->pieces < land->quota->count)
        return false;
    give_all(land);
    return divide_anew(land, SOME_STEPS, false);
}

/* Finds the pieces that capitals lie on. */
static void find_homes(struct land *land)
{
    struct quota *q = land->quota;
    struct last_span last = {0};
    q->home = MW_NEW(land->run, int32_t, q->capitals.count);
    for (int32_t i = 0; i < q->capitals.count; i++) {
        struct mw_point at = q->capitals.at[i];
        q->home[i] = regions_piece_of(&land->spans, regions_at(land->board, at.x, at.y), &last);
    }
    mw_tick(land->run, (uint64_t)q->capitals.count * 8);
}

/* Notes the capitals that must be held, on pieces that are shared. */
static void note_capitals(struct land *land)
{
    const struct quota *q = land->quota;
    struct board *b = land->board;
    if (!q->capitals.count)
        return;
    struct mw_point *at = MW_NEW(land->run, struct mw_point, q->capitals.count);
    uint16_t *country = MW_NEW(land->run, uint16_t, q->capitals.count);
    int32_t n = 0;
    b->town = MW_NEW0(land->run, uint16_t, b->g.indices);
    for (int32_t i = 0; i < q->capitals.count; i++) {
        if (q->piece[q->home[i]].seats == 1)
            continue;
        at[n] = q->capitals.at[i];
        country[n] = (uint16_t)(i + 1);
        b->town[regions_at(b, at[n].x, at[n].y)] = country[n];
        n++;
    }
    land->capitals[0] = (struct capitals){n, at, country, true};
}

/* Finds pieces of land, who lives on them, and what everyone is to have. */
static void begin(struct land *land)
{
    struct quota *quota = land->quota;
    quota->piece = MW_NEW(land->run, struct piece, quota->count);
    regions_find_pieces(land->board, quota, &land->spans);
    find_homes(land);
    regions_deal_seats(land->run, quota, &land->borders.rng);
    regions_set_quotas(land->run, quota);
    note_capitals(land);
    regions_prepare_search(&land->board->g);
    land->board->g.reach = 0;
}

void regions_divide_land(struct board *b, const struct mw_lattice *map, struct quota *quota,
                         int32_t roughness, int32_t tension)
{
    struct mw_run *run = b->g.run;
    struct land land = {.run = run,
                        .board = b,
                        .quota = quota,
                        .borders = {mw_stream(run, "borders"), roughness, tension},
                        .seats = mw_stream(run, "seats"),
                        .plane = mw_stream(run, "plane"),
                        .halves = mw_stream(run, "halves")};
    begin(&land);
    if (!divide_thin(&land))
        divide_thick(&land, map);
}

bool regions_divide_small(struct board *b, struct quota *quota)
{
    struct mw_run *run = b->g.run;
    struct land land = {.run = run,
                        .board = b,
                        .quota = quota,
                        .borders = {.rng = mw_stream(run, "borders")},
                        .halves = mw_stream(run, "halves")};
    begin(&land);
    give_all(&land);
    return divide_anew(&land, SOME_STEPS, false);
}
