/* check_regions_diagram.c: countries grown from seats. */
#include "picture.h"

static const struct mw_lattice lattices[] = {
    {40, 30, MW_SQUARE, MW_WRAP_NONE}, {40, 30, MW_HEX, MW_WRAP_NONE},
    {40, 30, MW_SQUARE, MW_WRAP_X},    {40, 30, MW_HEX, MW_WRAP_XY},
    {200, 6, MW_HEX, MW_WRAP_NONE},    {9, 120, MW_SQUARE, MW_WRAP_NONE},
};
enum { LATTICES = sizeof lattices / sizeof *lattices, COUNT = 12 };

/* Whether every cell has a country, and each hangs together. */
static void check_whole(struct mw_run *run, struct label_grid *b)
{
    int32_t *seen = MW_NEW0(run, int32_t, b->indices), pieces = 0;
    int32_t *queue = MW_NEW(run, int32_t, b->width * b->height);
    for (int32_t y = 0; y < b->height; y++)
        for (int32_t x = 0; x < b->width; x++) {
            int32_t head = 0, tail = 0;
            ck_assert_int_gt(b->label[regions_at(b, x, y)], 0);
            if (seen[regions_at(b, x, y)])
                continue;
            queue[tail++] = regions_at(b, x, y) * 2 + (y & 1);
            seen[regions_at(b, x, y)] = ++pieces;
            while (head < tail) {
                int32_t place = queue[head++];
                for (int32_t i = 0, p; (p = regions_beside(b, place, i)) >= 0; i++)
                    if (!seen[p >> 1] && regions_country(b, p) == regions_country(b, place)) {
                        seen[p >> 1] = pieces;
                        queue[tail++] = p;
                    }
            }
        }
    ck_assert_int_eq(pieces, b->balance->count);
}

/* A diagram of the countries of a grid without water, that have strewn seats. */
static struct diagram *strewn(struct label_grid *b, uint64_t seed)
{
    struct mw_rng seats = unit_rng(seed), noise = unit_rng(seed + 1);
    struct balance *c = b->balance;
    static const struct capitals none = {0};
    struct terrain terrain = {.grid = b, .places = b->width * b->height, .usual = 1};
    struct land_piece piece = {terrain.places, 0, c->count};
    struct country_quota q = {.count = c->count, .piece = &piece, .pieces = 1, .low = c->low};
    q.order = MW_NEW(b->run, int32_t, c->count);
    for (int32_t i = 0; i < c->count; i++)
        q.order[i] = i + 1;
    struct diagram *diagram = regions_new_diagram(b, &noise, &none);
    regions_strew(&terrain, &q, &seats, diagram);
    return diagram;
}

/* One twice as large as the others; after some rounds each is about as large as wanted. */
TEST(countries_grow_as_large_as_they_want, .end = LATTICES)
{
    struct mw_run *run = unit_open();
    const struct mw_lattice *lattice = &lattices[_i];
    struct balance balance;
    struct label_grid grid;
    int32_t cells = lattice->width * lattice->height;
    regions_new_balance(run, &balance, COUNT);
    regions_new_grid(run, &grid, lattice, &balance);
    for (int32_t k = 1; k <= COUNT; k++)
        balance.low[k] = cells * (k == 1 ? 2 : 1) / (COUNT + 1);
    struct diagram *diagram = strewn(&grid, 7);
    for (int round = 0; round < 6; round++) {
        ck_assert(regions_grow_diagram(diagram));
        check_whole(run, &grid);
        regions_adjust_diagram(diagram);
    }
    for (int32_t k = 1; k <= COUNT; k++)
        ck_assert_msg(balance.size[k] * 2 > balance.low[k] && balance.size[k] < balance.low[k] * 2,
                      "country %d has %d cells instead of %d", k, balance.size[k], balance.low[k]);
}

/* With as many countries as cells, or nearly, too: it grows, or says that it did not. */
TEST(crowds_have_a_seat_each, .end = 12)
{
    struct mw_run *run = unit_open();
    const struct mw_lattice lattice = {5, 4, _i & 1 ? MW_HEX : MW_SQUARE, MW_WRAP_NONE};
    struct balance balance;
    struct label_grid grid;
    regions_new_balance(run, &balance, 20 - _i / 2);
    regions_new_grid(run, &grid, &lattice, &balance);
    for (int32_t k = 1; k <= balance.count; k++)
        balance.low[k] = 1;
    struct diagram *diagram = strewn(&grid, (uint64_t)_i);
    if (regions_grow_diagram(diagram))
        check_whole(run, &grid);
    else
        ck_assert_int_gt(_i, 1);
}
