/*
 * names.c: names from the sounds of a culture.
 *
 * A name is an initial, a vowel, a medial and an ending; a longer one has a vowel and a link more:
 *
 *     St  ei  n  und        T  a  k  a  m  o        initial (vowel link) vowel medial ending
 *
 * Links are single consonants, medials may be clusters of them. So each name is a number, whose
 * digits choose from the lists of the culture. The names come
 * in the order of a random permutation of these numbers (a Feistel network, whose keys are drawn
 * from the seed), two syllables and three in turn as the culture has them. Those that are too long,
 * have a sequence of letters that the language does not know, or contain a word of the blocklist
 * are skipped. So the name of a row depends on the seed and the rows before it alone, which are the
 * same in every map of that seed.
 *
 * WHY THEY ARE DIFFERENT. Consonants and vowels alternate between the pieces. Cut a name where they
 * change, and the pieces come out again: the first run of consonants is the initial, the last run
 * of vowels, with what follows, is the ending, and there are as many vowels between as syllables.
 * So different numbers are different names, and a permutation gives no number twice.
 *
 * WHY IT ENDS. Each turn tries a number that was not tried before, and each culture has more than
 * 200,000 names that pass (tests count them).
 */
#include "names.h"

#include "kit/noise.h"
#include "lib/span.h"
#include "name_cultures.h"

enum { ROUNDS = 4, RAW_MOST = 32, IN_TURN = 8 };

const char *const mw_name_cultures[] = {"none",     "nordic",     "latin",   "slavic",
                                        "japanese", "polynesian", "persian", NULL};

/* ---- a permutation of 0 .. size-1 ------------------------------------------------------------ */

struct permutation {
    uint32_t size, next; /* numbers below `next` have been used */
    int half;            /* bits of each half of a number */
    uint32_t keys[ROUNDS];
};

static struct permutation new_permutation(struct mw_rng *rng, uint32_t size)
{
    struct permutation p = {.size = size, .half = 1};
    assert(size > 1 && size < UINT32_C(1) << 30);
    while (UINT32_C(1) << 2 * p.half < size)
        p.half++;
    for (int i = 0; i < ROUNDS; i++)
        p.keys[i] = (uint32_t)mw_next(rng);
    return p;
}

/* A number of 2 * half bits, which has one image and one origin whatever the noise is. */
static uint32_t permute_bits(const struct permutation *p, uint32_t number)
{
    uint32_t mask = (UINT32_C(1) << p->half) - 1, high = number >> p->half, low = number & mask;
    assert(high <= mask);
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t next = high ^ (mw_noise(low ^ p->keys[i]) & mask);
        high = low;
        low = next;
    }
    return high << p->half | low;
}

/* The image of the next number. Images that are too large are followed on to one that is not: at
   the latest to where the walk began, as a permutation goes in circles. */
static uint32_t next_image(struct mw_run *run, struct permutation *p)
{
    if (p->next == p->size)
        p->next = 0; /* more rows than names: they come again */
    uint32_t number = p->next++;
    do {
        mw_tick(run, 1);
        number = permute_bits(p, number);
    } while (number >= p->size);
    return number;
}

/* ---- names ----------------------------------------------------------------------------------- */

static uint32_t length_of(const char *list) { return (uint32_t)span_count(span_of(list), ' '); }

/* Appends the text of a list that the lowest digit of the number chooses, and drops the digit. */
static char *append_choice(char *to, const char *list, uint32_t *number)
{
    uint32_t length = length_of(list), choice = *number % length;
    *number /= length;
    for (; choice; list++)
        choice -= *list == ' ';
    while (*list && *list != ' ')
        *to++ = *list++;
    return to;
}

/* The name of a number with so many syllables before its ending; its letters. */
static int spell(const struct name_culture *c, uint32_t number, int syllables, char *name)
{
    char *to = append_choice(name, c->initials, &number);
    for (int i = 1; i <= syllables; i++) {
        to = append_choice(to, c->vowels, &number);
        to = append_choice(to, i < syllables ? c->links : c->medials, &number);
    }
    to = append_choice(to, c->endings, &number);
    assert(!number && to - name < RAW_MOST);
    *to = '\0';
    return (int)(to - name);
}

/* Whether a text begins with one of the words of a list. */
static bool begins_with_any(const char *text, const char *words)
{
    struct span rest = span_of(words), word;
    while (rest.length && span_cut(&rest, ' ', &word))
        if (!strncmp(text, word.at, word.length))
            return true;
    return false;
}

static bool is_usable(const struct name_culture *c, const char *name)
{
    for (; *name; name++)
        if (begins_with_any(name, c->impossible) ||
            begins_with_any(name, name_blocklist[*name - 'a']))
            return false;
    return true;
}

struct namer {
    const struct name_culture *culture;
    struct permutation of_two, of_three; /* names of two and of three syllables */
};

static struct namer new_namer(struct mw_run *run, int32_t culture)
{
    const struct name_culture *c = &name_cultures[culture - 1];
    struct namer n = {.culture = c};
    struct mw_rng rng = mw_stream(run, mw_name_cultures[culture]);
    uint32_t vowels = length_of(c->vowels), middles = vowels * length_of(c->medials);
    uint32_t two = length_of(c->initials) * middles * length_of(c->endings);
    n.of_two = new_permutation(&rng, two);
    n.of_three = new_permutation(&rng, two * vowels * length_of(c->links));
    return n;
}

/* The next name of one of both lengths; false: it may not be used. */
static bool try_name(struct mw_run *run, struct namer *n, bool is_long, char *name)
{
    enum { LEAST = 3 };
    struct permutation *p = is_long ? &n->of_three : &n->of_two;
    int letters = spell(n->culture, next_image(run, p), is_long ? 2 : 1, name);
    mw_tick(run, (uint64_t)letters);
    return letters >= LEAST && letters <= MW_NAME_MOST && is_usable(n->culture, name);
}

static void name_row(struct mw_run *run, struct namer *n, int32_t row, char *to)
{
    char name[RAW_MOST];
    bool is_long = row % IN_TURN < n->culture->long_of_8;
    do {
        is_long |= n->of_two.next == n->of_two.size;
    } while (!try_name(run, n, is_long, name));
    assert(strlen(name) <= MW_NAME_MOST);
    memcpy(to, name, strlen(name) + 1);
    to[0] = (char)(to[0] - 'a' + 'A');
}

void mw_name_rows(struct mw_run *run, int32_t culture, const char **names, int32_t rows)
{
    assert(culture >= MW_NAMES_NONE && culture <= NAME_CULTURES && rows >= 0);
    if (culture == MW_NAMES_NONE)
        return;
    struct namer namer = new_namer(run, culture);
    char *room = MW_NEW(run, char, (int64_t)rows *(MW_NAME_MOST + 1));
    for (int32_t row = 0; row < rows; row++) {
        char *name = room + (int64_t)row * (MW_NAME_MOST + 1);
        name_row(run, &namer, row, name);
        names[row] = name;
    }
}
