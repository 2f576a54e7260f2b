/* draw.c: what the drawing encoders share: finding what to draw, and telling neighbours apart. */
#include "draw.h"

int draw_part(const struct mw_generator *generator, enum mw_kind kind, enum mw_role role)
{
    for (int p = 0; generator->parts[p].kind != MW_NO_PART; p++)
        if (generator->parts[p].kind == kind && generator->parts[p].role == role)
            return p;
    return -1;
}

const void *draw_column(const struct mw_map *map, enum mw_role role, int32_t *rows)
{
    const struct mw_part *parts = map->request->generator->parts;
    for (int p = 0; parts[p].kind != MW_NO_PART; p++)
        for (int c = 0; parts[p].kind == MW_TABLE && parts[p].columns[c].type != MW_END_OF_TABLE; c++)
            if (parts[p].columns[c].role == role && map->slots[p].present) {
                *rows = map->slots[p].as.table.rows;
                return map->slots[p].as.table.columns[c];
            }
    *rows = 0;
    return NULL;
}

static int32_t greatest(struct mw_run *run, const struct mw_cells *cells, int64_t count)
{
    int32_t most = 0;
    for (int64_t i = 0; i < count; i++)
        most = cells->at[i] > most ? cells->at[i] : most;
    mw_tick(run, (uint64_t)count);
    return most;
}

/* Calls for each side between two labels are collected as greater * 2^32 + smaller. */
static int32_t collect_borders(const struct mw_cells *cells, int32_t count, uint64_t *keys)
{
    int32_t n = 0;
    int half = mw_sides(&cells->lattice) / 2;
    for (int32_t c = 0; c < count; c++)
        for (int s = 0; s < half; s++) {
            int32_t other = mw_neighbour(&cells->lattice, c, s);
            int32_t a = cells->at[c], b = other < 0 ? 0 : cells->at[other];
            if (a <= 0 || b <= 0 || a == b)
                continue;
            if (keys)
                keys[n] = a > b ? (uint64_t)a << 32 | (uint32_t)b : (uint64_t)b << 32 | (uint32_t)a;
            n++;
        }
    return n;
}

int32_t *draw_colours(struct mw_run *run, const struct mw_cells *cells, int32_t colours)
{
    int32_t count = cells->lattice.width * cells->lattice.height;
    int32_t labels = greatest(run, cells, count);
    int32_t *colour = MW_NEW(run, int32_t, labels + 1);
    char *mark = mw_mark(run);
    int32_t borders = collect_borders(cells, count, NULL);
    uint64_t *keys = MW_NEW(run, uint64_t, borders + 1);
    collect_borders(cells, count, keys);
    mw_sort(run, keys, NULL, borders);
    int32_t *taken_by = MW_NEW0(run, int32_t, colours);
    colour[0] = labels;
    for (int32_t label = 1, k = 0; label <= labels; label++) {
        for (; k < borders && keys[k] >> 32 == (uint64_t)label; k++)
            taken_by[colour[(uint32_t)keys[k]]] = label;
        int32_t pick = (label - 1) % colours;
        for (int32_t tries = 0; tries < colours && taken_by[pick] == label; tries++)
            pick = (pick + 1) % colours;
        colour[label] = pick;
    }
    mw_rewind(run, mark);
    return colour;
}
