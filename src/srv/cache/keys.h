/*
 * keys.h: API keys: the clients that may have maps.
 *
 * A file with a key on each line, and its client's name behind a blank, if it has one:
 *
 *     # of the studio
 *     8f3kX0-aVb71... ci
 *     0c9Qm2_pLw88...
 *
 * Only hashes of the keys are kept: HMAC-SHA256 with a secret of this process. What a client sends
 * is hashed as well and looked up: the time that this takes depends on hashes that a client can
 * neither choose nor predict, so it says nothing about keys.
 *
 * For any thread.
 */
#ifndef MAPWRIGHT_KEYS_H
#define MAPWRIGHT_KEYS_H

#include "srv/base/client.h"

#include <stddef.h>

enum { SHORTEST_KEY = 8, LONGEST_KEY = 256 };

struct keys;

/* NULL: `why` says what is wrong with the file, or that there is no memory. */
struct keys *keys_new(const char *path, char why[320]);
void keys_drop(struct keys *);

/* Reads the file again. False: `why` says why not, and the keys are those from before. */
bool keys_reload(struct keys *, const char *path, char why[320]);
int keys_count(struct keys *);

/* Whether `authorization` ("Bearer 8f3kX0-aVb71...") has a known key. Then the client becomes the
   one of the key; a named client is the same in every copy, with any of its keys, and an unnamed
   one keeps its address as its text. */
bool keys_know(struct keys *, const char *authorization, struct client *);

#endif
