/* etag.c: entity tags. */
#include "etag.h"

#include "srv/base/identity.h"

#include <assert.h>
#include <string.h>

enum { ID = 36 };

struct etag etag_of(const void *bytes, size_t length)
{
    struct etag tag = {"\""};
    identity_of(bytes, length, tag.text + 1);
    memcpy(tag.text + 1 + ID, "\"", 2);
    assert(strlen(tag.text) == ID + 2);
    return tag;
}

bool etag_is_in(const char *list, const struct etag *tag, bool weak)
{
    size_t length = strlen(tag->text);
    for (const char *at = list; *at;) {
        at += strspn(at, ", \t");
        if (*at == '*')
            return true;
        bool strong = strncmp(at, "W/", 2) != 0;
        at += strong ? 0 : 2;
        if ((strong || weak) && !strncmp(at, tag->text, length) && strchr(", \t", at[length]))
            return true;
        const char *end = *at == '"' ? strchr(at + 1, '"') : at + strcspn(at, ",");
        at = end ? end + (*end == '"') : "";
    }
    return false;
}
