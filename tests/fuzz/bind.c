/*
 * bind.c: any text as the address of a map, as a query or as the body of a request.
 *
 * If the first byte is a slash, all of it is an address. Else the byte picks the generator, and its
 * highest bit says whether the rest is a query or JSON. What binds must have lists of elements that
 * their fields allow, and an address that binds to itself; what does not, a reason in UTF-8 with a
 * JSON pointer. Whether the bytes are a JSON object is judged by jansson too.
 */
#include "fuzz.h"

#include "mapwright_host.h"

#include <jansson.h>
#include <string.h>

static _Alignas(64) char memory[2][4 << 20];

static struct mw_run *open_block(int i, size_t size)
{
    struct mw_limits limits = {.memory = memory[i], .size = size};
    return mw_open(&limits);
}

/* jansson makes strings of UTF-8 alone. */
static bool is_utf8(const char *text)
{
    json_t *string = json_string(text);
    json_decref(string);
    return string;
}

static void judge_problems(const struct mw_run *run)
{
    const struct mw_problems *problems = mw_problems(run);
    MUST(problems->count > 0 && problems->count <= MW_PROBLEMS_MAX);
    for (size_t i = 0; i < problems->count; i++) {
        const struct mw_problem *p = &problems->list[i];
        MUST(p->fault != MW_OK && p->fault != MW_STOPPED);
        MUST(!p->pointer[0] || p->pointer[0] == '/');
        MUST(is_utf8(p->pointer) && is_utf8(p->detail) && p->detail[0]);
    }
}

static void judge_address(const struct mw_request *request)
{
    struct mw_request again;
    struct mw_run *run = open_block(1, sizeof memory[1]);
    MUST(request->address_length == strlen(request->address));
    MUST(mw_bind_address(run, request->address, request->address_length, &again));
    MUST(!strcmp(request->address, again.address));
}

/* ---- lists ----------------------------------------------------------------------------------- */

static bool allows(const struct mw_field *f, int32_t n) { return n >= f->least && n <= f->most; }

static int32_t judge_rows(const struct mw_field *f, const struct mw_rows *rows)
{
    if (!rows->at)
        return 0;
    MUST(!rows->count || allows(f, rows->width));
    for (int32_t y = 0; y < rows->count; y++) {
        const char *row = rows->at + (size_t)y * ((size_t)rows->width + 1);
        for (int32_t x = 0; x < rows->width; x++)
            MUST(row[x] && strchr(f->alphabet, row[x]));
        MUST(row[rows->width] == (y + 1 < rows->count ? '/' : '\0'));
    }
    return rows->count;
}

static int32_t judge_integers(const struct mw_field *f, const struct mw_ints *integers)
{
    for (int32_t i = 0; integers->at && i < integers->count; i++)
        MUST(allows(f, integers->at[i]));
    return integers->at ? integers->count : 0;
}

static int32_t judge_points(const struct mw_field *f, const struct mw_points *points)
{
    for (int32_t i = 0; points->at && i < points->count; i++)
        MUST(allows(f, points->at[i].x) && allows(f, points->at[i].y));
    return points->at ? points->count : 0;
}

/* A list that was left out, or is read from another map, has no elements yet. */
static void judge_lists(const struct mw_request *request)
{
    for (const struct mw_field *f = request->generator->fields; f->type != MW_END_OF_TABLE; f++) {
        const void *list = (const char *)request->params + f->offset;
        int32_t count = f->type == MW_ROWS       ? judge_rows(f, list)
                        : f->type == MW_INTEGERS ? judge_integers(f, list)
                        : f->type == MW_POINTS   ? judge_points(f, list)
                                                 : 0;
        MUST(!count || (count >= f->least_count && count <= f->most_count));
    }
}

static bool bind_query(struct mw_run *run, const struct mw_generator *generator, const char *text,
                       size_t length, struct mw_request *request)
{
    const struct mw_arg *args;
    size_t count;
    return mw_read_query(run, text, length, &args, &count) &&
           mw_bind(run, generator, args, count, "7", request);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/*
 * Whether the two readers may differ: jansson stops at a NUL, refuses a number that no double can
 * hold, and takes what is nested deeper than the library allows.
 */
static bool may_differ(const struct mw_run *run, const char *text, size_t length)
{
    const struct mw_problems *problems = mw_problems(run);
    bool limited = problems->count && (strstr(problems->list[0].detail, "nested too deep") ||
                                       problems->list[0].fault != MW_BAD_PARAM);
    return limited || memchr(text, '\0', length) || memchr(text, 'e', length) ||
           memchr(text, 'E', length) || length > 300;
}

static bool is_blank(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!memchr(" \t\r\n", text[i], 4))
            return false;
    return true;
}

static bool is_object(const char *text, size_t length)
{
    bool marked = length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3);
    text += marked ? 3 : 0;
    length -= marked ? 3 : 0;
    if (is_blank(text, length))
        return true;
    json_t *json = json_loadb(text, length, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, NULL);
    bool object = json_is_object(json);
    json_decref(json);
    return object;
}

static bool bind_json(struct mw_run *run, const struct mw_generator *generator, const char *text,
                      size_t length, struct mw_request *request)
{
    const struct mw_arg *args = NULL;
    size_t count = 0;
    bool good = mw_read_json(run, text, length, &args, &count);
    MUST(good == is_object(text, length) || may_differ(run, text, length));
    return good && mw_bind(run, generator, args, count, "7", request);
}

static size_t generator_count(void)
{
    size_t n = 0;
    while (mw_generators[n])
        n++;
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!size)
        return 0;
    const char *text = (const char *)bytes;
    struct mw_request request;
    struct mw_run *run = open_block(0, sizeof memory[0]);
    const struct mw_generator *generator = mw_generators[(bytes[0] & 0x7f) % generator_count()];
    bool good = text[0] == '/'    ? mw_bind_address(run, text, size, &request)
                : bytes[0] & 0x80 ? bind_json(run, generator, text + 1, size - 1, &request)
                                  : bind_query(run, generator, text + 1, size - 1, &request);
    MUST(good == (mw_problems(run)->count == 0));
    if (!good) {
        judge_problems(run);
        return 0;
    }
    judge_lists(&request);
    judge_address(&request);
    return 0;
}
