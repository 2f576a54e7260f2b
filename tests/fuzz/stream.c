/*
 * stream.c: pipelined requests, changed in any way, with a marker after each, through the whole
 * service. What must be answered comes from a second reader, which is written from RFC 9112 alone
 * and shares no code with ours.
 *
 * The first byte chooses where the stream is cut, RS (0x1e) separates the requests. Answers must be
 * whole, in order, and one for each request; each valid marker is answered once, and nothing after
 * a refusal. The answers are the same however the stream is cut: in one piece, at random, and where
 * a head or a body ends, or one byte before or after.
 */
#include "fuzz.h"

#include "srv/base/clock.h"
#include "srv/net/http.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- the service in this process ------------------------------------------------------------- */

enum {
    LONGEST_STREAM = 1 << 16,
    MOST_ANSWERS = 600,
    MOST_BYTES = 160 << 20,
    PATIENCE_US = 20000000
};

struct answer {
    unsigned status;
    const char *head, *body; /* head: of its first field */
    size_t head_length, length;
};

/* All that came back on one connection. */
struct answers {
    int count, interim; /* these: 100 Continue */
    struct answer list[MOST_ANSWERS];
    size_t length;
    char bytes[MOST_BYTES];
};

static struct service inside;
static struct loop inside_loop;
static struct http inside_http;

static void inside_start(void)
{
    static struct config config = {
        .port = 8080,
        .threads = 1,
        .workers = 1,
        .queue = 100,
        .connections = 8,
        .memory = 4 << 20,
        .deadline_ms = 50,
        .cache_bytes = 64 << 20,
        .output_bytes = 64 << 20,
        .max_body = 20000,
        .wait_ms = 60000,
        .header_ms = 60000,
        .body_ms = 60000,
        .send_ms = 60000,
        .idle_ms = 60000,
        .drain_ms = 60000,
    };
    const char *what;
    signal(SIGPIPE, SIG_IGN);
    MUST(service_init(&inside, &config, &what) && loop_init(&inside_loop));
    MUST(http_open(&inside_http, &inside_loop, &inside, 8, false));
}

static void inside_turn(int most_ms)
{
    loop_wait(&inside_loop, http_sleep_ms(&inside_http, most_ms));
    http_run(&inside_http);
}

/* Where the value of a field begins, if it is there once; else NULL, with *n how often. */
static const char *find_field(const struct answer *answer, const char *name, size_t *length, int *n)
{
    const char *found = NULL, *end = answer->head + answer->head_length;
    *n = 0;
    for (const char *at = answer->head; at < end;) {
        const char *stop = memchr(at, '\r', (size_t)(end - at));
        MUST(stop);
        size_t name_length = strlen(name);
        if (!strncasecmp(at, name, name_length) && at[name_length] == ':') {
            found = at + name_length + 2;
            *length = (size_t)(stop - found);
            ++*n;
        }
        at = stop + 2;
    }
    return *n == 1 ? found : NULL;
}

static size_t content_length(const struct answer *answer)
{
    size_t n, value = 0;
    int count;
    const char *text = find_field(answer, "Content-Length", &n, &count);
    MUST(count <= 1);
    for (size_t i = 0; text && i < n; i++)
        value = value * 10 + (size_t)(text[i] - '0');
    return value;
}

/* Takes whole answers off what has come; `is_head(i)` says whether the i-th has no body. */
static void take_answers(struct answers *answers, size_t *at, bool (*is_head)(int i))
{
    for (;;) {
        const char *start = answers->bytes + *at;
        size_t left = answers->length - *at;
        const char *end = memmem(start, left, "\r\n\r\n", 4);
        if (!end)
            return;
        MUST(!memcmp(start, "HTTP/1.1 ", 9) && answers->count < MOST_ANSWERS);
        struct answer answer = {.status = (unsigned)strtoul(start + 9, NULL, 10)};
        answer.head = (const char *)memchr(start, '\n', left) + 1;
        answer.head_length = (size_t)(end + 2 - answer.head);
        answer.body = end + 4;
        if (answer.status == 100) {
            answers->interim++;
            *at += (size_t)(answer.body - start);
            continue;
        }
        bool bare = is_head(answers->count) || answer.status == 304 || answer.status == 204;
        answer.length = bare ? 0 : content_length(&answer);
        if (answer.length > left - (size_t)(answer.body - start))
            return;
        *at += (size_t)(answer.body - start) + answer.length;
        answers->list[answers->count++] = answer;
    }
}

