/* wrap.c: text for terminals of 80 columns. */
#include "wrap.h"

#include <string.h>

enum { WIDTH = 78 };

void wrap_words(FILE *to, const char *text, int at, int indent)
{
    int column = at;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column > indent && column + 1 + length > WIDTH) {
            fprintf(to, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', to);
            column++;
        }
        fprintf(to, "%.*s", length, text);
        column += length;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', to);
}
