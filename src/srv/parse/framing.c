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
    memset(head, 0, offsetof(struct head, fields));
    head->method = (struct span){"", 0};
}

void head_add(struct head *head, enum header header, struct span value)
{
    assert(header < HEADER_END && head->count < MOST_FIELDS);
    head->fields[head->count++] = (struct field){header, value};
}

/* The next field of that name behind this one (NULL: the first of all); NULL: there is none. */
static struct field *find_field(struct head *head, struct field *behind, enum header header)
{
    struct field *field = behind ? behind + 1 : head->fields, *end = head->fields + head->count;
    while (field < end && field->header != header)
        field++;
    return field < end ? field : NULL;
}

/* Whether one of the fields of that name lists the word. */
static bool lists(struct head *head, enum header header, const char *word)
{
    struct field *field = NULL;
    while ((field = find_field(head, field, header))) {
        struct span list = field->value, member;
        while (list_next(&list, ',', &member))
            if (span_is_word(member, word))
                return true;
    }
    return false;
}

static bool refuse(struct head *head, enum fault fault, const char *detail)
{
    head->fault = fault;
    head->detail = detail;
    return false;
}

static bool malformed(struct head *head, const char *detail)
{
    return refuse(head, FAULT_INVALID_REQUEST, detail);
}

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

/* ---- the first line -------------------------------------------------------------------------- */

static const char right[] = "the first line must be: method, address, HTTP/1.1";

/* Takes the method of a first line that may not have ended, and checks that it can be HTTP (and not
   TLS), and how long it is. */
static bool begin_line(struct head *head, struct span line)
{
    struct span rest = line, method;
    if (span_cut(&rest, ' ', &method) && rest.at && span_is_token(method))
        head->method = method;
    if (line.length && !is_token_char(*line.at))
        return malformed(head, right);
    return line.length <= LONGEST_URI + 64 || refuse(head, FAULT_URL_TOO_LONG, NULL);
}

static bool read_version(struct head *head, struct span text)
{
    if (text.length != 8 || memcmp(text.at, "HTTP/", 5) != 0 || !is_digit(text.at[5]) ||
        text.at[6] != '.' || !is_digit(text.at[7]))
        return malformed(head, right);
    head->old = text.at[7] == '0';
    return text.at[5] == '1' || refuse(head, FAULT_HTTP_VERSION, NULL);
}

static bool is_uri_char(char c) { return (unsigned char)c > 0x20 && c != 0x7f; }

/* "GET /regions?seed=7 HTTP/1.1" */
static bool read_line(struct head *head, struct span line)
{
    struct span rest = line, method;
    if (!begin_line(head, line))
        return false;
    if (!head->method.length)
        return malformed(head, right);
    span_cut(&rest, ' ', &method);
    span_cut(&rest, ' ', &head->target);
    if (head->target.length > LONGEST_URI)
        return refuse(head, FAULT_URL_TOO_LONG, NULL);
    if (!rest.at || !head->target.length || !span_has_only(head->target, is_uri_char))
        return malformed(head, right);
    return read_version(head, rest);
}

/* ---- the fields ------------------------------------------------------------------------------ */

/* "Content-Length: 12" */
static bool read_field(struct head *head, struct span line)
{
    struct span name, value;
    if (!field_split(line, &name, &value))
        return malformed(head, "a header field must be: name, colon, value without control "
                               "characters");
    enum header header = header_named(name.at, name.length);
    if (header != HEADER_END)
        head_add(head, header, value);
    return true;
}

