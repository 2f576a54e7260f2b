/* check_framing.c: heads of requests: which are accepted, and where they end. */
#include "srv/parse/framing.h"
#include "unit/unit.h"

#include <stdio.h>

#define BARE "GET / HTTP/1.1\r\n"
#define OK BARE "Host: x\r\n"

/* Where more must come. */
#define WAIT FAULT_END

static const struct {
    const char *head;
    enum fault fault;
} heads[] = {
    {OK "\r\n", FAULT_NONE},
    {OK "Accept: */*\r\n\r\n", FAULT_NONE},
    {"\r\n\r\n\r\n\r\n" OK "\r\n", FAULT_NONE},
    {"GET / HTTP/1.0\r\n\r\n", FAULT_NONE},
    {"OPTIONS * HTTP/1.1\r\nHost:\r\n\r\n", FAULT_NONE},
    {OK "A:\r\nB: \r\nC:  d\t \r\n\r\n", FAULT_NONE},
    {OK "A: \t~\x80\xff\r\n\r\n", FAULT_NONE},
    {OK "Content-Length: 5\r\n\r\n", FAULT_NONE},
    {OK "Content-Length: 0000000000000000000000000000000000005\r\n\r\n", FAULT_NONE},
    {OK "Transfer-Encoding:  CHUNKED \r\n\r\n", FAULT_NONE},
    {OK "Transfer-Encoding: ,chunked,\r\n\r\n", FAULT_NONE},
    {"GET / HTTP/1.7\r\nhOST:x:80\r\n\r\n", FAULT_NONE},
    {BARE "Host: [::1]:8080\r\n\r\n", FAULT_NONE},
    {BARE "Host: a-b.c%20:\r\n\r\n", FAULT_NONE},
    {"GET http://a/ HTTP/1.1\r\nHost: x\r\n\r\n", FAULT_NONE},
    {"GET HTTPS://a:1?b HTTP/1.1\r\nHost: x\r\n\r\n", FAULT_NONE},
    {"CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n", FAULT_NONE},
    {OK "Expect: 100-continue\r\n\r\n", FAULT_NONE},
    {OK "Content-Length: 99999999999999999999999999\r\n\r\n", FAULT_NONE},
    {"", WAIT},
    {"\r", WAIT},
    {"\r\n", WAIT},
    {"G", WAIT},
    {"GET / HT", WAIT},
    {OK, WAIT},
    {OK "A: x\r\n\r", WAIT},
    {OK "no colon y", WAIT},
    {"\x16\x03\x01", FAULT_INVALID_REQUEST},
    {"GET\r\n", FAULT_INVALID_REQUEST},
    {"GET /\r\n", FAULT_INVALID_REQUEST},
    {"GET / \r\n", FAULT_INVALID_REQUEST},
    {"GET  / HTTP/1.1\r\n", FAULT_INVALID_REQUEST},
    {"GET / HTTP/1.1 \r\n", FAULT_INVALID_REQUEST},
    {"GET / HTTP/1.c\r\n", FAULT_INVALID_REQUEST},
    {"GET / http/1.1\r\n", FAULT_INVALID_REQUEST},
    {"G(T / HTTP/1.1\r\n", FAULT_INVALID_REQUEST},
    {"\r\n\r\n\r\n\r\n\r\n", FAULT_INVALID_REQUEST},
    {"\n", FAULT_INVALID_REQUEST},
    {"\rGET\r\n", FAULT_INVALID_REQUEST},
    {"GET / HTTP/1.1\n", FAULT_INVALID_REQUEST},
    {"GET /\x01 HTTP/1.1\r\n", FAULT_INVALID_REQUEST},
    {"GET /\x7f HTTP/1.1\r\n", FAULT_INVALID_REQUEST},
    {"GET /\t HTTP/1.1\r\n", FAULT_INVALID_REQUEST},
    {OK "A: b\n", FAULT_INVALID_REQUEST},
    {OK "\n", FAULT_INVALID_REQUEST},
    {OK "\rA: b\r\n", FAULT_INVALID_REQUEST},
    {OK "no colon\r\n", FAULT_INVALID_REQUEST},
    {OK ": x\r\n", FAULT_INVALID_REQUEST},
    {OK "A : x\r\n", FAULT_INVALID_REQUEST},
    {OK "A[]: x\r\n", FAULT_INVALID_REQUEST},
    {OK " A: x\r\n", FAULT_INVALID_REQUEST},
    {OK "A: x\r\n folded\r\n", FAULT_INVALID_REQUEST},
    {OK "A: x\ry\r\n", FAULT_INVALID_REQUEST},
    {OK "A: \x01\r\n", FAULT_INVALID_REQUEST},
    {OK "A: \x1f\r\n", FAULT_INVALID_REQUEST},
    {OK "A: \x7f\r\n", FAULT_INVALID_REQUEST},
    {BARE "\r\n", FAULT_INVALID_REQUEST},
    {OK "Host: x\r\n\r\n", FAULT_INVALID_REQUEST},
    {BARE "Host: x y\r\n\r\n", FAULT_INVALID_REQUEST},
    {BARE "Host: x/y\r\n\r\n", FAULT_INVALID_REQUEST},
    {BARE "Host: u@x\r\n\r\n", FAULT_INVALID_REQUEST},
    {BARE "Host: [::1\r\n\r\n", FAULT_INVALID_REQUEST},
    {BARE "Host: []\r\n\r\n", FAULT_INVALID_REQUEST},
    {BARE "Host: x:8o\r\n\r\n", FAULT_INVALID_REQUEST},
    {"GET http://a/ HTTP/1.1\r\n\r\n", FAULT_INVALID_REQUEST},
    {"GET http:///a HTTP/1.1\r\nHost: x\r\n\r\n", FAULT_INVALID_REQUEST},
    {"GET http://u@a/ HTTP/1.1\r\nHost: x\r\n\r\n", FAULT_INVALID_REQUEST},
    {"GET http://:80/ HTTP/1.1\r\nHost: x\r\n\r\n", FAULT_INVALID_REQUEST},
    {"GET ftp://a/ HTTP/1.1\r\nHost: x\r\n\r\n", FAULT_INVALID_REQUEST},
    {"GET x HTTP/1.1\r\nHost: x\r\n\r\n", FAULT_INVALID_REQUEST},
    {"GET * HTTP/1.1\r\nHost: x\r\n\r\n", FAULT_INVALID_REQUEST},
    {"OPTIONS ** HTTP/1.1\r\nHost: x\r\n\r\n", FAULT_INVALID_REQUEST},
    {"CONNECT / HTTP/1.1\r\nHost: x\r\n\r\n", FAULT_INVALID_REQUEST},
    {"CONNECT a HTTP/1.1\r\nHost: x\r\n\r\n", FAULT_INVALID_REQUEST},
    {OK "Content-Length:\r\n\r\n", FAULT_INVALID_REQUEST},
    {OK "Content-Length: -1\r\n\r\n", FAULT_INVALID_REQUEST},
    {OK "Content-Length: +1\r\n\r\n", FAULT_INVALID_REQUEST},
    {OK "Content-Length: 1 2\r\n\r\n", FAULT_INVALID_REQUEST},
    {OK "Content-Length: 2, 2\r\n\r\n", FAULT_INVALID_REQUEST},
    {OK "Content-Length: 0x2\r\n\r\n", FAULT_INVALID_REQUEST},
    {OK "Content-Length: 2\r\nContent-Length: 2\r\n\r\n", FAULT_INVALID_REQUEST},
    {OK "Transfer-Encoding:\r\n\r\n", FAULT_INVALID_REQUEST},
    {OK "Transfer-Encoding: gzip\r\n\r\n", FAULT_INVALID_REQUEST},
    {OK "Transfer-Encoding: chunked, gzip\r\n\r\n", FAULT_INVALID_REQUEST},
    {OK "Transfer-Encoding: chunked;q=1\r\n\r\n", FAULT_INVALID_REQUEST},
    {OK "Transfer-Encoding: xchunked\r\n\r\n", FAULT_INVALID_REQUEST},
    {OK "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", FAULT_INVALID_REQUEST},
    {OK "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n", FAULT_INVALID_REQUEST},
    {"GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", FAULT_INVALID_REQUEST},
    {"GET / HTTP/2.0\r\n", FAULT_HTTP_VERSION},
    {"GET / HTTP/0.9\r\n", FAULT_HTTP_VERSION},
    {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", FAULT_HTTP_VERSION},
    {OK "Transfer-Encoding: gzip, chunked\r\n\r\n", FAULT_UNKNOWN_CODING},
    {OK "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n", FAULT_UNKNOWN_CODING},
};

static struct head head;

TEST(judges_heads, .end = COUNT(heads))
{
    const char *text = heads[_i].head;
    head_read(&head, span_of(text));
    enum fault fault = head.length || head.fault ? head.fault : WAIT;
    ck_assert_msg(fault == heads[_i].fault, "«%s»: %d", text, fault);
    ck_assert(!head.length || head.length == strlen(text));
}

/* No beginning of a head is accepted, and none of a good head is refused. */
TEST(judges_every_beginning, .end = COUNT(heads))
{
    const char *text = heads[_i].head;
    bool good = heads[_i].fault == FAULT_NONE || heads[_i].fault == WAIT;
    for (size_t n = 0; n < strlen(text); n++) {
        head_read(&head, (struct span){text, n});
        ck_assert_msg(!head.length && !(head.fault && good), "%zu bytes of «%s»: %d", n, text,
                      head.fault);
    }
}

/* "GET /", `uri` letters, then `fields` fields of `each` bytes. */
static enum fault judge_long(size_t uri, const char *parameter, size_t fields, size_t each)
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
    head_read(&head, (struct span){text, (size_t)(to - text)});
    return head.length ? FAULT_NONE : head.fault ? head.fault : WAIT;
}

