/* check_store_url.c: addresses of stores. */
#include "srv/base/store_url.h"
#include "unit/unit.h"

#include <string.h>

static const struct {
    const char *text;
    struct store_url url;
} good[] = {
    {"redis://cache", {.host = "cache", .port = 6379}},
    {"redis://cache/", {.host = "cache", .port = 6379}},
    {"redis://cache:1/9", {.host = "cache", .port = 1, .database = 9}},
    {"redis://[::1]", {.host = "::1", .port = 6379}},
    {"redis://[fe80::1]:7000/0", {.host = "fe80::1", .port = 7000}},
    {"redis://:secret@h", {.host = "h", .password = "secret", .port = 6379}},
    {"redis://me:s@h:65535", {.host = "h", .user = "me", .password = "s", .port = 65535}},
    {"redis://:a%40b%2Fc%25@h", {.host = "h", .password = "a@b/c%", .port = 6379}},
    {"rediss://cache", {.host = "cache", .port = 6379, .tls = true}},
    {"rediss://me:s@[::1]:7/3",
     {.host = "::1", .user = "me", .password = "s", .port = 7, .database = 3, .tls = true}},
    {"redis://:a@b@h", {.host = "h", .password = "a@b", .port = 6379}},
};

TEST(reads, .end = COUNT(good))
{
    struct store_url url;
    ck_assert_msg(store_url_read(&url, good[_i].text), "%s", good[_i].text);
    ck_assert_str_eq(url.host, good[_i].url.host);
    ck_assert_str_eq(url.user, good[_i].url.user);
    ck_assert_str_eq(url.password, good[_i].url.password);
    ck_assert_int_eq(url.port, good[_i].url.port);
    ck_assert_int_eq(url.database, good[_i].url.database);
    ck_assert_int_eq(url.tls, good[_i].url.tls);
}

static const char *const bad[] = {"",
                                  "cache",
                                  "rediss:cache",
                                  "redisss://cache",
                                  "http://cache",
                                  "redis://",
                                  "redis:///0",
                                  "redis://:6379",
                                  "redis://secret@h",
                                  "redis://h:0",
                                  "redis://h:65536",
                                  "redis://h:7x",
                                  "redis://h/x",
                                  "redis://h/1/2",
                                  "redis://h?db=1",
                                  "redis://h/1000000",
                                  "redis://[::1",
                                  "redis://[::1]x",
                                  "redis://:%@h",
                                  "redis://:%4@h",
                                  "redis://:%00@h",
                                  "redis://:%zz@h"};

TEST(refuses, .end = COUNT(bad))
{
    struct store_url url;
    ck_assert_msg(!store_url_read(&url, bad[_i]), "%s", bad[_i]);
    ck_assert_str_eq(url.host, "");
}

TEST(refuses_long_hosts)
{
    struct store_url url;
    char text[STORE_TEXT + 32] = "redis://";
    memset(text + 8, 'h', STORE_TEXT - 1);
    ck_assert(store_url_read(&url, text));
    memset(text + 8, 'h', STORE_TEXT);
    ck_assert(!store_url_read(&url, text));
}