/* How long the next piece is, where so much is sent. */
static size_t in_whole(size_t sent)
{
    (void)sent;
    return SIZE_MAX;
}

static uint32_t inside_chance;

static size_t at_random(size_t sent)
{
    (void)sent;
    inside_chance = inside_chance * 1664525 + 1013904223;
    return 1 + (inside_chance >> 16) % (inside_chance >> 31 ? 9 : 900);
}

/*
 * Sends all of it, piece by piece, and reads until `expected` answers are there or the server has
 * hung up; then closes our side, and waits for its own.
 */
static void inside_talk(const char *bytes, size_t length, size_t (*piece)(size_t sent),
                        int expected, bool (*is_head)(int i), struct answers *answers)
{
    static const struct sockaddr_in6 nobody = {.sin6_family = AF_INET6};
    int pair[2];
    size_t sent = 0, parsed = 0;
    bool shut = false;
    int64_t end = clock_now() + PATIENCE_US;
    answers->count = answers->interim = 0;
    answers->length = 0;
    MUST(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair));
    http_add(&inside_http, pair[0], (const struct sockaddr *)&nobody, sizeof nobody);
    for (;;) {
        size_t left = length - sent, n = left ? piece(sent) : 0;
        n = n < left ? n : left;
        ssize_t went = n ? send(pair[1], bytes + sent, n, MSG_NOSIGNAL) : 0;
        sent = went > 0 ? sent + (size_t)went : went < 0 && errno == EPIPE ? length : sent;
        inside_turn(sent < length ? 0 : 1);
        ssize_t got = recvfrom(pair[1], answers->bytes + answers->length,
                               MOST_BYTES - answers->length, 0, NULL, NULL);
        if (!got || (got < 0 && errno != EAGAIN))
            break;
        answers->length += got > 0 ? (size_t)got : 0;
        take_answers(answers, &parsed, is_head);
        if (!shut && sent == length && answers->count >= expected)
            shut = !shutdown(pair[1], SHUT_WR);
        MUST(clock_now() < end); /* it does not hang */
    }
    MUST(parsed == answers->length); /* whole answers, and nothing else */
    close(pair[1]);
    while (inside_http.held || inside_loop.lingering) {
        inside_turn(1);
        MUST(clock_now() < end);
    }
    MUST(!inside_http.waiting && !inside_http.context.open);
}

/* ---- the other reader: it has the whole stream before it ------------------------------------- */

struct asked {
    bool refused, head, last, marker;
    char id[140]; /* its own, if it has a good one */
};

static struct expected {
    struct asked list[MOST_ANSWERS];
    int count, interim;
    bool may_refuse;               /* what has not ended may be seen to be wrong by now */
    size_t ends[2 * MOST_ANSWERS]; /* of heads and bodies, from the start of the stream */
    int end_count;
} expected;

enum found { GOOD, BAD, OPEN };

struct text {
    const unsigned char *at, *end;
};

static bool is_tchar(int c)
{
    return c && c < 0x80 && (isalnum(c) || strchr("!#$%&'*+-.^_`|~", c));
}

static bool same(const unsigned char *at, size_t n, const char *word)
{
    return n == strlen(word) && !strncasecmp((const char *)at, word, n);
}

/* A line of field-name ":" OWS field-value OWS, without its CRLF. */
static bool split_field(struct text line, size_t *name, struct text *value)
{
    const unsigned char *c = line.at;
    while (c < line.end && is_tchar(*c))
        c++;
    if (c == line.at || c == line.end || *c != ':')
        return false;
    *name = (size_t)(c - line.at);
    for (const unsigned char *v = ++c; v < line.end; v++)
        if ((*v < 0x20 && *v != '\t') || *v == 0x7f)
            return false;
    while (c < line.end && (*c == ' ' || *c == '\t'))
        c++;
    while (line.end > c && (line.end[-1] == ' ' || line.end[-1] == '\t'))
        line.end--;
    *value = (struct text){c, line.end};
    return true;
}

static enum found next_line(const unsigned char **at, const unsigned char *end, struct text *line)
{
    line->at = *at;
    for (const unsigned char *c = *at; c < end; c++)
        if (*c == '\n') {
            line->end = c > line->at ? c - 1 : c;
            *at = c + 1;
            return c > line->at && c[-1] == '\r' ? GOOD : BAD;
        }
    return OPEN;
}

