/*
 * forecast.c: what a map of islands will take.
 *
 * It counts the same steps as the run does, so that progress can be measured by it.
 */
#include "islands.h"
#include "kit/names.h"

/* What is to be expected of the land. */
struct prospect {
    int64_t islands, land; /* at most, as a rule */
    int64_t height;        /* the mean, where layers allow it */
    int64_t ordering;      /* steps until they are islands */
};

/*
 * Growing takes some score of steps for each corner that the islands cover. Where islands of the
 * mean size want more than three fifths of the map, order comes to nothing and is tried anew, and
 * from three quarters on they are packed.
 */
static struct prospect expect_order(const struct islands *p, int64_t n)
{
    int32_t width = p->width - 2 * islands_inset(p), height = p->height - 2 * islands_inset(p);
    int64_t room = (int64_t)(width + 1) * (height + 1), least = p->size.at[0];
    int64_t cover = islands_cover(p->size.at[0], width, height);
    int64_t most = mw_min64(p->islands.at[1], room / cover), mean = (least + p->size.at[1]) / 2;
    int64_t crowd = mw_min64(p->islands.at[0] * (cover + mean - least), room);
    int64_t tight = mw_min64(mw_max64(crowd - room * 3 / 5, 0), room * 3 / 20);
    return (struct prospect){.islands = most,
                             .land = mw_min64(most * p->size.at[1], n),
                             .height = 1 + mw_root(p->size.at[1]) / 6,
                             .ordering = n + 10 * (crowd + most * cover) + 530 * tight};
}

/* Rounds make pieces fewer; more land than air makes large ones. */
static struct prospect expect_pieces(const struct islands *p, int64_t n)
{
    int64_t high = p->land > 500   ? p->layers
                   : p->land > 333 ? 1 + p->iterations / 40
                                   : 1 + p->iterations / 200;
    int64_t pieces = 1 + n / (7 + mw_min(p->iterations, 20) * 3 / 4);
    return (struct prospect){.islands = pieces,
                             .land = p->land > 400 ? n : (int64_t)p->land * n / 700,
                             .height = high,
                             .ordering = 2 * n + 60 * pieces};
}

/* Ten steps a cell, for pieces, bridges and heights; the automaton has 64 cells in a word, and rows
   of whole words. Bridges are up to three an island, each about as long as islands are apart. */
void islands_forecast(const void *params, struct mw_forecast *f)
{
    const struct islands *p = params;
    int64_t n = (int64_t)mw_rimmed(p->width, p->height);
    struct prospect map = p->order ? expect_order(p, n) : expect_pieces(p, n);
    int64_t words = ((int64_t)p->width / 64 + 1) * p->height;
    int64_t bridges = p->bridges ? mw_min64(3 * map.islands, n) : 0;
    f->plan = (struct mw_lattice){p->width, p->height, MW_SQUARE, MW_WRAP_NONE};
    f->cells = 2 * (uint64_t)n;
    f->land = (uint64_t)map.land;
    f->volume = (uint64_t)(map.land * mw_min64(map.height, p->layers));
    f->rows = (uint64_t)(map.islands + bridges);
    f->items =
        (uint64_t)(2 * bridges + mw_min64(2 * n, 2 * (int64_t)mw_root(n * map.islands) + bridges));
    f->borders = (uint64_t)mw_min64(4 * n, 3 * map.land + 2 * (int64_t)f->items);
    f->steps = (uint64_t)((p->bridges ? 16 : 11) * n + map.ordering + words * p->iterations);
    f->nanoseconds = 10000 + (uint64_t)((p->bridges ? 55 : 33) * n + 6 * map.ordering +
                                        2 * words * p->iterations + 300 * map.islands);
    f->kept = (uint64_t)(18 * n + (200 + MW_NAME_BYTES) * map.islands) + 8 * f->items;
    f->bytes = f->kept + 10 * (uint64_t)n;
    if (!p->order || p->size.at[1] < ISLANDS_COASTAL)
        return;
    f->steps += 9 * (uint64_t)n;
    f->nanoseconds += 15 * (uint64_t)n + 40 * (uint64_t)map.land;
    f->bytes +=
        2 * (uint64_t)n + 12 * (uint64_t)mw_min64(n, 3 * (int64_t)p->size.at[1] + 4) + 60000;
}
