/* check_search.c: what the search finds and what it proves. */
#include "worlds.h"

#include <stdlib.h>

static struct world world_of(int32_t width, int32_t height, int32_t size, int32_t wanted)
{
    const int32_t islands[2] = {wanted, wanted}, sizes[2] = {size, size};
    return worlds_new(unit_open(), width, height, islands, sizes);
}

static const struct {
    int32_t width, height, size, islands;
    enum found found;
} rows[] = {
    {1, 1, 1, 1, FOUND},       {1, 1, 1, 2, NO_ROOM},  {2, 2, 1, 2, NO_ROOM},
    {3, 3, 1, 4, FOUND},       {3, 3, 1, 5, NO_ROOM},  {1, 9, 2, 3, FOUND},
    {1, 9, 2, 4, NO_ROOM},     {4, 6, 3, 4, FOUND},    {6, 6, 6, 4, FOUND},
    {6, 6, 7, 4, NO_ROOM},     {5, 5, 25, 1, FOUND},   {5, 5, 24, 2, NO_ROOM},
    {8, 8, 11, 4, FOUND},      {11, 13, 7, 12, FOUND}, {9, 17, 12, 9, NO_ROOM},
    {40, 40, 9, 9, NOT_KNOWN}, /* too wide to be looked at */
};

START_TEST(it_finds_and_it_proves)
{
    for (int upright = 0; upright < 2; upright++) {
        int32_t width = upright ? rows[_i].height : rows[_i].width;
        int32_t height = upright ? rows[_i].width : rows[_i].height;
        struct world s = world_of(width, height, rows[_i].size, rows[_i].islands);
        struct plane land;
        ck_assert_int_eq(islands_search(&s, rows[_i].islands, SEARCHES_MOST, &land),
                         rows[_i].found);
        if (rows[_i].found != FOUND)
            continue;
        islands_roughen(&s, &land);
        islands_settle(&s, &land);
        ck_assert_int_eq(s.count, rows[_i].islands);
        worlds_check(&s);
    }
}
END_TEST

/* One fewer than what fits is found, too, though far more ways lead there. */
START_TEST(fewer_are_found_where_more_are)
{
    for (int32_t islands = 4; islands > 0; islands--) {
        struct world s = world_of(6, 7, 5, islands);
        struct plane land;
        ck_assert_int_eq(islands_search(&s, islands, 1, &land), FOUND);
        islands_roughen(&s, &land);
        islands_settle(&s, &land);
        worlds_check(&s);
    }
}
END_TEST

/* What is not known after a round is found or proven in another. */
START_TEST(more_is_known_with_each_round)
{
    static const struct {
        int32_t width, height, size, islands;
        enum found found;
    } late[] = {{22, 10, 11, 13, FOUND}, {13, 18, 26, 7, NO_ROOM}, {18, 17, 11, 18, NO_ROOM}};
    struct plane land;
    struct world s = world_of(late[_i].width, late[_i].height, late[_i].size, late[_i].islands);
    size_t size = (size_t)32 << 20;
    struct mw_limits limits = {.memory = aligned_alloc(64, size), .size = size};
    s.run = mw_open(&limits);
    s.run->ticks = INT64_MAX;
    ck_assert_int_eq(islands_search(&s, late[_i].islands, 1, &land), NOT_KNOWN);
    ck_assert_int_eq(islands_search(&s, late[_i].islands, SEARCHES_MOST, &land), late[_i].found);
    free(limits.memory);
}
END_TEST

Suite *suite_search(void)
{
    Suite *suite = suite_create("search");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 600);
    tcase_add_loop_test(all, it_finds_and_it_proves, 0, COUNT(rows));
    tcase_add_test(all, fewer_are_found_where_more_are);
    tcase_add_loop_test(all, more_is_known_with_each_round, 0, 3);
    suite_add_tcase(suite, all);
    return suite;
}