/* uri-host [ ":" port ], of RFC 3986. */
static bool is_host(struct text t)
{
    const unsigned char *c = t.at;
    if (c < t.end && *c == '[') {
        const unsigned char *first = ++c;
        while (c < t.end && (isalnum(*c) || (*c && strchr(":.-_~", *c))) && *c < 0x80)
            c++;
        if (c == first || c == t.end || *c++ != ']')
            return false;
    } else {
        while (c < t.end && *c < 0x80 && *c && (isalnum(*c) || strchr("-._~%!$&'()*+,;=", *c)))
            c++;
    }
    if (c == t.end)
        return true;
    if (*c++ != ':')
        return false;
    while (c < t.end && isdigit(*c))
        c++;
    return c == t.end;
}

/* The members of a list, one call each; empty ones are none. */
static bool member(struct text *list, struct text *m)
{
    while (list->at < list->end && (*list->at == ',' || *list->at == ' ' || *list->at == '\t'))
        list->at++;
    if (list->at == list->end)
        return false;
    m->at = list->at;
    for (bool quoted = false; list->at < list->end && (quoted || *list->at != ','); list->at++)
        quoted ^= *list->at == '"';
    m->end = list->at;
    while (m->end > m->at && (m->end[-1] == ' ' || m->end[-1] == '\t'))
        m->end--;
    return true;
}

struct request {
    struct text method, target;
    bool old, close, keep_alive, expects, coded, chunked, foreign;
    int hosts, lengths, ids, fields;
    uint64_t length;
    struct text id;
};

static bool is_target(const struct request *r)
{
    struct text t = r->target;
    size_t n = (size_t)(t.end - t.at);
    if (same(r->method.at, (size_t)(r->method.end - r->method.at), "CONNECT") &&
        !memcmp(r->method.at, "CONNECT", 7))
        return memchr(t.at, ':', n) && is_host(t);
    if (*t.at == '/')
        return true;
    if (n == 1 && *t.at == '*')
        return r->method.end - r->method.at == 7 && !memcmp(r->method.at, "OPTIONS", 7);
    size_t scheme = n >= 7 && !strncasecmp((const char *)t.at, "http://", 7)    ? 7
                    : n >= 8 && !strncasecmp((const char *)t.at, "https://", 8) ? 8
                                                                                : 0;
    if (!scheme)
        return false;
    struct text authority = {t.at + scheme, t.at + scheme};
    while (authority.end < t.end && !(*authority.end && strchr("/?#", *authority.end)))
        authority.end++;
    return authority.at < authority.end && *authority.at != ':' && is_host(authority);
}

static bool read_first(struct request *r, struct text line)
{
    const unsigned char *c = line.at;
    /* the longest address allowed, and the rest of the head */
    if (line.end - line.at > 8000 + 64)
        return false;
    while (c < line.end && is_tchar(*c))
        c++;
    if (c == line.at || c == line.end || *c != ' ')
        return false;
    r->method = (struct text){line.at, c};
    r->target.at = ++c;
    while (c<line.end && * c> 0x20 && *c != 0x7f)
        c++;
    r->target.end = c;
    if (c == r->target.at || c == line.end || *c != ' ' || c - r->target.at > 8000)
        return false;
    if (line.end - ++c != 8 || memcmp(c, "HTTP/1.", 7) != 0 || !isdigit(c[7]))
        return false;
    r->old = c[7] == '0';
    return true;
}

static bool read_one(struct request *r, struct text line)
{
    size_t n;
    struct text v, m;
    if (!split_field(line, &n, &v))
        return false;
    if (same(line.at, n, "Host"))
        return !r->hosts++ && is_host(v);
    if (same(line.at, n, "Content-Length")) {
        if (r->lengths++ || v.at == v.end)
            return false;
        for (; v.at < v.end; v.at++) {
            if (!isdigit(*v.at))
                return false;
            r->length = r->length > 1u << 30 ? r->length : r->length * 10 + *v.at - '0';
        }
    } else if (same(line.at, n, "Transfer-Encoding")) {
        for (r->coded = true; member(&v, &m);) {
            bool chunked = same(m.at, (size_t)(m.end - m.at), "chunked");
            if (chunked && r->chunked)
                return false;
            r->chunked = chunked;
            r->foreign |= !chunked;
        }
    } else if (same(line.at, n, "Connection")) {
        while (member(&v, &m)) {
            r->close |= same(m.at, (size_t)(m.end - m.at), "close");
            r->keep_alive |= same(m.at, (size_t)(m.end - m.at), "keep-alive");
        }
    } else if (same(line.at, n, "Expect")) {
        r->expects |= same(v.at, (size_t)(v.end - v.at), "100-continue");
    } else if (same(line.at, n, "X-Request-Id")) {
        r->ids++;
        r->id = v;
    }
    return true;
}

