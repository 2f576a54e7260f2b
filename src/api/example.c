/*
 * example.c: requests small enough to be read, and their answers, made on the spot.
 *
 * A generator without a row is asked for all of its defaults.
 */
#include "example.h"

#include "field.h"
#include "identity.h"
#include "lib/span.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 20 };

static const struct {
    const char *generator, *query;
} queries[] = {
    {"regions", "width=6&height=4&count=2&seed=7"},
    {"areas", "width=6&height=4&area=8&seed=7"},
    {"islands", "width=7&height=5&islands=2,2&size=4,6&seed=7"},
    {"starlanes", "stars=6&width=100&height=100&homeworlds=2&seed=7"},
    {"puzzle/solve", "grid=A.B./C.D./.A.B/.C.D"},
    {"puzzle/generate", "width=4&height=4&seed=7"},
};

const char *example_query(const struct mw_generator *generator)
{
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        if (!strcmp(queries[i].generator, generator->name))
            return queries[i].query;
    return generator->seedless ? "" : "seed=7";
}

bool example_init(struct example *e, const struct mw_generator *generator)
{
    const char *query = example_query(generator);
    *e = (struct example){.memory = malloc(BLOCK), .request.generator = generator};
    if (!e->memory)
        return false;
    e->run = mw_open(&(struct mw_limits){.memory = e->memory, .size = BLOCK});
    if (!mw_read_query(e->run, query, strlen(query), &e->args, &e->count) ||
        !mw_bind(e->run, generator, e->args, e->count, NULL, &e->request))
        return true;
    identity_of(e->request.address, e->request.address_length, e->request.id);
    e->map = mw_make(e->run, &e->request);
    return true;
}

void example_release(struct example *e) { free(e->memory); }

/* ---- arguments, as JSON ---------------------------------------------------------------------- */

static void put_element(struct writer *w, enum mw_type type, const char *text, size_t length)
{
    char pair[64];
    if (type == MW_ROWS) {
        put_text(w, NULL, text, length);
    } else if (type == MW_POINTS) {
        assert(length + 2 <= sizeof pair);
        pair[0] = '[';
        memcpy(pair + 1, text, length);
        pair[length + 1] = ']';
        put_raw(w, NULL, pair, length + 2);
    } else {
        put_raw(w, NULL, text, length);
    }
}

static void put_elements(struct writer *w, const char *key, enum mw_type type,
                         const struct mw_arg *arg)
{
    struct span rest = {arg->text, arg->length}, piece;
    put_list(w, key);
    while (span_cut(&rest, field_separator(type), &piece))
        put_element(w, type, piece.at, piece.length);
    put_end(w);
}

static bool is_plain_number(const struct mw_arg *arg)
{
    for (size_t i = 0; i < arg->length; i++)
        if (arg->text[i] < '0' || arg->text[i] > '9')
            return false;
    return arg->length && arg->length < 16;
}

static void put_arg(struct writer *w, const char *key, const struct mw_field *field,
                    const struct mw_arg *arg, bool in_url)
{
    enum mw_type type = field ? field->type : is_plain_number(arg) ? MW_INTEGER : MW_STRING;
    bool list = type == MW_INTEGERS || (!in_url && field_separator(type));
    if (list)
        put_elements(w, key, type, arg);
    else if (type == MW_INTEGER || type == MW_DECIMAL || type == MW_BOOLEAN)
        put_raw(w, key, arg->text, arg->length);
    else
        put_text(w, key, arg->text, arg->length);
}

void put_example_request(struct writer *w, const char *key, const struct example *e)
{
    put_map(w, key);
    for (size_t i = 0; i < e->count; i++) {
        const struct mw_field *field = field_of_arg(e->request.generator, &e->args[i]);
        put_arg(w, field ? field->name : "seed", field, &e->args[i], false);
    }
    put_end(w);
}

void put_example_argument(struct writer *w, const char *key, const struct example *e,
                          const char *name)
{
    for (size_t i = 0; i < e->count; i++)
        if (arg_is_named(&e->args[i], name))
            put_arg(w, key, field_of_arg(e->request.generator, &e->args[i]), &e->args[i], true);
}

/* ---- answers --------------------------------------------------------------------------------- */

static bool ends_with(const char *text, size_t length, const char *end)
{
    size_t n = strlen(end);
    return length >= n && !memcmp(text + length - n, end, n);
}

bool media_is_text(const char *media)
{
    size_t length = strcspn(media, ";");
    return !strncmp(media, "text/", 5) || ends_with(media, length, "json") ||
           ends_with(media, length, "xml");
}

void put_example_answer(struct writer *w, const char *key, struct example *e)
{
    struct mw_bytes bytes = {0};
    if (e->map)
        bytes = mw_encode_with(e->run, mw_encoder_named("json"), e->map);
    if (bytes.at)
        put_raw(w, key, bytes.at, bytes.length - (bytes.at[bytes.length - 1] == '\n'));
}
