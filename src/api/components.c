/* components.c: schemas, parameters, headers and responses, each once. */
#include "components.h"

#include "problems.h"
#include "schema.h"

#include <stdio.h>
#include <string.h>

static const struct header {
    const char *name, *description, *example;
} headers[] = {
    {"ETag", "Names these bytes: another for each map, format, look and coding.",
     "\"0f6b2f7c91d6a3e4\""},
    {"Cache-Control",
     "max-age=31536000, immutable with a seed (and where none is drawn), as the bytes never "
     "change; no-store without one.",
     "max-age=31536000, immutable"},
    {"Content-Location", "Without a seed: the address that gives the same map again.",
     "/regions?v=1&width=8&height=5&seed=7"},
    {"Content-Disposition",
     "What a file with the map is called: generator, seed and suffix; the map's `id` where there "
     "is no seed "
     "or it is no plain name.",
     "inline; filename=\"regions-7.json\""},
    {"Cache-Status", "Whether the map was at hand (RFC 9211).", "mapwright; hit"},
    {"Server-Timing", "Where the time went, in milliseconds.", "cache;desc=hit"},
    {"Vary", "The request headers that choose among the map's formats and codings.",
     "Accept, Accept-Encoding"},
    {"X-Request-Id", "Taken over from the request, or made.", EXAMPLE_ID},
    {"Retry-After", "Seconds after which to try again.", "1"},
};

enum { REQUEST_ID = 7, RETRY_AFTER = 8, HEADER_ROWS = sizeof headers / sizeof *headers };

/* ---- names and references -------------------------------------------------------------------- */

/* "puzzle/solve", "min_length" -> "PuzzleSolveMinLength" */
static void add_camel(char name[NAME_BYTES], const char *words)
{
    size_t n = strlen(name);
    bool upper = true;
    for (; *words && n < NAME_BYTES - 1; words++) {
        bool letter = *words >= 'a' && *words <= 'z';
        if (letter || (*words >= '0' && *words <= '9'))
            name[n++] = (char)(upper && letter ? *words - 'a' + 'A' : *words);
        upper = !letter;
    }
    name[n] = '\0';
}

struct name name_of(const char *before, const struct mw_generator *generator, const char *after)
{
    struct name name = {""};
    snprintf(name.text, sizeof name.text, "%s", before);
    if (generator)
        add_camel(name.text, generator->name);
    add_camel(name.text, after);
    return name;
}

void put_ref(struct writer *w, const char *key, const char *kind, const char *name)
{
    put_map(w, key);
    put_format(w, "$ref", "#/components/%s/%s", kind, name);
    put_end(w);
}

void put_described(struct writer *w, const char *key, const char *type, const char *description)
{
    put_map(w, key);
    put_text(w, "type", type);
    put_text(w, "description", description);
}

/* ---- components: schemas --------------------------------------------------------------------- */

static void put_request_schema(struct writer *w, const struct mw_generator *generator)
{
    put_map(w, name_of("", generator, "request").text);
    put_text(w, "type", "object");
    put_bool(w, "additionalProperties", false);
    if (needs_parameters(generator)) {
        put_list(w, "required");
        for (const struct mw_field *f = generator->fields; f->type != MW_END_OF_TABLE; f++)
            if (field_is_required(f))
                put_text(w, NULL, f->name);
        put_end(w);
    }
    put_map(w, "properties");
    for (const struct mw_field *f = generator->fields; f->type != MW_END_OF_TABLE; f++)
        put_field_schema(w, f->name, f, IN_BODY);
    put_version_schema(w, "v");
    if (!generator->seedless)
        put_seed_schema(w, "seed");
    put_format_schema(w, "format", generator);
    for (const struct mw_field *f = mw_look_fields + 1; f->type != MW_END_OF_TABLE; f++)
        put_field_schema(w, f->name, f, IN_BODY);
    put_end(w);
    put_end(w);
}

static void put_name_properties(struct writer *w, const struct mw_generator *generator)
{
    put_described(w, "id", "string", "The name-based UUID (version 5, URL namespace) of `self`.");
    put_text(w, "format", "uuid");
    put_end(w);
    put_described(w, "self", "string", "The address of this very map.");
    put_text(w, "format", "uri-reference");
    put_end(w);
    put_map(w, "generator");
    put_text(w, "const", generator->name);
    put_end(w);
    put_described(w, "version", "integer", "Goes up when the same request would give another map.");
    put_int(w, "minimum", 1);
    put_end(w);
}