static enum found read_head(const unsigned char **at, const unsigned char *end, struct request *r)
{
    const unsigned char *start = *at;
    struct text line;
    enum found found;
    for (int blank = 0; (found = next_line(at, end, &line)) == GOOD && line.at == line.end;)
        if (++blank > 4)
            return BAD;
    if (found == OPEN)
        return OPEN;
    /* of a refused HEAD the answer is bare, as soon as it is known to be one */
    if (line.end - line.at >= 5 && !memcmp(line.at, "HEAD ", 5))
        r->method = (struct text){line.at, line.at + 4};
    if (found == BAD || !read_first(r, line))
        return BAD;
    while ((found = next_line(at, end, &line)) != OPEN) {
        if (*at - start > 12 * 1024 || r->fields++ == 191 || found == BAD)
            return BAD;
        if (line.at < line.end && !read_one(r, line))
            return BAD;
        if (line.at == line.end)
            break;
    }
    if (found == OPEN)
        return end - start > 12 * 1024 || r->fields == 191 ? BAD : OPEN;
    if ((!r->hosts && !r->old) || !is_target(r))
        return BAD;
    if (r->coded && (r->lengths || r->old || !r->chunked || r->foreign))
        return BAD;
    return GOOD;
}

static enum found read_chunks(const unsigned char **at, const unsigned char *end)
{
    int extra = 0;
    for (;;) {
        uint64_t size = 0;
        int digits = 0;
        for (; *at < end && isxdigit(**at) && **at < 0x80; ++*at) {
            if (++digits > 15)
                return BAD;
            size = size * 16 + (isdigit(**at) ? **at - '0' : (**at | 32) - 'a' + 10);
        }
        if (*at == end)
            return OPEN;
        if (!digits)
            return BAD;
        bool extension = false;
        for (bool first = true; *at < end && **at != '\r'; ++*at, first = false) {
            bool blank = **at == ' ' || **at == '\t';
            extra += !first;
            extension |= **at == ';';
            if ((!extension && !blank) || (**at < 0x20 && !blank) || **at == 0x7f || extra > 4096)
                return BAD;
            if (first && !extension)
                extra += 0;
        }
        if (*at == end)
            return OPEN;
        if (end - *at < 2)
            return OPEN;
        if ((*at)[1] != '\n' || (!extension && (*at)[-1] != '\r' && !isxdigit((*at)[-1])))
            return BAD;
        *at += 2;
        if (!size)
            break;
        if ((uint64_t)(end - *at) < size)
            return *at = end, OPEN;
        *at += size;
        for (int i = 0; i < 2; i++, ++*at) {
            if (*at == end)
                return OPEN;
            if (**at != "\r\n"[i])
                return BAD;
        }
    }
    for (;;) {
        struct text line, value;
        size_t name;
        enum found found = next_line(at, end, &line);
        if (found != GOOD)
            return found;
        if (line.at == line.end)
            return GOOD;
        extra += (int)(line.end - line.at);
        if (extra > 4096 || !split_field(line, &name, &value))
            return BAD;
    }
}

static void note(const struct request *r, bool refused)
{
    struct asked *asked = &expected.list[expected.count++];
    size_t n = (size_t)(r->id.end - r->id.at);
    *asked = (struct asked){.refused = refused};
    asked->head =
        r->method.at && r->method.end - r->method.at == 4 && !memcmp(r->method.at, "HEAD", 4);
    bool good = !refused && r->ids == 1 && n > 0 && n < 129;
    for (size_t i = 0; good && i < n; i++)
        good = r->id.at[i] > 0x20 && r->id.at[i] < 0x7f;
    memcpy(asked->id, good ? (const char *)r->id.at : "", good ? n : 0);
    asked->marker = !refused && r->target.end - r->target.at == 8 &&
                    !memcmp(r->target.at, "/healthz", 8) && r->method.end - r->method.at == 3 &&
                    !memcmp(r->method.at, "GET", 3);
}

