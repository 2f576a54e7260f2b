/*
 * blob.h: counted bytes, as they leave a run.
 *
 * A blob never changes once it is made. `fault` set: its bytes are an array of struct mw_problem,
 * the reasons, instead of a body.
 *
 * Every blob is either kept, by one owner that bounds what it keeps (the cache), or loose: on its
 * way to clients. The bytes of all loose ones are counted, and have a cap: what a worker makes
 * needs room first. Where there is none, the I/O threads end slow sends (net/http.c), and what
 * still finds no room is refused.
 */
#ifndef MAPWRIGHT_BLOB_H
#define MAPWRIGHT_BLOB_H

#include "api/fault.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct blob {
    atomic_uint refs;
    atomic_bool kept;
    enum fault fault;
    unsigned retry_after; /* of a fault of this moment: seconds until it may be over; 0: unknown */
    const char *media;    /* static: the content type */
    const char *coding;   /* static: the content coding, NULL for none */
    size_t length;
    _Alignas(16) char bytes[];
};

/* Copies; NULL without memory. The caller holds the one reference. */
struct blob *blob_new(const void *bytes, size_t length, const char *media);
struct blob *blob_of_fault(enum fault, const void *problems, size_t length);
/* Uncopied: room for up to `length` bytes, to be filled by the caller. */
struct blob *blob_reserve(size_t length, const char *media);
struct blob *blob_ref(struct blob *);
void blob_drop(struct blob *); /* NULL is fine */
/* Bytes of memory that it takes. */
size_t blob_weight(const struct blob *);

/* Marks it as kept, or as loose again; the owner holds a reference. */
void blob_keep(struct blob *);
void blob_let_go(struct blob *);
/* Bytes of all loose blobs. */
size_t blob_loose(void);

/* Sets the cap, in bytes; before there are threads. */
void output_limit(size_t bytes);
/*
 * A blob of so many bytes, to be filled. Waits a little for slow sends to be ended. A fault, if
 * there is no room: BUSY: not now; TOO_BIG: that is more than the limit. NULL without memory. Not
 * on an I/O thread.
 */
struct blob *output_blob(size_t bytes, const char *media);
/* Bytes that should be freed now; 0: there is room for all. */
size_t output_missing(void);

#endif