static bool read_codings(struct head *head)
{
    bool chunked = false, others = false;
    struct field *field = NULL;
    while ((field = find_field(head, field, HEADER_TRANSFER_ENCODING))) {
        struct span list = field->value, coding;
        while (list_next(&list, ',', &coding)) {
            bool before = chunked;
            chunked = span_is_word(coding, "chunked");
            others |= !chunked;
            if (before && chunked)
                return malformed(head, "a body is chunked once");
        }
    }
    if (!chunked)
        return malformed(head, "Transfer-Encoding must end with chunked");
    return !others || refuse(head, FAULT_UNKNOWN_CODING, NULL);
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* How the body is announced (RFC 9112, 6.1 and 6.3). */
static bool conclude_body(struct head *head)
{
    struct field *length = find_field(head, NULL, HEADER_CONTENT_LENGTH);
    bool coded = find_field(head, NULL, HEADER_TRANSFER_ENCODING);
    int64_t bytes = length ? span_number(length->value, INT64_MAX) : 0;
    if (bytes < 0 || (length && find_field(head, length, HEADER_CONTENT_LENGTH)))
        return malformed(head, "there must be one Content-Length, a number");
    head->body.left = (uint64_t)bytes;
    head->body.state = coded ? BODY_CHUNK_SIZE : head->body.left ? BODY_BYTES : BODY_NONE;
    if (coded && length)
        return malformed(head, "Content-Length and Transfer-Encoding contradict each other");
    if (coded && head->old)
        return malformed(head, "HTTP/1.0 knows no Transfer-Encoding");
    return !coded || read_codings(head);
}

/* The authority of an absolute form counts, whatever Host says (RFC 9112, 3.2.2). */
static bool conclude_host(struct head *head)
{
    struct span authority;
    struct field *host = find_field(head, NULL, HEADER_HOST);
    if (host ? find_field(head, host, HEADER_HOST) || !is_authority(host->value) : !head->old)
        return malformed(head, "there must be one Host, a name or an address");
    const char *wrong = read_target(head, &authority);
    if (wrong)
        return malformed(head, wrong);
    if (authority.at && !host)
        head_add(head, HEADER_HOST, authority);
    else if (authority.at)
        host->value = authority;
    return true;
}

static void conclude(struct head *head, size_t length)
{
    if (!conclude_host(head) || !conclude_body(head))
        return;
    head->length = length;
    head->close = lists(head, HEADER_CONNECTION, "close") ||
                  (head->old && !lists(head, HEADER_CONNECTION, "keep-alive"));
    /* bytes after a CONNECT may be meant for the other end of a tunnel */
    head->close |= span_is(head->method, "CONNECT");
    head->expects =
        !head->old && head->body.state != BODY_NONE && lists(head, HEADER_EXPECT, "100-continue");
}

static const char broken_line[] = "a line must end with CR and LF";

/* Lines are judged in their order, each by its end first, so that it does not matter how much of
   the next has come; what they say together, when all have. */
static void read_fields(struct head *head, const char *start, struct span rest)
{
    struct span line;
    for (int fields = 0;; fields++) {
        enum line end = line_next(&rest, &line);
        size_t so_far = (size_t)(rest.at - start) + (end == LINE_OPEN ? rest.length : 0);
        if (so_far > LONGEST_HEAD || fields == MOST_FIELDS - 1) /* one more may be ours */
            refuse(head, FAULT_HEADERS_TOO_LARGE, NULL);
        else if (end == LINE_BROKEN)
            malformed(head, broken_line);
        else if (end == LINE_WHOLE && !line.length)
            conclude(head, so_far);
        else if (end == LINE_WHOLE && read_field(head, line))
            continue;
        return;
    }
}

static void read_head(struct head *head, struct span bytes)
{
    struct span rest = bytes, line;
    for (int lines = 0; lines <= MOST_BLANK_LINES; lines++) {
        enum line end = line_next(&rest, &line);
        if (end == LINE_WHOLE && !line.length)
            continue;
        if (end == LINE_OPEN && !span_is(rest, "\r")) /* that may be an empty line */
            begin_line(head, rest);
        else if (end != LINE_OPEN && read_line(head, line))
            end == LINE_WHOLE ? read_fields(head, bytes.at, rest)
                              : (void)malformed(head, broken_line);
        return;
    }
    malformed(head, "there are too many empty lines before the request");
}

void head_read(struct head *head, struct span bytes)
{
    head_begin(head);
    read_head(head, bytes);
    assert(head->length <= bytes.length && (!head->length || head->fault == FAULT_NONE));
}
