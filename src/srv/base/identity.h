/* identity.h: names of maps, of requests and of answers (entity tags: RFC 9110, 8.8.3). */
#ifndef MAPWRIGHT_IDENTITY_H
#define MAPWRIGHT_IDENTITY_H

#include <stddef.h>
#include <stdint.h>

/* The name-based UUID (version 5) of an address in the URL namespace of RFC 9562. */
void identity_of(const char *address, size_t length, char id[37]);

/* A version 4 UUID of 122 of these random bits. */
void identity_random(const uint64_t bits[2], char id[37]);

struct etag {
    char text[40]; /* with its quotes */
};

/* A strong tag, which follows from these bytes alone. */
struct etag etag_of(const void *bytes, size_t length);

#endif
