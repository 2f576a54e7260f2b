/* framing.c: the heads of requests. */
#include "framing.h"

#include <assert.h>
#include <ctype.h>
#include <strings.h>

/* ---- heads ----------------------------------------------------------------------------------- */

static const struct span names[HEADER_END] = {
#define ROW(name, spelling) {spelling, sizeof(spelling) - 1},
    HEADERS(ROW)
#undef ROW
};

/* Ignores case; HEADER_END: the service does not read it. */
static enum header header_named(const char *name, size_t length)
{
    int header = 0;
    while (header < HEADER_END &&
           (names[header].length != length || strncasecmp(names[header].at, name, length) != 0))
        header++;
    return (enum header)header;
}

void head_begin(struct head *head)
{
    head->method = (struct span){"", 0};
    head->target = (struct span){NULL, 0};
    head->count = 0;
}

void head_add(struct head *head, enum header header, struct span value)
{
    assert(header < HEADER_END && head->count < MOST_FIELDS);
    head->fields[head->count++] = (struct field){header, value};
}

/* The first of them; the number of fields: there is none. */
static int find_field(const struct head *head, enum header header)
{
    int i = 0;
    while (i < head->count && head->fields[i].header != header)
        i++;
    return i;
}

static bool head_has(const struct head *head, enum header header)
{
    return find_field(head, header) < head->count;
}

/* In place of that which is there, if there is one. */
static void set_host(struct head *head, struct span host)
{
    int i = find_field(head, HEADER_HOST);
    if (i == head->count)
        head_add(head, HEADER_HOST, host);
    head->fields[i].value = host;
}

/* The state of parsing a head. */
struct head_reading {
    struct head *head;
    struct verdict verdict;
    bool chunked, other_coding; /* the last coding of the body; any but that */
    bool keep_alive;
};

static bool refuse(struct head_reading *reading, enum fault fault, const char *detail)
{
    reading->verdict.outcome = FRAMING_REFUSE;
    reading->verdict.fault = fault;
    reading->verdict.detail = detail;
    return false;
}

