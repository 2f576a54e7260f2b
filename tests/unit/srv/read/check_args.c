/* check_args.c: a JSON body as arguments. */
#include "faults.h"
#include "srv/read/args.h"
#include "unit/unit.h"

#include <stdio.h>

/* Spelled as name=value, a letter for the shape between: R raw, 0 null, B truth, N number, T text,
   L numbers, P pairs, S strings, E empty, M a mixture, O other. */
static const char shapes[] = "R0BNTLPSEMO";

static const struct {
    const char *body, *spelled; /* NULL: no object */
} rows[] = {
    {"", ""},
    {" \r\n\t ", ""},
    {"{}", ""},
    {"{\"a\": 1}", "aN1 "},
    {"{\"a\": 10.0, \"b\": -0, \"c\": 1e2, \"d\": 0.5}", "aN10 bN0 cN100 dN0.5 "},
    {"{\"a\": 0.1, \"b\": 1e-7, \"c\": 123456789012345680}",
     "aN0.1 bN1e-07 cN1.2345678901234568e+17 "},
    {"{\"a\": 9007199254740991, \"b\": 99999999999999999999}", "aN9007199254740991 bN1e+20 "},
    {"{\"a\": true, \"b\": false, \"c\": null}", "aBtrue bBfalse c0 "},
    {"{\"a\": \"x y\", \"b\": \"\"}", "aTx y bT "},
    {"{\"a\": \"\\u00e9\\n\"}", "aT\xc3\xa9\n "},
    {"{\"a\": [1, 2, 3]}", "aL1,2,3 "},
    {"{\"a\": [1.5]}", "aL1.5 "},
    {"{\"a\": [[1, 2], [3, 4]]}", "aP1,2;3,4 "},
    {"{\"a\": [\"..#\", \".##\"]}", "aS..#/.## "},
    {"{\"a\": [\"\"], \"b\": [\"\", \"\"]}", "aS bS/ "},
    {"{\"a\": [\"x/y\"]}", "aSx\x01y "},
    {"{\"a\": []}", "aE "},
    {"{\"a\": [1, \"x\"], \"b\": [[1]], \"c\": [[1, 2, 3]], \"d\": {}, \"e\": [null], \"f\": [[1, "
     "2], 3]}",
     "aMns bM? cM? dO eM? fMpn "},
    {"{\"a\": 1, \"b\": 2, \"a\": 3}", "aN3 bN2 aO "},
    {"{\"a\": 1, \"\\u0061\": 2}", "aN2 aO "},
    {"{\"a\": 1, \"a\": 1, \"a\": 1}", "aN1 aO aO "},
    {"{\"a\": {\"a\": 1, \"b\": \"}\\\"{\"}, \"b\": [{\"b\": 1}]}", "aO bM? "},
    {"{\"a\": \"\\\\\", \"a\": \"\\\"\"}", "aT\" aO "},
    {"[]", NULL},
    {"1", NULL},
    {"null", NULL},
    {"{", NULL},
    {"{\"a\"}", NULL},
    {"{\"a\": 1,}", NULL},
    {"{\"a\": 01}", NULL},
    {"{\"a\": 1} x", NULL},
    {"{'a': 1}", NULL},
    {"{\"a\": \"\xff\"}", NULL},
    {"{\"a\": \"\xed\xa0\x80\"}", NULL},
    {"\xef\xbb\xbf{\"a\": 1}", "aN1 "},
    {"\xef\xbb\xbf", ""},
    {" \xef\xbb\xbf{}", NULL},
};

static void spell(const struct args *args, char *to, size_t room)
{
    size_t n = 0;
    *to = '\0';
    for (size_t i = 0; i < args->count; i++)
        n += (size_t)snprintf(to + n, room - n, "%.*s%c%.*s ", (int)args->list[i].name_length,
                              args->list[i].name, shapes[args->list[i].shape],
                              (int)args->list[i].length,
                              args->list[i].length ? args->list[i].text : "");
}

TEST(reads, .end = COUNT(rows))
{
    struct args args = {0};
    char why[200] = "", spelled[512];
    enum args_outcome outcome = args_read_json(&args, rows[_i].body, strlen(rows[_i].body), why);
    ck_assert_msg((outcome == ARGS_OK) == (rows[_i].spelled != NULL), "«%s»: %s", rows[_i].body,
                  why);
    spell(&args, spelled, sizeof spelled);
    if (outcome == ARGS_OK)
        ck_assert_str_eq(spelled, rows[_i].spelled);
    else
        ck_assert_int_ne(why[0], '\0');
    args_release(&args);
}

TEST(says_where)
{
    struct args args = {0};
    char why[200];
    ck_assert_int_eq(args_read_json(&args, "{\n  \"a\": x}", 11, why), ARGS_INVALID);
    ck_assert_msg(strstr(why, "line 2, column ") == why, "%s", why);
    ck_assert_int_eq(args_read_json(&args, "width=3", 7, why), ARGS_INVALID);
    ck_assert_msg(strstr(why, "must be an object in UTF-8: {") == why, "%s", why);
    args_release(&args);
}

/* The spelled values never move while more are added, and a name a thousand times costs no more
   than itself. */
TEST(reads_much)
{
    static char body[400000];
    size_t n = (size_t)sprintf(body, "{\"list\": [");
    for (int i = 0; i < 50000; i++)
        n += (size_t)sprintf(body + n, "%s1.%d", i ? "," : "", i % 10);
    n += (size_t)sprintf(body + n, "]");
    for (int i = 0; i < 1000; i++)
        n += (size_t)sprintf(body + n, ",\"again\":%d", i);
    body[n++] = '}';
    struct args args = {0};
    char why[200];
    ck_assert_int_eq(args_read_json(&args, body, n, why), ARGS_OK);
    ck_assert_uint_eq(args.count, 1001);
    const struct mw_arg *list = &args.list[0];
    ck_assert_uint_eq(list->length, 50000 * 4 - 1 - 2 * 5000);
    ck_assert(!memcmp(list->text, "1,1.1,1.2", 9));
    args_release(&args);
}

/* The reader of JSON keeps what it is reading in room that doubles: a string may lose any of its
   bytes for want of it, the quote at its end, too. */
TEST(reads_whole_or_not_at_all, .end = 70)
{
    char body[200], wanted[200], spelled[512], why[200];
    int n = snprintf(body, sizeof body, "{\"a\": \"\\n%0*d\", \"b\": [1, 2.5]}", _i + 1, 7);
    snprintf(wanted, sizeof wanted, "aT\n%0*d bL1,2.5 ", _i + 1, 7);
    bool went_wrong, failed = false;
    for (int which = 1;; which++) {
        struct args args = {0};
        faults_begin(which);
        enum args_outcome outcome = args_read_json(&args, body, (size_t)n, why);
        went_wrong = faults_end();
        ck_assert_int_eq(outcome, went_wrong ? ARGS_NO_MEMORY : ARGS_OK);
        failed |= went_wrong;
        spell(&args, spelled, sizeof spelled);
        if (!went_wrong)
            ck_assert_str_eq(spelled, wanted);
        args_release(&args);
        if (!went_wrong)
            break;
    }
    ck_assert(failed);
}
