/* response.c: responses of libmicrohttpd. */
#include "response.h"

#include <assert.h>
#include <microhttpd.h>
#include <string.h>

enum { LARGEST_CACHED = 16 * 1024 };

/* ---- making ---------------------------------------------------------------------------------- */

static ssize_t read_nothing(void *arg, uint64_t at, char *to, size_t room)
{
    (void)arg, (void)at, (void)to, (void)room;
    return MHD_CONTENT_READER_END_OF_STREAM;
}

/* A 304 has no body, but the length of one, or none at all: for that the connection must end. */
static struct MHD_Response *wrap_nothing(void)
{
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1, read_nothing, NULL, NULL);
    if (response) /* as in HTTP/1.0, which knows no chunks */
        MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
    return response;
}

static struct MHD_Response *wrap(const struct reply *reply)
{
    struct blob *blob = reply->blob;
    if (reply->status == MHD_HTTP_NOT_MODIFIED && !blob)
        return wrap_nothing();
    return MHD_create_response_from_buffer(blob ? blob->length : 0, blob ? blob->bytes : NULL,
                                           MHD_RESPMEM_PERSISTENT);
}

static bool add_header(struct MHD_Response *response, const char *name, const char *value)
{
    return MHD_add_response_header(response, name, value) == MHD_YES;
}

/* All but the id; libmicrohttpd adds the date. */
static bool add_headers(struct MHD_Response *response, const struct reply *reply)
{
    for (size_t i = 0; i < reply->count; i++)
        if (!add_header(response, reply->headers[i].name, reply->headers[i].value))
            return false;
    return true;
}

struct MHD_Response *response_make(const struct reply *reply, struct MHD_Response *body,
                                   const char *id, bool close)
{
    struct MHD_Response *response = body ? body : wrap(reply);
    if (!response)
        return NULL;
    if (add_headers(response, reply) && add_header(response, "X-Request-Id", id) &&
        (!close || add_header(response, "Connection", "close")))
        return response;
    MHD_destroy_response(response);
    return NULL;
}

/* ---- keeping --------------------------------------------------------------------------------- */

static void empty(struct cached_response *place)
{
    assert(!place->in_use);
    if (place->response)
        MHD_destroy_response(place->response);
    blob_drop(place->blob);
    *place = (struct cached_response){0};
}

static bool fill(struct cached_response *place, const struct reply *reply)
{
    empty(place);
    place->blob = blob_ref(reply->blob);
    place->response = wrap(reply);
    return place->response && add_headers(place->response, reply);
}

/* In place of the id of the request before. */
static bool set_id(struct MHD_Response *response, const char *id)
{
    static const char name[] = "X-Request-Id";
    const char *old = MHD_get_response_header(response, name);
    return (!old || MHD_del_response_header(response, name, old)) && add_header(response, name, id);
}

/* A response is only changed while no connection sends it. Those that are pinned have the odd
   places. */
struct cached_response *cached_response_take(struct cached_response cache[CACHED_RESPONSES],
                                             const struct reply *reply, const char *id)
{
    assert(reply->common && reply->blob);
    struct cached_response *place =
        &cache[(((uintptr_t)reply->blob >> 6) * 2 + reply->pinned) % CACHED_RESPONSES];
    if (place->in_use || reply->blob->length > LARGEST_CACHED)
        return NULL;
    place->in_use =
        (place->blob == reply->blob || fill(place, reply)) && set_id(place->response, id);
    if (place->in_use)
        return place;
    empty(place);
    return NULL;
}

void cached_responses_trim(struct cached_response cache[CACHED_RESPONSES], bool all)
{
    for (struct cached_response *place = cache; place < cache + CACHED_RESPONSES; place++)
        if (place->blob && !place->in_use &&
            (all || !atomic_load_explicit(&place->blob->kept, memory_order_relaxed)))
            empty(place);
}
