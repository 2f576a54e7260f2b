/*
 * outbox.h: what waits to be written to the store: bounded in bytes, in the order it came.
 *
 * For any thread.
 */
#ifndef MAPWRIGHT_OUTBOX_H
#define MAPWRIGHT_OUTBOX_H

#include "parcel.h"
#include "srv/keep/operation.h"

#include <pthread.h>

/* A map, an address, a promise, or that a claim ends. */
struct letter {
    struct letter *next;
    struct blob *parcel;
    char *address;
    size_t length; /* of the address */
    char name[PARCEL_NAME], id[37];
    enum promise promise;
    uint64_t client; /* to whom it was made */
};

/* NULL without memory. The map's takes the reference in any case. */
struct letter *letter_of_map(const char *name, struct blob *parcel);
struct letter *letter_of_address(const char *id, const char *address, size_t length);
struct letter *letter_of_end(const char *name, const char *id);
struct letter *letter_of_promise(enum promise, const char *id, uint64_t client);
void letter_drop(struct letter *);

struct outbox {
    pthread_mutex_t lock;
    struct letter *first, **last;
    size_t bytes, most;
};

void outbox_init(struct outbox *, size_t most);
void outbox_release(struct outbox *);
/* False: it would be too much. */
bool outbox_post(struct outbox *, struct letter *);
/* NULL: there is none. */
struct letter *outbox_take(struct outbox *);
bool outbox_is_empty(struct outbox *);

#endif
