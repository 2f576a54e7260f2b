/* gate.c: a look at the head of a request. */
#include "gate.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* A piece of the head, up to a line's end. */
struct line {
    const char *at;
    size_t length;
};

static struct verdict refuse(enum fault fault, const char *detail)
{
    return (struct verdict){GATE_REFUSE, fault, detail};
}

/* Takes the next line off; false when its end has not come. */
static bool next_line(struct line *rest, struct line *line)
{
    const char *end = memchr(rest->at, '\n', rest->length);
    if (!end)
        return false;
    size_t length = (size_t)(end - rest->at);
    *line = (struct line){rest->at, length && end[-1] == '\r' ? length - 1 : length};
    rest->at += length + 1;
    rest->length -= length + 1;
    return true;
}

static size_t count(struct line line, char c)
{
    size_t n = 0;
    for (size_t i = 0; i < line.length; i++)
        n += line.at[i] == c;
    return n;
}

static bool is_token(const char *at, size_t length)
{
    static const char marks[] = "!#$%&'*+-.^_`|~";
    for (size_t i = 0; i < length; i++) {
        char c = at[i], lower = (char)(c | 0x20);
        if (!(lower >= 'a' && lower <= 'z') && !(c >= '0' && c <= '9') && (!c || !strchr(marks, c)))
            return false;
    }
    return length > 0;
}

/* "GET /regions?seed=7 HTTP/1.1" */
static struct verdict judge_line(struct line line)
{
    const char *space = memchr(line.at, ' ', line.length);
    size_t method = space ? (size_t)(space - line.at) : 0;
    const char *target = space ? space + 1 : line.at;
    size_t left = space ? line.length - method - 1 : 0;
    const char *end = memchr(target, ' ', left);
    size_t uri = end ? (size_t)(end - target) : left;
    if (uri > GATE_URI)
        return refuse(FAULT_URL_TOO_LONG, NULL);
    size_t version = end ? left - uri - 1 : 0;
    if (!is_token(line.at, method) || !uri || version != 8 || memcmp(end + 1, "HTTP/", 5) != 0)
        return refuse(FAULT_INVALID_REQUEST, "the first line must be: method, address, HTTP/1.1");
    if (end[6] != '1' || end[7] != '.')
        return refuse(FAULT_HTTP_VERSION, NULL);
    return (struct verdict){.gate = GATE_PASS};
}

static bool is_number(const char *at, size_t length)
{
    while (length && (*at == ' ' || *at == '\t'))
        at++, length--;
    while (length && (at[length - 1] == ' ' || at[length - 1] == '\t'))
        length--;
    for (size_t i = 0; i < length; i++)
        if (at[i] < '0' || at[i] > '9')
            return false;
    return length > 0 && length < 19;
}

/* "Content-Length: 12" */
static struct verdict judge_field(struct line line)
{
    const char *colon = memchr(line.at, ':', line.length);
    size_t name = colon ? (size_t)(colon - line.at) : 0;
    if (!is_token(line.at, name))
        return refuse(FAULT_INVALID_REQUEST, "a header field must be: name, colon, value");
    if (name == 14 && !strncasecmp(line.at, "Content-Length", name) &&
        !is_number(colon + 1, line.length - name - 1))
        return refuse(FAULT_INVALID_REQUEST, "Content-Length must be a number");
    return (struct verdict){.gate = GATE_PASS};
}

/* A head that is no end of, or costs too much to hold. */
static struct verdict judge_size(struct line first, size_t length, size_t fields)
{
    size_t parameters = count(first, '&');
    if (length + GATE_EACH * (fields + parameters) <= GATE_HEAD)
        return (struct verdict){.gate = GATE_WAIT};
    bool line = first.length + GATE_EACH * parameters > GATE_HEAD / 2;
    return refuse(line ? FAULT_URL_TOO_LONG : FAULT_HEADERS_TOO_LARGE, NULL);
}

struct verdict gate_judge(const char *head, size_t length)
{
    struct line rest = {head, length}, first = {head, 0}, line;
    struct verdict verdict;
    do { /* empty lines before a request are let pass */
        if (!next_line(&rest, &first))
            return rest.length > GATE_URI + GATE_EACH ? refuse(FAULT_URL_TOO_LONG, NULL)
                                                      : (struct verdict){.gate = GATE_WAIT};
    } while (!first.length);
    verdict = judge_line(first);
    size_t fields = 0;
    while (verdict.gate == GATE_PASS && next_line(&rest, &line)) {
        struct verdict size = judge_size(first, (size_t)(rest.at - head), ++fields);
        if (size.gate == GATE_REFUSE || !line.length)
            return size.gate == GATE_REFUSE ? size : verdict;
        verdict = judge_field(line);
    }
    return verdict.gate == GATE_PASS ? judge_size(first, length, fields) : verdict;
}
