/* problems.c: the faults, told to programs. */
#include "problems.h"

#include "components.h"
#include "fault.h"

#include <stdio.h>
#include <string.h>

/* ---- tables ---------------------------------------------------------------------------------- */

/* Where the problems of a status can be met; of 405 and 505, at no operation that there is. */
static const struct {
    unsigned status;
    int kinds;
} reach[] = {
    {404, KEPT | SLUG},
    {405, 0},
    {406, GET | POST | KEPT},
    {412, POST},
    {413, POST},
    {414, GET},
    {415, POST},
    {422, GET | POST | KEPT},
    {431, ANYWHERE},
    {503, GET | POST | KEPT | READINESS},
    {504, GET | POST | KEPT},
    {505, 0},
};

/* A fault of a status that is not listed can be met wherever a map is asked for. */
static int reach_of(unsigned status)
{
    for (size_t i = 0; i < sizeof reach / sizeof *reach; i++)
        if (reach[i].status == status)
            return reach[i].kinds;
    return GET | POST;
}

/* The rows of fault.c, without that of FAULT_NONE. */
static const struct fault_row *const faults = fault_rows + 1;

enum { FAULT_ROWS = FAULT_END - 1 };

/* Rows are in order of status: whether row i is the first of its own. */
static bool begins_status(int i) { return !i || faults[i].status != faults[i - 1].status; }

#define EXAMPLE_ERRORS \
    "[{\"pointer\": \"/width\", \"detail\": \"must be an integer from 1 to 4096\"}]"

/* ---- operations ------------------------------------------------------------------------------ */

/* The problems that can be met by these kinds, as responses of an operation. */
void put_problems(struct writer *w, int kinds)
{
    for (int i = 0; i < FAULT_ROWS; i++) {
        if (!begins_status(i) || !(reach_of(faults[i].status) & kinds))
            continue;
        char status[16], name[32];
        snprintf(status, sizeof status, "%u", faults[i].status);
        snprintf(name, sizeof name, "Problem%u", faults[i].status);
        put_ref(w, status, "responses", name);
    }
    put_ref(w, "default", "responses", "Problem");
}

/* ---- components ------------------------------------------------------------------------------ */

static void put_problem_example(struct writer *w, const struct fault_row *fault)
{
    put_map(w, fault->slug);
    put_text(w, "summary", fault->title);
    put_map(w, "value");
    put_format(w, "type", "/problems/%s", fault->slug);
    put_text(w, "title", fault->title);
    put_int(w, "status", fault->status);
    put_text(w, "detail", fault->meaning);
    put_text(w, "instance", EXAMPLE_ID);
    if (!strcmp(fault->slug, "invalid-parameter"))
        put_json(w, "errors", EXAMPLE_ERRORS, sizeof EXAMPLE_ERRORS - 1);
    put_end(w);
    put_end(w);
}

/* What gets who asked for text: the first of that status. */
static void put_problem_text(struct writer *w, unsigned status)
{
    int i = 0;
    while (status ? faults[i].status != status : reach_of(faults[i].status))
        i++;
    put_map(w, "text/plain");
    put_map(w, "schema");
    put_text(w, "type", "string");
    put_end(w);
    put_format(w, "example", "%u %s\n%s\n", faults[i].status, faults[i].title, faults[i].meaning);
    put_end(w);
}

/* The rows of one status, or of all that no operation lists. */
static void put_problem_content(struct writer *w, unsigned status)
{
    put_map(w, "content");
    put_map(w, "application/problem+json");
    put_ref(w, "schema", "schemas", "Problem");
    put_map(w, "examples");
    for (int i = 0; i < FAULT_ROWS; i++)
        if (status ? faults[i].status == status : !reach_of(faults[i].status))
            put_problem_example(w, &faults[i]);
    put_end(w);
    put_end(w);
    put_problem_text(w, status);
    put_end(w);
}

static void put_titles(struct writer *w, unsigned status)
{
    char text[500] = "";
    size_t n = 0;
    for (int i = 0; i < FAULT_ROWS && n < sizeof text; i++)
        if (faults[i].status == status)
            n +=
                (size_t)snprintf(text + n, sizeof text - n, "%s%s.", n ? " " : "", faults[i].title);
    put_text(w, "description", text);
}

void put_problem_responses(struct writer *w)
{
    for (int i = 0; i < FAULT_ROWS; i++) {
        if (!begins_status(i) || !reach_of(faults[i].status))
            continue;
        char name[32];
        snprintf(name, sizeof name, "Problem%u", faults[i].status);
        put_map(w, name);
        put_titles(w, faults[i].status);
        if (faults[i].status == 503)
            put_waiting_headers(w);
        else
            put_common_headers(w);
        put_problem_content(w, faults[i].status);
        put_end(w);
    }
    put_map(w, "Problem");
    put_text(w, "description", "Any other problem.");
    put_common_headers(w);
    put_problem_content(w, 0);
    put_end(w);
}

static void put_errors_schema(struct writer *w)
{
    put_described(w, "errors", "array", "Every wrong parameter, or the reasons.");
    put_map(w, "items");
    put_text(w, "type", "object");
    put_list(w, "required");
    put_text(w, NULL, "pointer");
    put_text(w, NULL, "detail");
    put_end(w);
    put_map(w, "properties");
    put_described(w, "pointer", "string",
                  "JSON pointer (RFC 6901) of the member, empty for the whole.");
    put_end(w);
    put_described(w, "detail", "string", "What would be right.");
    put_end(w);
    put_end(w);
    put_end(w);
    put_end(w);
}

/* type, title and status, which an answer and a page have alike */
static void put_fault_properties(struct writer *w)
{
    put_described(w, "type", "string", "The page that says what the problem means.");
    put_text(w, "format", "uri-reference");
    put_end(w);
    put_described(w, "title", "string", "The kind of problem.");
    put_end(w);
    put_described(w, "status", "integer", "The HTTP status.");
    put_int(w, "minimum", 400);
    put_int(w, "maximum", 599);
    put_end(w);
}

/* An object with those and one member more, and all of them required. */
static void begin_fault_schema(struct writer *w, const char *key, const char *description,
                               const char *member)
{
    put_described(w, key, "object", description);
    put_list(w, "required");
    put_text(w, NULL, "type");
    put_text(w, NULL, "title");
    put_text(w, NULL, "status");
    put_text(w, NULL, member);
    put_end(w);
    put_map(w, "properties");
    put_fault_properties(w);
}

void put_problem_schema(struct writer *w)
{
    begin_fault_schema(w, "Problem", "Problem details (RFC 9457).", "detail");
    put_described(w, "detail", "string", "What is wrong this time, and what would be right.");
    put_end(w);
    put_described(w, "instance", "string", "The request's id, as in `X-Request-Id`.");
    put_end(w);
    put_errors_schema(w);
    put_end(w);
    put_end(w);
}

void put_problem_page_schema(struct writer *w, const char *key)
{
    begin_fault_schema(w, key, "A kind of problem.", "meaning");
    put_described(w, "meaning", "string", "When it is met, and what to do.");
    put_end(w);
    put_end(w);
    put_end(w);
}

void put_problem_list_schema(struct writer *w, const char *key)
{
    put_described(w, key, "object", "All kinds of problems.");
    put_list(w, "required");
    put_text(w, NULL, "problems");
    put_end(w);
    put_map(w, "properties");
    put_map(w, "problems");
    put_text(w, "type", "array");
    put_problem_page_schema(w, "items");
    put_end(w);
    put_end(w);
    put_end(w);
}
