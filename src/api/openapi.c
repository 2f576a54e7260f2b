/*
 * openapi.c: the OpenAPI 3.1 document, made from the tables of fields, parts, encoders and faults.
 *
 * Each generator gets three operations (GET, POST, and GET with a suffix for the format), which
 * share its parameters and its answer; then come the pages around them. Nothing here knows a
 * generator.
 */
#include "openapi.h"

#include "components.h"
#include "problems.h"
#include "schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char about[] =
    "A map is a pure function of its address: the same parameters and seed give the same bytes, on "
    "every machine. `self` in the answer is that address.\n\n"
    "Every generator answers GET, with the parameters in the query, and POST, with the parameters "
    "as a JSON object. A body is read as JSON under application/json, any +json, no type at all, "
    "and application/x-www-form-urlencoded, which curl -d sends; a POST may have a query as well. "
    "HEAD works as GET without the body, OPTIONS tells the methods and serves CORS, any other "
    "method is 405.\n\n"
    "Coordinates are [x, y], x to the right, y down, from 0; grids come as rows, cells[y][x]. In a "
    "URL # is written %23. All answers may be compressed with gzip or zstd.\n\n"
    "A problem is written as application/problem+json, unless text was asked for, by format, "
    "suffix or `Accept`: then it is text/plain, its status and title on a line, then a line for "
    "each error.";

/* ---- operations ------------------------------------------------------------------------------ */

static void begin_operation(struct writer *w, const char *method, const char *id, const char *tag,
                            const char *summary)
{
    put_map(w, method);
    put_text(w, "operationId", id);
    put_list(w, "tags");
    put_text(w, NULL, tag);
    put_end(w);
    put_text(w, "summary", summary);
}

static void put_map_responses(struct writer *w, const struct mw_generator *generator, int place)
{
    put_map(w, "responses");
    put_ref(w, "200", "responses", name_of("", generator, "").text);
    if (place != POST)
        put_ref(w, "304", "responses", "NotModified");
    put_problems(w, place);
    put_end(w);
}

/* All of the look but the format. */
static void put_look_parameters(struct writer *w)
{
    for (const struct mw_field *f = mw_look_fields + 1; f->type != MW_END_OF_TABLE; f++)
        put_ref(w, NULL, "parameters", name_of("", NULL, f->name).text);
}

static void put_own_parameters(struct writer *w, const struct mw_generator *generator)
{
    for (const struct mw_field *f = generator->fields; f->type != MW_END_OF_TABLE; f++)
        put_ref(w, NULL, "parameters", name_of("", generator, f->name).text);
    put_ref(w, NULL, "parameters", "V");
    if (!generator->seedless)
        put_ref(w, NULL, "parameters", "Seed");
    put_look_parameters(w);
}

static void put_request_headers(struct writer *w)
{
    put_ref(w, NULL, "parameters", "IfNoneMatch");
    put_ref(w, NULL, "parameters", "RequestId");
}

static void put_get(struct writer *w, const struct mw_generator *generator)
{
    begin_operation(w, "get", name_of("get", generator, "").text, "maps", generator->summary);
    put_text(w, "description", generator->about);
    put_list(w, "parameters");
    put_own_parameters(w, generator);
    put_ref(w, NULL, "parameters", name_of("", generator, "format").text);
    put_request_headers(w);
    put_end(w);
    put_map_responses(w, generator, GET);
    put_end(w);
}

static void put_post(struct writer *w, const struct mw_generator *generator,
                     const struct example *example)
{
    begin_operation(w, "post", name_of("post", generator, "").text, "maps", generator->summary);
    put_text(w, "description", generator->about);
    put_list(w, "parameters");
    put_request_headers(w);
    put_end(w);
    put_map(w, "requestBody");
    put_text(w, "description",
             "The parameters. An empty body means {}, and null counts as left out.");
    put_bool(w, "required", needs_parameters(generator));
    put_map(w, "content");
    put_map(w, "application/json");
    put_ref(w, "schema", "schemas", name_of("", generator, "request").text);
    put_example_body(w, "example", example);
    put_end(w);
    put_end(w);
    put_end(w);
    put_map_responses(w, generator, POST);
    put_end(w);
}

