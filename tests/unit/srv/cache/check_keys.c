/* check_keys.c: keys, as they stand in a file and as clients send them. */
#include "faults.h"
#include "srv/cache/keys.h"
#include "unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/check_keys_XXXXXX";

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static void begin(void)
{
    strcpy(path + strlen(path) - 6, "XXXXXX");
    close(mkstemp(path));
}

static void end(void) { unlink(path); }

FIXTURE(begin, end)

/* A file, and what is wrong with it; NULL: nothing. */
static const struct {
    const char *text, *why;
} files[] = {
    {"abcdefgh\n", NULL},
    {"abcdefgh", NULL},
    {"# ours\n\n  abcdefgh \t ci  \r\nABCDEFGH\n", NULL},
    {"abcdefgh a.b-c_d@e9\n", NULL},
    {"", "there is no key in it"},
    {"# nothing\n", "there is no key in it"},
    {"short\n", "line 1: a key must be 8 to 256"},
    {"abcdefgh\nabc:defgh\n", "line 2: a key must be 8 to 256"},
    {"abcdefgh a b\n", "line 1: behind the key there may be a name"},
    {"abcdefgh \"x\"\n", "line 1: behind the key there may be a name"},
    {"abcdefgh 1234567890123456789012345678901234567890123456\n", "a name of at most 45"},
    {"abcdefgh a\n12345678\nabcdefgh b\n", "a key stands in it twice"},
};

TEST(reads_files, .end = COUNT(files))
{
    char why[320] = "";
    write_file(files[_i].text);
    struct keys *keys = keys_new(path, why);
    ck_assert_int_eq(keys == NULL, files[_i].why != NULL);
    if (files[_i].why)
        ck_assert_msg(strstr(why, files[_i].why) && strstr(why, path), "%s", why);
    if (keys)
        keys_drop(keys);
}

TEST(bounds_lines)
{
    char text[1200], why[320];
    memset(text, 'a', sizeof text);
    for (size_t n = 256; n < sizeof text; n += n == 256 ? 1 : 900) {
        snprintf(text + n, sizeof text - n, "%s", n < 1100 ? "\n" : "");
        write_file(text);
        struct keys *keys = keys_new(path, why);
        ck_assert_int_eq(keys != NULL, n == 256);
        if (keys)
            keys_drop(keys);
        memset(text, 'a', sizeof text);
    }
}

/* What a client sends, and who it is then; NULL: nobody. */
static const struct {
    const char *authorization, *name;
} sent[] = {
    {"Bearer abcdefgh", "ci"},
    {"bearer   abcdefgh", "ci"},
    {"Bearer 0123456789=", "192.0.2.1"},
    {NULL, NULL},
    {"", NULL},
    {"Bearer", NULL},
    {"Bearer ", NULL},
    {"Bearer abcdefg", NULL},
    {"Bearer abcdefghi", NULL},
    {"Bearer abcdefgh ", NULL},
    {"Basic abcdefgh", NULL},
    {"abcdefgh", NULL},
    {"Bearer abcdefgh, x", NULL},
    {"Bearer ABCDEFGH", NULL},
};

TEST(knows_clients, .end = COUNT(sent))
{
    char why[320];
    struct client client = {.key = 3, .text = "192.0.2.1"};
    write_file("abcdefgh ci\n0123456789=\n");
    struct keys *keys = keys_new(path, why);
    ck_assert_int_eq(keys_know(keys, sent[_i].authorization, &client), sent[_i].name != NULL);
    ck_assert_str_eq(client.text, sent[_i].name ? sent[_i].name : "192.0.2.1");
    ck_assert_int_eq(client.key == 3, !sent[_i].name);
    keys_drop(keys);
}

TEST(knows_many)
{
    char why[320], text[100 * 20] = "", one[40];
    struct client clients[100];
    for (int i = 0; i < 100; i++)
        sprintf(text + strlen(text), "key-%06d n%d\n", i, i);
    write_file(text);
    struct keys *keys = keys_new(path, why);
    ck_assert_int_eq(keys_count(keys), 100);
    for (int i = 0; i < 100; i++) {
        sprintf(one, "Bearer key-%06d", i);
        ck_assert(keys_know(keys, one, &clients[i]));
        sprintf(one, "n%d", i);
        ck_assert_str_eq(clients[i].text, one);
        ck_assert(!i || clients[i].key != clients[i - 1].key);
    }
    keys_drop(keys);
}

/* A key keeps its client over a reload; a file that is wrong changes nothing. */
TEST(reads_again)
{
    char why[320];
    struct client before, after;
    write_file("abcdefgh\n");
    struct keys *keys = keys_new(path, why);
    ck_assert(keys_know(keys, "Bearer abcdefgh", &before));
    write_file("abcdefgh\n12345678\n");
    ck_assert(keys_reload(keys, path, why) && keys_know(keys, "Bearer abcdefgh", &after));
    ck_assert(after.key == before.key && keys_know(keys, "Bearer 12345678", &after));
    write_file("abcdefgh\nbad\n");
    ck_assert(!keys_reload(keys, path, why) && keys_know(keys, "Bearer 12345678", &after));
    unlink(path);
    ck_assert(!keys_reload(keys, path, why) && strstr(why, "No such file"));
    ck_assert(keys_know(keys, "Bearer 12345678", &after));
    write_file("abcdefgh\n");
    ck_assert(keys_reload(keys, path, why) && !keys_know(keys, "Bearer 12345678", &after));
    keys_drop(keys);
}

TEST(is_made_or_says_why_not)
{
    bool faulted = true;
    write_file("abcdefgh\n");
    for (int n = 1; faulted; n++) {
        char why[320] = "";
        faults_begin(n);
        struct keys *keys = keys_new(path, why);
        faulted = faults_end();
        ck_assert(keys || (faulted && *why));
        if (keys)
            keys_drop(keys);
    }
}
