/*
 * strew.c: where countries begin on land in pieces: seats, strewn evenly, beside capitals.
 *
 * The places of a piece are cut in two, across where they reach farthest, each part for some of its
 * countries, and each part again, down to a country each, which has its seat somewhere in its own.
 * Without capitals countries are divided first, and places by what these want. Capitals are where
 * they are: so among them places are cut first, each country with a capital goes to the side of
 * that, and those without one fill up. Where all who are left have capitals nothing is cut.
 *
 * Why it ends: both parts of a cut have a country at least, and a place for each. What it costs:
 * some nanoseconds a place for each cut that it meets, of which there are as many as the
 * logarithm of the number of countries.
 */
#include "kit/integer.h"
#include "regions.h"

/* Places, and the countries that are to live there. */
struct plot {
    int32_t first, places;
    int32_t country, count;
};

enum side { NO_CAPITAL, BEFORE, BEYOND };

struct strewing {
    struct mw_run *run;
    const struct terrain *terrain;
    const struct quota *quota;
    struct mw_rng *rng;
    int32_t *at, *sorted; /* indices of places, plot by plot */
    int32_t *start;       /* by row or column, for sorting */
    int32_t *order;       /* countries, plot by plot */
    uint8_t *side;        /* by country: of the last cut, that its capital is on */
    bool held;            /* whether there are capitals */
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
    mw_tick(s->run, (uint64_t)(p->places + span));
}

/* How many of the first places of a plot have so large a part of its land. */
static int32_t count_places(const struct strewing *s, const struct plot *p, int64_t part,
                            int64_t total)
{
    const int32_t *weight = s->terrain->weight, *at = s->at + p->first;
    int64_t cells = 0, sum = 0;
    int32_t places = 0;
    for (int32_t i = 0; i < p->places; i++)
        cells += weight ? weight[at[i]] : 1;
    while (places < p->places && sum * total < cells * part) {
        sum += weight ? weight[at[places]] : 1;
        places++;
    }
    return places;
}

static bool is_settled(const struct strewing *s, const struct plot *p)
{
    int32_t i = 0;
    while (i < p->count && s->side[s->order[p->country + i]] != NO_CAPITAL)
        i++;
    return i == p->count;
}

static bool has_capital(const struct strewing *s, const struct plot *p)
{
    int32_t i = 0;
    while (s->held && i < p->count && s->side[s->order[p->country + i]] == NO_CAPITAL)
        i++;
    return s->held && i < p->count;
}

/* Puts countries with a capital on one of the first places at the front, and those with one on
   another at the back; how many there are of these and those. */
static void part_capitals(struct strewing *s, const struct plot *p, int32_t places, int32_t *first,
                          int32_t *last)
{
    const uint16_t *label = s->terrain->board->g.label;
    int32_t *order = s->order + p->country;
    for (int32_t i = 0; i < p->places; i++)
        s->side[label[s->at[p->first + i]]] = i < places ? BEFORE : BEYOND;
    s->side[0] = NO_CAPITAL;
    for (int32_t i = 0; i < p->count - *last;) {
        int32_t k = order[i];
        int32_t j = s->side[k] == BEFORE   ? (*first)++
                    : s->side[k] == BEYOND ? p->count - ++*last
                                           : i;
        order[i] = order[j];
        order[j] = k;
        i += s->side[k] != BEYOND;
    }
}

/* Cuts a plot in two, each with so much land as its countries want, about so where they have
   capitals, and a place for each at least; the second comes back. */
static struct plot cut_plot(struct strewing *s, struct plot *p)
{
    const int32_t *low = s->quota->low, *order = s->order + p->country;
    bool held = has_capital(s, p);
    int64_t total = 0, part = 0, percent = mw_between(s->rng, 35, 65);
    for (int32_t i = 0; i < p->count; i++)
        total += low[order[i]];
    int64_t goal = total * percent / 100;
    int32_t some = 0, others = 0, places = p->places;
    sort_places(s, p);
    if (held) {
        places = mw_clamp(count_places(s, p, percent, 100), 1, p->places - 1);
        part_capitals(s, p, places, &some, &others);
    }
    for (int32_t i = 0; i < some; i++)
        part += low[order[i]];
    int32_t least = p->count - (p->places - places), most = p->count - mw_max(others, 1);
    while (some < mw_min(most, places) && (!some || part < goal || (held && some < least)))
        part += low[order[some++]];
    if (!held)
        places = mw_clamp(count_places(s, p, part, total), some, p->places - (p->count - some));
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
        if (is_settled(s, p)) {
            open--;
            continue;
        }
        if (p->count > 1) {
            plot[open] = cut_plot(s, p);
            open++;
            continue;
        }
        int32_t at = s->at[p->first + (int32_t)mw_below(s->rng, (uint32_t)p->places)];
        int32_t odd = (at / s->terrain->board->stride - 1) & 1;
        regions_seat(d, s->order[p->country], at * 2 + odd);
        open--;
    }
}

/* Lists the places of a level piece by piece: those of piece i end at end[i]. */
static void list_places(struct strewing *s, const struct spans *spans, int32_t *end)
{
    const struct terrain *t = s->terrain;
    const struct board *b = t->board;
    int32_t *at = s->at, *piece = s->sorted;
    struct last_span last = {0};
    mw_tick(s->run, (uint64_t)b->width * (uint64_t)b->height);
    if (!b->sides) { /* one piece */
        for (int32_t i = 0; i < t->places; i++)
            at[i] = regions_at(b, i % b->width, i / b->width);
        end[0] = t->places;
        return;
    }
    for (int32_t i = 0; i < t->places; i++) {
        int32_t n = b->g.place[i] >> 1;
        piece[i] = regions_piece_of(spans, t->cell ? t->cell[n] : n, &last);
        end[piece[i] + 1]++;
    }
    for (int32_t i = 1; i < s->quota->pieces; i++)
        end[i] += end[i - 1];
    for (int32_t i = 0; i < t->places; i++)
        at[end[piece[i]]++] = b->g.place[i] >> 1;
}

void regions_strew(const struct terrain *t, const struct quota *q, const struct spans *spans,
                   const struct capitals *capitals, struct mw_rng *rng, struct diagram *d)
{
    struct mw_run *run = t->board->g.run;
    char *mark = mw_mark(run);
    struct strewing s = {.run = run, .terrain = t, .quota = q, .rng = rng};
    s.at = MW_NEW(run, int32_t, t->places);
    s.sorted = MW_NEW(run, int32_t, t->places);
    s.start = MW_NEW(run, int32_t, mw_max(t->board->width, t->board->height) + 2);
    s.order = MW_NEW(run, int32_t, q->count);
    s.side = MW_NEW0(run, uint8_t, q->count + 1);
    s.held = capitals->count;
    int32_t *end = MW_NEW0(run, int32_t, q->pieces + 1);
    list_places(&s, spans, end);
    for (int32_t i = 0; i < capitals->count; i++)
        s.side[capitals->country[i]] = BEFORE;
    memcpy(s.order, q->order, (size_t)q->count * sizeof *s.order);
    struct plot *plot = MW_NEW(run, struct plot, q->count);
    for (int32_t i = 0; i < q->pieces; i++) {
        const struct piece *p = &q->piece[i];
        int32_t first = i ? end[i - 1] : 0;
        if (p->seats == 1)
            continue;
        mw_shuffle(s.rng, s.order + p->first, p->seats);
        plot[0] = (struct plot){first, end[i] - first, p->first, p->seats};
        seat_piece(&s, plot, d);
    }
    mw_rewind(run, mark);
}
