/*
 * seats.c: the pieces of land of a mask, how many cells each country is to have, and on which piece
 * it lives.
 *
 * Every piece has a seat; the others go one by one to the piece that has the most cells for each
 * country it would then have. That is D'Hondt's rule for seats in parliament, with a seat for
 * everyone first; where capitals are given, one for each of them. Of pieces that have as many the
 * first has the seat. On a piece sizes are even, with a cell more for some where they do not come
 * out even, or they vary: cells are then shared out by weights whose logarithms are distributed
 * normally, as those of the areas of real countries are.
 *
 * Sizes that are given leave no choice: every piece must be filled exactly. That is a subset sum
 * for each, from what the others left: from the smallest piece to the largest, which takes the
 * rest. Within a piece sizes are met in a random order, so that when one choice leaves nothing
 * fitting for a later piece, the next attempt makes another. Countries with a capital are where
 * that is, and so it is what they leave of a piece that is filled.
 */
#include "kit/dsf.h"
#include "kit/heap.h"
#include "kit/integer.h"
#include "regions.h"

/* ---- pieces of land -------------------------------------------------------------------------- */

void regions_find_pieces(const struct label_grid *g, struct country_quota *q)
{
    assert(g->sides && g->land > 0);
    q->piece_at = MW_NEW(g->run, uint16_t, g->indices);
    char *mark = mw_mark(g->run);
    int32_t *set = MW_NEW(g->run, int32_t, g->indices);
    mw_dsf_init(set, g->indices);
    for (int32_t i = 0; i < g->land; i++)
        for (int side = 0; side < regions_sides(g) / 2; side++)
            mw_dsf_join(set, g->place[i] >> 1, regions_beside(g, g->place[i], side) >> 1);
    q->pieces = 0;
    for (int32_t i = 0; i < g->land; i++) {
        int32_t at = g->place[i] >> 1, first = mw_dsf_find(set, at);
        if (first == at) {
            int32_t number = mw_min(q->pieces++, q->count - 1); /* more are only counted */
            q->piece[number] = (struct land_piece){0};
            q->piece_at[at] = (uint16_t)number;
        }
        q->piece_at[at] = q->piece_at[first];
        q->piece[q->piece_at[at]].cells++;
    }
    mw_tick(g->run, 2 * (uint64_t)g->land);
    mw_rewind(g->run, mark);
    if (q->pieces > q->count)
        mw_fail(g->run, MW_NO_RESULT, q->sizes.count ? "/sizes" : "/count",
                "too few countries, %d, for land in %d separate pieces: each needs one of its own",
                q->count, q->pieces);
}

void regions_give_pieces(struct label_grid *g, const struct country_quota *q)
{
    assert(g->place && q->pieces > 0);
    for (int32_t i = 0; i < g->land; i++) {
        const struct land_piece *p = &q->piece[regions_piece_at(q, g->place[i] >> 1)];
        if (p->seats == 1)
            regions_assign(g, g->place[i], (uint16_t)q->order[p->first]);
    }
    mw_tick(g->run, (uint64_t)g->width * (uint64_t)g->height / 4);
}

/* ---- shares ---------------------------------------------------------------------------------- */

void regions_share_out(const int32_t *weight, int32_t count, int32_t cells, int32_t *share)
{
    int64_t total = 0, sum = 0, before = 0;
    for (int32_t k = 0; k < count; k++)
        total += weight[k];
    assert(total > 0 && cells >= 0);
    for (int32_t k = 0; k < count; k++) {
        sum += weight[k];
        int64_t now = sum * cells / total;
        share[k] = (int32_t)(now - before);
        before = now;
    }
    assert(before == cells);
}

/* 2^16 e^(x / 2^16), for |x| up to 10 * 2^16: squarings of 1 + x / 2^k + x^2 / 2^(2k + 1) */
static int64_t exponential(int64_t x)
{
    enum { DOUBLINGS = 10 };
    int64_t small = x * (1 << (30 - 16)) / (1 << DOUBLINGS); /* in 2^-30 */
    int64_t y = (INT64_C(1) << 30) + small + small * small / (INT64_C(1) << 31);
    y /= 1 << 6; /* in 2^-24 */
    for (int i = 0; i < DOUBLINGS; i++)
        y = y * y / (1 << 24);
    return y / (1 << 8);
}

