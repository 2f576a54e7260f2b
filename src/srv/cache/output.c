/*
 * output.c: a cap on the bytes of answers that are on their way to clients.
 *
 * A blob is kept by the cache, or loose (blob.h). It begins loose, within the limit. When the cache
 * takes a blob, its bytes move there; when the cache lets go of one that is still being sent, they
 * move back. Neither changes the sum, and the cache has a limit of its own, so all blobs together
 * never take more than both limits. (Problems and pages ask for no room, being small; they are
 * counted.) What the cache let go of may pass the limit here; then nothing new is made until enough
 * has been sent or ended.
 */
#include "output.h"

#include <stdlib.h>
#include <time.h>

enum {
    PAUSE_US = 5000,      /* between two checks for room */
    PATIENCE_US = 500000, /* longest wait for room */
};

static size_t limit;
static atomic_size_t wanted; /* bytes, by workers that wait for room */

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
