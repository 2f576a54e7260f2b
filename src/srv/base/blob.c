/*
 * blob.c: counted bytes.
 *
 * A blob begins loose, within the cap. When the cache takes it, its bytes move there; when the
 * cache lets go of one that is still being sent, they move back. Neither changes the sum, and the
 * cache has a limit of its own, so all blobs together never take more than both limits. (Problems
 * and pages ask for no room, being small; they are counted.) What the cache let go of may pass the
 * cap; then nothing new is made until enough has been sent or ended.
 */
#include "blob.h"

#include "block.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    LARGE = 4 * 1024 * 1024,
    PAUSE_US = 5000,      /* between two checks for room */
    PATIENCE_US = 500000, /* longest wait for room */
};

static atomic_size_t loose;  /* bytes */
static size_t limit;         /* of them */
static atomic_size_t wanted; /* bytes, by workers that wait for room */

struct blob *blob_reserve(size_t length, const char *media)
{
    struct blob *blob = malloc(sizeof *blob + length);
    if (!blob)
        return NULL;
    memset(blob, 0, sizeof *blob);
    atomic_init(&blob->refs, 1);
    blob->media = media;
    blob->length = length;
    if (length >= LARGE)
        block_in_large_pages(blob->bytes, blob->bytes + length);
    atomic_fetch_add_explicit(&loose, blob_weight(blob), memory_order_relaxed);
    return blob;
}

struct blob *blob_new(const void *bytes, size_t length, const char *media)
{
    struct blob *blob = blob_reserve(length, media);
    if (blob && length)
        memcpy(blob->bytes, bytes, length);
    return blob;
}

struct blob *blob_of_fault(enum fault fault, const void *problems, size_t length)
{
    assert(fault > FAULT_NONE && fault < FAULT_END);
    struct blob *blob = blob_new(problems, length, NULL);
    if (blob)
        blob->fault = fault;
    return blob;
}

struct blob *blob_ref(struct blob *blob)
{
    unsigned before = atomic_fetch_add_explicit(&blob->refs, 1, memory_order_relaxed);
    assert(before > 0 && before < UINT_MAX);
    (void)before;
    return blob;
}

void blob_drop(struct blob *blob)
{
    assert(!blob || atomic_load_explicit(&blob->refs, memory_order_relaxed) > 0);
    if (!blob || atomic_fetch_sub_explicit(&blob->refs, 1, memory_order_acq_rel) != 1)
        return;
    if (!atomic_load_explicit(&blob->kept, memory_order_relaxed))
        blob_keep(blob);
    free(blob);
}

size_t blob_weight(const struct blob *blob) { return sizeof *blob + blob->length; }

void blob_keep(struct blob *blob)
{
    assert(!atomic_load_explicit(&blob->kept, memory_order_relaxed));
    atomic_store_explicit(&blob->kept, true, memory_order_relaxed);
    size_t before = atomic_fetch_sub_explicit(&loose, blob_weight(blob), memory_order_relaxed);
    assert(before >= blob_weight(blob));
    (void)before;
}

void blob_let_go(struct blob *blob)
{
    assert(atomic_load_explicit(&blob->kept, memory_order_relaxed));
    atomic_store_explicit(&blob->kept, false, memory_order_relaxed);
    atomic_fetch_add_explicit(&loose, blob_weight(blob), memory_order_relaxed);
}

size_t blob_loose(void) { return atomic_load_explicit(&loose, memory_order_relaxed); }

/* ---- the cap --------------------------------------------------------------------------------- */

void output_limit(size_t bytes) { limit = bytes; }

/* False: there is no room. Allocates first, and drops it if that was too much, so that no two
   workers get the same room: pages that are not touched take no memory. */
static bool reserve(struct blob **blob, size_t bytes, const char *media)
{
    *blob = blob_reserve(bytes, media);
    if (!*blob || blob_loose() <= limit)
        return true;
    blob_drop(*blob);
    return false;
}

struct blob *output_blob(size_t bytes, const char *media)
{
    static const struct timespec pause = {.tv_nsec = PAUSE_US * 1000};
    struct blob *blob;
    if (bytes + sizeof *blob > limit)
        return blob_of_fault(FAULT_TOO_BIG, NULL, 0);
    bool room = reserve(&blob, bytes, media);
    if (room)
        return blob;
    atomic_fetch_add(&wanted, bytes);
    for (int turn = 0; turn < PATIENCE_US / PAUSE_US && !room; turn++) {
        nanosleep(&pause, NULL);
        room = reserve(&blob, bytes, media);
    }
    atomic_fetch_sub(&wanted, bytes);
    return room ? blob : blob_of_fault(FAULT_BUSY, NULL, 0);
}

size_t output_missing(void)
{
    size_t held = blob_loose() + atomic_load(&wanted);
    return held > limit ? held - limit : 0;
}