/* In 2^-16: 1.4, the spread of the logarithms of Africa's areas; ln 10, for a hundredfold at
   most. */
enum { SPREAD = 55705, WIDEST = 124518 };

/* A weight for each country, log-normal: e^(spread times the sum of twelve uniform numbers less
   six). */
static void draw_weights(struct mw_rng *rng, int32_t variation, int32_t *weight, int32_t count)
{
    assert(0 < variation && variation <= 1000);
    for (int32_t k = 0; k < count; k++) {
        int64_t normal = -6 * 65536;
        for (int i = 0; i < 3; i++)
            for (uint64_t random = mw_next(rng), j = 0; j < 4; j++, random >>= 16)
                normal += (int64_t)(random & 0xffff);
        int64_t x = normal * SPREAD / 65536 * variation / 1000;
        weight[k] = (int32_t)exponential(mw_max64(-WIDEST, mw_min64(x, WIDEST)));
        assert(weight[k] > 0);
    }
}

/* At least a cell for each country, the rest by weight. */
static void vary_sizes(struct mw_run *run, struct country_quota *q)
{
    struct mw_rng rng = mw_stream(run, "sizes");
    char *mark = mw_mark(run);
    int32_t *weight = MW_NEW(run, int32_t, q->count), *share = MW_NEW(run, int32_t, q->count);
    draw_weights(&rng, q->variation, weight, q->count);
    for (int32_t i = 0; i < q->pieces; i++) {
        const struct land_piece *p = &q->piece[i];
        regions_share_out(weight + p->first, p->seats, p->cells - p->seats, share + p->first);
        for (int32_t s = p->first; s < p->first + p->seats; s++)
            q->low[q->order[s]] = q->high[q->order[s]] = share[s] + 1;
    }
    mw_rewind(run, mark);
}

void regions_set_quotas(struct mw_run *run, struct country_quota *q)
{
    if (q->sizes.count) {
        for (int32_t k = 1; k <= q->count; k++)
            q->low[k] = q->high[k] = q->sizes.at[k - 1];
        return;
    }
    if (q->variation) {
        vary_sizes(run, q);
        return;
    }
    for (int32_t i = 0; i < q->pieces; i++) {
        const struct land_piece *p = &q->piece[i];
        for (int32_t s = p->first; s < p->first + p->seats; s++) {
            q->low[q->order[s]] = p->cells / p->seats;
            q->high[q->order[s]] = p->cells / p->seats + (p->cells % p->seats != 0);
        }
    }
}

/* ---- D'Hondt's seats ------------------------------------------------------------------------- */

/* Whether piece a has the better claim to a further seat than b. */
static bool is_stronger(const void *pieces, int32_t a, int32_t b)
{
    const struct land_piece *p = (const struct land_piece *)pieces + a,
                            *q = (const struct land_piece *)pieces + b;
    int64_t x = (int64_t)p->cells * (q->seats + 1), y = (int64_t)q->cells * (p->seats + 1);
    return x > y || (x == y && a < b);
}

/* A seat for every capital, and one where there is none; how many are left. */
static int32_t deal_first_seats(struct mw_run *run, struct country_quota *q)
{
    int32_t empty = 0, free = q->count - q->capitals.count;
    for (int32_t i = 0; i < q->pieces; i++) {
        q->piece[i].seats = mw_max(q->piece[i].held, 1);
        empty += !q->piece[i].held;
    }
    if (empty > free)
        mw_fail(
            run, MW_NO_RESULT, "/capitals",
            "leave out more separate pieces of land, %d, than there are countries without one: %d",
            empty, free);
    return free - empty;
}

