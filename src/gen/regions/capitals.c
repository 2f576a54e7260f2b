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

static void hold(struct label_grid *g, int32_t place)
{
    g->flag[place >> 1] |= REGIONS_LISTED | REGIONS_HELD; /* so it is never listed again */
}

/* Cells of a country, for it to keep those round its capital too. */
enum { ROOMY = 40 };

bool regions_shields(const struct label_grid *g, int32_t country)
{
    assert(0 < country && country <= g->balance->count);
    return g->capitals.shield && g->balance->low[country] >= ROOMY;
}

void regions_hold_capitals(struct label_grid *g)
{
    const struct capitals *c = &g->capitals;
    if (!c->count)
        return;
    for (int32_t i = 0; i < c->count; i++) {
        int32_t place = c->place[i];
        assert(regions_country(g, place) == c->country[i]);
        hold(g, place);
        bool shield = regions_shields(g, c->country[i]);
        for (int32_t s = 0, p; shield && (p = regions_beside(g, place, s)) >= 0; s++)
            if (regions_country(g, p) == c->country[i])
                hold(g, p);
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < g->boundary_count; i++) {
        g->boundary[kept] = g->boundary[i];
        kept += !(g->flag[g->boundary[i] >> 1] & REGIONS_HELD);
    }
    mw_tick(g->run, (uint64_t)(8 * c->count + g->boundary_count));
    g->boundary_count = kept;
}
