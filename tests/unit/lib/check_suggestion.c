/* check_suggestion.c: which word was meant. */
#include "unit/unit.h"

#include "lib/suggestion.h"

static const char *const words[] = {"width",      "height", "count", "roughness", "color",
                                    "homeworlds", "v",      "seed",  "stars",     "stare"};

static const struct {
    const char *written, *meant;
} rows[] = {
    {"colour", "color"},                               /* one letter too many */
    {"hight", "height"},                               /* one too few */
    {"widht", "width"},                                /* two exchanged */
    {"cound", "count"},  {"homewrolsd", "homeworlds"}, /* two in ten, of which three may be */
    {"start", "stars"},                                /* the first of equally near ones */
    {"stare", "stare"},  {"w", NULL},                  /* one in one */
    {"wh", NULL},        {"", NULL},
    {"depth", NULL},     {"a word that is longer than any that there could be", NULL},
};

TEST(a_word_near_enough_is_meant, .end = COUNT(rows))
{
    struct suggestion guess = {.meant = {rows[_i].written, strlen(rows[_i].written)}};
    for (int i = 0; i < COUNT(words); i++)
        mw_consider_word(&guess, words[i]);
    ck_assert_pstr_eq(guess.nearest, rows[_i].meant);
}
