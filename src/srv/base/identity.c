/*
 * identity.c: the only file with uuid.h. The library names its maps by itself (kit/uuid.c), as it
 * stands on nothing; a host does so at each request, and libuuid takes a fifth of the time. A test
 * of that file holds both to the same names.
 */
#include "identity.h"

#include <string.h>
#include <uuid/uuid.h>

void identity_of(const char *address, size_t length, char id[37])
{
    uuid_t uuid;
    uuid_generate_sha1(uuid, *uuid_get_template("url"), address, length);
    uuid_unparse_lower(uuid, id);
}

void identity_random(const uint64_t bits[2], char id[37])
{
    uuid_t uuid;
    memcpy(uuid, bits, sizeof uuid);
    uuid[6] = (unsigned char)((uuid[6] & 0x0f) | 0x40);
    uuid[8] = (unsigned char)((uuid[8] & 0x3f) | 0x80);
    uuid_unparse_lower(uuid, id);
}
