/*
 * land.c: countries on the land of a mask, which may lie in several pieces, with lakes,
 * straits and isthmuses.
 *
 *   1. Pieces of land are found by runs of cells in rows, and it is decided who is to live on each
 *      (quota.c). Who has a piece for himself is done.
 *   2. Land that is mostly corridors one cell wide is cut along trees that span it (tree.c).
 *   3. Other land becomes coarser, 2 x 2 cells to a place, then 4 x 4, and so on, as long as every
 *      country still has some fifty places, and most of the land is seen (terrain.c).
 *   4. On the coarsest level, or one above, countries grow from seats, as on maps without water: a
 *      power diagram on a bent plane (diagram.c). Seats are strewn by cutting the places of a piece
 *      in two, across where they reach farthest, and each part again, down to a country each.
 *   5. Level by level down to the cells: sweeps roughen the borders, flows and chains even out the
 *      sizes, within the grain of the level (settle.c), and countries are handed down.
 *   6. On the cells sizes are made exact: by chains; by chains that may close a ring round a
 *      neighbour; by trees. Where sizes vary anyhow, those that came out will do, so that such a
 *      request never fails here.
 *
 * To divide land exactly is hard in the strict sense (it is NP-complete, even for two countries
 * on a grid with holes), so the last step is bounded, and gives up with a reason. It takes land
 * that is mostly corridors one cell wide, with loops, to see that.
 */
#include "kit/dsf.h"
#include "kit/integer.h"
#include "regions.h"

/* Fewest places of a level: of a country on the mean, of the smallest, of a side. And of a country
   on the mean where it is grown, if that is worth while: a top of more than one in so many cells of
   the map is dear. Of so many eighths of the land, parts must be seen on every level. */
enum { ROOMY = 48, SNUG = 4, NARROW = 4, GARDEN = 12, DEAR = 64, SEEN = 7 };
enum { MOST_LEVELS = 12, GROWTHS = 3, MOST_GROWTHS = 8, ROUNDS = 60, ROUGH_SWEEPS = 3 };
/* Of the last resort, on all pieces and on one. */
enum { TREE_STEPS = 1 << 26, PIECE_STEPS = 1 << 24 };

/* Cells of land side by side in a row. */
struct span {
    int32_t x, end;
};

struct land {
    struct mw_run *run;
    struct board *board;
    struct quota *quota;
    int32_t roughness, tension;
    struct mw_rng rng;
    struct span *spans; /* row by row: of row y from row[y] to row[y + 1] - 1 */
    int32_t *row, *set; /* set: disjoint sets of spans, later their pieces */
    struct terrain terrain[MOST_LEVELS + 1];
    int count; /* of levels on which sizes are settled */
};

/* ---- pieces ---------------------------------------------------------------------------------- */

/* The parameter to blame. */
static const char *pointer(const struct land *land)
{
    return land->quota->sizes.count ? "/sizes" : "/count";
}

static void list_spans(struct land *land)
{
    const struct board *b = land->board;
    int32_t n = 0;
    land->row = MW_NEW(land->run, int32_t, b->height + 1);
    land->spans = MW_NEW(land->run, struct span, (b->width + 1) / 2 * b->height);
    for (int32_t y = 0; y < b->height; y++) {
        const uint8_t *sides = b->sides + regions_at(b, 0, y);
        land->row[y] = n;
        for (int32_t x = 0, from; x < b->width; x++) {
            if (!sides[x])
                continue;
            for (from = x; x < b->width && sides[x];)
                x++;
            land->spans[n++] = (struct span){from, x};
        }
    }
    land->row[b->height] = n;
    mw_tick(land->run, (uint64_t)b->width * (uint64_t)b->height / 4);
}