/* What follows the head; false: nothing is read behind it. */
static bool expect_body(const unsigned char **at, const unsigned char *end, struct request *r)
{
    bool connect = r->method.end - r->method.at == 7 && !memcmp(r->method.at, "CONNECT", 7);
    bool last = r->close || (r->old && !r->keep_alive) || connect;
    bool body = r->coded || r->length, wants = r->expects && !r->old && body;
    if (!r->coded && r->length > 20000) {
        note(r, false);
        expected.list[expected.count - 1].last = true;
        return false;
    }
    expected.interim += wants;
    enum found found = GOOD;
    if (r->coded)
        found = read_chunks(at, end);
    else if (r->length > (uint64_t)(end - *at))
        found = OPEN;
    else
        *at += r->length;
    if (found == OPEN)
        expected.may_refuse = true;
    else
        note(r, found == BAD);
    if (found == GOOD)
        expected.list[expected.count - 1].last = last;
    return found == GOOD && !last;
}

static void expect_all(const unsigned char *at, const unsigned char *end)
{
    const unsigned char *start = at;
    expected.count = expected.interim = expected.end_count = 0;
    expected.may_refuse = false;
    while (at < end && expected.count < MOST_ANSWERS - 2) {
        struct request r = {.length = 0};
        enum found found = read_head(&at, end, &r);
        if (found == BAD)
            note(&r, true);
        expected.may_refuse |= found == OPEN;
        expected.ends[expected.end_count++] = (size_t)(at - start);
        if (found != GOOD || !expect_body(&at, end, &r))
            return;
        expected.ends[expected.end_count++] = (size_t)(at - start);
    }
}

/* ---- both ------------------------------------------------------------------------------------ */

static size_t beside; /* the end: 0 is a byte before it, 1 there, 2 a byte behind */

static size_t at_ends(size_t sent)
{
    for (int i = 0; i < expected.end_count; i++)
        if (expected.ends[i] + beside > sent + 1)
            return expected.ends[i] + beside - 1 - sent;
    return in_whole(sent);
}

static bool is_head(int i) { return i < expected.count && expected.list[i].head; }

static void judge(const struct answers *answers)
{
    int refused = 0;
    for (int i = 0; i < expected.count; i++) {
        const struct asked *asked = &expected.list[i];
        const struct answer *answer = &answers->list[i];
        size_t n;
        int count;
        MUST(i < answers->count);
        const char *id = find_field(answer, "X-Request-Id", &n, &count);
        MUST(id && (!*asked->id || (n == strlen(asked->id) && !memcmp(id, asked->id, n))));
        bool refusal = answer->status == 400 || answer->status == 414 || answer->status == 431 ||
                       answer->status == 501 || answer->status == 505;
        MUST(!asked->refused || refusal);
        MUST(!asked->marker || answer->status == 200);
        bool closes = find_field(answer, "Connection", &n, &count) && n == 5;
        MUST(closes || !(asked->last || asked->refused));
        refused += asked->refused;
    }
    MUST(answers->count <= expected.count + (expected.may_refuse && !refused));
    MUST(answers->interim == expected.interim);
}

/* Whole and cut, all is answered alike, but for maps that are new, or late. */
static void compare(const struct answers *one, const struct answers *other)
{
    MUST(one->count == other->count);
    for (int i = 0; i < one->count; i++)
        MUST((i < expected.count && !expected.list[i].refused) ||
             one->list[i].status == other->list[i].status);
}

static size_t add_markers(char *stream, const uint8_t *bytes, size_t size)
{
    size_t length = 0;
    int markers = 0;
    for (size_t i = 0; i <= size && length < LONGEST_STREAM - 200; i++) {
        if (i < size && bytes[i] != 0x1e)
            stream[length++] = (char)bytes[i];
        else
            length += (size_t)sprintf(
                stream + length, "GET /healthz HTTP/1.1\r\nHost: m\r\nX-Request-Id: m%d\r\n\r\n",
                markers++);
    }
    return length;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static bool started;
    static char stream[LONGEST_STREAM];
    static struct answers whole, cut;
    if (!started)
        inside_start();
    started = true;
    if (!size)
        return 0;
    size_t length = add_markers(stream, bytes + 1, size - 1);
    expect_all((const unsigned char *)stream, (const unsigned char *)stream + length);
    inside_talk(stream, length, in_whole, expected.count, is_head, &whole);
    judge(&whole);
    size_t (*const pieces[])(size_t) = {at_random, at_ends};
    inside_chance = (uint32_t)(bytes[0] + 1) << 23;
    beside = bytes[0] % 3;
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        inside_talk(stream, length, pieces[i], expected.count, is_head, &cut);
        judge(&cut);
        compare(&whole, &cut);
    }
    return 0;
}
