/* framing.c: where requests begin and end, and whether they are fit to be let in. */
#include "framing.h"

#include "lib/number.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

enum { LONGEST_CHUNK_LINE = 256, MOST_DIGITS = 15 };

/* A piece of the head, up to a line's end. */
struct line {
    const char *at;
    size_t length;
};

/* What the fields of a head say about its body. */
struct announced {
    bool length, chunked;
    uint64_t bytes;
};

static struct verdict refuse(enum fault fault, const char *detail)
{
    return (struct verdict){.outcome = FRAMING_REFUSE, .fault = fault, .detail = detail};
}

/* ---- lines ----------------------------------------------------------------------------------- */

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

static struct line trim(struct line line)
{
    while (line.length && (*line.at == ' ' || *line.at == '\t'))
        line.at++, line.length--;
    while (line.length && (line.at[line.length - 1] == ' ' || line.at[line.length - 1] == '\t'))
        line.length--;
    return line;
}

static bool is_word(struct line line, const char *word)
{
    return line.length == strlen(word) && !strncasecmp(line.at, word, line.length);
}

static size_t count(struct line line, char c)
{
    size_t n = 0;
    for (size_t i = 0; i < line.length; i++)
        n += line.at[i] == c;
    return n;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_token(const char *at, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char c = at[i], lower = (char)(c | 0x20);
        if ((lower < 'a' || lower > 'z') && c != '-' && !is_digit(c) &&
            (!c || !strchr("!#$%&'*+.^_`|~", c)))
            return false;
    }
    return length > 0;
}

/* ---- the first line -------------------------------------------------------------------------- */

static struct verdict judge_version(const char *at, size_t length)
{
    if (length != 8 || memcmp(at, "HTTP/", 5) != 0 || !is_digit(at[5]) || at[6] != '.' ||
        !is_digit(at[7]))
        return refuse(FAULT_INVALID_REQUEST, "the first line must be: method, address, HTTP/1.1");
    return at[5] == '1' ? (struct verdict){.outcome = FRAMING_PASS}
                        : refuse(FAULT_HTTP_VERSION, NULL);
}

/* What can be said of a first line before it ends. What stands behind the limit is not looked at:
   the verdict must not depend on how much has come. */
static struct verdict judge_beginning(struct line line, const char *detail)
{
    bool long_line = line.length > LONGEST_URI + FIELD_COST;
    size_t n = long_line ? LONGEST_URI + FIELD_COST + 1 : line.length;
    const char *space = memchr(line.at, ' ', n);
    if (!is_token(line.at, space ? (size_t)(space - line.at) : n))
        return refuse(FAULT_INVALID_REQUEST, detail);
    if (long_line)
        return refuse(FAULT_URL_TOO_LONG, NULL);
    return (struct verdict){.outcome = FRAMING_WAIT};
}

/* One that has not ended yet: what speaks no HTTP at all need not be waited for. */
static struct verdict judge_start(struct line start)
{
    start.length -= start.length && start.at[start.length - 1] == '\r'; /* perhaps of its end */
    return start.length ? judge_beginning(start, "this is no HTTP")
                        : (struct verdict){.outcome = FRAMING_WAIT};
}

/* "GET /regions?seed=7 HTTP/1.1" */
static struct verdict judge_line(struct line line)
{
    static const char right[] = "the first line must be: method, address, HTTP/1.1";
    struct verdict beginning = judge_beginning(line, right);
    const char *target = memchr(line.at, ' ', line.length);
    if (beginning.outcome == FRAMING_REFUSE)
        return beginning;
    if (!target)
        return refuse(FAULT_INVALID_REQUEST, right);
    size_t left = line.length - (size_t)(++target - line.at);
    const char *end = memchr(target, ' ', left);
    size_t uri = end ? (size_t)(end - target) : left;
    if (uri > LONGEST_URI)
        return refuse(FAULT_URL_TOO_LONG, NULL);
    if (!uri || !end || memchr(target, '\0', uri))
        return refuse(FAULT_INVALID_REQUEST, right);
    return judge_version(end + 1, left - uri - 1);
}

/* ---- the fields ------------------------------------------------------------------------------ */

/* A number that no body ever has is as good as any other that is too large. */
static struct verdict judge_length(struct line value, struct announced *announced)
{
    if (!value.length || announced->length)
        return refuse(FAULT_INVALID_REQUEST, "there must be one Content-Length, and a number");
    for (size_t i = 0; i < value.length; i++) {
        if (!is_digit(value.at[i]))
            return refuse(FAULT_INVALID_REQUEST, "Content-Length must be a number");
        announced->bytes = announced->bytes * 10 + (uint64_t)(value.at[i] - '0');
    }
    announced->length = true;
    return value.length > 18 ? refuse(FAULT_BODY_TOO_LARGE, NULL)
                             : (struct verdict){.outcome = FRAMING_PASS};
}

static struct verdict judge_coding(struct line value, struct announced *announced)
{
    if (!is_word(value, "chunked") || announced->chunked)
        return refuse(FAULT_INVALID_REQUEST, "Transfer-Encoding must be chunked");
    announced->chunked = true;
    return (struct verdict){.outcome = FRAMING_PASS};
}

