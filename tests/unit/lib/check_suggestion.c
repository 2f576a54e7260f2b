/* check_suggestion.c: which word was meant. */
#include "unit/unit.h"

#include "lib/suggestion.h"

static const char *const words[] = {"width",      "height", "count", "roughness", "color",
                                    "homeworlds", "v",      "seed",  NULL};

static const struct {
    const char *written, *meant;
} rows[] = {
    {"colour", "color"}, /* one letter too many */
    {"hight", "height"}, /* one too few */
    {"widht", "width"},  /* two exchanged */
    {"roughnes", "roughness"},
    {"cound", "count"},
    {"homewrolsd", "homeworlds"}, /* two in ten, of which three may be */
    {"seeds", "seed"},
    {"v", "v"},
    {"w", NULL}, /* one in one */
    {"wdth", "width"},
    {"wh", NULL},
    {"", NULL},
    {"depth", NULL},
    {"a word that is longer than any that there could be", NULL},
};

TEST(a_word_near_enough_is_meant, .end = COUNT(rows))
{
    struct suggestion guess = {.meant = {rows[_i].written, strlen(rows[_i].written)}};
    for (int i = 0; words[i]; i++)
        mw_consider_word(&guess, words[i]);
    if (rows[_i].meant)
        ck_assert_str_eq(guess.nearest, rows[_i].meant);
    else
        ck_assert_ptr_null(guess.nearest);
}

TEST(the_first_of_equally_near_ones_is_meant)
{
    struct suggestion guess = {.meant = {"start", 5}};
    mw_consider_word(&guess, "stars");
    mw_consider_word(&guess, "stare");
    ck_assert_str_eq(guess.nearest, "stars");
    mw_consider_word(&guess, "start");
    ck_assert_str_eq(guess.nearest, "start");
}
