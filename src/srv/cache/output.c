/*
 * output.c: a cap on the bytes of answers that are on their way to clients.
 *
 * A blob is kept by the cache, or loose (blob.h). It begins loose, after room was promised: loose
 * and promised bytes together are then at most the limit. When the cache takes a blob, its bytes
 * move there; when the cache lets go of one that is still being sent, they move back. Neither
 * changes the sum, and the cache has a limit of its own, so all blobs together never take more than
 * both limits. (Problems and pages ask for no room, being small; they are counted.) What the cache
 * let go of may pass the limit here; then nothing new is made until enough has been sent or ended.
 */
#include "output.h"

#include <assert.h>
#include <stdlib.h>
#include <time.h>

enum {
    PAUSE_US = 5000,      /* between two checks for room */
    PATIENCE_US = 500000, /* longest wait for room */
};

struct output {
    size_t limit;
    atomic_size_t promised, wanted; /* wanted: by workers that wait for room */
};

struct output *output_new(size_t limit)
{
    assert(limit);
    struct output *output = calloc(1, sizeof *output);
    if (output)
        output->limit = limit;
    return output;
}

void output_drop(struct output *output)
{
    assert(!atomic_load(&output->promised) && !atomic_load(&output->wanted));
    free(output);
}

/* Promises first and takes it back if that was too much, so that no two workers get the same
   room. */
static bool promise(struct output *output, size_t bytes)
{
    size_t promised = atomic_fetch_add(&output->promised, bytes) + bytes;
    if (blob_loose() + promised <= output->limit)
        return true;
    atomic_fetch_sub(&output->promised, bytes);
    return false;
}

/* The fault, if there is no room for the bytes; else they are promised. */
static enum fault await_room(struct output *output, size_t bytes)
{
    static const struct timespec pause = {.tv_nsec = PAUSE_US * 1000};
    if (bytes > output->limit)
        return FAULT_TOO_BIG;
    if (promise(output, bytes))
        return FAULT_NONE;
    bool room = false;
    atomic_fetch_add(&output->wanted, bytes);
    for (int turn = 0; turn < PATIENCE_US / PAUSE_US && !room; turn++) {
        nanosleep(&pause, NULL);
        room = promise(output, bytes);
    }
    atomic_fetch_sub(&output->wanted, bytes);
    return room ? FAULT_NONE : FAULT_BUSY;
}

struct blob *output_blob(struct output *output, size_t bytes, const char *media)
{
    enum fault fault = await_room(output, bytes);
    if (fault)
        return blob_of_fault(fault, NULL, 0);
    struct blob *blob = blob_reserve(bytes, media);
    atomic_fetch_sub(&output->promised, bytes);
    return blob;
}

struct blob *output_coded(struct output *output, enum coding coding, const struct blob *plain)
{
    enum fault fault = await_room(output, plain->length);
    if (fault)
        return blob_of_fault(fault, NULL, 0);
    struct blob *blob =
        coding_apply(coding, EFFORT_FAST, plain->bytes, plain->length, plain->media);
    atomic_fetch_sub(&output->promised, plain->length);
    return blob;
}

size_t output_missing(const struct output *output)
{
    size_t held = blob_loose() + atomic_load(&output->promised) + atomic_load(&output->wanted);
    return held > output->limit ? held - output->limit : 0;
}
