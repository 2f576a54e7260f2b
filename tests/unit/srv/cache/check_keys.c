/* check_keys.c: keys, as they stand in a file and as clients send them. */
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

#define A32 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define A128 A32 A32 A32 A32

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
    {A128 A128 "\n", NULL},
    {A128 A128 "a\n", "line 1: a key must be 8 to 256"},
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

TEST(refuses_a_file_with_zero_bytes)
{
    char why[320] = "";
    FILE *file = fopen(path, "w");
    fwrite("abcdefgh\0rest\n", 1, 14, file);
    fclose(file);
    ck_assert_ptr_null(keys_new(path, why));
    ck_assert_msg(strstr(why, "line 1: a key or its name has a zero byte"), "%s", why);
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

/* A name is the same client with each of its keys, and in each copy of the service; keys without a
   name are not. */
TEST(identifies_clients)
{
    static const char *const keys[] = {"Bearer abcdefgh", "Bearer ABCDEFGH", "Bearer 01234567",
                                       "Bearer 76543210"};
    struct client clients[2][COUNT(keys)];
    char why[320];
    write_file("abcdefgh ci\nABCDEFGH ci\n01234567\n76543210\n");
    for (int copy = 0; copy < 2; copy++) {
        struct keys *known = keys_new(path, why);
        for (int i = 0; i < COUNT(keys); i++)
            ck_assert(keys_know(known, keys[i], &clients[copy][i]));
        keys_drop(known);
    }
    ck_assert(clients[0][0].key == clients[0][1].key && clients[0][0].key == clients[1][0].key);
    ck_assert(clients[0][2].key != clients[0][3].key && clients[0][2].key != clients[1][2].key);
}
