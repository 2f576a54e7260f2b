/*
 * regions_seats.c: who lives where, on land in several pieces.
 *
 * Every piece has a country; the others go one by one to the piece that has the most cells for
 * each country it would then have. That is D'Hondt's rule for seats in parliament, with a seat
 * for everyone first. Sizes that are given leave no choice: every piece must be filled exactly.
 */
#include "land.h"

/* ---- pieces ---------------------------------------------------------------------------------- */

/* Numbers the pieces that the nodes of a graph hang together in, and notes their cells. */
void regions_find_pieces(struct land *land, struct graph *graph)
{
    struct ground *g = &graph->g;
    int32_t *piece_of = graph->piece = MW_NEW(land->run, int32_t, g->count);
    land->pieces = 0;
    for (int32_t u = 0; u < g->count; u++)
        piece_of[u] = -1;
    for (int32_t u = 0; u < g->count; u++) {
        if (piece_of[u] >= 0)
            continue;
        int32_t head = 0, tail = 0, cells = 0;
        piece_of[u] = land->pieces;
        g->queue[tail++] = u;
        while (head < tail) {
            int32_t v = g->queue[head++];
            cells += g->weight[v];
            for (int i = 0, w; (w = g->beside(g, v, i)) >= 0; i++)
                if (piece_of[w] < 0) {
                    piece_of[w] = land->pieces;
                    g->queue[tail++] = w;
                }
        }
        g->rim[land->pieces++] = cells; /* no rim yet: room for them */
    }
    mw_tick(land->run, (uint64_t)g->count * 2);
    int32_t countries = g->census->count;
    if (land->pieces > countries)
        mw_fail(
            land->run, MW_NO_RESULT, land->wish->sizes->count ? "/sizes" : "/count",
            "%d countries are too few for land in %d separate pieces: each needs one of its own",
            countries, land->pieces);
    for (int32_t i = 0; i < land->pieces; i++)
        land->piece[i] = (struct piece){.cells = g->rim[i], .seats = 1};
}

/* ---- seats ----------------------------------------------------------------------------------- */

/* Whether piece a has the better claim to a further seat than b, by D'Hondt. */
static bool stronger(const struct piece *a, const struct piece *b)
{
    int64_t p = (int64_t)a->cells * (b->seats + 1), q = (int64_t)b->cells * (a->seats + 1);
    return p > q || (p == q && a < b);
}

static void sift_down(const struct land *land, int32_t *heap, int32_t n, int32_t i)
{
    int32_t mine = heap[i];
    for (int32_t child; (child = 2 * i + 1) < n; i = child) {
        child +=
            child + 1 < n && stronger(&land->piece[heap[child + 1]], &land->piece[heap[child]]);
        if (!stronger(&land->piece[heap[child]], &land->piece[mine]))
            break;
        heap[i] = heap[child];
    }
    heap[i] = mine;
}

/* Every piece has a seat; the rest go one by one to the piece with the most cells for each it
   would have. */
static void deal_seats(struct land *land)
{
    char *mark = mw_mark(land->run);
    int32_t n = land->pieces, *heap = MW_NEW(land->run, int32_t, n);
    for (int32_t i = 0; i < n; i++)
        heap[i] = i;
    for (int32_t i = n / 2; i >= 0; i--)
        sift_down(land, heap, n, i);
    for (int32_t left = land->board->g.census->count - n; left > 0; left--) {
        land->piece[heap[0]].seats++;
        sift_down(land, heap, n, 0);
    }
    mw_tick(land->run, (uint64_t)land->board->g.census->count * 8);
    mw_rewind(land->run, mark);
}

/* ---- quotas ---------------------------------------------------------------------------------- */

/* Even or varied sizes, piece by piece, for the seats dealt. */
static void set_quotas(struct land *land)
{
    struct mw_rng rng = mw_stream(land->run, "sizes");
    int32_t count = land->board->g.census->count, variation = land->wish->variation, k = 0;
    char *mark = mw_mark(land->run);
    int64_t *weight = MW_NEW(land->run, int64_t, count);
    if (variation)
        regions_draw_weights(&rng, variation, weight, count);
    for (int32_t i = 0; i < land->pieces; i++) {
        struct piece *p = &land->piece[i];
        p->first = k;
        if (variation)
            regions_share_out(weight + k, p->seats, p->cells, land->low + k + 1);
        for (int32_t seat = 0; seat < p->seats; seat++, k++) {
            land->order[k] = k + 1;
            if (!variation)
                land->low[k + 1] = p->cells / p->seats;
            land->high[k + 1] = land->low[k + 1] + (!variation && p->cells % p->seats);
        }
    }
    mw_rewind(land->run, mark);
}

/* ---- sizes as given -------------------------------------------------------------------------- */

/*
 * Sizes must fill every piece exactly: a subset sum for each, from what the others left. From
 * the smallest piece to the largest, which takes the rest; within a piece in a random order of
 * sizes, so that when one choice leaves nothing fitting for a later piece, the next attempt
 * makes another.
 */
struct packing {
    int32_t *id, ids; /* countries not yet placed, those of one size together */
    int32_t *via;     /* by sum: the run of equal sizes that first reached it; -1: none */
    int32_t *uses;    /* by sum: how many of that run */
};

