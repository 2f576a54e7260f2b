/* check_regions_terrain.c: land on coarser grids, and what holds it together. */
#include "picture.h"

static const char *const lands[] = {
    "AAAAAAAA/AAAAAAAA/AAAAAAAA/AAAAAAAA",
    "AA..AAAA/AAA..AA./.AAA..AA/..AAA.AA",
    "A.A.A.A./.A.A.A.A/A.A.A.A./AAAAAAAA",
    "AAAAAAAA/A......A/A.AAAA.A/AAA..AAA",
};

/* Two levels above a picture. */
static void coarsen(struct terrain *level, struct picture *p)
{
    level[0] = (struct terrain){.grid = &p->grid, .places = p->grid.land, .usual = 1};
    for (int i = 1; i < 3; i++)
        regions_coarsen(&level[i - 1], regions_halve(level[i - 1].grid), &level[i]);
}

/* Whether the cells below two places hang together, through cells below these two alone. */
static bool is_one_below(const struct terrain *level, int32_t a, int32_t b)
{
    const struct label_grid *fine = level[0].grid, *coarse = level[1].grid;
    struct label_grid *g = level[0].grid;
    int32_t seen = regions_fresh_stamp(g), tail = 0, parts = 0;
    for (int32_t i = 0; i < g->land; i++) {
        int32_t at = g->place[i] >> 1, above = regions_above(coarse, fine, at);
        bool is_part = fine->sides[at] & REGIONS_KEPT && (above == a || above == b);
        parts += is_part;
        if (is_part && !tail) {
            g->queue[tail++] = g->place[i];
            g->stamp[at] = seen;
        }
    }
    for (int32_t head = 0; head < tail; head++)
        for (int s = 0, q; (q = regions_beside(g, g->queue[head], s)) >= 0; s++) {
            int32_t above = regions_above(coarse, fine, q >> 1);
            bool is_part = fine->sides[q >> 1] & REGIONS_KEPT && (above == a || above == b);
            if (!is_part || g->stamp[q >> 1] == seen)
                continue;
            g->stamp[q >> 1] = seen;
            g->queue[tail++] = q;
        }
    return parts && tail == parts;
}

/* What a place stands for hangs together, with that of another just where a door leads there. */
TEST(doors_lead_where_land_goes_on, .end = 2 * COUNT(lands))
{
    struct mw_run *run = unit_open();
    struct picture p;
    struct terrain level[3];
    picture_draw(run, &p, lands[_i / 2], _i % 2 ? MW_HEX : MW_SQUARE, MW_WRAP_NONE);
    coarsen(level, &p);
    for (int i = 1; i < 3; i++) {
        const struct label_grid *g = level[i].grid;
        int32_t cells = 0;
        for (int32_t j = 0; j < g->land; j++) {
            int32_t at = g->place[j] >> 1;
            cells += level[i].weight[at];
            ck_assert(is_one_below(&level[i - 1], at, at));
            for (int32_t k = 0; k < j; k++) {
                bool leads = false;
                for (int s = 0, q; (q = regions_beside(g, g->place[j], s)) >= 0; s++)
                    leads |= q == g->place[k];
                ck_assert(leads == is_one_below(&level[i - 1], at, g->place[k] >> 1));
            }
        }
        ck_assert_int_le(cells, p.grid.land);
        ck_assert_int_eq(level[i].places, g->land);
    }
}

/* Countries of places, swept about, settled and handed down, are whole in cells, and have all of
   the land. */
TEST(what_hangs_together_above_does_below, .end = 12)
{
    struct mw_run *run = unit_open();
    struct mw_rng rng = unit_rng((uint64_t)_i);
    struct picture p;
    struct terrain level[2];
    picture_draw(run, &p, "AAAABBBB/AA..BB.B/AAAABBBB/AAA..BBB/CCCCD..D/CC.CDDDD/CCCCD.DD/CCCCDDDD",
                 _i % 2 ? MW_HEX : MW_SQUARE, (enum mw_wrap)(_i % 3));
    level[0] = (struct terrain){.grid = &p.grid, .places = p.grid.land, .usual = 1};
    regions_coarsen(&level[0], regions_halve(&p.grid), &level[1]);
    struct label_grid *g = level[1].grid;
    for (int32_t i = 0; i < g->land; i++)
        regions_assign(g, g->place[i], p.grid.label[level[1].cell[g->place[i] >> 1]]);
    regions_survey(&level[1]);
    regions_weigh(&p.balance, 65536);
    bool sound = regions_is_sound(g);
    regions_sweep(g, &rng, 20000, NULL, 100);
    for (int32_t k = 1; k <= 4; k++)
        p.balance.low[k] = p.balance.high[k] = 3 + (k + _i) % 3;
    regions_settle(g, &rng, 20000, 3);
    ck_assert(regions_is_sound(g) || !sound);
    regions_hand_down(&level[1], &level[0]);
    regions_survey(&level[0]);
    ck_assert(regions_is_sound(&p.grid) || !sound);
    int32_t cells = 0;
    for (int32_t k = 1; k <= 4; k++)
        cells += p.balance.size[k];
    ck_assert_int_eq(cells, p.grid.land);
}

/* Cut vertices, against taking the cell away and counting pieces. */
TEST(cut_vertices_are_those_that_part_the_land, .end = COUNT(lands))
{
    struct mw_run *run = unit_open();
    struct picture p;
    picture_draw(run, &p, lands[_i], MW_SQUARE, MW_WRAP_NONE);
    struct label_grid *g = &p.grid;
    int32_t reached[2];
    for (int32_t i = 0; i < g->land; i++) {
        int32_t place = g->place[i], from = -1;
        for (int s = 0, q; (q = regions_beside(g, place, s)) >= 0; s++)
            from = q != place ? q : from;
        for (int with = 0; with < 2 && from >= 0; with++) {
            int32_t seen = regions_fresh_stamp(g), tail = 0;
            g->stamp[from >> 1] = seen;
            if (!with)
                g->stamp[place >> 1] = seen;
            g->queue[tail++] = from;
            for (int32_t head = 0; head < tail; head++)
                for (int s = 0, q; (q = regions_beside(g, g->queue[head], s)) >= 0; s++)
                    if (g->stamp[q >> 1] != seen) {
                        g->stamp[q >> 1] = seen;
                        g->queue[tail++] = q;
                    }
            reached[with] = tail;
        }
        bool cut = from < 0 || reached[0] + 1 < reached[1];
        ck_assert(regions_is_cut_vertex(g, place) == cut);
    }
    g->stamps = INT32_MAX - 3; /* stamps begin anew before they run out */
    ck_assert_int_eq(regions_fresh_stamp(g), 2);
}