static void put_answer_schema(struct writer *w, const struct mw_generator *generator)
{
    static const char *const members[] = {"id",      "self",       "generator",
                                          "version", "parameters", "result"};
    put_map(w, name_of("", generator, "answer").text);
    put_text(w, "type", "object");
    put_list(w, "required");
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        put_text(w, NULL, members[i]);
    if (!generator->seedless)
        put_text(w, NULL, "seed");
    put_end(w);
    put_map(w, "properties");
    put_name_properties(w, generator);
    if (!generator->seedless)
        put_seed_schema(w, "seed");
    put_parameters_schema(w, "parameters", generator);
    put_result_schema(w, "result", generator);
    put_end(w);
    put_end(w);
}

static void put_schemas(struct writer *w)
{
    put_map(w, "schemas");
    for (const struct mw_generator *const *g = mw_generators; *g; g++) {
        put_request_schema(w, *g);
        put_answer_schema(w, *g);
    }
    put_problem_schema(w);
    put_end(w);
}

/* ---- components: parameters and headers ------------------------------------------------------ */

static void begin_parameter(struct writer *w, const char *key, const char *name, const char *in)
{
    put_map(w, key);
    put_text(w, "name", name);
    put_text(w, "in", in);
}

static void put_field_parameter(struct writer *w, const struct mw_generator *generator,
                                const struct mw_field *field, const struct example *example)
{
    begin_parameter(w, name_of("", generator, field->name).text, field->name, "query");
    put_sentence(w, "description", field->help);
    if (field_is_required(field))
        put_bool(w, "required", true);
    if (field->type == MW_INTEGERS) {
        put_text(w, "style", "form");
        put_bool(w, "explode", false);
    }
    put_field_schema(w, "schema", field, IN_QUERY);
    put_example_parameter(w, "example", example, field->name);
    put_end(w);
}

static void put_generator_parameters(struct writer *w, const struct mw_generator *generator,
                                     const struct example *example)
{
    for (const struct mw_field *f = generator->fields; f->type != MW_END_OF_TABLE; f++)
        put_field_parameter(w, generator, f, example);
    begin_parameter(w, name_of("", generator, "format").text, "format", "query");
    put_format_schema(w, "schema", generator);
    put_end(w);
}

static void put_header_parameter(struct writer *w, const char *key, const char *name,
                                 const char *description)
{
    begin_parameter(w, key, name, "header");
    put_text(w, "description", description);
    put_map(w, "schema");
    put_text(w, "type", "string");
    put_end(w);
    put_end(w);
}

static void put_parameters(struct writer *w, const struct example *examples)
{
    bool seeds = false;
    put_map(w, "parameters");
    for (int i = 0; mw_generators[i]; i++) {
        put_generator_parameters(w, mw_generators[i], &examples[i]);
        seeds |= !mw_generators[i]->seedless;
    }
    begin_parameter(w, "V", "v", "query");
    put_version_schema(w, "schema");
    put_end(w);
    if (seeds) {
        begin_parameter(w, "Seed", "seed", "query");
        put_seed_schema(w, "schema");
        put_int(w, "example", 7);
        put_end(w);
    }
    for (const struct mw_field *f = mw_look_fields + 1; f->type != MW_END_OF_TABLE; f++) {
        begin_parameter(w, name_of("", NULL, f->name).text, f->name, "query");
        put_sentence(w, "description", f->help);
        put_field_schema(w, "schema", f, IN_QUERY);
        put_end(w);
    }
    put_header_parameter(w, "IfNoneMatch", "If-None-Match",
                         "ETags that you have: 304 for the same bytes, 412 for POST.");
    put_header_parameter(w, "RequestId", "X-Request-Id",
                         "Names the request in logs; up to 128 printable characters. Comes back.");
    put_end(w);
}

static void put_headers(struct writer *w)
{
    put_map(w, "headers");
    for (int i = 0; i < HEADER_ROWS; i++) {
        put_map(w, headers[i].name);
        put_text(w, "description", headers[i].description);
        put_map(w, "schema");
        put_text(w, "type", i == RETRY_AFTER ? "integer" : "string");
        put_end(w);
        if (i == RETRY_AFTER)
            put_raw(w, "example", headers[i].example, strlen(headers[i].example));
        else
            put_text(w, "example", headers[i].example);
        put_end(w);
    }
    put_end(w);
}

