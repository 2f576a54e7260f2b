/* head.c: the head of a request. */
#include "head.h"

#include <assert.h>
#include <strings.h>

static const struct span names[HEADER_END] = {
#define ROW(name, spelling) {spelling, sizeof(spelling) - 1},
    HEADERS(ROW)
#undef ROW
};

enum header header_named(const char *name, size_t length)
{
    int header = 0;
    while (header < HEADER_END &&
           (names[header].length != length || strncasecmp(names[header].at, name, length) != 0))
        header++;
    return (enum header)header;
}

void head_begin(struct head *head)
{
    head->method = (struct span){"", 0};
    head->target = (struct span){NULL, 0};
    head->count = 0;
}

void head_add(struct head *head, enum header header, struct span value)
{
    assert(header < HEADER_END && head->count < MOST_FIELDS);
    head->fields[head->count++] = (struct field){header, value};
}

bool head_has(const struct head *head, enum header header)
{
    for (int i = 0; i < head->count; i++)
        if (head->fields[i].header == header)
            return true;
    return false;
}

void head_remove(struct head *head, enum header header)
{
    for (int i = 0; i < head->count; i++)
        if (head->fields[i].header == header)
            head->fields[i].header = HEADER_END;
}