/* The span that a cell lies in. */
static int32_t span_at(const struct land *land, int32_t at)
{
    int32_t y = at / land->board->stride - 1, x = at % land->board->stride - 1;
    int32_t low = land->row[y], high = land->row[y + 1] - 1;
    while (low < high) {
        int32_t middle = (low + high + 1) / 2;
        if (land->spans[middle].x <= x)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Joins the spans of two rows, one below the other, that touch. */
static void join_rows(struct land *land, int32_t above, int32_t y)
{
    int32_t left = land->board->hex && !(y & 1), right = land->board->hex && y & 1;
    int32_t i = land->row[above], j = land->row[y];
    while (i < land->row[above + 1] && j < land->row[y + 1]) {
        const struct span *up = &land->spans[i], *down = &land->spans[j];
        if (up->x < down->end + right && down->x - left < up->end)
            mw_dsf_join(land->set, i, j);
        *(up->end < down->end + right - left ? &i : &j) += 1;
    }
}

/* Joins what a place at the edge leads to, where the map wraps. */
static void join_across(struct land *land, int32_t at)
{
    const struct board *b = land->board;
    int32_t place = at * 2 + ((at / b->stride - 1) & 1);
    if (!b->sides[at])
        return;
    for (int32_t i = 0, p; (p = b->g.beside(&b->g, place, i)) >= 0; i++)
        mw_dsf_join(land->set, span_at(land, at), span_at(land, p >> 1));
}

/* Numbers the pieces, and notes their cells. */
static void find_pieces(struct land *land)
{
    const struct board *b = land->board;
    struct quota *q = land->quota;
    list_spans(land);
    int32_t spans = land->row[b->height];
    land->set = MW_NEW(land->run, int32_t, spans);
    mw_dsf_init(land->set, spans);
    for (int32_t y = 1; y < b->height; y++)
        join_rows(land, y - 1, y);
    for (int32_t y = 0; y < b->height && b->across; y++) {
        join_across(land, regions_at(b, 0, y));
        join_across(land, regions_at(b, b->width - 1, y));
    }
    for (int32_t x = 0; x < b->width && b->down; x++)
        join_across(land, regions_at(b, x, 0));
    q->pieces = 0;
    for (int32_t i = 0; i < spans; i++)
        q->pieces += land->set[i] == i;
    mw_tick(land->run, (uint64_t)spans * 8);
    if (q->pieces > q->count)
        mw_fail(
            land->run, MW_NO_RESULT, pointer(land),
            "%d countries are too few for land in %d separate pieces: each needs one of its own",
            q->count, q->pieces);
    for (int32_t i = 0, n = 0; i < spans; i++) { /* a root is never greater than its members */
        bool root = land->set[i] == i;
        land->set[i] = root ? n : land->set[land->set[i]];
        if (root)
            q->piece[n++] = (struct piece){0};
        q->piece[land->set[i]].cells += land->spans[i].end - land->spans[i].x;
    }
}

/* Gives pieces to the first of their countries: all of them, or those of one country alone. */
static void give_pieces(struct land *land, bool all)
{
    struct board *b = land->board;
    const struct quota *q = land->quota;
    for (int32_t y = 0; y < b->height; y++)
        for (int32_t i = land->row[y]; i < land->row[y + 1]; i++) {
            const struct piece *p = &q->piece[land->set[i]];
            for (int32_t x = land->spans[i].x; x < land->spans[i].end && (all || p->seats == 1);
                 x++)
                b->g.label[regions_at(b, x, y)] = (uint16_t)q->order[p->first];
        }
    regions_copy_seams(b);
    mw_tick(land->run, (uint64_t)b->width * (uint64_t)b->height / 4);
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
    for (int32_t y = 0; y < b->height; y++)
        for (int32_t x = 0; x < b->width; x++) {
            int32_t at = regions_at(b, x, y);
            if (!t->weight[at])
                continue;
            int32_t piece = q->pieces > 1 ? land->set[span_at(land, t->cell[at])] : 0;
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

static struct mw_lattice halve(const struct mw_lattice *fine)
{
    struct mw_lattice coarse = *fine;
    coarse.width /= 2;
    coarse.height /= 2;
    if (fine->tiling == MW_HEX && fine->wrap == MW_WRAP_XY)
        coarse.height &= ~1;
    return coarse;
}

/* Builds levels as long as they have room; the one on which countries grow. */
static int build_levels(struct land *land, const struct mw_lattice *map)
{
    struct mw_lattice lattice = *map;
    land->terrain[0] = (struct terrain){.board = land->board, .places = land->board->land};
    for (land->count = 1;; land->count++) {
        const struct terrain *below = &land->terrain[land->count - 1];
        struct terrain *above = &land->terrain[land->count];
        lattice = halve(&lattice);
        if (land->count == MOST_LEVELS || lattice.width < NARROW || lattice.height < NARROW)
            return land->count - 1;
        if (below->places < 2 * GARDEN * land->quota->count)
            return land->count - 1;
        regions_coarsen(below, &lattice, above);
        if (has_room(land, above, ROOMY))
            continue;
        bool dear = (int64_t)below->places * DEAR > land->board->land;
        return land->count - !(dear && has_room(land, above, GARDEN));
    }
}

/* What the countries are to have on a level, as it is divided now: land of whose places some stand
   for more cells and some for less than usual. */
static void set_quotas(struct land *land, const struct terrain *t, int level)
{
    struct balance *c = land->board->g.balance;
    const struct quota *q = land->quota;
    const struct board *b = t->board;
    char *mark = mw_mark(land->run);
    int32_t *lack = MW_NEW0(land->run, int32_t, q->count + 1), usual = 1 << 2 * level;
    int32_t *want = MW_NEW(land->run, int32_t, q->count),
            *share = MW_NEW(land->run, int32_t, q->count);
    for (int32_t y = 0; y < b->height; y++)
        for (int32_t x = 0; x < b->width; x++) {
            int32_t at = regions_at(b, x, y);
            lack[b->g.label[at]] += usual - t->weight[at];
        }
    mw_tick(land->run, (uint64_t)b->width * (uint64_t)b->height);
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

/* ---- seats ----------------------------------------------------------------------------------- */

/* Places, and the countries that are to live there. */
struct plot {
    int32_t first, places;
    int32_t country, count;
};

struct strewing {
    const struct land *land;
    const struct terrain *terrain;
    struct mw_rng rng;
    int32_t *at, *sorted; /* indices of places, plot by plot */
    int32_t *start;       /* by row or column, for sorting */
    int32_t *order;       /* countries, plot by plot */
};

/* Sorts the places of a plot along its longer side. */
static void sort_places(struct strewing *s, const struct plot *p)
{
    int32_t stride = s->terrain->board->stride, least[2] = {INT32_MAX, INT32_MAX}, most[2] = {0, 0};
    for (int32_t i = p->first; i < p->first + p->places; i++)
        for (int side = 0; side < 2; side++) {
            int32_t place = side ? s->at[i] / stride : s->at[i] % stride;
            least[side] = mw_min(least[side], place);
            most[side] = mw_max(most[side], place);
        }
    bool upright = most[1] - least[1] > most[0] - least[0];
    int32_t span = mw_max(most[upright] - least[upright], 0) + 1;
    memset(s->start, 0, ((size_t)span + 1) * sizeof *s->start);
    for (int32_t i = p->first; i < p->first + p->places; i++)
        s->start[(upright ? s->at[i] / stride : s->at[i] % stride) - least[upright] + 1]++;
    for (int32_t i = 1; i < span; i++)
        s->start[i] += s->start[i - 1];
    for (int32_t i = p->first; i < p->first + p->places; i++) {
        int32_t place = (upright ? s->at[i] / stride : s->at[i] % stride) - least[upright];
        s->sorted[s->start[place]++] = s->at[i];
    }
    memcpy(s->at + p->first, s->sorted, (size_t)p->places * sizeof *s->at);
    mw_tick(s->land->run, (uint64_t)(p->places + span));
}

/* Cuts a plot in two, each with so much land as its countries want, and a place for each at least;
   the second comes back. */
static struct plot cut_plot(struct strewing *s, struct plot *p)
{
    const int32_t *low = s->land->quota->low, *weight = s->terrain->weight;
    int64_t total = 0, part = 0, cells = 0, sum = 0;
    for (int32_t i = 0; i < p->count; i++)
        total += low[s->order[p->country + i]];
    int64_t goal = total * mw_between(&s->rng, 35, 65) / 100;
    int32_t some = 0, places = 0;
    while (some < p->count - 1 && (!some || part < goal))
        part += low[s->order[p->country + some++]];
    sort_places(s, p);
    for (int32_t i = p->first; i < p->first + p->places; i++)
        cells += weight ? weight[s->at[i]] : 1;
    while (places < p->places && sum * total < cells * part) {
        sum += weight ? weight[s->at[p->first + places]] : 1;
        places++;
    }
    places = mw_clamp(places, some, p->places - (p->count - some));
    struct plot q = {p->first + places, p->places - places, p->country + some, p->count - some};
    p->places = places;
    p->count = some;
    return q;
}

static void seat_piece(struct strewing *s, struct plot *plot, struct diagram *d)
{
    for (int32_t open = 1; open;) {
        struct plot *p = &plot[open - 1];
        assert(p->places >= p->count);
        if (p->count > 1) {
            plot[open] = cut_plot(s, p);
            open++;
            continue;
        }
        int32_t at = s->at[p->first + (int32_t)mw_below(&s->rng, (uint32_t)p->places)];
        int32_t odd = (at / s->terrain->board->stride - 1) & 1;
        regions_seat(d, s->order[p->country], at * 2 + odd);
        open--;
    }
}

/* Lists the places of a level piece by piece: those of piece i end at end[i]. */
static void list_places(const struct land *land, const struct terrain *t, int32_t *at, int32_t *end)
{
    const struct board *b = t->board;
    int32_t *piece = MW_NEW(land->run, int32_t, t->places),
            *all = MW_NEW(land->run, int32_t, t->places), n = 0;
    for (int32_t y = 0; y < b->height; y++)
        for (int32_t x = 0; x < b->width; x++) {
            int32_t i = regions_at(b, x, y);
            if (!(b->sides[i] & REGIONS_LAND))
                continue;
            piece[n] = land->set[span_at(land, t->cell ? t->cell[i] : i)];
            end[piece[n] + 1]++;
            all[n++] = i;
        }
    for (int32_t i = 1; i < land->quota->pieces; i++)
        end[i] += end[i - 1];
    for (int32_t i = 0; i < n; i++)
        at[end[piece[i]]++] = all[i];
    mw_tick(land->run, (uint64_t)b->width * (uint64_t)b->height);
}

static void set_seats(struct land *land, const struct terrain *t, struct diagram *d)
{
    const struct quota *q = land->quota;
    char *mark = mw_mark(land->run);
    struct strewing s = {.land = land, .terrain = t, .rng = mw_stream(land->run, "seats")};
    s.at = MW_NEW(land->run, int32_t, t->places);
    s.sorted = MW_NEW(land->run, int32_t, t->places);
    s.start = MW_NEW(land->run, int32_t, mw_max(t->board->width, t->board->height) + 2);
    s.order = MW_NEW(land->run, int32_t, q->count);
    memcpy(s.order, q->order, (size_t)q->count * sizeof *s.order);
    int32_t *end = MW_NEW0(land->run, int32_t, q->pieces + 1);
    struct plot *plot = MW_NEW(land->run, struct plot, q->count);
    list_places(land, t, s.at, end);
    for (int32_t i = 0; i < q->pieces; i++) {
        const struct piece *p = &q->piece[i];
        int32_t first = i ? end[i - 1] : 0;
        if (p->seats == 1)
            continue;
        mw_shuffle(&s.rng, s.order + p->first, p->seats);
        plot[0] = (struct plot){first, end[i] - first, p->first, p->seats};
        seat_piece(&s, plot, d);
    }
    mw_rewind(land->run, mark);
}

/* ---- from level to level --------------------------------------------------------------------- */

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

static void grow(struct land *land, int level)
{
    const struct terrain *t = &land->terrain[level];
    char *mark = mw_mark(land->run);
    struct mw_rng noise = mw_stream(land->run, "plane");
    share_quotas(land, level);
    struct diagram *d = regions_new_diagram_on_land(t->board, &noise, land->roughness);
    set_seats(land, t, d);
    bool good = false;
    for (int growth = 0; growth < MOST_GROWTHS && (growth < GROWTHS || !good); growth++) {
        if (growth)
            regions_adjust_diagram(d);
        regions_grow_diagram(d);
        if (level)
            set_quotas(land, t, level);
        good = regions_excess(t->board->g.balance) * 10 < t->places;
    }
    regions_spread(t->board);
    mw_rewind(land->run, mark);
}

/* Borders are held tightest where countries begin; and tighter on the map itself than between. */
static int32_t tension_at(const struct land *land, int level)
{
    if (level >= land->count - 1)
        return 2 * land->tension;
    return level ? land->tension : land->tension + land->tension / 5 * land->roughness / 500;
}

static void copy_quotas(struct land *land)
{
    struct balance *c = land->board->g.balance;
    size_t size = ((size_t)land->quota->count + 1) * sizeof *c->low;
    memcpy(c->low, land->quota->low, size);
    memcpy(c->high, land->quota->high, size);
}

static void sweep(struct land *land, struct board *b, int level)
{
    bool between = level && level < land->count - 1;
    int64_t sweeps = between ? 1 + ROUGH_SWEEPS * land->roughness / 1000 : 1;
    regions_weigh(b->g.balance, 65536);
    b->g.sweep(&b->g, &land->rng, tension_at(land, level), sweeps * b->g.boundary_count);
    if (level)
        return;
    regions_weigh(b->g.balance, 4 * 65536);
    b->g.sweep(&b->g, &land->rng, tension_at(land, level), b->g.boundary_count / 2);
}

static void work_level(struct land *land, int level)
{
    struct terrain *t = &land->terrain[level];
    regions_survey(t);
    set_quotas(land, t, level);
    sweep(land, t->board, level);
    set_quotas(land, t, level);
    if (level < land->count)
        regions_settle(&t->board->g, &land->rng, tension_at(land, level), 1);
    regions_hand_down(t, &land->terrain[level - 1]);
}

/* Divides the board by growth and sweeps, and not exactly yet. */
static void divide_levels(struct land *land, const struct mw_lattice *map)
{
    char *mark = mw_mark(land->run);
    int top = build_levels(land, map);
    grow(land, top);
    for (int level = top; level > 0; level--)
        work_level(land, level);
    mw_rewind(land->run, mark);
}

/* ---- exact sizes ----------------------------------------------------------------------------- */

static bool is_in_range(const struct balance *c, int32_t k)
{
    return c->low[k] <= c->size[k] && c->size[k] <= c->high[k];
}

/* Divides pieces anew that are not as they should be; false when one cannot be, or `all` of them
   have been tried. */
static bool divide_anew(struct land *land, bool all)
{
    const struct ground *g = &land->board->g;
    const struct balance *c = g->balance;
    char *mark = mw_mark(land->run);
    uint64_t end = mw_steps(land->run) + TREE_STEPS;
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
            good &= regions_cut_trees(land->board, land->quota, p, &land->rng, root[country[s]],
                                      PIECE_STEPS);
    }
    mw_rewind(land->run, mark);
    return good && !regions_excess(c);
}

static void make_exact(struct land *land)
{
    struct ground *g = &land->board->g;
    if (regions_settle(g, &land->rng, land->tension, ROUNDS))
        return;
    land->board->rings = true;
    if (regions_settle(g, &land->rng, land->tension, ROUNDS))
        return;
    bool any_sizes = land->quota->variation && !land->quota->sizes.count;
    if (divide_anew(land, any_sizes) || any_sizes)
        return;
    mw_fail(land->run, MW_NO_RESULT, pointer(land),
            "found no way to divide this land among %d connected countries of these exact sizes: "
            "the nearest is %lld cells off; %s",
            g->balance->count, (long long)regions_excess(g->balance),
            land->quota->sizes.count ? "other sizes may do, and a count of countries does where "
                                       "they may differ, by a variation above 0"
                                     : "a variation above 0 leaves more room");
}

/* Whether most of the land is corridors, with few loops. */
static bool is_thin(const struct board *b)
{
    int64_t doors = 0;
    for (int32_t y = 0; y < b->height; y++)
        for (int32_t x = 0; x < b->width; x++) {
            unsigned sides = b->sides[regions_at(b, x, y)] & 0x3f;
            sides = (sides & 0x15) + (sides >> 1 & 0x15);
            doors += (sides & 3) + (sides >> 2 & 3) + (sides >> 4);
        }
    mw_tick(b->g.run, (uint64_t)b->width * (uint64_t)b->height / 4);
    return doors * 8 <= (int64_t)b->land * 2 * 9;
}

/* Divides land along trees, each piece at once; false when that cannot be done. */
static bool divide_thin(struct land *land)
{
    struct board *b = land->board;
    if (!is_thin(b))
        return false;
    give_pieces(land, true);
    regions_survey(&(struct terrain){.board = b});
    copy_quotas(land);
    return divide_anew(land, false);
}

void regions_divide_land(struct board *b, const struct mw_lattice *map, struct quota *quota,
                         int32_t roughness, int32_t tension)
{
    struct mw_run *run = b->g.run;
    struct land land = {.run = run,
                        .board = b,
                        .quota = quota,
                        .roughness = roughness,
                        .tension = tension,
                        .rng = mw_stream(run, "borders")};
    quota->order = MW_NEW(run, int32_t, quota->count);
    quota->piece = MW_NEW(run, struct piece, quota->count);
    find_pieces(&land);
    regions_deal_seats(run, quota, &land.rng);
    regions_set_quotas(run, quota);
    regions_prepare_search(&b->g);
    b->g.reach = 0;
    if (divide_thin(&land))
        return;
    divide_levels(&land, map);
    give_pieces(&land, false);
    regions_survey(&land.terrain[0]);
    copy_quotas(&land);
    sweep(&land, b, 0);
    make_exact(&land);
}