static bool malformed(struct head_reading *reading, const char *detail)
{
    return refuse(reading, FAULT_INVALID_REQUEST, detail);
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool has_only(struct span text, bool (*allowed)(char))
{
    bool good = true;
    for (size_t i = 0; i < text.length; i++)
        good &= allowed(text.at[i]);
    return good;
}

static bool is_token(struct span text) { return text.length && has_only(text, is_token_char); }

/* ---- authorities (RFC 3986, 3.2.2) ----------------------------------------------------------- */

/* How many of its first characters are letters, digits or these. */
static size_t count_chars(struct span text, const char *others)
{
    size_t n = 0;
    while (n < text.length && text.at[n] &&
           (isalnum((unsigned char)text.at[n]) || strchr(others, text.at[n])))
        n++;
    return n;
}

/* The length of "name", "192.0.2.1" or "[2001:db8::1]"; a port may follow. */
static size_t host_length(struct span text)
{
    if (!text.length || *text.at != '[')
        return count_chars(text, "-._~%!$&'()*+,;=");
    size_t n = 1 + count_chars((struct span){text.at + 1, text.length - 1}, ":.-_~");
    return n > 1 && n < text.length && text.at[n] == ']' ? n + 1 : 0;
}

/* Whether this may be the value of Host: a name or an address, perhaps with a port; or nothing. */
static bool is_authority(struct span text)
{
    size_t n = host_length(text);
    if (n == text.length)
        return true;
    if (text.at[n] != ':')
        return false;
    for (n++; n < text.length && is_digit(text.at[n]);)
        n++;
    return n == text.length;
}

/* ---- the four forms of a target (RFC 9112, 3.2) ---------------------------------------------- */

static bool begins(struct span text, const char *with)
{
    return text.length >= strlen(with) && !strncasecmp(text.at, with, strlen(with));
}

static const char *read_absolute(struct head *head, size_t scheme, struct span *authority)
{
    struct span rest = {head->target.at + scheme, head->target.length - scheme};
    size_t n = 0;
    while (n < rest.length && !strchr("/?#", rest.at[n]))
        n++;
    *authority = (struct span){rest.at, n};
    head->target = (struct span){rest.at + n, rest.length - n};
    assert(authority->length + head->target.length == rest.length);
    if (!n || *rest.at == ':' || !is_authority(*authority))
        return "the address must name its host: http://host/path";
    return NULL;
}

/* "host:80": the method is refused later, like any other that does not work here. */
static const char *read_authority(struct head *head)
{
    struct span text = head->target;
    if (!text.length || !is_authority(text) || !memchr(text.at, ':', text.length))
        return "CONNECT takes host:port";
    head->target.length = 0;
    return NULL;
}

/* Reduces an absolute target to its path and query. *authority is its authority, which replaces
   Host; .at NULL: it has none. NULL, or what is wrong. */
static const char *read_target(struct head *head, struct span *authority)
{
    *authority = (struct span){NULL, 0};
    if (memchr(head->target.at, '#', head->target.length))
        return "the address must end before a fragment: # in a value is written %23";
    if (span_is(head->method, "CONNECT"))
        return read_authority(head);
    if (begins(head->target, "/") ||
        (span_is(head->target, "*") && span_is(head->method, "OPTIONS")))
        return NULL;
    if (begins(head->target, "http://"))
        return read_absolute(head, 7, authority);
    if (begins(head->target, "https://"))
        return read_absolute(head, 8, authority);
    return "the address must begin with /, http:// or https://";
}

/* ---- lines ----------------------------------------------------------------------------------- */

enum line { LINE_WHOLE, LINE_OPEN, LINE_BROKEN };

/* Takes the next line, without its end. A line feed alone does not end a line: parsers that accept
   it would see another request (RFC 9112, 2.2, allows both). */
static enum line next_line(struct span *rest, struct span *line)
{
    const char *end = memchr(rest->at, '\n', rest->length);
    if (!end)
        return LINE_OPEN;
    size_t length = (size_t)(end - rest->at);
    bool whole = length && end[-1] == '\r';
    *line = (struct span){rest->at, length - whole};
    rest->at += length + 1;
    rest->length -= length + 1;
    return whole ? LINE_WHOLE : LINE_BROKEN;
}

static const char broken_line[] = "a line must end with CR and LF";

/* ---- the first line -------------------------------------------------------------------------- */

static const char right[] = "the first line must be: method, address, HTTP/1.1";

/* Checks a first line that may not have ended. Bytes beyond the limit are ignored, so that the
   verdict does not depend on how much has arrived. */
static bool read_method(struct head_reading *reading, struct span line, const char *detail)
{
    size_t most = LONGEST_URI + 64, n = line.length < most ? line.length : most;
    const char *space = memchr(line.at, ' ', n);
    struct span method = {line.at, space ? (size_t)(space - line.at) : n};
    if (!is_token(method))
        return malformed(reading, detail);
    if (space)
        reading->head->method = method;
    return line.length <= most || refuse(reading, FAULT_URL_TOO_LONG, NULL);
}

/* Rejects a line that has not ended yet, if it cannot be HTTP. */
static void read_start(struct head_reading *reading, struct span start)
{
    start.length -= start.length && start.at[start.length - 1] == '\r'; /* perhaps of its end */
    if (start.length)
        read_method(reading, start, "this is no HTTP");
}

static bool read_version(struct head_reading *reading, struct span text)
{
    if (text.length != 8 || memcmp(text.at, "HTTP/", 5) != 0 || !is_digit(text.at[5]) ||
        text.at[6] != '.' || !is_digit(text.at[7]))
        return malformed(reading, right);
    reading->verdict.old = text.at[7] == '0';
    return text.at[5] == '1' || refuse(reading, FAULT_HTTP_VERSION, NULL);
}

static bool is_uri_char(char c) { return (unsigned char)c > 0x20 && c != 0x7f; }

/* "GET /regions?seed=7 HTTP/1.1" */
static bool read_line(struct head_reading *reading, struct span line)
{
    struct head *head = reading->head;
    if (!read_method(reading, line, right))
        return false;
    if (!head->method.length)
        return malformed(reading, right);
    struct span rest = {line.at + head->method.length + 1, line.length - head->method.length - 1};
    const char *end = memchr(rest.at, ' ', rest.length);
    size_t n = end ? (size_t)(end - rest.at) : rest.length;
    head->target = (struct span){rest.at, n};
    if (n > LONGEST_URI)
        return refuse(reading, FAULT_URL_TOO_LONG, NULL);
    if (!end || !n || !has_only(head->target, is_uri_char))
        return malformed(reading, right);
    return read_version(reading, (struct span){end + 1, rest.length - n - 1});
}

/* ---- the fields ------------------------------------------------------------------------------ */

static bool read_length(struct head_reading *reading, struct span value)
{
    uint64_t *bytes = &reading->verdict.body.left;
    for (size_t i = 0; i < value.length; i++) {
        if (!is_digit(value.at[i]))
            return malformed(reading, "Content-Length must be a number");
        /* numbers this large are all too large for a body */
        *bytes = *bytes > UINT64_MAX / 16 ? *bytes : *bytes * 10 + (uint64_t)(value.at[i] - '0');
    }
    return value.length > 0 || malformed(reading, "Content-Length must be a number");
}

static bool read_codings(struct head_reading *reading, struct span list)
{
    struct span coding;
    while (list_next(&list, ',', &coding)) {
        bool chunked = span_is_word(coding, "chunked");
        if (chunked && reading->chunked)
            return malformed(reading, "a body is chunked once");
        reading->chunked = chunked;
        reading->other_coding |= !chunked;
    }
    return true;
}

static void read_options(struct head_reading *reading, struct span list)
{
    struct span option;
    while (list_next(&list, ',', &option)) {
        reading->verdict.close |= span_is_word(option, "close");
        reading->keep_alive |= span_is_word(option, "keep-alive");
    }
}

/* Evaluates the fields that frame the request. */
static bool read_value(struct head_reading *reading, enum header header, struct span value)
{
    bool first = !head_has(reading->head, header);
    if (header == HEADER_HOST)
        return (first && is_authority(value)) ||
               malformed(reading, "there must be one Host, a name or an address");
    if (header == HEADER_CONTENT_LENGTH)
        return first ? read_length(reading, value)
                     : malformed(reading, "there must be one Content-Length");
    if (header == HEADER_TRANSFER_ENCODING)
        return read_codings(reading, value);
    if (header == HEADER_CONNECTION)
        read_options(reading, value);
    else if (header == HEADER_EXPECT)
        reading->verdict.expects |= span_is_word(value, "100-continue");
    return true;
}

/* "Content-Length: 12" */
static bool read_field(struct head_reading *reading, struct span line)
{
    const char *colon = memchr(line.at, ':', line.length);
    struct span name = {line.at, colon ? (size_t)(colon - line.at) : 0};
    if (!is_token(name))
        return malformed(reading, "a header field must be: name, colon, value");
    struct span value = span_trim((struct span){colon + 1, line.length - name.length - 1});
    if (!has_only(value, is_value_char))
        return malformed(reading, "a header field holds a control character");
    enum header header = header_named(name.at, name.length);
    if (header == HEADER_END)
        return true;
    if (!read_value(reading, header, value))
        return false;
    head_add(reading->head, header, value);
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* How the body is announced (RFC 9112, 6.1 and 6.3). */
static bool conclude_body(struct head_reading *reading)
{
    struct verdict *verdict = &reading->verdict;
    bool coded = head_has(reading->head, HEADER_TRANSFER_ENCODING);
    verdict->body.state = coded ? BODY_CHUNK_SIZE : verdict->body.left ? BODY_BYTES : BODY_NONE;
    if (!coded)
        return true;
    if (head_has(reading->head, HEADER_CONTENT_LENGTH))
        return malformed(reading, "Content-Length and Transfer-Encoding contradict each other");
    if (verdict->old)
        return malformed(reading, "HTTP/1.0 knows no Transfer-Encoding");
    if (!reading->chunked)
        return malformed(reading, "Transfer-Encoding must end with chunked");
    return !reading->other_coding || refuse(reading, FAULT_UNKNOWN_CODING, NULL);
}

/* The authority of an absolute form counts, whatever Host says (RFC 9112, 3.2.2). */
static bool conclude_host(struct head_reading *reading)
{
    struct span authority;
    if (!head_has(reading->head, HEADER_HOST) && !reading->verdict.old)
        return malformed(reading, "there must be one Host, a name or an address");
    const char *wrong = read_target(reading->head, &authority);
    if (wrong)
        return malformed(reading, wrong);
    if (!authority.at)
        return true;
    set_host(reading->head, authority);
    return true;
}

static void conclude(struct head_reading *reading, size_t length)
{
    struct verdict *verdict = &reading->verdict;
    if (!conclude_host(reading) || !conclude_body(reading))
        return;
    verdict->outcome = FRAMING_PASS;
    verdict->length = length;
    verdict->close |= verdict->old && !reading->keep_alive;
    /* bytes after a CONNECT may be meant for the other end of a tunnel */
    verdict->close |= span_is_word(reading->head->method, "CONNECT");
    verdict->expects &= !verdict->old && verdict->body.state != BODY_NONE;
}

/* Lines are judged in their order, each by its end first, so that it does not matter how much of
   the next has come. */
static void read_fields(struct head_reading *reading, const char *head, struct span rest)
{
    struct span line;
    for (int fields = 0;; fields++) {
        enum line end = next_line(&rest, &line);
        size_t so_far = (size_t)(rest.at - head) + (end == LINE_OPEN ? rest.length : 0);
        if (so_far > LONGEST_HEAD || fields == MOST_FIELDS - 1) /* one more may be ours */
            refuse(reading, FAULT_HEADERS_TOO_LARGE, NULL);
        else if (end == LINE_BROKEN)
            malformed(reading, broken_line);
        else if (end == LINE_WHOLE && !line.length)
            conclude(reading, so_far);
        else if (end == LINE_WHOLE && read_field(reading, line))
            continue;
        return;
    }
}

static void read_head(struct head_reading *reading, const char *bytes, size_t length)
{
    struct span rest = {bytes, length}, line;
    for (int lines = 0; lines <= MOST_BLANK_LINES; lines++) {
        enum line end = next_line(&rest, &line);
        if (end == LINE_WHOLE && !line.length)
            continue;
        if (end == LINE_OPEN)
            read_start(reading, rest);
        else if (read_line(reading, line))
            end == LINE_WHOLE ? read_fields(reading, bytes, rest)
                              : (void)malformed(reading, broken_line);
        return;
    }
    malformed(reading, "there are too many empty lines before the request");
}

struct verdict framing_judge(const char *bytes, size_t length, struct head *head)
{
    struct head_reading reading = {.head = head, .verdict.outcome = FRAMING_WAIT};
    head_begin(head);
    read_head(&reading, bytes, length);
    struct verdict *verdict = &reading.verdict;
    verdict->bare = head->method.length == 4 && !memcmp(head->method.at, "HEAD", 4);
    assert((verdict->outcome == FRAMING_REFUSE) == (verdict->fault != FAULT_NONE));
    assert(verdict->outcome != FRAMING_PASS || (verdict->length && verdict->length <= length));
    return *verdict;
}
