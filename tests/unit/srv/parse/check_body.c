/* check_body.c: chunks and lengths of bodies. */
#include "srv/parse/body.h"
#include "unit/unit.h"

static const struct {
    const char *bytes, *body;
    size_t taken; /* up to the end of the body, or of what has come */
    bool ends, broken;
} chunked[] = {
    {"0\r\n\r\n", "", 5, true, false},
    {"2\r\n{}\r\n0\r\n\r\n", "{}", 12, true, false},
    {"2\r\n{}\r\n0\r\n\r\nGET", "{}", 12, true, false},
    {"2;a=b\r\n{}\r\n0;c\r\n\r\n", "{}", 18, true, false},
    {"2 \t;a=\"b;c\"\r\n{}\r\n0\r\n\r\n", "{}", 22, true, false},
    {"00002\r\n{}\r\n00\r\n\r\n", "{}", 17, true, false},
    {"1\r\n{\r\n1\r\n}\r\n0\r\n\r\n", "{}", 17, true, false},
    {"a\r\n0123456789\r\n0\r\nT: x\r\nU:\r\n\r\n", "0123456789", 30, true, false},
    {"2\r\n{}", "{}", 5, false, false},
    {"", "", 0, false, false},
    {"zz\r\n", "", 0, false, true},
    {"-2\r\n", "", 0, false, true},
    {"+2\r\n", "", 0, false, true},
    {" 2\r\n", "", 0, false, true},
    {"2 \r\n", "", 0, false, true},
    {"2 2\r\n", "", 0, false, true},
    {"0x2\r\n", "", 0, false, true},
    {"\r\n", "", 0, false, true},
    {"2\n{}\r\n", "", 0, false, true},
    {"2\r\n{}xx0\r\n", "{}", 0, false, true},
    {"2\r\n{}\n0\r\n", "{}", 0, false, true},
    {"2\rx\r\n", "", 0, false, true},
    {"2\r\r\n", "", 0, false, true},
    {"2;a\rb\r\n", "", 0, false, true},
    {"2;a\n", "", 0, false, true},
    {"2;\x01\r\n", "", 0, false, true},
    {"ffffffffffffffffff\r\n", "", 0, false, true},
    {";a\r\n", "", 0, false, true},
    {"0\r\nno colon\r\n", "", 0, false, true},
    {"0\r\n:x\r\n", "", 0, false, true},
    {"0\r\n a:x\r\n", "", 0, false, true},
    {"0\r\na\r\n", "", 0, false, true},
    {"0\r\na:\x7f\r\n", "", 0, false, true},
    {"0\r\na:b\r\n folded\r\n", "", 0, false, true},
    {"0\r\na:b\n", "", 0, false, true},
};

/* Takes all of it, which comes in so many bytes at once; *n of them were taken, and this is the
   body. */
static const char *follow(struct body *body, struct span bytes, size_t step, size_t *n,
                          bool *broken)
{
    static char text[100];
    size_t length = 0;
    size_t there = 0;
    *n = 0;
    *broken = false;
    while (there < bytes.length && body->state != BODY_NONE && !*broken) {
        struct span piece;
        there += bytes.length - there < step ? bytes.length - there : step;
        for (size_t taken = 1; taken && *n < there && body->state != BODY_NONE && !*broken;
             *n += taken) {
            taken = body_take(body, (struct span){bytes.at + *n, there - *n}, &piece, broken);
            memcpy(text + length, piece.at ? piece.at : "", piece.length);
            length += piece.length;
        }
    }
    text[length] = '\0';
    return text;
}

TEST(reads_chunks, .end = COUNT(chunked))
{
    struct span bytes = span_of(chunked[_i].bytes);
    for (size_t step = 1; step <= bytes.length + 1; step++) {
        bool broken;
        size_t taken;
        struct body body = {.state = BODY_CHUNK_SIZE};
        const char *text = follow(&body, bytes, step, &taken, &broken);
        ck_assert_msg((broken || taken == chunked[_i].taken) && broken == chunked[_i].broken &&
                          (body.state == BODY_NONE) == chunked[_i].ends,
                      "«%s» by %zu: %zu taken, %d, state %d", bytes.at, step, taken, broken,
                      body.state);
        ck_assert_str_eq(text, chunked[_i].body);
    }
}

TEST(limits_ignored_bytes)
{
    static char bytes[3 * MOST_EXTRA];
    for (int trailers = 0; trailers < 2; trailers++) {
        struct body body = {.state = BODY_CHUNK_SIZE};
        bool broken;
        size_t taken;
        memset(bytes, 'a', sizeof bytes);
        memcpy(bytes, trailers ? "0\r\na:" : "0;aaa", 5);
        follow(&body, (struct span){bytes, MOST_EXTRA}, SIZE_MAX, &taken, &broken);
        ck_assert(!broken);
        follow(&body, (struct span){bytes, 2 * MOST_EXTRA}, SIZE_MAX, &taken, &broken);
        ck_assert(broken);
    }
}

TEST(reads_lengths)
{
    bool broken;
    size_t taken;
    struct body body = {.state = BODY_BYTES, .left = 5};
    ck_assert_str_eq(follow(&body, span_of("12"), 9, &taken, &broken), "12");
    ck_assert_str_eq(follow(&body, span_of("345GET"), 9, &taken, &broken), "345");
    ck_assert(taken == 3 && !broken && body.state == BODY_NONE);
}
