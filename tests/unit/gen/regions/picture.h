/* picture.h: boards as they are drawn: rows of letters, a country each, and points for water. */
#ifndef MAPWRIGHT_UNIT_PICTURE_H
#define MAPWRIGHT_UNIT_PICTURE_H

#include "gen/regions/regions.h"
#include "unit/unit.h"

struct picture {
    struct mw_lattice lattice;
    struct balance balance;
    struct label_grid grid;
};

static inline uint16_t *picture_label(struct picture *p, int32_t x, int32_t y)
{
    return &p->grid.label[regions_at(&p->grid, x, y)];
}

static inline int32_t picture_place(const struct picture *p, int32_t x, int32_t y)
{
    return regions_at(&p->grid, x, y) * 2 + (y & 1);
}

/* Labels are the numbers of letters; sizes and limits are as drawn; searches may go far. */
static inline void picture_draw(struct mw_run *run, struct picture *p, const char *rows,
                                enum mw_tiling tiling, enum mw_wrap wrap)
{
    int32_t width = (int32_t)strcspn(rows, "/"), land = 0, countries = 0;
    p->lattice =
        (struct mw_lattice){width, ((int32_t)strlen(rows) + 1) / (width + 1), tiling, wrap};
    char *mask = MW_NEW(run, char, strlen(rows) + 1);
    for (size_t i = 0; i <= strlen(rows); i++) {
        bool is_land = rows[i] && rows[i] != '.' && rows[i] != '/';
        mask[i] = rows[i];
        if (!is_land)
            continue;
        mask[i] = '#';
        land++;
        countries = rows[i] - 'A' + 1 > countries ? rows[i] - 'A' + 1 : countries;
    }
    regions_new_balance(run, &p->balance, countries);
    regions_new_grid(run, &p->grid, &p->lattice, &p->balance);
    struct label_grid *g = &p->grid;
    const struct mw_rows as_mask = {.at = mask, .width = width, .count = p->lattice.height};
    regions_set_land(&p->grid, &as_mask, land);
    for (int32_t y = 0; y < p->lattice.height; y++)
        for (int32_t x = 0; x < width; x++) {
            char c = rows[y * (width + 1) + x];
            if (c == '.')
                continue;
            regions_assign(g, picture_place(p, x, y), (uint16_t)(c - 'A' + 1));
            p->balance.size[c - 'A' + 1]++;
        }
    memcpy(p->balance.low, p->balance.size, ((size_t)countries + 1) * sizeof(int32_t));
    memcpy(p->balance.high, p->balance.size, ((size_t)countries + 1) * sizeof(int32_t));
    regions_weigh(&p->balance, 65536);
    regions_find_boundary(&p->grid);
    g->stamp = MW_NEW0(run, int32_t, g->indices);
    g->queue = MW_NEW(run, int32_t, g->land + 8);
    g->reach = 4096;
}

#endif
