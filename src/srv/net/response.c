/* response.c: responses of libmicrohttpd. */
#include "response.h"

#include <assert.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 512, LARGEST_CACHED = 16 * 1024 };

struct cached_responses {
    struct cached_response places[PLACES];
};

/* ---- making ---------------------------------------------------------------------------------- */

static bool add_header(struct MHD_Response *response, const char *name, const char *value)
{
    return MHD_add_response_header(response, name, value) == MHD_YES;
}

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

/* The response if `good`; else it is destroyed, NULL. */
static struct MHD_Response *keep_if(bool good, struct MHD_Response *response)
{
    if (good || !response)
        return response;
    MHD_destroy_response(response);
    return NULL;
}

/* All but id and date. */
static struct MHD_Response *add_headers(struct MHD_Response *response, const struct reply *reply)
{
    bool good = response;
    for (size_t i = 0; good && i < reply->count; i++)
        good = add_header(response, reply->headers[i].name, reply->headers[i].value);
    return keep_if(good, response);
}

struct MHD_Response *response_dress(struct MHD_Response *response, const struct reply *reply,
                                    const char *id, const char *date, bool close)
{
    response = add_headers(response, reply);
    return keep_if(response && add_header(response, "X-Request-Id", id) &&
                       add_header(response, "Date", date) &&
                       (!close || add_header(response, "Connection", "close")),
                   response);
}

struct MHD_Response *response_make(const struct reply *reply, const char *id, const char *date,
                                   bool close)
{
    return response_dress(wrap(reply), reply, id, date, close);
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
    place->response = add_headers(wrap(reply), reply);
    if (place->response)
        place->blob = blob_ref(reply->blob);
    return place->response;
}

/*
 * Gives a header field a new value. `at` points to the old value inside libmicrohttpd's response: a
 * value of the same length is written over it, which is cheaper at every hit than to delete the
 * field and add it again.
 */
static bool change(struct MHD_Response *response, const char *name, char **at, const char *value)
{
    if (*at && strlen(*at) == strlen(value)) {
        strcpy(*at, value);
        return true;
    }
    if (*at && MHD_del_response_header(response, name, *at) != MHD_YES)
        return false;
    *at = add_header(response, name, value)
              ? (char *)(uintptr_t)MHD_get_response_header(response, name)
              : NULL;
    return *at;
}

/* Those that are pinned have the odd places. */
static struct cached_response *place_of(struct cached_responses *responses, const struct blob *blob,
                                        bool pinned)
{
    return &responses->places[(((uintptr_t)blob >> 6) * 2 + pinned) % PLACES];
}

struct cached_response *cached_response_take(struct cached_responses *responses,
                                             const struct reply *reply)
{
    assert(reply->common && reply->blob);
    struct cached_response *place = place_of(responses, reply->blob, reply->pinned);
    if (place->in_use || reply->blob->length > LARGEST_CACHED)
        return NULL;
    if (place->blob != reply->blob && !fill(place, reply))
        return NULL;
    place->in_use = true;
    return place;
}

/* A response is only changed while no connection sends it. */
bool cached_response_address(struct cached_response *place, const char *id, const char *date)
{
    assert(place->in_use);
    if (change(place->response, "X-Request-Id", &place->id, id) &&
        change(place->response, "Date", &place->date, date))
        return true;
    place->in_use = false;
    empty(place);
    return false;
}

void cached_response_return(struct cached_response *place)
{
    assert(place->in_use);
    place->in_use = false;
}

void cached_responses_trim(struct cached_responses *responses)
{
    for (size_t i = 0; i < PLACES; i++) {
        struct cached_response *place = &responses->places[i];
        if (place->blob && !place->in_use &&
            !atomic_load_explicit(&place->blob->kept, memory_order_relaxed))
            empty(place);
    }
}

struct cached_responses *cached_responses_new(void)
{
    return calloc(1, sizeof(struct cached_responses));
}

void cached_responses_drop(struct cached_responses *responses)
{
    for (size_t i = 0; i < PLACES; i++)
        empty(&responses->places[i]);
    free(responses);
}