static void put_get_as(struct writer *w, const struct mw_generator *generator)
{
    begin_operation(w, "get", name_of("get", generator, "as").text, "maps", generator->summary);
    put_text(w, "description", "The same, with the format as a suffix of the path.");
    put_list(w, "parameters");
    put_map(w, NULL);
    put_text(w, "name", "suffix");
    put_text(w, "in", "path");
    put_text(w, "description", "What the answer is written in.");
    put_bool(w, "required", true);
    put_suffix_schema(w, "schema", generator);
    put_end(w);
    put_own_parameters(w, generator);
    put_request_headers(w);
    put_end(w);
    put_map_responses(w, generator, GET);
    put_end(w);
}

/* ---- paths ----------------------------------------------------------------------------------- */

static void put_generator_paths(struct writer *w, const struct mw_generator *generator,
                                const struct example *example)
{
    char path[NAME_BYTES];
    snprintf(path, sizeof path, "/%s", generator->name);
    put_map(w, path);
    put_get(w, generator);
    put_post(w, generator, example);
    put_end(w);
    snprintf(path, sizeof path, "/%s.{suffix}", generator->name);
    put_map(w, path);
    put_get_as(w, generator);
    put_end(w);
}

static void put_path_parameter(struct writer *w, const char *name, const char *description,
                               const char *format)
{
    put_map(w, NULL);
    put_text(w, "name", name);
    put_text(w, "in", "path");
    put_text(w, "description", description);
    put_bool(w, "required", true);
    put_map(w, "schema");
    put_text(w, "type", "string");
    if (format)
        put_text(w, "format", format);
    put_end(w);
    put_end(w);
}

static void put_kept_map(struct writer *w)
{
    put_map(w, "/maps/{id}");
    begin_operation(w, "get", "getMap", "maps", "a recent map again");
    put_text(w, "description",
             "By its id, while it is in the cache; 404 later. A suffix asks for a format: "
             "/maps/{id}.svg. Its `self` always gives it again.");
    put_list(w, "parameters");
    put_path_parameter(w, "id", "The `id` of an answer.", "uuid");
    put_look_parameters(w);
    put_request_headers(w);
    put_end(w);
    put_map(w, "responses");
    put_ref(w, "200", "responses", "KeptMap");
    put_ref(w, "304", "responses", "NotModified");
    put_problems(w, KEPT);
    put_end(w);
    put_end(w);
    put_end(w);
}

static void put_text_schema(struct writer *w, const char *key)
{
    put_map(w, key);
    put_text(w, "type", "string");
    put_end(w);
}

static void put_binary_schema(struct writer *w, const char *key)
{
    put_map(w, key);
    put_text(w, "contentMediaType", "image/png");
    put_end(w);
}

static void put_object_schema(struct writer *w, const char *key)
{
    put_map(w, key);
    put_text(w, "type", "object");
    put_end(w);
}

static void put_versions_schema(struct writer *w, const char *key)
{
    put_map(w, key);
    put_text(w, "type", "object");
    put_list(w, "required");
    put_text(w, NULL, "name");
    put_text(w, NULL, "version");
    put_text(w, NULL, "generators");
    put_end(w);
    put_map(w, "properties");
    put_text_schema(w, "name");
    put_text_schema(w, "version");
    put_described(w, "generators", "object", "The version of each generator, by its name.");
    put_map(w, "additionalProperties");
    put_text(w, "type", "integer");
    put_int(w, "minimum", 1);
    put_end(w);
    put_end(w);
    put_end(w);
    put_end(w);
}

/* Pages that have a tag, and the one that browsers see as HTML. */
enum { TAGGED = 64, FOR_BROWSERS = 128 };

static const struct page {
    const char *path, *operation, *summary, *description, *media;
    void (*put_schema)(struct writer *, const char *key);
    int kinds;
} pages[] = {
    {"/", "getHome", "Help",
     "What can be asked for, and how; where `Accept` names text/html, a page to try it.",
     "text/plain", put_text_schema, PAGE | TAGGED | FOR_BROWSERS},
    {"/healthz", "getHealth", "Alive", "Answers as long as the server lives.", "text/plain",
     put_text_schema, PAGE},
    {"/readyz", "getReadiness", "Ready",
     "Whether the server takes requests: 503 while it is draining.", "text/plain", put_text_schema,
     PAGE | READINESS},
    {"/metrics", "getMetrics", "Metrics", "Counters, in the text format of Prometheus.",
     "text/plain", put_text_schema, PAGE},
    {"/version", "getVersion", "Versions", "Of the server and of its generators.",
     "application/json", put_versions_schema, PAGE},
    {"/openapi.yaml", "getOpenapiYaml", "OpenAPI, YAML", "This document.", "application/yaml",
     put_object_schema, PAGE | TAGGED},
    {"/openapi.json", "getOpenapiJson", "OpenAPI, JSON", "This document.", "application/json",
     put_object_schema, PAGE | TAGGED},
    {"/mapwright-hex.png", "getHexTiles", "Tiles, hexagons",
     "What a `tmj` of hexagons names: put it beside the map.", "image/png", put_binary_schema,
     PAGE | TAGGED},
    {"/mapwright-square.png", "getSquareTiles", "Tiles, squares",
     "What a `tmj` of squares names: put it beside the map.", "image/png", put_binary_schema,
     PAGE | TAGGED},
    {"/problems", "listProblems", "Problems", "All that an answer may name.", "application/json",
     put_problem_list_schema, PAGE},
    {"/problems/{slug}", "getProblem", "Problem", "What a problem means.", "application/json",
     put_problem_page_schema, PAGE | SLUG},
};

