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
