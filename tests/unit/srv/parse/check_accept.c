/* check_accept.c: Accept, Accept-Encoding, entity tags, Prefer. */
#include "srv/parse/accept.h"
#include "unit/unit.h"

/* ---- media types: the encoders of the library, for a generator that all of them fit ---------- */

static const struct {
    const char *accept, *encoder; /* NULL: none is acceptable */
} media[] = {
    {NULL, "json"},
    {"", "json"},
    {"*/*", "json"},
    {"application/json", "json"},
    {"text/plain", "text"},
    {"text/*", "text"},
    {"image/svg+xml, */*", "svg"},
    {"*/*, image/svg+xml", "svg"},
    {"image/svg+xml;q=0.5, text/plain", "text"},
    {"image/svg+xml ; q=0.5 , text/plain ; q=0.6", "text"},
    {"text/plain;q=0.001, */*;q=0", "text"},
    {"application/json;q=0, */*;q=0.1, text/plain;q=0.2", "text"},
    {"text/plain;charset=utf-8", "text"},
    {"text/plain;charset=utf-8;q=0.1, image/svg+xml;q=0.2", "svg"},
    {"text/plain;format=\"a,b;q=0\"", "text"},
    {"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
     "json"},
    {"image/webp", NULL},
    {"*/*;q=0", NULL},
    {"application/json;q=0", NULL},
    {"application/jsonx", NULL},
    {"application", NULL},
    {"*", NULL},
    {",,;,", NULL},
};

TEST(chooses_the_encoder, .end = COUNT(media))
{
    const struct mw_request request = {.generator = mw_generators[0]};
    const struct mw_encoder *encoder = accept_encoder(media[_i].accept, &request);
    const char *expected = media[_i].encoder;
    ck_assert_msg(!encoder == !expected && (!encoder || !strcmp(encoder->name, expected)),
                  "«%s» is answered by %s", media[_i].accept ? media[_i].accept : "(none)",
                  encoder ? encoder->name : "nothing");
}

/* ---- codings --------------------------------------------------------------------------------- */

static const struct {
    const char *accept;
    enum coding coding;
} codings[] = {
    {NULL, CODING_NONE},
    {"", CODING_NONE},
    {"gzip", CODING_GZIP},
    {"gzip, deflate, br, zstd", CODING_ZSTD},
    {"gzip, zstd;q=0.9", CODING_GZIP},
    {"gzip;q=0", CODING_NONE},
    {"gzip;q=0.001", CODING_GZIP},
    {"*", CODING_ZSTD},
    {"*;q=0", CODING_NONE},
    {"*, zstd;q=0", CODING_GZIP},
    {"*;q=0.5, gzip", CODING_GZIP},
    {"identity, gzip;q=0.5", CODING_NONE},
    {"identity;q=0.5, gzip", CODING_GZIP},
    {"identity;q=0", CODING_NONE},
    {"gzipped", CODING_NONE},
    {"nonsense;;q==, gzip", CODING_GZIP},
};

TEST(chooses_the_coding, .end = COUNT(codings))
{
    ck_assert_msg(accept_coding(codings[_i].accept) == codings[_i].coding, "«%s»",
                  codings[_i].accept ? codings[_i].accept : "(none)");
}

/* ---- names ----------------------------------------------------------------------------------- */

TEST(distinguishes_names_from_wildcards)
{
    ck_assert(accept_names("text/html, */*;q=0.8", "text/html"));
    ck_assert(!accept_names("*/*, text/*", "text/html"));
    ck_assert(!accept_names("text/html;q=0, */*", "text/html"));
    ck_assert(!accept_names(NULL, "text/html"));
}

/* ---- tags ------------------------------------------------------------------------------------ */

static const struct {
    const char *list;
    bool has, strongly;
} tags[] = {
    {"\"a\"", true, true},
    {"*", true, true},
    {"W/\"a\"", true, false},
    {"\"b\", \"a\"", true, true},
    {"\"b\" , W/\"a\" ,\"c\"", true, false},
    {"\"x,\\\", \"a\"", true, true},
    {"", false, false},
    {"a", false, false},
    {"\"b\"", false, false},
    {"\"ab\"", false, false},
    {"\"a\"b", false, false},
    {"\"b, a\"", false, false},
    {"w/\"a\"", false, false},
};

TEST(finds_the_tag, .end = COUNT(tags))
{
    const struct etag tag = {"\"a\""};
    ck_assert_msg(accept_tag(tags[_i].list, &tag, true) == tags[_i].has, "«%s»", tags[_i].list);
    ck_assert_msg(accept_tag(tags[_i].list, &tag, false) == tags[_i].strongly, "«%s»",
                  tags[_i].list);
}

/* ---- Prefer ---------------------------------------------------------------------------------- */

static const struct {
    const char *prefer;
    bool async;
    int wait;
} preferences[] = {
    {NULL, false, 0},
    {"", false, 0},
    {"respond-async", true, 0},
    {"Respond-ASYNC", true, 0},
    {"respond-async, wait=5", true, 5},
    {"wait=5,respond-async", true, 5},
    {"wait=\"5\", respond-async", true, 5},
    {"wait = 5; a=b, respond-async; c", true, 5},
    {"wait=5, wait=7", false, 5},
    {"wait, wait=7", false, 7},
    {"wait=x", false, 0},
    {"wait=99999999999999999999", false, 3600},
    {"waiting=5", false, 0},
    {"respond-async-not", false, 0},
    {"foo=\"a, respond-async\"", false, 0},
    {"foo=\"\\", false, 0},
    {"=,;,\t,respond-async", true, 0},
};

TEST(reads_preferences, .end = COUNT(preferences))
{
    struct preference found = accept_preference(preferences[_i].prefer);
    ck_assert_int_eq(found.async, preferences[_i].async);
    ck_assert_int_eq(found.wait, preferences[_i].wait);
}
