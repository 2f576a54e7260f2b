/*
 * service.c: any bytes as requests to the whole service, as they would come in through a socket:
 * heads, bodies, all endpoints, maps up to a million cells; answers must be whole and sane.
 *
 * The first byte says how it is asked: method, and how the body is framed. Then come lines: the
 * address; header fields; an empty line; the body. It is asked twice on one connection, as a client
 * does that keeps it, then once more by who has the tag.
 */
#include "inside.h"

#include <jansson.h>
#include <stdarg.h>

enum { LONGEST_LINE = 8000, LONGEST_REQUEST = 64 * 1024, MOST_LINES = 12 };

static const char *const methods[] = {"GET",  "GET",     "GET",    "HEAD",
                                      "POST", "OPTIONS", "DELETE", "QUERY"};

struct request {
    const char *method;
    char text[LONGEST_REQUEST];
    size_t length;
};

static struct request request;

/* ---- the bytes as a request ------------------------------------------------------------------ */

/* Takes a line off, of characters that may stand in a field; false at the end of all. */
static bool take_line(const char **at, const char *end, char *line, size_t room)
{
    if (*at == end)
        return false;
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    size_t n = 0;
    for (const char *c = *at; c < (stop ? stop : end); c++)
        if ((unsigned char)*c >= 0x20 && *c != 0x7f && n + 1 < room)
            line[n++] = *c;
    line[n] = '\0';
    *at = stop ? stop + 1 : end;
    return true;
}

