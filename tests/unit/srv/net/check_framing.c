/* check_framing.c: where requests begin and end, and which are let in. */
#include "srv/net/framing.h"
#include "unit/unit.h"

#include <stdio.h>

#define OK "GET / HTTP/1.1\r\n"

static const struct {
    const char *head;
    enum framing_outcome outcome;
    enum fault fault;
} heads[] = {
    {OK "\r\n", FRAMING_PASS, FAULT_NONE},
    {OK "Host: x\r\nAccept: */*\r\n\r\n", FRAMING_PASS, FAULT_NONE},
    {"\r\n\r\n" OK "\r\n", FRAMING_PASS, FAULT_NONE},
    {"GET / HTTP/1.0\n\n", FRAMING_PASS, FAULT_NONE},
    {"OPTIONS * HTTP/1.1\r\n\r\n", FRAMING_PASS, FAULT_NONE},
    {OK "A:\r\nB: \r\nC:  d  \r\n\r\n", FRAMING_PASS, FAULT_NONE},
    {OK "Content-Length: 5\r\n\r\n", FRAMING_PASS, FAULT_NONE},
    {OK "Transfer-Encoding:  CHUNKED \r\n\r\n", FRAMING_PASS, FAULT_NONE},
    {"", FRAMING_WAIT, FAULT_NONE},
    {"\r\n", FRAMING_WAIT, FAULT_NONE},
    {"G", FRAMING_WAIT, FAULT_NONE},
    {"GET / HT", FRAMING_WAIT, FAULT_NONE},
    {OK, FRAMING_WAIT, FAULT_NONE},
    {OK "Host: x\r\n\r", FRAMING_WAIT, FAULT_NONE},
    {OK "no colon y", FRAMING_WAIT, FAULT_NONE},
    {"\x16\x03\x01", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"GET\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"GET /\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"GET  / HTTP/1.1\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"GET / HTTP/1.1 \r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"GET / HTTP/1.c\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"GET / http/1.1\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"G(T / HTTP/1.1\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {"GET / HTTP/2.0\r\n", FRAMING_REFUSE, FAULT_HTTP_VERSION},
    {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", FRAMING_REFUSE, FAULT_HTTP_VERSION},
    {OK "no colon\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK ": x\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "A : x\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "A: x\r\n folded\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "A: x\ry\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "Content-Length:\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "Content-Length: -1\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "Content-Length: 1 2\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "Content-Length: 2\r\nContent-Length: 3\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "Content-Length: 9223372036854775807\r\n", FRAMING_REFUSE, FAULT_BODY_TOO_LARGE},
    {OK "Transfer-Encoding: gzip\r\n", FRAMING_REFUSE, FAULT_INVALID_REQUEST},
    {OK "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n", FRAMING_REFUSE,
     FAULT_INVALID_REQUEST},
};

START_TEST(judges_heads)
{
    struct verdict verdict = framing_judge(heads[_i].head, strlen(heads[_i].head));
    ck_assert_msg(verdict.outcome == heads[_i].outcome && verdict.fault == heads[_i].fault,
                  "«%s»: %d, %d", heads[_i].head, verdict.outcome, verdict.fault);
    if (verdict.outcome == FRAMING_PASS)
        ck_assert_uint_eq(verdict.length, strlen(heads[_i].head));
}
END_TEST

/* What was let in whole is never refused on the way; what was refused never passes before. */
START_TEST(judges_every_beginning)
{
    const char *head = heads[_i].head;
    for (size_t n = 0; n < strlen(head); n++) {
        enum framing_outcome outcome = framing_judge(head, n).outcome;
        ck_assert_msg(outcome != FRAMING_PASS, "%zu bytes of «%s» pass", n, head);
        ck_assert_msg(heads[_i].outcome == FRAMING_REFUSE || outcome == FRAMING_WAIT,
                      "%zu bytes of «%s» are refused", n, head);
    }
}
END_TEST

/* "GET /", `uri` letters, then `fields` fields of `each` bytes. */
static struct verdict judge_long(size_t uri, const char *parameter, size_t fields, size_t each)
{
    static char head[64 * 1024];
    char *to = head + sprintf(head, "GET /");
    for (size_t i = 0; i < uri; i++)
        *to++ = parameter[i % strlen(parameter)];
    to += sprintf(to, " HTTP/1.1\r\n");
    for (size_t i = 0; i < fields; i++) {
        memset(to, 'a', each);
        memcpy(to + each - 4, ":b\r\n", 4);
        to += each;
    }
    to += sprintf(to, "\r\n");
    return framing_judge(head, (size_t)(to - head));
}

START_TEST(limits_sizes)
{
    ck_assert_int_eq(judge_long(LONGEST_URI - 1, "a", 1, 10).outcome, FRAMING_PASS);
    ck_assert_int_eq(judge_long(LONGEST_URI, "a", 1, 10).fault, FAULT_URL_TOO_LONG);
    ck_assert_int_eq(judge_long(20000, "a", 1, 10).fault, FAULT_URL_TOO_LONG);
    ck_assert_int_eq(judge_long(300, "&a=", 1, 10).outcome, FRAMING_PASS);
    ck_assert_int_eq(judge_long(900, "&a=", 1, 10).fault, FAULT_URL_TOO_LONG);
    ck_assert_int_eq(judge_long(1, "a", 100, 20).outcome, FRAMING_PASS);
    ck_assert_int_eq(judge_long(1, "a", 200, 20).fault, FAULT_HEADERS_TOO_LARGE);
    ck_assert_int_eq(judge_long(1, "a", 1, 13000).fault, FAULT_HEADERS_TOO_LARGE);
}
END_TEST

static const struct {
    const char *bytes;
    size_t taken; /* up to the body's end, or to what is broken */
    bool ends, broken;
} chunked[] = {
    {"0\r\n\r\n", 5, true, false},
    {"2\r\n{}\r\n0\r\n\r\n", 12, true, false},
    {"2\r\n{}\r\n0\r\n\r\nGET", 12, true, false},
    {"2;a=b\r\n{}\r\n0;c\r\n\r\n", 18, true, false},
    {"00002 \r\n{}\r\n0\r\n\r\n", 17, true, false},
    {"1\r\n{\r\n1\r\n}\r\n0\r\n\r\n", 17, true, false},
    {"A\r\n0123456789\r\n0\r\nT: x\r\nU: y\r\n\r\n", 32, true, false},
    {"2\r\n{}", 5, false, false},
    {"", 0, false, false},
    {"zz\r\n", 0, false, true},
    {"-2\r\n", 0, false, true},
    {"\r\n", 1, false, true},
    {"2\n{}\r\n", 1, false, true},
    {"2\r\n{}xx0\r\n", 5, false, true},
    {"2\r\n{}\n0\r\n", 5, false, true},
    {"2\rx", 2, false, true},
    {"ffffffffffffffffff\r\n", 15, false, true},
    {";a\r\n", 0, false, true},
};

START_TEST(follows_chunks)
{
    const char *bytes = chunked[_i].bytes;
    bool broken;
    struct body body = {.state = BODY_CHUNK_SIZE};
    size_t taken = framing_follow(&body, bytes, strlen(bytes), &broken);
    ck_assert_msg(taken == chunked[_i].taken && broken == chunked[_i].broken &&
                      (body.state == BODY_NONE) == chunked[_i].ends,
                  "«%s»: %zu taken, %d, state %d", bytes, taken, broken, body.state);
    struct body slow = {.state = BODY_CHUNK_SIZE};
    size_t one_by_one = 0;
    broken = false;
    while (one_by_one < strlen(bytes) && slow.state != BODY_NONE && !broken)
        one_by_one += framing_follow(&slow, bytes + one_by_one, 1, &broken);
    ck_assert_msg(one_by_one == taken && slow.state == body.state, "«%s» byte by byte", bytes);
}
END_TEST

START_TEST(follows_lengths)
{
    bool broken;
    struct body body = framing_judge("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n", 38).body;
    ck_assert_uint_eq(framing_follow(&body, "12", 2, &broken), 2);
    ck_assert_int_eq(body.state, BODY_BYTES);
    ck_assert_uint_eq(framing_follow(&body, "345GET", 6, &broken), 3);
    ck_assert_int_eq(body.state, BODY_NONE);
}
END_TEST

Suite *suite_framing(void)
{
    Suite *suite = suite_create("framing");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, judges_heads, 0, COUNT(heads));
    tcase_add_loop_test(all, judges_every_beginning, 0, COUNT(heads));
    tcase_add_test(all, limits_sizes);
    tcase_add_loop_test(all, follows_chunks, 0, COUNT(chunked));
    tcase_add_test(all, follows_lengths);
    suite_add_tcase(suite, all);
    return suite;
}
