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
    for (int i = 0; i < HEADER_END; i++)
        head->first[i] = head->last[i] = -1;
}

void head_add(struct head *head, enum header header, struct span value)
{
    assert(header < HEADER_END && head->count < MOST_FIELDS);
    int new = head->count++, last = head->last[header];
    head->fields[new] = (struct field){value, -1};
    *(last < 0 ? &head->first[header] : &head->fields[last].next) = new;
    head->last[header] = new;
}

void head_remove(struct head *head, enum header header)
{
    head->first[header] = head->last[header] = -1;
}