static void deal_by_dhondt(struct mw_run *run, struct country_quota *q)
{
    char *mark = mw_mark(run);
    struct mw_heap heap = {.at = MW_NEW(run, int32_t, q->pieces), .count = q->pieces};
    for (int32_t i = 0; i < q->pieces; i++)
        heap.at[i] = i;
    int32_t left = deal_first_seats(run, q);
    mw_heap_build(&heap, is_stronger, q->piece);
    for (; left > 0; left--) {
        q->piece[heap.at[0]].seats++;
        mw_heap_sift_down(&heap, 0, is_stronger, q->piece);
    }
    mw_tick(run, (uint64_t)q->count * 8);
    mw_rewind(run, mark);
}

/* ---- sizes as given -------------------------------------------------------------------------- */

struct packing {
    int32_t *by_size; /* pieces, the least room first */
    int32_t *room;    /* by piece: cells that countries with a capital there leave */
    int32_t *free;    /* countries that were placed, piece by piece */
    int32_t *id, ids; /* countries not yet placed, those of one size together */
    int32_t *via;     /* by sum: the run of equal sizes that first reached it; -1: none */
    int32_t *uses;    /* by sum: how many of that run */
};

/* Puts countries in random order of size, keeping equal sizes together. */
static void mix(struct mw_run *run, const struct country_quota *q, struct mw_rng *rng,
                struct packing *p)
{
    char *mark = mw_mark(run);
    uint64_t *key = MW_NEW(run, uint64_t, p->ids), salt = mw_next(rng);
    for (int32_t i = 0; i < p->ids; i++) {
        uint64_t size = (uint64_t)q->sizes.at[p->id[i] - 1];
        key[i] = ((size ^ salt) * UINT64_C(0x9e3779b97f4a7c15) & ~UINT64_C(0x1ffffff)) | size;
    }
    mw_sort(run, key, p->id, p->ids);
    mw_rewind(run, mark);
}

/* All sums up to `cells` that the sizes can make; whether `cells` is one. */
static bool find_sums(struct mw_run *run, const struct country_quota *q, struct packing *p,
                      int32_t cells)
{
    assert(cells >= 0);
    const int32_t *size = q->sizes.at;
    for (int32_t sum = 1; sum <= cells; sum++)
        p->via[sum] = -1;
    p->via[0] = INT32_MAX;
    for (int32_t i = 0, next; i < p->ids && p->via[cells] < 0; i = next) {
        int32_t each = size[p->id[i] - 1];
        for (next = i; next < p->ids && size[p->id[next] - 1] == each; next++)
            continue;
        mw_tick(run, (uint64_t)cells);
        memset(p->uses, 0, ((size_t)cells + 1) * sizeof *p->uses);
        for (int32_t sum = each; sum <= cells; sum++)
            if (p->via[sum] < 0 && p->via[sum - each] >= 0 && p->uses[sum - each] < next - i) {
                p->via[sum] = i;
                p->uses[sum] = p->uses[sum - each] + 1;
            }
    }
    return p->via[cells] >= 0;
}

/* Places the countries that make up the sum; how many. */
static int32_t place_sum(const struct country_quota *q, struct packing *p, int32_t sum,
                         int32_t *placed)
{
    int32_t n = 0, left = 0;
    for (int32_t i; sum > 0; sum -= q->sizes.at[placed[n++] - 1]) {
        i = p->via[sum];
        while (i + 1 < p->ids && p->id[i] < 0) /* taken already: the next of the same size */
            i++;
        assert(p->id[i] > 0);
        placed[n] = p->id[i];
        p->id[i] = -p->id[i];
    }
    for (int32_t i = 0; i < p->ids; i++)
        if (p->id[i] > 0)
            p->id[left++] = p->id[i];
    p->ids = left;
    return n;
}

static bool pack(struct mw_run *run, struct country_quota *q, struct mw_rng *rng, struct packing *p)
{
    int32_t placed = 0, last = q->pieces - 1;
    p->ids = q->count - q->capitals.count;
    for (int32_t i = 0; i < p->ids; i++)
        p->id[i] = q->capitals.count + i + 1;
    for (int32_t i = 0; i < last; i++) {
        struct land_piece *piece = &q->piece[p->by_size[i]];
        int32_t room = p->room[p->by_size[i]];
        mix(run, q, rng, p);
        if (!find_sums(run, q, p, room))
            return false;
        int32_t more = place_sum(q, p, room, p->free + placed);
        piece->seats = piece->held + more;
        placed += more;
    }
    struct land_piece *largest = &q->piece[p->by_size[last]]; /* what is left adds up */
    largest->seats = largest->held + p->ids;
    memcpy(p->free + placed, p->id, (size_t)p->ids * sizeof *p->id);
    assert(placed + p->ids == q->count - q->capitals.count);
    return true;
}

