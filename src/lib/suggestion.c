/* suggestion.c: which of the words that there are was meant. See suggestion.h. */
#include "lib/suggestion.h"

#include <assert.h>

enum { LONGEST = 32 };

static int least(int a, int b) { return a < b ? a : b; }

/* The edits from the first i letters of a to the first j of b are in row i, column j. */
static int count_edits(struct span a, struct span b)
{
    int edits[LONGEST + 1][LONGEST + 1];
    assert(a.length <= LONGEST && b.length <= LONGEST);
    for (size_t i = 0; i <= a.length; i++)
        for (size_t j = 0; j <= b.length; j++) {
            edits[i][j] = (int)(i + j);
            if (!i || !j)
                continue;
            int changed = edits[i - 1][j - 1] + (a.at[i - 1] != b.at[j - 1]);
            edits[i][j] = least(changed, least(edits[i - 1][j], edits[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a.at[i - 1] == b.at[j - 2] && a.at[i - 2] == b.at[j - 1])
                edits[i][j] = least(edits[i][j], edits[i - 2][j - 2] + 1);
        }
    return edits[a.length][b.length];
}

bool mw_consider_word(struct suggestion *guess, const char *word)
{
    struct span known = span_of(word);
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
