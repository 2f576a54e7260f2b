/* check_regions_adjacency.c: who borders on whom, and flows along these borders. */
#include "picture.h"

static const char rows[] = "AAABBB/AAABBB/CCCCDD/CCCCDD/CCEEED";

/* Places of a country that face another, counted anew. */
static int count_facing(struct picture *p, int32_t from, int32_t to)
{
    int facing = 0;
    for (int32_t y = 0; y < p->lattice.height; y++)
        for (int32_t x = 0; x < p->lattice.width; x++) {
            bool faces = false;
            int32_t place = picture_place(p, x, y);
            for (int32_t i = 0, q; (q = regions_beside(&p->board.g, place, i)) >= 0; i++)
                faces |= regions_country(&p->board.g, q) == to;
            facing += faces && *picture_label(p, x, y) == from;
        }
    return facing;
}

static void compare(struct picture *p, struct adjacency *a)
{
    for (int32_t from = 1; from <= p->balance.count; from++)
        for (int32_t to = 1; to <= p->balance.count; to++) {
            if (from == to)
                continue;
            const struct link *link = regions_link(a, from, to);
            int count = link ? link->count : 0, facing = count_facing(p, from, to);
            ck_assert(facing <= count && count <= 2 * facing); /* one may be listed twice */
        }
}

START_TEST(links_are_those_of_the_map)
{
    struct mw_run *run = unit_open();
    struct picture p;
    struct adjacency a;
    picture_draw(run, &p, rows, _i ? MW_HEX : MW_SQUARE, MW_WRAP_NONE);
    regions_new_adjacency(&p.board.g, &a);
    compare(&p, &a);
    ck_assert(!a.full);
}
END_TEST

/* Until nothing fits any more: what was listed at first is listed anew where it must be. */
START_TEST(places_are_passed_to_the_last)
{
    struct mw_run *run = unit_open();
    struct mw_rng rng = unit_rng(1);
    struct picture p;
    struct adjacency a;
    picture_draw(run, &p, rows, MW_SQUARE, MW_WRAP_NONE);
    regions_new_adjacency(&p.board.g, &a);
    compare(&p, &a);
    while (p.balance.size[2] > 1)
        ck_assert(regions_pass(&a, &rng, 2, 1));
    ck_assert_int_eq(p.balance.size[1], 11);
    ck_assert(regions_is_sound(&p.board.g));
    ck_assert(!regions_pass(&a, &rng, 2, 5));
}
END_TEST

/* What is left of the room decides how often; then nobody has links, and no place is passed. */
START_TEST(room_ends)
{
    struct mw_run *run = unit_open();
    struct mw_rng rng = unit_rng(1);
    struct picture p;
    struct adjacency a;
    picture_draw(run, &p, rows, MW_SQUARE, MW_WRAP_NONE);
    regions_new_adjacency(&p.board.g, &a);
    *(_i ? &a.links_room : &a.facing_room) = 3;
    for (int32_t k = 1; k <= p.balance.count; k++)
        regions_links_of(&a, k);
    ck_assert(a.full);
    ck_assert(!regions_pass(&a, &rng, 5, 4));
    ck_assert(regions_is_sound(&p.board.g));
}
END_TEST

/* Twenty columns, all the surplus at one end: one flow takes each cell of it one country on. */
START_TEST(a_flow_takes_a_surplus_all_the_way)
{
    enum { COUNTRIES = 20, WIDE = 3, HIGH = 12, SIDE = COUNTRIES * WIDE };
    struct mw_run *run = unit_open();
    struct mw_rng rng = unit_rng(3);
    char columns[HIGH * (SIDE + 1) + 1] = "";
    for (int i = 0; i < HIGH * (SIDE + 1) - 1; i++)
        columns[i] = (char)(i % (SIDE + 1) == SIDE ? '/' : 'A' + i % (SIDE + 1) / WIDE);
    struct picture p;
    struct adjacency a;
    picture_draw(run, &p, columns, MW_SQUARE, MW_WRAP_NONE);
    p.balance.low[1] = p.balance.high[1] = WIDE * HIGH - 4;
    p.balance.low[COUNTRIES] = p.balance.high[COUNTRIES] = WIDE * HIGH + 4;
    regions_new_adjacency(&p.board.g, &a);
    for (int flows = 0; flows < 20 && regions_excess(&p.balance); flows++)
        regions_flow(&a, &rng, 256);
    ck_assert_int_eq(regions_excess(&p.balance), 0);
    ck_assert(regions_is_sound(&p.board.g));
}
END_TEST

Suite *suite_regions_adjacency(void);
Suite *suite_regions_adjacency(void)
{
    Suite *suite = suite_create("regions_adjacency");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, links_are_those_of_the_map, 0, 2);
    tcase_add_test(all, places_are_passed_to_the_last);
    tcase_add_loop_test(all, room_ends, 0, 2);
    tcase_add_test(all, a_flow_takes_a_surplus_all_the_way);
    suite_add_tcase(suite, all);
    return suite;
}
