/* suggestion.c: which of the words that there are was meant. See suggestion.h. */
#include "lib/suggestion.h"

#include <assert.h>

enum { LONGEST = 32 };

static int least(int a, int b, int c)
{
    int lower = a < b ? a : b;
    return lower < c ? lower : c;
}

static int count_edits(struct span a, struct span b)
{
    /* row i: edits from the first i letters of a; the two rows before it are still needed */
    int rows[3][LONGEST + 1], *two_ago = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b.length; j++)
        last[j] = (int)j;
    for (size_t i = 1; i <= a.length; i++) {
        row[0] = (int)i;
        for (size_t j = 1; j <= b.length; j++) {
            bool same = a.at[i - 1] == b.at[j - 1];
            row[j] = least(last[j] + 1, row[j - 1] + 1, last[j - 1] + !same);
            bool crossed =
                i > 1 && j > 1 && a.at[i - 1] == b.at[j - 2] && a.at[i - 2] == b.at[j - 1];
            if (crossed && two_ago[j - 2] + 1 < row[j])
                row[j] = two_ago[j - 2] + 1;
        }
        int *free = two_ago;
        two_ago = last;
        last = row;
        row = free;
    }
    assert(last[b.length] <= (int)(a.length > b.length ? a.length : b.length));
    return last[b.length];
}

bool mw_consider_word(struct suggestion *guess, const char *word)
{
    struct span known = {word, strlen(word)};
    if (guess->meant.length > LONGEST || known.length > LONGEST)
        return false;
    int edits = count_edits(guess->meant, known);
    size_t longer = known.length > guess->meant.length ? known.length : guess->meant.length;
    if (3 * edits > (int)longer || (guess->nearest && edits >= guess->edits))
        return false;
    guess->nearest = word;
    guess->edits = edits;
    return true;
}