static void put_content(struct writer *w, const char *media,
                        void (*put_schema)(struct writer *, const char *key))
{
    put_map(w, media);
    put_schema(w, "schema");
    put_end(w);
}

static void put_still_so(struct writer *w)
{
    put_map(w, "304");
    put_text(w, "description", "It is as you have it.");
    put_common_headers(w);
    put_end(w);
}

static void put_page_responses(struct writer *w, const struct page *page)
{
    put_map(w, "200");
    put_text(w, "description", page->description);
    put_common_headers(w);
    put_map(w, "content");
    put_content(w, page->media, page->put_schema);
    if (page->kinds & FOR_BROWSERS)
        put_content(w, "text/html", put_text_schema);
    put_end(w);
    put_end(w);
    if (page->kinds & TAGGED)
        put_still_so(w);
}

static void put_page(struct writer *w, const struct page *page)
{
    put_map(w, page->path);
    begin_operation(w, "get", page->operation, "service", page->summary);
    put_text(w, "description", page->description);
    if (strchr(page->path, '{')) {
        put_list(w, "parameters");
        put_path_parameter(w, "slug", "The end of a problem's `type`.", NULL);
        put_end(w);
    }
    put_map(w, "responses");
    put_page_responses(w, page);
    put_problems(w, page->kinds);
    put_end(w);
    put_end(w);
    put_end(w);
}

static void put_paths(struct writer *w, const struct example *examples)
{
    put_map(w, "paths");
    for (int i = 0; mw_generators[i]; i++)
        put_generator_paths(w, mw_generators[i], &examples[i]);
    put_kept_map(w);
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        put_page(w, &pages[i]);
    put_end(w);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void put_info(struct writer *w)
{
    put_map(w, "info");
    put_text(w, "title", "Mapwright");
    put_text(w, "version", MW_VERSION);
    put_text(w, "summary", "Maps for games, as a pure function");
    put_text(w, "description", about);
    put_map(w, "contact");
    put_text(w, "name", "Mapwright");
    put_end(w);
    put_map(w, "license");
    put_text(w, "name", "MIT");
    put_text(w, "identifier", "MIT");
    put_end(w);
    put_end(w);
    put_list(w, "servers");
    put_map(w, NULL);
    put_text(w, "url", "/");
    put_text(w, "description", "The server that this document comes from");
    put_end(w);
    put_end(w);
    put_list(w, "security"); /* none */
    put_end(w);
}

static void put_tag(struct writer *w, const char *name, const char *description)
{
    put_map(w, NULL);
    put_text(w, "name", name);
    put_text(w, "description", description);
    put_end(w);
}

static void put_document(struct writer *w, struct example *examples)
{
    put_map(w, NULL);
    put_text(w, "openapi", "3.1.0");
    put_info(w);
    put_list(w, "tags");
    put_tag(w, "maps", "The maps.");
    put_tag(w, "service", "The pages around them.");
    put_end(w);
    put_paths(w, examples);
    put_components(w, examples);
    put_end(w);
}

char *openapi_write(enum openapi_syntax syntax)
{
    struct writer w = {.syntax = syntax};
    int n = 0;
    while (mw_generators[n])
        n++;
    struct example *examples = calloc((size_t)n + 1, sizeof *examples);
    if (!examples)
        return NULL;
    for (int i = 0; i < n; i++) {
        example_init(&examples[i], mw_generators[i]);
        w.failed |= !examples[i].memory;
    }
    put_document(&w, examples);
    for (int i = 0; i < n; i++)
        example_release(&examples[i]);
    free(examples);
    return writer_finish(&w);
}
