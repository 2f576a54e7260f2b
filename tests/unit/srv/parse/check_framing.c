/* check_framing.c: heads of requests: which are accepted, and where they end. */
#include "srv/parse/framing.h"
#include "unit/unit.h"

#include <stdio.h>

#define BARE "GET / HTTP/1.1\r\n"
#define OK BARE "Host: x\r\n"

static const struct {
    const char *head;
    enum framing_outcome outcome;
    enum fault fault;
} heads[] = {
    {OK "\r\n", FRAMING_PASS, FAULT_NONE},
    {OK "Accept: */*\r\n\r\n", FRAMING_PASS, FAULT_NONE},
    {"\r\n\r\n\r\n\r\n" OK "\r\n", FRAMING_PASS, FAULT_NONE},
    {"GET / HTTP/1.0\r\n\r\n", FRAMING_PASS, FAULT_NONE},
    {"OPTIONS * HTTP/1.1\r\nHost:\r\n\r\n", FRAMING_PASS, FAULT_NONE},
    {OK "A:\r\nB: \r\nC:  d\t \r\n\r\n", FRAMING_PASS, FAULT_NONE},
    {OK "A: \t~\x80\xff\r\n\r\n", FRAMING_PASS, FAULT_NONE},
    {OK "Content-Length: 5\r\n\r\n", FRAMING_PASS, FAULT_NONE},
    {OK "Content-Length: 0000000000000000000000000000000000005\r\n\r\n", FRAMING_PASS, FAULT_NONE},
    {OK "Transfer-Encoding:  CHUNKED \r\n\r\n", FRAMING_PASS, FAULT_NONE},
    {OK "Transfer-Encoding: ,chunked,\r\n\r\n", FRAMING_PASS, FAULT_NONE},
    {"GET / HTTP/1.7\r\nhOST:x:80\r\n\r\n", FRAMING_PASS, FAULT_NONE},
    {BARE "Host: [::1]:8080\r\n\r\n", FRAMING_PASS, FAULT_NONE},
    {BARE "Host: a-b.c%20:\r\n\r\n", FRAMING_PASS, FAULT_NONE},
    {"GET http://a/ HTTP/1.1\r\nHost: x\r\n\r\n", FRAMING_PASS, FAULT_NONE},
    {"GET HTTPS://a:1?b HTTP/1.1\r\nHost: x\r\n\r\n", FRAMING_PASS, FAULT_NONE},
    {"CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n", FRAMING_PASS, FAULT_NONE},
    {OK "Expect: 100-continue\r\n\r\n", FRAMING_PASS, FAULT_NONE},
    {OK "Content-Length: 99999999999999999999999999\r\n\r\n", FRAMING_PASS, FAULT_NONE},
    {"", FRAMING_WAIT, FAULT_NONE},
    {"\r", FRAMING_WAIT, FAULT_NONE},
    {"\r\n", FRAMING_WAIT, FAULT_NONE},
    {"G", FRAMING_WAIT, FAULT_NONE},
    {"GET / HT", FRAMING_WAIT, FAULT_NONE},
    {OK, FRAMING_WAIT, FAULT_NONE},
    {OK "A: x\r\n\r", FRAMING_WAIT, FAULT_NONE},
    {OK "no colon y", FRAMING_WAIT, FAULT_NONE},
    {"\x16\x03\x01", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"GET\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"GET /\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"GET / \r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"GET  / HTTP/1.1\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"GET / HTTP/1.1 \r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"GET / HTTP/1.c\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"GET / http/1.1\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"G(T / HTTP/1.1\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"\r\n\r\n\r\n\r\n\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"\rGET", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"GET / HTTP/1.1\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"GET /\x01 HTTP/1.1\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"GET /\x7f HTTP/1.1\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"GET /\t HTTP/1.1\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "A: b\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "\rA: b\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "no colon\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK ": x\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "A : x\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "A[]: x\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK " A: x\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "A: x\r\n folded\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "A: x\ry\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "A: \x01\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "A: \x1f\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "A: \x7f\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {BARE "\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "Host: x\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {BARE "Host: x y\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {BARE "Host: x/y\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {BARE "Host: u@x\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {BARE "Host: [::1\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {BARE "Host: []\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {BARE "Host: x:8o\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"GET http://a/ HTTP/1.1\r\n\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"GET http:///a HTTP/1.1\r\nHost: x\r\n\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"GET http://u@a/ HTTP/1.1\r\nHost: x\r\n\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"GET http://:80/ HTTP/1.1\r\nHost: x\r\n\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"GET ftp://a/ HTTP/1.1\r\nHost: x\r\n\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"GET x HTTP/1.1\r\nHost: x\r\n\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"GET * HTTP/1.1\r\nHost: x\r\n\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"OPTIONS ** HTTP/1.1\r\nHost: x\r\n\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"CONNECT / HTTP/1.1\r\nHost: x\r\n\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"CONNECT a HTTP/1.1\r\nHost: x\r\n\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "Content-Length:\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "Content-Length: -1\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "Content-Length: +1\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "Content-Length: 1 2\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "Content-Length: 2, 2\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "Content-Length: 0x2\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "Content-Length: 2\r\nContent-Length: 2\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "Transfer-Encoding:\r\n\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "Transfer-Encoding: gzip\r\n\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "Transfer-Encoding: chunked, gzip\r\n\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "Transfer-Encoding: chunked;q=1\r\n\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "Transfer-Encoding: xchunked\r\n\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", FRAMING_REFUSE,
     FAULT_INVALID_REQUEST},
    {OK "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n", FRAMING_REFUSE,
     FAULT_INVALID_REQUEST},
    {"GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"GET / HTTP/2.0\r\n", FRAMING_REFUSE, FAULT_HTTP_VERSION},
    {"GET / HTTP/0.9\r\n", FRAMING_REFUSE, FAULT_HTTP_VERSION},
    {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", FRAMING_REFUSE, FAULT_HTTP_VERSION},
    {OK "Transfer-Encoding: gzip, chunked\r\n\r\n", FRAMING_REFUSE, FAULT_UNKNOWN_CODING},
    {OK "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n", FRAMING_REFUSE,
     FAULT_UNKNOWN_CODING},
};

static struct head head;

TEST(judges_heads, .end = COUNT(heads))
{
    struct verdict verdict = framing_judge(heads[_i].head, strlen(heads[_i].head), &head);
    ck_assert_msg(verdict.outcome == heads[_i].outcome && verdict.fault == heads[_i].fault,
                  "«%s»: %d, %d", heads[_i].head, verdict.outcome, verdict.fault);
    if (verdict.outcome == FRAMING_PASS)
        ck_assert_uint_eq(verdict.length, strlen(heads[_i].head));
}

/* No beginning of a head is accepted, and none of a good head is refused. */
TEST(judges_every_beginning, .end = COUNT(heads))
{
    const char *text = heads[_i].head;
    for (size_t n = 0; n < strlen(text); n++) {
        enum framing_outcome outcome = framing_judge(text, n, &head).outcome;
        ck_assert_msg(outcome != FRAMING_PASS, "%zu bytes of «%s» pass", n, text);
        ck_assert_msg(heads[_i].outcome == FRAMING_REFUSE || outcome == FRAMING_WAIT,
                      "%zu bytes of «%s» are refused", n, text);
    }
}

/* "GET /", `uri` letters, then `fields` fields of `each` bytes. */
static struct verdict judge_long(size_t uri, const char *parameter, size_t fields, size_t each)
{
    static char text[64 * 1024];
    char *to = text + sprintf(text, "GET /");
    for (size_t i = 0; i < uri; i++)
        *to++ = parameter[i % strlen(parameter)];
    to += sprintf(to, " HTTP/1.1\r\nHost: x\r\n");
    for (size_t i = 0; i < fields; i++) {
        memset(to, 'a', each);
        memcpy(to + each - 4, ":b\r\n", 4);
        to += each;
    }
    to += sprintf(to, "\r\n");
    return framing_judge(text, (size_t)(to - text), &head);
}

TEST(limits_sizes)
{
    ck_assert_int_eq(judge_long(LONGEST_URI - 1, "a", 1, 10).outcome, FRAMING_PASS);
    ck_assert_int_eq(judge_long(LONGEST_URI, "a", 1, 10).fault, FAULT_URL_TOO_LONG);
    ck_assert_int_eq(judge_long(20000, "a", 1, 10).fault, FAULT_URL_TOO_LONG);
    ck_assert_int_eq(judge_long(300, "&a=", 1, 10).outcome, FRAMING_PASS);
    ck_assert_int_eq(judge_long(LONGEST_URI - 1, "&a=", 1, 10).outcome, FRAMING_PASS);
    ck_assert_int_eq(judge_long(1, "a", 100, 20).outcome, FRAMING_PASS);
    ck_assert_int_eq(judge_long(1, "a", MOST_FIELDS - 3, 20).outcome, FRAMING_PASS);
    ck_assert_int_eq(judge_long(1, "a", MOST_FIELDS - 1, 20).fault, FAULT_HEADERS_TOO_LARGE);
    ck_assert_int_eq(judge_long(1, "a", 1, 13000).fault, FAULT_HEADERS_TOO_LARGE);
}

/* The method, the target without its authority, and the values of one field in order. */
static const struct {
    const char *text, *method, *target;
    enum header header;
    const char *values[3];
    bool close, old, expects, bare;
    enum body_state body;
} read[] = {
    {"HEAD /a?b HTTP/1.1\r\nhost:\t x:1 \t\r\n\r\n",
     "HEAD",
     "/a?b",
     HEADER_HOST,
     {"x:1"},
     .bare = true},
    {"GET http://a:1/b HTTP/1.1\r\nHost: x\r\n\r\n", "GET", "/b", HEADER_HOST, {"a:1"}, .close = 0},
    {"GET https://a HTTP/1.1\r\nHost: x\r\n\r\n", "GET", "", HEADER_HOST, {"a"}, .close = 0},
    {"GET http://a?b HTTP/1.1\r\nHost: x\r\n\r\n", "GET", "?b", HEADER_HOST, {"a"}, .close = 0},
    {"CONNECT a:80 HTTP/1.1\r\nHost: x\r\n\r\n", "CONNECT", "", HEADER_HOST, {"x"}, .close = true},
    {OK "Accept: a\r\nCookie: c\r\nACCEPT: b\r\nAccept:\r\n\r\n",
     "GET",
     "/",
     HEADER_ACCEPT,
     {"a", "b", ""},
     .close = false},
    {OK "Connection: a, Close\r\n\r\n", "GET", "/", HEADER_HOST, {"x"}, .close = true},
    {"GET / HTTP/1.0\r\n\r\n", "GET", "/", HEADER_HOST, {NULL}, .close = true, .old = true},
    {"GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n",
     "GET",
     "/",
     HEADER_HOST,
     {NULL},
     .old = true},
    {OK "Content-Length: 2\r\nExpect: 100-Continue\r\n\r\n",
     "GET",
     "/",
     HEADER_HOST,
     {"x"},
     .expects = true,
     .body = BODY_BYTES},
    {OK "Expect: 100-continue\r\n\r\n", "GET", "/", HEADER_HOST, {"x"}, .expects = false},
    {OK "Transfer-Encoding: chunked\r\nExpect: else\r\n\r\n",
     "GET",
     "/",
     HEADER_HOST,
     {"x"},
     .body = BODY_CHUNK_SIZE},
};

static void check_piece(struct span piece, const char *text)
{
    ck_assert_uint_eq(piece.length, strlen(text));
    ck_assert_mem_eq(piece.at, text, piece.length);
}

TEST(reads_heads, .end = COUNT(read))
{
    struct verdict verdict = framing_judge(read[_i].text, strlen(read[_i].text), &head);
    ck_assert_int_eq(verdict.outcome, FRAMING_PASS);
    check_piece(head.method, read[_i].method);
    check_piece(head.target, read[_i].target);
    int n = 0;
    for (int i = 0; i < head.count; i++)
        if (head.fields[i].header == read[_i].header)
            check_piece(head.fields[i].value, read[_i].values[n++]);
    ck_assert(n == 3 || !read[_i].values[n]);
    ck_assert(verdict.close == read[_i].close && verdict.old == read[_i].old);
    ck_assert(verdict.expects == read[_i].expects && verdict.bare == read[_i].bare);
    ck_assert_int_eq(verdict.body.state, read[_i].body);
}
