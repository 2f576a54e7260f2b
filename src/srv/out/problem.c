/* problem.c: problem documents. */
#include "problem.h"

#include "srv/base/strbuf.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const char media[] = "application/problem+json";

/* ---- bodies ---------------------------------------------------------------------------------- */

/* "/width must be ..."; of several problems, the body lists them. */
static const char *sum_up(const struct mw_problem *list, size_t count,
                          char detail[MW_POINTER_MAX + MW_DETAIL_MAX])
{
    if (count > 1)
        return "several things are wrong: see errors";
    snprintf(detail, MW_POINTER_MAX + MW_DETAIL_MAX, "%s%s%s", list->pointer,
             *list->pointer ? " " : "", list->detail);
    return detail;
}

/* NULL without memory. */
static json_t *list_errors(const struct mw_problem *list, size_t count)
{
    json_t *errors = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *error =
            json_pack("{s:s, s:s}", "pointer", list[i].pointer, "detail", list[i].detail);
        if (!json_array_append_new(errors, error))
            continue;
        json_decref(errors);
        return NULL;
    }
    return errors;
}

#define NO_MEMORY \
    "{\"type\": \"/problems/unavailable\", \"title\": \"The server cannot do this now\", " \
    "\"status\": 503, \"detail\": \"out of memory\"}\n"

/* The body for when there is no memory. */
__extension__ static struct blob no_memory = {
    .refs = 1, .kept = true, .media = media, .length = sizeof NO_MEMORY - 1, .bytes = NO_MEMORY};

bool problem_is_for_want_of_memory(const struct blob *blob) { return blob == &no_memory; }

static struct blob *or_no_memory(struct blob *blob) { return blob ? blob : blob_ref(&no_memory); }

struct blob *problem_body(enum fault fault, const char *detail, const char *instance,
                          const struct mw_problem *list, size_t count)
{
    assert(fault > FAULT_NONE && fault < FAULT_END);
    const struct fault_row *row = &fault_rows[fault];
    char own[MW_POINTER_MAX + MW_DETAIL_MAX];
    if (!detail)
        detail = count ? sum_up(list, count, own) : row->meaning;
    json_t *body = json_pack("{s:s+, s:s, s:i, s:s}", "type", "/problems/", row->slug, "title",
                             row->title, "status", row->status, "detail", detail);
    bool whole = body;
    if (whole && instance)
        whole = !json_object_set_new(body, "instance", json_string(instance));
    if (whole && count)
        whole = !json_object_set_new(body, "errors", list_errors(list, count));
    if (whole)
        return or_no_memory(json_blob(body, media));
    json_decref(body);
    return blob_ref(&no_memory);
}

/* ---- pages ----------------------------------------------------------------------------------- */

static json_t *describe(const struct fault_row *row)
{
    return json_pack("{s:s+, s:s, s:i, s:s}", "type", "/problems/", row->slug, "title", row->title,
                     "status", row->status, "meaning", row->meaning);
}

struct blob *problem_list(void)
{
    json_t *list = json_array();
    bool good = list;
    for (enum fault fault = FAULT_NONE + 1; good && fault < FAULT_END; fault++)
        good = !json_array_append_new(list, describe(&fault_rows[fault]));
    if (good)
        return json_blob(json_pack("{s:o}", "problems", list), "application/json");
    json_decref(list);
    return NULL;
}

struct blob *problem_page(const char *slug)
{
    for (enum fault fault = FAULT_NONE + 1; fault < FAULT_END; fault++)
        if (!strcmp(fault_rows[fault].slug, slug))
            return json_blob(describe(&fault_rows[fault]), "application/json");
    return NULL;
}