/* Puts countries in random order of size, keeping equal sizes together. */
static void mix(struct land *land, struct packing *p)
{
    char *mark = mw_mark(land->run);
    uint64_t *key = MW_NEW(land->run, uint64_t, p->ids), salt = mw_next(&land->rng);
    for (int32_t i = 0; i < p->ids; i++) {
        uint64_t size = (uint64_t)land->wish->sizes->at[p->id[i] - 1];
        key[i] = ((size ^ salt) * UINT64_C(0x9e3779b97f4a7c15) & ~UINT64_C(0x1ffffff)) | size;
    }
    mw_sort(land->run, key, p->id, p->ids);
    mw_rewind(land->run, mark);
}

/* All sums up to `cells` that the sizes can make; whether `cells` is one. */
static bool find_sums(struct land *land, struct packing *p, int32_t cells)
{
    const int32_t *size = land->wish->sizes->at;
    for (int32_t sum = 1; sum <= cells; sum++)
        p->via[sum] = -1;
    p->via[0] = INT32_MAX;
    for (int32_t i = 0, next; i < p->ids && p->via[cells] < 0; i = next) {
        int32_t each = size[p->id[i] - 1];
        for (next = i; next < p->ids && size[p->id[next] - 1] == each; next++)
            continue;
        mw_tick(land->run, (uint64_t)cells);
        memset(p->uses, 0, ((size_t)cells + 1) * sizeof *p->uses);
        for (int32_t sum = each; sum <= cells; sum++)
            if (p->via[sum] < 0 && p->via[sum - each] >= 0 && p->uses[sum - each] < next - i) {
                p->via[sum] = i;
                p->uses[sum] = p->uses[sum - each] + 1;
            }
    }
    return p->via[cells] >= 0;
}

/* Moves the countries that make up the sum from the packing to the end of the order. */
static void place_sum(struct land *land, struct packing *p, struct piece *piece, int32_t *placed)
{
    const int32_t *size = land->wish->sizes->at;
    piece->first = *placed;
    for (int32_t sum = piece->cells, i; sum > 0; sum -= size[land->order[*placed - 1] - 1]) {
        i = p->via[sum];
        while (p->id[i] < 0) /* taken already: the next of the same size */
            i++;
        land->order[(*placed)++] = p->id[i];
        p->id[i] = -p->id[i];
    }
    piece->seats = *placed - piece->first;
    int32_t left = 0;
    for (int32_t i = 0; i < p->ids; i++)
        if (p->id[i] > 0)
            p->id[left++] = p->id[i];
    p->ids = left;
}

static bool pack(struct land *land, struct packing *p, const int32_t *by_size)
{
    int32_t placed = 0;
    p->ids = land->board->g.census->count;
    for (int32_t i = 0; i < p->ids; i++)
        p->id[i] = i + 1;
    for (int32_t i = 0; i < land->pieces; i++) {
        struct piece *piece = &land->piece[by_size[i]];
        if (i == land->pieces - 1) { /* what is left adds up */
            piece->first = placed;
            piece->seats = p->ids;
            memcpy(land->order + placed, p->id, (size_t)p->ids * sizeof *p->id);
            return true;
        }
        mix(land, p);
        if (!find_sums(land, p, piece->cells))
            return false;
        place_sum(land, p, piece, &placed);
    }
    return false;
}

static void pack_sizes(struct land *land)
{
    enum { ATTEMPTS = 200 };
    char *mark = mw_mark(land->run);
    int32_t *by_size = MW_NEW(land->run, int32_t, land->pieces),
            count = land->board->g.census->count;
    uint64_t *key = MW_NEW(land->run, uint64_t, land->pieces);
    for (int32_t i = 0; i < land->pieces; i++) {
        by_size[i] = i;
        key[i] = (uint64_t)land->piece[i].cells;
    }
    mw_sort(land->run, key, by_size, land->pieces);
    int32_t second = land->pieces > 1 ? land->piece[by_size[land->pieces - 2]].cells : 0;
    struct packing p = {.id = MW_NEW(land->run, int32_t, count),
                        .via = MW_NEW(land->run, int32_t, second + 1),
                        .uses = MW_NEW(land->run, int32_t, second + 1)};
    int attempt = 0;
    while (attempt < ATTEMPTS && !pack(land, &p, by_size))
        attempt++;
    if (attempt == ATTEMPTS)
        mw_fail(land->run, MW_NO_RESULT, "/sizes",
                "found no way to fill %d separate pieces of land, of %d to %d cells, with whole "
                "countries of these sizes: each piece must be a sum of some of them",
                land->pieces, land->piece[by_size[0]].cells,
                land->piece[by_size[land->pieces - 1]].cells);
    mw_rewind(land->run, mark);
    for (int32_t k = 1; k <= count; k++)
        land->low[k] = land->high[k] = land->wish->sizes->at[k - 1];
}

void regions_deal_seats(struct land *land)
{
    if (land->wish->sizes->count) {
        pack_sizes(land);
        return;
    }
    deal_seats(land);
    set_quotas(land);
}