/* Finds the cells that countries with a capital leave free on each piece; fails the run where they
   are too large. */
static void find_room(struct mw_run *run, const struct country_quota *q, int32_t *room)
{
    for (int32_t i = 0; i < q->pieces; i++)
        room[i] = q->piece[i].cells;
    for (int32_t i = 0; i < q->capitals.count; i++) {
        int32_t home = q->home[i];
        room[home] -= q->sizes.at[i];
        if (room[home] < 0)
            mw_fail(run, MW_NO_RESULT, "/capitals",
                    "lie on a separate piece of land, of size %d, that is too small for all "
                    "countries of these sizes whose capitals are on it",
                    q->piece[home].cells);
    }
}

/* Sorts `by_size`, the pieces, and lists countries without a capital in that order in `free`. */
static void pack_sizes(struct mw_run *run, struct country_quota *q, struct mw_rng *rng,
                       int32_t *by_size, int32_t *free)
{
    enum { ATTEMPTS = 200 };
    char *mark = mw_mark(run);
    int32_t last = q->pieces - 1, *room = MW_NEW(run, int32_t, q->pieces);
    uint64_t *key = MW_NEW(run, uint64_t, q->pieces);
    find_room(run, q, room);
    for (int32_t i = 0; i < q->pieces; i++)
        key[i] = (uint64_t)room[i];
    mw_sort(run, key, by_size, q->pieces);
    int32_t second = last > 0 ? room[by_size[last - 1]] : 0;
    struct packing p = {.by_size = by_size,
                        .room = room,
                        .free = free,
                        .id = MW_NEW(run, int32_t, q->count),
                        .via = MW_NEW(run, int32_t, second + 1),
                        .uses = MW_NEW(run, int32_t, second + 1)};
    int attempt = 0;
    while (attempt < ATTEMPTS && !pack(run, q, rng, &p))
        attempt++;
    if (attempt == ATTEMPTS)
        mw_fail(run, MW_NO_RESULT, "/sizes",
                "found no way to fill %d separate pieces of land, of %d to %d cells%s, with whole "
                "countries of these sizes: each piece must be a sum of some of them",
                q->pieces, room[by_size[0]], room[by_size[last]],
                q->capitals.count ? " besides the countries whose capitals are there" : "");
    mw_rewind(run, mark);
}

/* Lists the countries piece by piece: those with a capital there, by id, then as many of `free` as
   have seats there. */
static void seat_countries(struct country_quota *q, const int32_t *piece, const int32_t *free)
{
    int32_t placed = 0;
    for (int32_t i = 0; i < q->pieces; i++) {
        struct land_piece *p = &q->piece[piece[i]];
        p->first = placed += p->held;
        for (int32_t left = p->seats - p->held; left > 0; left--)
            q->order[placed++] = *free++;
    }
    assert(placed == q->count);
    for (int32_t k = q->capitals.count; k > 0; k--)
        q->order[--q->piece[q->home[k - 1]].first] = k;
}

void regions_deal_seats(struct mw_run *run, struct country_quota *q, struct mw_rng *rng)
{
    assert(0 < q->pieces && q->pieces <= q->count);
    q->order = MW_NEW(run, int32_t, q->count);
    char *mark = mw_mark(run);
    int32_t *piece = MW_NEW(run, int32_t, q->pieces), *free = MW_NEW(run, int32_t, q->count);
    for (int32_t i = 0; i < q->pieces; i++)
        piece[i] = i;
    for (int32_t i = 0; i < q->count - q->capitals.count; i++)
        free[i] = q->capitals.count + i + 1;
    if (q->sizes.count)
        pack_sizes(run, q, rng, piece, free);
    else
        deal_by_dhondt(run, q);
    seat_countries(q, piece, free);
    mw_rewind(run, mark);
}
