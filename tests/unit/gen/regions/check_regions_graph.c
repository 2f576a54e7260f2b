/* check_regions_graph.c: blocks of land, what they are made of, and what holds them together. */
#include "picture.h"

static const char *const lands[] = {
    "AAAAAAAA/AAAAAAAA/AAAAAAAA/AAAAAAAA",
    "AA..AAAA/AAA..AA./.AAA..AA/..AAA.AA",
    "A.A.A.A./.A.A.A.A/A.A.A.A./AAAAAAAA",
    "AAAAAAAA/A......A/A.AAAA.A/AAA..AAA",
};

static bool links_to(const struct graph *graph, int32_t u, int32_t v)
{
    for (int32_t i = graph->first[u]; i < graph->first[u + 1]; i++)
        if (graph->link[i] == v)
            return true;
    return false;
}

/* What lies side by side on one level is one node, or two that are linked, on the next. */
START_TEST(nodes_cover_the_land_and_links_its_sides)
{
    struct mw_run *run = unit_open();
    struct picture p;
    bool hex = _i % 2;
    picture_draw(run, &p, lands[_i / 2], hex ? MW_HEX : MW_SQUARE, MW_WRAP_NONE);
    struct graph graph[2];
    regions_coarsen(run, &p.board.g, hex, &graph[0]);
    regions_coarsen(run, &graph[0].g, hex, &graph[1]);
    for (int level = 0; level < 2; level++) {
        const struct ground *below = level ? &graph[0].g : &p.board.g;
        const struct graph *g = &graph[level];
        int32_t cells = 0;
        for (int32_t u = 0; u < g->g.count; u++)
            cells += g->g.weight[u];
        ck_assert_int_eq(cells, p.board.g.count);
        for (int32_t i = 0; i < below->count; i++)
            for (int32_t s = 0, q, at = below->place[i]; (q = below->beside(below, at, s)) >= 0;
                 s++) {
                int32_t u = g->up[at >> below->shift], v = g->up[q >> below->shift];
                ck_assert(u == v || (links_to(g, u, v) && links_to(g, v, u)));
            }
    }
}
END_TEST

/* Countries of nodes, swept about and handed down, are whole in cells. */
START_TEST(what_hangs_together_in_nodes_does_in_cells)
{
    struct mw_run *run = unit_open();
    struct mw_rng rng = unit_rng((uint64_t)_i);
    struct picture p;
    picture_draw(run, &p, "AAAABBBB/AA..BB.B/AAAABBBB/CCCCD..D/CC.CDDDD/CCCCDDDD", MW_SQUARE,
                 (enum mw_wrap)(_i % 3));
    struct graph graph;
    regions_coarsen(run, &p.board.g, false, &graph);
    for (int32_t i = 0; i < p.board.g.count; i++) {
        int32_t place = p.board.g.place[i];
        graph.g.label[graph.up[place >> 1]] = regions_country(&p.board.g, place);
    }
    for (int32_t k = 1; k <= 4; k++)
        p.balance.size[k] = 0;
    for (int32_t u = 0; u < graph.g.count; u++)
        p.balance.size[graph.g.label[u]] += graph.g.weight[u];
    regions_weigh(&p.balance, 65536);
    regions_find_graph_boundary(&graph);
    graph.g.sweep(&graph.g, &rng, 20000, 400);
    ck_assert(regions_is_sound(&graph.g));
    regions_project(&graph, &p.board.g);
    ck_assert(regions_is_sound(&p.board.g));
}
END_TEST

/* Cut vertices, against taking the cell away and counting pieces. */
START_TEST(cut_vertices_are_those_that_part_the_land)
{
    struct mw_run *run = unit_open();
    struct picture p;
    picture_draw(run, &p, lands[_i], MW_SQUARE, MW_WRAP_NONE);
    struct ground *g = &p.board.g;
    int32_t reached[2];
    for (int32_t i = 0; i < g->count; i++) {
        int32_t place = g->place[i], from = -1;
        for (int s = 0, q; (q = g->beside(g, place, s)) >= 0; s++)
            from = q != place ? q : from;
        for (int with = 0; with < 2 && from >= 0; with++) {
            int32_t seen = regions_fresh_stamp(g), tail = 0;
            g->stamp[from >> 1] = seen;
            if (!with)
                g->stamp[place >> 1] = seen;
            g->queue[tail++] = from;
            for (int32_t head = 0; head < tail; head++)
                for (int s = 0, q; (q = g->beside(g, g->queue[head], s)) >= 0; s++)
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
END_TEST

Suite *suite_regions_graph(void)
{
    Suite *suite = suite_create("regions_graph");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, nodes_cover_the_land_and_links_its_sides, 0, 2 * COUNT(lands));
    tcase_add_loop_test(all, what_hangs_together_in_nodes_does_in_cells, 0, 12);
    tcase_add_loop_test(all, cut_vertices_are_those_that_part_the_land, 0, COUNT(lands));
    suite_add_tcase(suite, all);
    return suite;
}
