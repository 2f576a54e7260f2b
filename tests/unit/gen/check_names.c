/* check_names.c: what makes names different: lists whose pieces can be told apart. */
#include "gen/names/name_cultures.h"
#include "gen/names/names.h"
#include "unit/unit.h"

#include <regex.h>
#include <stdio.h>

/* Texts with a space between them, each like the pattern and there once. */
static void check_list(const char *list, const char *pattern)
{
    char copy[2000], *rest = copy, seen[2000] = " ";
    regex_t regex;
    ck_assert_int_eq(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
    strcpy(copy, list);
    for (char *text; (text = strsep(&rest, " "));) {
        char between[40];
        snprintf(between, sizeof between, " %s ", text);
        ck_assert_msg(!regexec(&regex, text, 0, NULL, 0), "«%s» is not as it should be", text);
        ck_assert_msg(!strstr(seen, between), "%s is there twice", text);
        strcat(strcat(seen, text), " ");
    }
    regfree(&regex);
}

TEST(pieces_of_names_can_be_told_apart, .end = NAME_CULTURES)
{
    const struct name_culture *c = &name_cultures[_i];
    bool y = !strcmp(mw_name_cultures[_i + 1], "nordic"); /* a vowel in the north alone */
    check_list(c->initials, y ? "^[^aeiouy]*$" : "^[^aeiou]*$");
    check_list(c->vowels, y ? "^[aeiouy]+$" : "^[aeiou]+$");
    check_list(c->links, y ? "^[^aeiouy]+$" : "^[^aeiou]+$");
    check_list(c->medials, y ? "^[^aeiouy]+$" : "^[^aeiou]+$");
    check_list(c->endings, y ? "^[aeiouy]+[^aeiouy]*$" : "^[aeiou]+[^aeiou]*$");
}

TEST(blocked_words_are_found_by_their_first_letter)
{
    for (int i = 0; i < 26; i++) {
        const char pattern[] = {'^', (char)('a' + i), '[', 'a', '-', 'z', ']', '+', '$', '\0'};
        if (*name_blocklist[i])
            check_list(name_blocklist[i], pattern);
    }
    ck_assert(mw_name_cultures[NAME_CULTURES] && !mw_name_cultures[NAME_CULTURES + 1]);
}