static void add(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void add(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    size_t room = sizeof request.text - request.length;
    int n = vsnprintf(request.text + request.length, room, format, list);
    va_end(list);
    MUST(n >= 0 && (size_t)n < room);
    request.length += (size_t)n;
}

static void add_bytes(const char *bytes, size_t length)
{
    MUST(length < sizeof request.text - request.length);
    memcpy(request.text + request.length, bytes, length);
    request.length += length;
}

static void add_body(const char *body, size_t length, bool chunked)
{
    if (!chunked) {
        add("Content-Length: %zu\r\n\r\n", length);
        add_bytes(body, length);
        return;
    }
    add("Transfer-Encoding: chunked\r\n\r\n");
    for (size_t n; length; body += n, length -= n) {
        n = length < 100 ? length : 100;
        add("%zx;x=y\r\n", n);
        add_bytes(body, n);
        add("\r\n");
    }
    add("0\r\n\r\n");
}

static bool build(const uint8_t *bytes, size_t size, const char *tag)
{
    const char *at = (const char *)bytes + 1, *end = (const char *)bytes + size;
    char line[LONGEST_LINE + 1];
    request.method = methods[bytes[0] & 7];
    request.length = 0;
    if (!take_line(&at, end, line, sizeof line) || strchr(line, ' '))
        return false;
    add("%s /%s HTTP/1.1\r\nHost: x\r\n", request.method, line + (*line == '/'));
    for (int n = 0; take_line(&at, end, line, sizeof line) && *line && n < MOST_LINES; n++) {
        enum header header = header_named(line, strcspn(line, ":"));
        bool ours = header == HEADER_CONTENT_LENGTH || header == HEADER_TRANSFER_ENCODING ||
                    header == HEADER_HOST || header == HEADER_CONNECTION;
        if (!ours && !(tag && header == HEADER_IF_NONE_MATCH))
            add("%.400s\r\n", line);
    }
    if (tag)
        add("If-None-Match: %s\r\n", tag);
    size_t length = (size_t)(end - at);
    add_body(at, length < 30000 ? length : 30000, bytes[0] & 8);
    return true;
}

/* ---- judging --------------------------------------------------------------------------------- */

static const char *field(const struct answer *answer, const char *name)
{
    static char value[9000];
    size_t n;
    int count;
    const char *found = find_field(answer, name, &n, &count);
    MUST(count <= 1 || !strcasecmp(name, "Vary"));
    if (!found)
        return NULL;
    MUST(n < sizeof value);
    for (size_t i = 0; i < n; i++)
        MUST((unsigned char)found[i] >= 0x20 && found[i] != 0x7f);
    memcpy(value, found, n);
    value[n] = '\0';
    return value;
}

static bool is(const struct answer *answer, const char *name, const char *value)
{
    const char *has = field(answer, name);
    return has && !strcmp(has, value);
}

static void judge_problem(const struct answer *answer)
{
    if (!answer->length)
        return;
    MUST(is(answer, "Content-Type", "application/problem+json"));
    bool lasts = is(answer, "Cache-Control", "public, max-age=86400");
    MUST(lasts ? answer->status == 400 || answer->status == 422
               : is(answer, "Cache-Control", "no-store"));
    const char *again = field(answer, "Retry-After"); /* what was late may be tried again, or not */
    MUST(answer->status == 503 ? again != NULL : !(lasts && again));
    json_t *json = json_loadb(answer->body, answer->length, 0, NULL);
    MUST(json && json_integer_value(json_object_get(json, "status")) == (int)answer->status);
    MUST(json_string_length(json_object_get(json, "detail")) > 0);
    const char *instance = json_string_value(json_object_get(json, "instance"));
    MUST(lasts ? !instance : is(answer, "X-Request-Id", instance));
    json_decref(json);
}

static void judge(const struct answer *answer)
{
    MUST(field(answer, "X-Request-Id") && field(answer, "Date"));
    MUST(is(answer, "Access-Control-Allow-Origin", "*"));
    MUST(is(answer, "X-Content-Type-Options", "nosniff"));
    if (answer->status >= 400)
        judge_problem(answer);
    else
        MUST(answer->status == 200 || answer->status == 202 || answer->status == 204 ||
             answer->status == 304);
    MUST(answer->status != 200 || field(answer, "Content-Type"));
}

static bool is_head(int i) { return i >= 0 && !strcmp(request.method, "HEAD"); }

/* Whether this is a map that will be the same for ever, and is in the cache: one that is too large
   for it would be made again, and may be late then. */
static bool is_lasting(const struct answer *answer)
{
    const char *cache = field(answer, "Cache-Control");
    return answer->status == 200 && cache && strstr(cache, "max-age") && answer->length < CACHE / 8;
}

static void ask_with_tag(const uint8_t *bytes, size_t size, const struct answer *before)
{
    static struct answers answers;
    char tag[100];
    const char *has = field(before, "ETag");
    MUST(has && strlen(has) < sizeof tag);
    strcpy(tag, has);
    if (!build(bytes, size, tag))
        return;
    inside_talk(request.text, request.length, in_whole, 1, is_head, &answers);
    MUST(answers.count == 1);
    judge(&answers.list[0]);
    unsigned status = answers.list[0].status;
    MUST(status == (strcmp(request.method, "POST") ? 304 : 412));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static bool started;
    static struct answers answers;
    if (!started)
        inside_start(64 << 20, 500);
    started = true;
    if (!size || !build(bytes, size, NULL))
        return 0;
    size_t once = request.length;
    add_bytes(request.text, once < sizeof request.text / 2 ? once : 0);
    int count = request.length > once ? 2 : 1;
    inside_chance = 77u << 22;
    inside_talk(request.text, request.length, bytes[0] & 16 ? at_random : in_whole, count, is_head,
                &answers);
    MUST(answers.count >= 1 && answers.count <= count);
    for (int i = 0; i < answers.count; i++)
        judge(&answers.list[i]);
    const struct answer *one = &answers.list[0], *two = &answers.list[1];
    if (!is_lasting(one))
        return 0;
    MUST(answers.count == count);
    if (count == 2)
        MUST(two->status == 200 && one->length == two->length &&
             !memcmp(one->body, two->body, one->length));
    ask_with_tag(bytes, size, one);
    return 0;
}
