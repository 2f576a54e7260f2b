/*
 * check_names.c: the promises of `names`, judged from the names.
 *
 * It has alphabets and words of its own, and asks of a name what a reader would: that it can be
 * spoken, and offends nobody.
 */
#include "check_names.h"

#include "judge.h"

enum { LEAST = 3, MOST = 12, ALL_DIFFERENT = 10000, CONSONANTS_IN_A_ROW = 5, VOWELS_IN_A_ROW = 4 };

static const struct {
    const char *culture, *letters;
} alphabets[] = {
    {"nordic", "abdefghijklmnorstuvy"}, {"latin", "abcdefgilmnoprstuvx"},
    {"slavic", "abcdeghiklmnoprstuvz"}, {"japanese", "abcdefghijkmnorstuwyz"},
    {"polynesian", "aefghiklmnoprtuv"}, {"persian", "abdefghijklmnopqrstuvyz"},
};

/* In English, German, French, Spanish and Italian. */
static const char *const offensive[] = {
    "fuck",  "shit",   "cunt",    "nigg",   "whore",  "slut",  "bitch", "rape",  "penis", "vagina",
    "nazi",  "hitler", "arsch",   "fick",   "hure",   "fotze", "neger", "jude",  "titte", "schwanz",
    "merde", "putain", "pute",    "salope", "encul",  "bite",  "negre", "cul",   "puta",  "mierda",
    "polla", "cojon",  "maricon", "joder",  "verga",  "coño",  "cazzo", "merda", "troia", "culo",
    "figa",  "stronz", "porco",   "negro",  "frocio", "anus",  "sex",   "porn",  "tits",  "cum",
};

struct judge {
    const struct mw_map *map;
    char *why;
    size_t room;
};

static bool is_vowel(char c) { return c && strchr("aeiou", c); }

/* y is one where it does not stand beside another: Gryla, but Sayoyu. */
static bool sounds(const char *name, const char *at)
{
    return is_vowel(*at) || (*at == 'y' && !is_vowel(at[1]) && (at == name || !is_vowel(at[-1])));
}

static bool can_be_spoken(const char *name)
{
    int vowels = 0, consonants = 0, syllables = 0;
    for (const char *at = name; *at; at++) {
        bool vowel = sounds(name, at);
        syllables += vowel && !vowels;
        vowels = vowel ? vowels + 1 : 0;
        consonants = vowel ? 0 : consonants + 1;
        if (vowels > VOWELS_IN_A_ROW || consonants > CONSONANTS_IN_A_ROW)
            return false;
    }
    return syllables;
}

static const char *letters_of(const char *culture)
{
    size_t i = 0;
    while (strcmp(alphabets[i].culture, culture))
        i++;
    return alphabets[i].letters;
}

static bool check_name(const struct judge *j, const char *letters, const char *name)
{
    char small[MOST + 1];
    size_t length = strlen(name);
    if (length < LEAST || length > MOST)
        return wrong(j, "%s has %zu letters", name, length);
    if (name[0] < 'A' || name[0] > 'Z')
        return wrong(j, "%s does not begin with a capital", name);
    memcpy(small, name, length + 1);
    small[0] = (char)(name[0] | 32);
    if (strspn(small, letters) != length)
        return wrong(j, "%s has a letter that is not one of %s", name, letters);
    if (!can_be_spoken(small))
        return wrong(j, "%s cannot be spoken", name);
    for (size_t i = 0; i < sizeof offensive / sizeof *offensive; i++)
        if (strstr(small, offensive[i]))
            return wrong(j, "%s has %s in it", name, offensive[i]);
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool check_different(const struct judge *j, const char *const *names, int32_t rows)
{
    bool good = true;
    const char **sorted = malloc((size_t)rows * sizeof *sorted + 1);
    memcpy(sorted, names, (size_t)rows * sizeof *sorted);
    qsort(sorted, (size_t)rows, sizeof *sorted, by_name);
    for (int32_t i = 1; i < rows && good; i++)
        good = strcmp(sorted[i - 1], sorted[i]) || wrong(j, "two are called %s", sorted[i]);
    free(sorted);
    return good;
}

static bool check_column(const struct judge *j, const char *culture, const char *const *names,
                         int32_t rows)
{
    bool none = !strcmp(culture, "none");
    for (int32_t i = 0; i < rows; i++) {
        if (!names[i] != none)
            return wrong(j, "names=%s, but row %d has %s", culture, i,
                         names[i] ? names[i] : "none");
        if (!none && !check_name(j, letters_of(culture), names[i]))
            return false;
    }
    return none || check_different(j, names, rows < ALL_DIFFERENT ? rows : ALL_DIFFERENT);
}

static bool check_table(const struct judge *j, const char *culture, int p)
{
    const struct mw_column *column = j->map->request->generator->parts[p].columns;
    const struct mw_rowset *table = &j->map->slots[p].as.table;
    for (int c = 0; column[c].type != MW_END_OF_TABLE; c++)
        if (!strcmp(column[c].name, "name"))
            return check_column(j, culture, table->columns[c], table->rows);
    return true;
}

const char *check_names(const struct mw_map *map, char *why, size_t room)
{
    struct judge j = {.map = map, .why = why, .room = room};
    char *culture = asked_text(map->request->address, "names");
    const struct mw_part *part = map->request->generator->parts;
    bool good = true;
    for (int p = 0; culture && good && part[p].kind != MW_NO_PART; p++)
        good = part[p].kind != MW_TABLE || check_table(&j, culture, p);
    free(culture);
    return good ? NULL : why;
}
