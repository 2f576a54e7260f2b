/* problem.c: what went wrong, as the client gets it. */
#include "problem.h"

#include "srv/base/strbuf.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const char media[] = "application/problem+json";

/* ---- bodies ---------------------------------------------------------------------------------- */

/* Pieces, not formats: the more is refused, the less a refusal may cost. */
static void add_string(struct strbuf *text, const char *name, const char *value)
{
    strbuf_char(text, '"');
    strbuf_add(text, name);
    strbuf_add(text, "\": ");
    strbuf_json(text, value, strlen(value));
}

/* One problem speaks for itself; of several, the body lists them. */
static void add_detail(struct strbuf *text, const char *detail, const struct mw_problem *list,
                       size_t count)
{
    char own[MW_POINTER_MAX + MW_DETAIL_MAX];
    if (!detail && count == 1) {
        snprintf(own, sizeof own, "%s%s%s", list->pointer, *list->pointer ? " " : "", list->detail);
        detail = own;
    }
    strbuf_add(text, ", ");
    add_string(text, "detail", detail ? detail : "several things are wrong: see errors");
}

static void add_errors(struct strbuf *text, const struct mw_problem *list, size_t count)
{
    strbuf_add(text, ", \"errors\": [");
    for (size_t i = 0; i < count; i++) {
        strbuf_add(text, i ? ", {" : "{");
        add_string(text, "pointer", list[i].pointer);
        strbuf_add(text, ", ");
        add_string(text, "detail", list[i].detail);
        strbuf_char(text, '}');
    }
    strbuf_char(text, ']');
}

static void add_type(struct strbuf *text, enum fault fault)
{
    const struct fault_row *row = &fault_rows[fault];
    strbuf_add(text, "{\"type\": \"/problems/");
    strbuf_add(text, row->slug);
    strbuf_add(text, "\", ");
    add_string(text, "title", row->title);
    strbuf_format(text, ", \"status\": %u", row->status);
}

static struct blob *no_memory; /* the body for when there is no memory; made at the start */

bool problem_init(void)
{
    static const char words[] =
        "{\"type\": \"/problems/unavailable\", \"title\": \"The server cannot do this now\", "
        "\"status\": 503, \"detail\": \"out of memory\"}\n";
    no_memory = blob_new(words, sizeof words - 1, media);
    return no_memory;
}

void problem_release(void) { blob_drop(no_memory); }

bool problem_is_for_want_of_memory(const struct blob *blob) { return blob == no_memory; }

static struct blob *or_no_memory(struct blob *blob) { return blob ? blob : blob_ref(no_memory); }

struct blob *problem_body(enum fault fault, const char *detail, const char *instance,
                          const struct mw_problem *list, size_t count)
{
    assert(fault > FAULT_NONE && fault < FAULT_END);
    struct strbuf text = {0};
    add_type(&text, fault);
    add_detail(&text, detail ? detail : count ? NULL : fault_rows[fault].meaning, list, count);
    if (instance) {
        strbuf_add(&text, ", ");
        add_string(&text, "instance", instance);
    }
    if (count)
        add_errors(&text, list, count);
    strbuf_add(&text, "}\n");
    return or_no_memory(strbuf_blob(&text, media));
}

/* ---- the same for people --------------------------------------------------------------------- */

/* What a client wrote may come back: nothing in it shall steer a terminal. */
static void add_plain(struct strbuf *text, const char *line)
{
    for (const unsigned char *at = (const unsigned char *)line; *at; at++) {
        bool steers = *at < 0x20 || *at == 0x7f || (*at == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0);
        strbuf_char(text, steers ? '?' : (char)*at);
        at += steers && *at == 0xc2;
    }
}

/* "/width" as `width: ` */
static void add_pointer(struct strbuf *text, const char *pointer)
{
    if (!*pointer)
        return;
    add_plain(text, pointer + 1);
    strbuf_add(text, ": ");
}

struct blob *problem_text(enum fault fault, const char *detail, const struct mw_problem *list,
                          size_t count)
{
    struct strbuf text = {0};
    const struct fault_row *row = &fault_rows[fault];
    strbuf_format(&text, "%u %s\n", row->status, row->title);
    if (detail || !count) {
        add_plain(&text, detail ? detail : row->meaning);
        strbuf_char(&text, '\n');
    }
    for (size_t i = 0; i < count; i++) {
        add_pointer(&text, list[i].pointer);
        add_plain(&text, list[i].detail);
        strbuf_char(&text, '\n');
    }
    return or_no_memory(strbuf_blob(&text, "text/plain; charset=utf-8"));
}

/* ---- pages ----------------------------------------------------------------------------------- */

static void add_page(struct strbuf *text, enum fault fault)
{
    add_type(text, fault);
    strbuf_add(text, ", ");
    add_string(text, "meaning", fault_rows[fault].meaning);
    strbuf_char(text, '}');
}

struct blob *problem_list(void)
{
    struct strbuf text = {0};
    for (enum fault fault = FAULT_NONE + 1; fault < FAULT_END; fault++) {
        strbuf_add(&text, fault > FAULT_NONE + 1 ? ",\n " : "{\"problems\": [\n ");
        add_page(&text, fault);
    }
    strbuf_add(&text, "\n]}\n");
    return strbuf_blob(&text, "application/json");
}

struct blob *problem_page(const char *slug)
{
    struct strbuf text = {0};
    for (enum fault fault = FAULT_NONE + 1; fault < FAULT_END; fault++)
        if (!strcmp(fault_rows[fault].slug, slug)) {
            add_page(&text, fault);
            strbuf_char(&text, '\n');
            return strbuf_blob(&text, "application/json");
        }
    return NULL;
}
