/* blob.c: counted bytes. */
#include "blob.h"

#include "block.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 4 * 1024 * 1024 };

static atomic_size_t loose; /* bytes */

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
