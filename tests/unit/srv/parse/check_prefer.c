/* check_prefer.c: how long a client would like to wait. */
#include "srv/parse/prefer.h"
#include "unit/unit.h"

static const struct {
    const char *prefer;
    bool async;
    int wait;
} rows[] = {
    {NULL, false, 0},
    {"", false, 0},
    {"respond-async", true, 0},
    {"Respond-ASYNC", true, 0},
    {" respond-async ,", true, 0},
    {"respond-async, wait=5", true, 5},
    {"wait=5,respond-async", true, 5},
    {"wait=\"5\", respond-async", true, 5},
    {"wait = 5; a=b, respond-async; c", true, 5},
    {"wait=5, wait=7", false, 5},
    {"wait, wait=7", false, 7},
    {"wait=", false, 0},
    {"wait=x", false, 0},
    {"wait=-1", false, 0},
    {"wait=99999999999999999999", false, 3600},
    {"waiting=5", false, 0},
    {"respond-async-not", false, 0},
    {"foo=\"a, respond-async\"", false, 0},
    {"foo=\"a\\\", respond-async\", wait=3", false, 3},
    {"foo=\"respond-async", false, 0},
    {"foo=\"\\", false, 0},
    {";respond-async", false, 0},
    {"=,;,\t,respond-async", true, 0},
};

TEST(reads, .end = COUNT(rows))
{
    struct preference found = prefer_read(rows[_i].prefer);
    ck_assert_int_eq(found.async, rows[_i].async);
    ck_assert_int_eq(found.wait, rows[_i].wait);
}