/* "Content-Length: 12" */
static struct verdict judge_field(struct line line, struct announced *announced)
{
    const char *colon = memchr(line.at, ':', line.length);
    struct line name = {line.at, colon ? (size_t)(colon - line.at) : 0};
    if (!is_token(name.at, name.length))
        return refuse(FAULT_INVALID_REQUEST, "a header field must be: name, colon, value");
    struct line value = trim((struct line){colon + 1, line.length - name.length - 1});
    if (memchr(value.at, '\0', value.length) || memchr(value.at, '\r', value.length))
        return refuse(FAULT_INVALID_REQUEST, "a header field holds a control character");
    if (is_word(name, "Content-Length"))
        return judge_length(value, announced);
    if (is_word(name, "Transfer-Encoding"))
        return judge_coding(value, announced);
    return (struct verdict){.outcome = FRAMING_PASS};
}

/* The part of a head that has come must not cost too much to hold. */
static struct verdict judge_size(struct line first, size_t parameters, size_t fields, size_t length)
{
    if (length + FIELD_COST * (fields + parameters) <= LONGEST_HEAD)
        return (struct verdict){.outcome = FRAMING_WAIT};
    bool line = first.length + FIELD_COST * parameters > LONGEST_HEAD / 2;
    return refuse(line ? FAULT_URL_TOO_LONG : FAULT_HEADERS_TOO_LARGE, NULL);
}

static struct verdict pass(const struct announced *announced, size_t length)
{
    assert(!announced->bytes || announced->length);
    struct verdict verdict = {
        .outcome = FRAMING_PASS, .length = length, .body.left = announced->bytes};
    if (announced->length && announced->chunked)
        return refuse(FAULT_INVALID_REQUEST,
                      "Content-Length and Transfer-Encoding contradict each other");
    verdict.body.state = announced->chunked ? BODY_CHUNK_SIZE
                         : announced->bytes ? BODY_BYTES
                                            : BODY_NONE;
    return verdict;
}

static struct verdict judge_head(const char *head, size_t length)
{
    struct line rest = {head, length}, first = {head, 0}, line;
    do { /* empty lines before a request are let pass */
        if (!next_line(&rest, &first))
            return judge_start(rest);
    } while (!first.length);
    struct verdict verdict = judge_line(first);
    struct announced announced = {0};
    size_t parameters = count(first, '&'), fields = 0;
    while (verdict.outcome == FRAMING_PASS && next_line(&rest, &line)) {
        size_t so_far = (size_t)(rest.at - head);
        struct verdict size = judge_size(first, parameters, ++fields, so_far);
        if (size.outcome == FRAMING_REFUSE)
            return size;
        if (!line.length)
            return pass(&announced, so_far);
        verdict = judge_field(line, &announced);
    }
    return verdict.outcome == FRAMING_PASS ? judge_size(first, parameters, fields, length)
                                           : verdict;
}

struct verdict framing_judge(const char *head, size_t length)
{
    struct verdict verdict = judge_head(head, length);
    assert((verdict.outcome == FRAMING_REFUSE) == (verdict.fault != FAULT_NONE));
    assert(verdict.outcome != FRAMING_PASS || (verdict.length && verdict.length <= length));
    verdict.bare = length >= 5 && !memcmp(head, "HEAD ", 5);
    return verdict;
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static void begin_line(struct body *body, enum body_state state)
{
    body->state = state;
    body->digits = 0;
    body->cr = false;
}

/* A line of the framing has ended; false when it may not. */
static bool end_line(struct body *body)
{
    if (body->state == BODY_CHUNK_SIZE && !body->digits)
        return false;
    if (body->state == BODY_CHUNK_END)
        begin_line(body, BODY_CHUNK_SIZE);
    else if (body->state == BODY_TRAILER)
        begin_line(body, body->digits ? BODY_TRAILER : BODY_NONE);
    else
        begin_line(body, body->left ? BODY_CHUNK_BYTES : BODY_TRAILER);
    return true;
}

/* A byte of the framing; false when it cannot stand there. */
static bool take_byte(struct body *body, char c)
{
    if (body->cr || c == '\n')
        return body->cr && c == '\n' && end_line(body);
    body->cr = c == '\r';
    if (body->cr)
        return true;
    int digit = mw_hex_digit(c);
    if (body->state == BODY_CHUNK_SIZE && digit >= 0) {
        body->left = body->left * 16 + (unsigned)digit;
        return ++body->digits <= MOST_DIGITS;
    }
    if (body->state == BODY_CHUNK_SIZE && body->digits && (c == ';' || c == ' ' || c == '\t'))
        begin_line(body, BODY_CHUNK_EXTENSION);
    return body->state != BODY_CHUNK_SIZE && body->state != BODY_CHUNK_END &&
           ++body->digits <= LONGEST_CHUNK_LINE;
}

static size_t take_bytes(struct body *body, size_t length)
{
    assert(length && body->left);
    size_t n = length < body->left ? length : (size_t)body->left;
    body->left -= n;
    if (!body->left)
        begin_line(body, body->state == BODY_BYTES ? BODY_NONE : BODY_CHUNK_END);
    return n;
}

size_t framing_follow(struct body *body, const char *bytes, size_t length, bool *malformed)
{
    size_t taken = 0;
    *malformed = false;
    while (taken < length && body->state != BODY_NONE && !*malformed) {
        if (body->state == BODY_BYTES || body->state == BODY_CHUNK_BYTES)
            taken += take_bytes(body, length - taken);
        else if (take_byte(body, bytes[taken]))
            taken++;
        else
            *malformed = true;
    }
    assert(taken == length || *malformed || body->state == BODY_NONE);
    return taken;
}
