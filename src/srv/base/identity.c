/*
 * identity.c: the only file that uses libuuid. The library has its own UUIDs (kit/uuid.c), as it
 * depends on nothing; libuuid takes a fifth of the time, and the service needs one at each request.
 * A test of kit/uuid.c compares the two.
 */
#include "identity.h"

#include <stdio.h>
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

struct etag etag_of(const void *bytes, size_t length)
{
    char id[37];
    struct etag tag;
    identity_of(bytes, length, id);
    snprintf(tag.text, sizeof tag.text, "\"%s\"", id);
    return tag;
}
