/* check_log.c: a line of JSON for each request. */
#include "srv/base/clock.h"
#include "srv/say/log.h"
#include "unit/unit.h"

#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static struct log log_;
static int ends[2];

static void begin(bool on)
{
    ck_assert_int_eq(pipe(ends), 0);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    log_init(&log_, on, ends[1]);
}

static void end(void)
{
    close(ends[0]);
    close(ends[1]);
}

static const struct log_entry entry = {.id = "an id",
                                       .method = "GET",
                                       .path = "/a\"\\\n\x7f\xc3\xa9",
                                       .cache = "hit",
                                       .client = "::1",
                                       .status = 200,
                                       .bytes = 12345678901,
                                       .microseconds = 7};

START_TEST(writes_json)
{
    char line[4096];
    begin(true);
    log_line(&log_, &entry);
    log_flush(&log_, clock_now());
    ssize_t n = read(ends[0], line, sizeof line);
    ck_assert(n > 0 && line[n - 1] == '\n' && !log_.length);
    json_t *json = json_loadb(line, (size_t)n, 0, NULL);
    ck_assert_msg(json != NULL, "%.*s", (int)n, line);
    ck_assert_str_eq(json_string_value(json_object_get(json, "id")), "an id");
    /* what is no printable ASCII, byte by byte */
    ck_assert_str_eq(json_string_value(json_object_get(json, "path")),
                     "/a\"\\\n\x7f\xc3\x83\xc2\xa9");
    ck_assert_int_eq(json_integer_value(json_object_get(json, "bytes")), 12345678901);
    ck_assert_int_eq(json_integer_value(json_object_get(json, "status")), 200);
    const char *time = json_string_value(json_object_get(json, "time"));
    ck_assert_msg(strlen(time) == 24 && time[10] == 'T' && time[19] == '.' && time[23] == 'Z', "%s",
                  time);
    json_decref(json);
    end();
}
END_TEST

START_TEST(cuts_long_values)
{
    static char path[10000], line[4096];
    memset(path, '\x01', sizeof path - 1);
    struct log_entry longest = entry;
    longest.path = longest.id = longest.method = path;
    begin(true);
    log_line(&log_, &longest);
    ck_assert_uint_lt(log_.length, 2048);
    log_flush(&log_, clock_now());
    ssize_t n = read(ends[0], line, sizeof line);
    json_t *json = json_loadb(line, (size_t)n, 0, NULL);
    ck_assert(json && json_string_length(json_object_get(json, "path")) < 100);
    json_decref(json);
    end();
}
END_TEST

START_TEST(is_silent_when_off)
{
    begin(false);
    log_line(&log_, &entry);
    ck_assert_uint_eq(log_.length, 0);
    end();
}
END_TEST

/* Whole lines alone reach a reader, however slow; the rest is lost, and the writer never waits. */
START_TEST(loses_what_nobody_reads)
{
    static char read_back[1 << 20];
    begin(true);
    for (int i = 0; i < 3000; i++)
        log_line(&log_, &entry);
    size_t n = 0, lines = 0;
    ssize_t more;
    do {
        while ((more = read(ends[0], read_back + n, sizeof read_back - n)) > 0)
            n += (size_t)more;
        log_flush(&log_, clock_now());
    } while ((more = read(ends[0], read_back + n, sizeof read_back - n)) > 0 &&
             (n += (size_t)more));
    for (size_t at = 0; at < n; lines++) {
        const char *stop = memchr(read_back + at, '\n', n - at);
        ck_assert(stop && read_back[at] == '{' && stop[-1] == '}');
        at = (size_t)(stop - read_back) + 1;
    }
    ck_assert(lines > 100 && lines < 3000);
    end();
}
END_TEST

START_TEST(gives_up_without_a_reader)
{
    begin(true);
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    log_line(&log_, &entry);
    log_flush(&log_, clock_now());
    ck_assert_uint_eq(log_.length, 0);
    close(ends[1]);
    log_line(&log_, &entry);
    log_flush(&log_, clock_now());
    ck_assert_uint_eq(log_.length, 0);
}
END_TEST

Suite *suite_log(void)
{
    Suite *suite = suite_create("log");
    TCase *all = tcase_create("all");
    tcase_add_test(all, writes_json);
    tcase_add_test(all, cuts_long_values);
    tcase_add_test(all, is_silent_when_off);
    tcase_add_test(all, loses_what_nobody_reads);
    tcase_add_test(all, gives_up_without_a_reader);
    suite_add_tcase(suite, all);
    return suite;
}