TEST(limits_sizes)
{
    ck_assert_int_eq(judge_long(LONGEST_URI - 1, "a", 1, 10), FAULT_NONE);
    ck_assert_int_eq(judge_long(LONGEST_URI, "a", 1, 10), FAULT_URL_TOO_LONG);
    ck_assert_int_eq(judge_long(20000, "a", 1, 10), FAULT_URL_TOO_LONG);
    ck_assert_int_eq(judge_long(300, "&a=", 1, 10), FAULT_NONE);
    ck_assert_int_eq(judge_long(LONGEST_URI - 1, "&a=", 1, 10), FAULT_NONE);
    ck_assert_int_eq(judge_long(1, "a", 100, 20), FAULT_NONE);
    ck_assert_int_eq(judge_long(1, "a", MOST_FIELDS - 3, 20), FAULT_NONE);
    ck_assert_int_eq(judge_long(1, "a", MOST_FIELDS - 1, 20), FAULT_HEADERS_TOO_LARGE);
    ck_assert_int_eq(judge_long(1, "a", 1, 13000), FAULT_HEADERS_TOO_LARGE);
}

/* Method, target without its authority, the values of Host and Accept, and what else was found. */
static const struct {
    const char *text, *found;
} read[] = {
    {"HEAD /a?b HTTP/1.1\r\nhost:\t x:1 \t\r\n\r\n", "HEAD /a?b |x:1 bare"},
    {"GET http://a:1/b HTTP/1.1\r\nHost: x\r\n\r\n", "GET /b |a:1"},
    {"GET https://a HTTP/1.1\r\nHost: x\r\n\r\n", "GET  |a"},
    {"GET http://a?b HTTP/1.1\r\nHost: x\r\n\r\n", "GET ?b |a"},
    {"CONNECT a:80 HTTP/1.1\r\nHost: x\r\n\r\n", "CONNECT  |x close"},
    {OK "Accept: a\r\nCookie: c\r\nACCEPT: b\r\nAccept:\r\n\r\n", "GET / |x|a|b|"},
    {OK "Connection: a, Close\r\n\r\n", "GET / |x close"},
    {"GET / HTTP/1.0\r\n\r\n", "GET /  close old"},
    {"GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", "GET /  old"},
    {OK "Content-Length: 2\r\nExpect: 100-Continue\r\n\r\n", "GET / |x expects body"},
    {OK "Expect: 100-continue\r\n\r\n", "GET / |x"},
    {OK "Transfer-Encoding: chunked\r\nExpect: else\r\n\r\n", "GET / |x chunks"},
};

TEST(reads_heads, .end = COUNT(read))
{
    char found[200];
    head_read(&head, span_of(read[_i].text));
    ck_assert_uint_eq(head.length, strlen(read[_i].text));
    char *to = found + sprintf(found, "%.*s %.*s ", (int)head.method.length, head.method.at,
                               (int)head.target.length, head.target.at);
    for (int i = 0; i < head.count; i++)
        if (head.fields[i].header == HEADER_HOST || head.fields[i].header == HEADER_ACCEPT)
            to += sprintf(to, "|%.*s", (int)head.fields[i].value.length, head.fields[i].value.at);
    sprintf(to, "%s%s%s%s%s%s", span_is(head.method, "HEAD") ? " bare" : "",
            head.close ? " close" : "", head.old ? " old" : "", head.expects ? " expects" : "",
            head.body.state == BODY_BYTES ? " body" : "",
            head.body.state == BODY_CHUNK_SIZE ? " chunks" : "");
    ck_assert_str_eq(found, read[_i].found);
}
