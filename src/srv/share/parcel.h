/*
 * parcel.h: an answer as it is kept outside of this process, where nobody is to be believed.
 *
 * It says what it is, how long it is when unpacked, and has a checksum over all that. Its bytes are
 * those of the answer coded as zstd, where that pays.
 */
#ifndef MAPWRIGHT_PARCEL_H
#define MAPWRIGHT_PARCEL_H

#include "srv/say/coding.h"

struct key; /* cache.h */

enum { LONGEST_PARCEL = 1 << 20 };

/* NULL: without memory, or it would be longer than that. */
struct blob *parcel_pack(const struct key *, const char *bytes, size_t length);

struct parcel {
    size_t length; /* of the answer, uncoded */
    enum coding coding;
    const char *bytes; /* so coded */
    size_t size;
};

/* Looks into it. False: it is not what the key asks for, or not whole. */
bool parcel_open(const struct blob *, const struct key *, struct parcel *);
/* The uncoded answer; NULL without memory, or where it was no zstd. */
struct blob *parcel_unpack(const struct parcel *, const char *media);

/* What a map in its format and look is called where it is kept: its id, a dot, its encoder, and its
   look with a question mark. */
enum { PARCEL_NAME = 320 };
void parcel_name(const struct key *, char name[PARCEL_NAME]);

#endif
