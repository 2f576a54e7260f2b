/* check_names.c: what makes names different: lists whose pieces can be told apart. */
#include "kit/name_cultures.h"
#include "kit/names.h"
#include "unit/unit.h"

static bool is_vowel(char letter, bool y) { return strchr(y ? "aeiouy" : "aeiou", letter); }

/* All consonants, or all vowels; an ending goes on with consonants. Nothing comes twice. */
static void check_list(const char *const *list, bool vowels, bool ending, bool y)
{
    for (int i = 0; list[i]; i++) {
        const char *at = list[i];
        ck_assert_msg(!vowels || *at, "an empty vowel");
        while (*at && is_vowel(*at, y) == vowels)
            at++;
        while (ending && *at && !is_vowel(*at, y))
            at++;
        ck_assert_msg(!*at, "%s mixes consonants and vowels", list[i]);
        for (int k = 0; k < i; k++)
            ck_assert_str_ne(list[i], list[k]);
    }
}

TEST(pieces_of_names_can_be_told_apart, .end = NAME_CULTURES)
{
    const struct name_culture *c = &name_cultures[_i];
    bool y = !strcmp(mw_name_cultures[_i + 1], "nordic"); /* a vowel in the north alone */
    check_list(c->initials, false, false, y);
    check_list(c->vowels, true, false, y);
    check_list(c->links, false, false, y);
    check_list(c->medials, false, false, y);
    check_list(c->endings, true, true, y);
    for (int i = 0; c->links[i]; i++)
        ck_assert(*c->links[i]);
    for (int i = 0; c->medials[i]; i++)
        ck_assert(*c->medials[i]);
}

TEST(each_culture_is_a_choice)
{
    ck_assert_ptr_nonnull(mw_name_cultures[NAME_CULTURES]);
    ck_assert_ptr_null(mw_name_cultures[NAME_CULTURES + 1]);
}

TEST(the_blocklist_is_in_order)
{
    for (int i = 1; name_blocklist[i]; i++)
        ck_assert_msg(strcmp(name_blocklist[i - 1], name_blocklist[i]) < 0, "%s, %s",
                      name_blocklist[i - 1], name_blocklist[i]);
}
