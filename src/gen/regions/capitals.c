/*
 * capitals.c: cells that are given to certain countries, and stay theirs.
 *
 * A capital is where its country begins to grow, and on every level the cell that holds it is
 * never moved again: it is kept off the boundary, so that no sweep, flow or chain ever looks at it.
 * Where there is room the cells round it are kept as well, so that a town does not lie on a border.
 * When a level is refined the four cells of that one are the country's, and its capital among
 * them. Levels end where two capitals would share a cell.
 */
#include "kit/integer.h"
#include "regions.h"

static int32_t place_of(const struct label_grid *g, struct mw_point at)
{
    return regions_at(g, at.x, at.y) * 2 + (at.y & 1);
}

/* The cell of the coarse level that stands for a cell of the fine one: as in regions_refine_row(),
   the other way round. */
static struct mw_point raise_point(const struct mw_lattice *fine, const struct mw_lattice *coarse,
                                   struct mw_point at)
{
    assert(0 <= at.x && at.x < fine->width && 0 <= at.y && at.y < fine->height);
    struct mw_point up = {0, mw_min(at.y / 2, coarse->height - 1)};
    int32_t x = at.x - (fine->tiling == MW_HEX ? up.y & 1 : 0);
    if (x < 0)
        up.x = fine->wrap != MW_WRAP_NONE ? coarse->width - 1 : 0;
    else
        up.x = mw_min(x / 2, coarse->width - 1);
    return up;
}

bool regions_raise_capitals(struct mw_run *run, const struct mw_lattice *fine,
                            const struct mw_lattice *coarse, const struct capitals *below,
                            struct capitals *above)
{
    *above = *below;
    if (!below->count)
        return true;
    struct mw_point *at = MW_NEW(run, struct mw_point, below->count);
    char *mark = mw_mark(run);
    uint8_t *taken = MW_NEW0(run, uint8_t, coarse->width * coarse->height);
    bool apart = true;
    for (int32_t i = 0; i < below->count && apart; i++) {
        at[i] = raise_point(fine, coarse, below->at[i]);
        uint8_t *cell = &taken[at[i].y * coarse->width + at[i].x];
        apart = !*cell;
        *cell = 1;
    }
    mw_tick(run, (uint64_t)(coarse->width * coarse->height / 8 + below->count));
    mw_rewind(run, mark);
    above->at = at;
    return apart;
}

void regions_flag_capitals(struct label_grid *g, const struct capitals *c)
{
    for (int32_t i = 0; i < c->count; i++)
        g->flag[regions_at(g, c->at[i].x, c->at[i].y)] |= REGIONS_HELD;
}

static void hold(struct label_grid *g, int32_t place)
{
    g->flag[place >> 1] |= REGIONS_LISTED | REGIONS_HELD; /* so nobody lists it again */
}

/* Cells of a country, for it to keep those round its capital too. */
enum { ROOMY = 40 };

bool regions_shields(const struct capitals *c, const struct balance *balance, int32_t country)
{
    assert(0 < country && country <= balance->count);
    return c->shield && balance->low[country] >= ROOMY;
}

static void hold_around(struct label_grid *g, int32_t place)
{
    for (int32_t i = 0, p; (p = regions_beside(g, place, i)) >= 0; i++)
        if (regions_country(g, p) == regions_country(g, place))
            hold(g, p);
}

void regions_hold_capitals(struct label_grid *g, const struct capitals *c)
{
    if (!c->count)
        return;
    for (int32_t i = 0; i < c->count; i++) {
        int32_t place = place_of(g, c->at[i]);
        assert(regions_country(g, place) == c->country[i]);
        hold(g, place);
        if (regions_shields(c, g->balance, c->country[i]))
            hold_around(g, place);
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < g->boundary_count; i++) {
        g->boundary[kept] = g->boundary[i];
        kept += !(g->flag[g->boundary[i] >> 1] & REGIONS_HELD);
    }
    mw_tick(g->run, (uint64_t)(8 * c->count + g->boundary_count));
    g->boundary_count = kept;
}

void regions_refuse_capitals(struct mw_run *run, const struct country_quota *quota,
                             const struct capitals *c, const struct balance *balance)
{
    assert(c->count > 0);
    const char *other = quota->sizes.count ? "other sizes" : "a variation above 0";
    int32_t i = 0, k = 0;
    while (i < c->count && (k = c->country[i], balance->low[k] <= balance->size[k]) &&
           balance->size[k] <= balance->high[k])
        i++;
    if (i == c->count)
        mw_fail(
            run, MW_NO_RESULT, "/capitals",
            "found no way to give every country its exact size while these hold their capitals: "
            "off by %lld; capitals farther apart, or %s, leave more room",
            (long long)regions_excess(balance), other);
    char pointer[32] = "/capitals/";
    *mw_write_int(pointer + strlen(pointer), k - 1) = '\0';
    mw_fail(run, MW_NO_RESULT, pointer,
            "found no way to give every country its capital and its exact size: country %d came to "
            "size %d instead of %d; capitals farther apart, or %s, leave more room",
            k, balance->size[k], balance->low[k], other);
}
