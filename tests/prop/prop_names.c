/*
 * prop_names.c: a million names, judged by check_names.c.
 */
#include "ask.h"
#include "check_names.h"
#include "rounds.h"
#include "test.h"

static const char *const cultures[] = {"nordic",   "latin",      "slavic",
                                       "japanese", "polynesian", "persian"};

static const char *const *names_of(uint32_t seed, const char *culture, int side, int count)
{
    ask_anew("areas", seed);
    ask("&width=%d&height=%d&algorithm=frontier&area=1&count=%d&names=%s", side, side, count,
        culture);
    const struct mw_map *map = ask_judged(check_names);
    ck_assert_msg(map, "%s: %s", query, refusal);
    ck_assert_int_eq(map->slots[4].as.table.rows, count);
    return map->slots[4].as.table.columns[1];
}

/* 6 cultures, 17 seeds, 10,000 rows. */
TEST(a_million_names_are_good)
{
    for (size_t c = 0; c < sizeof cultures / sizeof *cultures; c++)
        for (uint32_t seed = 1; seed <= (uint32_t)rounds(17); seed++)
            names_of(seed, cultures[c], 110, 10000);
}

TEST(a_name_depends_on_seed_and_row_alone)
{
    for (size_t c = 0; c < sizeof cultures / sizeof *cultures; c++) {
        char few[5][16];
        const char *const *names = names_of(7, cultures[c], 20, 5);
        for (int i = 0; i < 5; i++)
            snprintf(few[i], sizeof few[i], "%s", names[i]);
        names = names_of(7, cultures[c], 110, 9999);
        for (int i = 0; i < 5; i++)
            ck_assert_str_eq(names[i], few[i]);
        ck_assert_str_ne(names_of(8, cultures[c], 20, 5)[0], few[0]);
    }
}

/* More rows than names of two syllables: 65,535. */
TEST(even_the_largest_map_has_names)
{
    for (size_t c = 0; c < sizeof cultures / sizeof *cultures; c++)
        names_of(9, cultures[c], 280, 65535);
}
