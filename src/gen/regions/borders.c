/*
 * borders.c: how borders are swept, level by level, on all kinds of land alike.
 *
 * Sweeps on a level roughen its own scale only, so borders are ragged on all scales: the more
 * roughness, the more sweeps between the level on which countries begin and the map. There a border
 * is held tighter, or it would be frayed by the cell; and tightest where countries begin.
 */
#include "regions.h"

enum { ROUGH_SWEEPS = 3 };

int32_t regions_tension_at(const struct borders *s, int level, int levels)
{
    if (level >= levels - 1)
        return 2 * s->tension;
    return level ? s->tension : s->tension + s->tension / 5 * s->roughness / 500;
}

void regions_sweep_level(struct ground *g, struct borders *s, int level, int levels)
{
    int32_t tension = regions_tension_at(s, level, levels);
    bool between = level && level < levels - 1;
    int64_t sweeps = between ? 1 + ROUGH_SWEEPS * s->roughness / 1000 : 1;
    regions_weigh(g->balance, 65536);
    regions_sweep(g, &s->rng, tension, sweeps * g->boundary_count);
    if (level)
        return;
    regions_weigh(g->balance, 4 * 65536);
    regions_sweep(g, &s->rng, tension, g->boundary_count / 2);
}

void regions_blow_up(struct ground *g, struct borders *s)
{
    regions_weigh(g->balance, 8 * 65536);
    regions_sweep(g, &s->rng, s->tension, 8 * g->boundary_count);
}