/* ---- components: responses ------------------------------------------------------------------- */

static void put_header_refs(struct writer *w, int first, int last)
{
    put_map(w, "headers");
    for (int i = first; i <= last; i++)
        put_ref(w, headers[i].name, "headers", headers[i].name);
    put_end(w);
}

void put_map_headers(struct writer *w) { put_header_refs(w, 0, REQUEST_ID); }

void put_common_headers(struct writer *w) { put_header_refs(w, REQUEST_ID, REQUEST_ID); }

void put_waiting_headers(struct writer *w) { put_header_refs(w, REQUEST_ID, RETRY_AFTER); }

static void put_medium_name(char name[NAME_BYTES], const char *media)
{
    snprintf(name, NAME_BYTES, "%.*s", (int)strcspn(media, ";"), media);
}

/* Whether no encoder before this one, of those that fit, has the same media type. */
static bool is_first_of_medium(const struct mw_encoder *const *encoder,
                               const struct mw_generator *generator)
{
    for (const struct mw_encoder *const *e = mw_encoders; e < encoder; e++)
        if (!strcmp((*e)->media, (*encoder)->media) && (!generator || (*e)->fits(generator)))
            return false;
    return !generator || (*encoder)->fits(generator);
}

static void begin_medium(struct writer *w, const struct mw_encoder *encoder)
{
    char medium[NAME_BYTES];
    put_medium_name(medium, encoder->media);
    put_map(w, medium);
}

/* Drawings are text, or bytes of which a schema has nothing to say. */
static void put_drawing_schema(struct writer *w, const struct mw_encoder *encoder)
{
    put_map(w, "schema");
    put_format(w, "description", "%s: %s.", encoder->name, encoder->help);
    if (media_is_text(encoder->media))
        put_text(w, "type", strstr(encoder->media, "json") ? "object" : "string");
    put_end(w);
}

static bool is_json(const struct mw_encoder *encoder) { return !strcmp(encoder->name, "json"); }

static void begin_map_response(struct writer *w, const char *name, const char *description)
{
    put_map(w, name);
    put_text(w, "description", description);
    put_map_headers(w);
    put_map(w, "content");
}

static void put_map_response(struct writer *w, const struct mw_generator *generator,
                             struct example *example)
{
    begin_map_response(w, name_of("", generator, "").text, "The map.");
    for (const struct mw_encoder *const *e = mw_encoders; *e; e++) {
        if (!is_first_of_medium(e, generator))
            continue;
        begin_medium(w, *e);
        if (is_json(*e))
            put_ref(w, "schema", "schemas", name_of("", generator, "answer").text);
        else
            put_drawing_schema(w, *e);
        put_example_answer(w, "example", example, *e);
        put_end(w);
    }
    put_end(w);
    put_end(w);
}

static void put_any_answer_schema(struct writer *w)
{
    if (!mw_generators[1]) {
        put_ref(w, "schema", "schemas", name_of("", mw_generators[0], "answer").text);
        return;
    }
    put_map(w, "schema");
    put_list(w, "anyOf");
    for (const struct mw_generator *const *g = mw_generators; *g; g++)
        put_ref(w, NULL, "schemas", name_of("", *g, "answer").text);
    put_end(w);
    put_end(w);
}

static void put_kept_response(struct writer *w)
{
    begin_map_response(w, "KeptMap", "The map.");
    for (const struct mw_encoder *const *e = mw_encoders; *e; e++) {
        if (!is_first_of_medium(e, NULL))
            continue;
        begin_medium(w, *e);
        if (is_json(*e))
            put_any_answer_schema(w);
        else
            put_drawing_schema(w, *e);
        put_end(w);
    }
    put_end(w);
    put_end(w);
}

static void put_responses(struct writer *w, struct example *examples)
{
    put_map(w, "responses");
    for (int i = 0; mw_generators[i]; i++)
        put_map_response(w, mw_generators[i], &examples[i]);
    put_kept_response(w);
    put_map(w, "NotModified");
    put_text(w, "description", "The map is the one that you have.");
    put_map_headers(w);
    put_end(w);
    put_problem_responses(w);
    put_end(w);
}

void put_components(struct writer *w, struct example *examples)
{
    put_map(w, "components");
    put_schemas(w);
    put_parameters(w, examples);
    put_headers(w);
    put_responses(w, examples);
    put_end(w);
}
