/* outbox.c: what waits to be written to the store. */
#include "outbox.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- letters --------------------------------------------------------------------------------- */

struct letter *letter_of_end(const char *name, const char *id)
{
    struct letter *letter = calloc(1, sizeof *letter);
    if (!letter)
        return NULL;
    snprintf(letter->name, sizeof letter->name, "%s", name);
    snprintf(letter->id, sizeof letter->id, "%s", id);
    return letter;
}

struct letter *letter_of_map(const char *name, struct blob *parcel)
{
    struct letter *letter = letter_of_end(name, "");
    if (letter)
        letter->parcel = parcel;
    else
        blob_drop(parcel);
    return letter;
}

struct letter *letter_of_address(const char *id, const char *address, size_t length)
{
    struct letter *letter = letter_of_end("", id);
    char *copy = letter ? malloc(length) : NULL;
    if (!copy) {
        free(letter);
        return NULL;
    }
    memcpy(copy, address, length);
    letter->address = copy;
    letter->length = length;
    return letter;
}

struct letter *letter_of_promise(enum promise promise, const char *id, uint64_t client)
{
    struct letter *letter = letter_of_end("", id);
    if (!letter)
        return NULL;
    letter->promise = promise;
    letter->client = client;
    return letter;
}

void letter_drop(struct letter *letter)
{
    blob_drop(letter->parcel);
    free(letter->address);
    free(letter);
}

static size_t weight(const struct letter *letter)
{
    return sizeof *letter + letter->length + (letter->parcel ? letter->parcel->length : 0);
}

/* ---- the box --------------------------------------------------------------------------------- */

void outbox_init(struct outbox *box, size_t most)
{
    *box = (struct outbox){.last = &box->first, .most = most};
    pthread_mutex_init(&box->lock, NULL);
}

void outbox_release(struct outbox *box)
{
    for (struct letter *letter; (letter = outbox_take(box));)
        letter_drop(letter);
    pthread_mutex_destroy(&box->lock);
}

bool outbox_post(struct outbox *box, struct letter *letter)
{
    pthread_mutex_lock(&box->lock);
    bool goes = weight(letter) <= box->most - box->bytes;
    if (goes) {
        box->bytes += weight(letter);
        *box->last = letter;
        box->last = &letter->next;
    }
    pthread_mutex_unlock(&box->lock);
    return goes;
}

struct letter *outbox_take(struct outbox *box)
{
    pthread_mutex_lock(&box->lock);
    struct letter *letter = box->first;
    if (letter) {
        box->first = letter->next;
        box->last = box->first ? box->last : &box->first;
        box->bytes -= weight(letter);
    }
    pthread_mutex_unlock(&box->lock);
    return letter;
}

bool outbox_is_empty(struct outbox *box)
{
    pthread_mutex_lock(&box->lock);
    bool empty = !box->first;
    pthread_mutex_unlock(&box->lock);
    return empty;
}
