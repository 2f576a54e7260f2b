/* check_log.c: a line of JSON for each request. */
#include "srv/out/log.h"
#include "unit/unit.h"

#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static int ends[2];

static void begin(void)
{
    ck_assert_int_eq(pipe2(ends, O_NONBLOCK), 0);
    log_start(ends[1]);
}

static void end(void)
{
    log_start(-1);
    close(ends[0]);
    close(ends[1]);
}

FIXTURE(begin, end)

static const struct record record = {.id = "an id",
                                     .method = "GET",
                                     .path = "/a\"\\\n\x7f\xc3\xa9",
                                     .self = "/regions?v=1&seed=7",
                                     .self_length = 19,
                                     .query = "seed=7",
                                     .cache = "hit",
                                     .client = "::1",
                                     .traceparent = "00-0af7-b7ad-01",
                                     .status = 200,
                                     .bytes = 12345678901,
                                     .duration = 2000007,
                                     .phases = {-1, -1, -1, 25, 0}};

/* The one line written since the last, read by somebody else. */
static json_t *read_line(void)
{
    char line[8192];
    ssize_t n = read(ends[0], line, sizeof line);
    ck_assert(n > 0 && n <= PIPE_BUF && line[n - 1] == '\n');
    for (ssize_t i = 0; i < n - 1; i++)
        ck_assert_msg(line[i] >= 0x20 && line[i] < 0x7f, "a byte %d", line[i]);
    json_t *json = json_loadb(line, (size_t)n, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_msg(json != NULL, "%.*s", (int)n, line);
    return json;
}

static const char *text_of(const json_t *json, const char *name)
{
    return json_string_value(json_object_get(json, name));
}

TEST(writes_json)
{
    log_request(&record);
    json_t *json = read_line();
    ck_assert_str_eq(text_of(json, "event"), "request");
    ck_assert_str_eq(text_of(json, "id"), "an id");
    /* what is no printable ASCII, byte by byte */
    ck_assert_str_eq(text_of(json, "path"), "/a\"\\\n\x7f\xc3\x83\xc2\xa9");
    ck_assert_str_eq(text_of(json, "self"), "/regions?v=1&seed=7");
    ck_assert_str_eq(text_of(json, "traceparent"), "00-0af7-b7ad-01");
    ck_assert_ptr_null(json_object_get(json, "query"));
    ck_assert_int_eq(json_integer_value(json_object_get(json, "bytes")), 12345678901);
    ck_assert_int_eq(json_integer_value(json_object_get(json, "status")), 200);
    const char *time = text_of(json, "time");
    ck_assert_msg(strlen(time) == 24 && time[10] == 'T' && time[19] == '.' && time[23] == 'Z', "%s",
                  time);
    json_decref(json);
}

/* Of a request that was refused before it was understood. */
TEST(leaves_out_what_is_not_known)
{
    static const struct record bare = {.id = "i",
                                       .status = 400,
                                       .fault = FAULT_INVALID_REQUEST,
                                       .duration = -1,
                                       .phases = {-1, -1, -1, -1, -1}};
    log_request(&bare);
    json_t *json = read_line();
    ck_assert_uint_eq(json_object_size(json), 6); /* time, event, id, status, bytes, reason */
    ck_assert_str_eq(text_of(json, "reason"), "invalid-request");
    json_decref(json);
}

/* A value that was cut says so, however it was made. */
TEST(cuts_long_values)
{
    static const char bytes[] = {'a', '\x01', '"', '\xff'};
    static char value[10000];
    for (int i = 0; i < COUNT(bytes); i++)
        for (size_t length = 380; length < sizeof value; length += length < 410 ? 1 : 4000) {
            memset(value, bytes[i], length);
            value[length] = '\0';
            struct record longest = record;
            longest.path = longest.id = longest.method = longest.client = longest.self = value;
            longest.self_length = length;
            log_request(&longest);
            json_t *json = read_line();
            const char *path = text_of(json, "path");
            size_t n = strlen(path), each = (unsigned char)bytes[i] > 0x7f ? 2 : 1;
            bool cut = n > 3 && !strcmp(path + n - 3, "\xe2\x80\xa6");
            ck_assert_uint_eq(cut, n - 3 * cut < length * each);
            size_t shown = (n - 3 * cut) / each;
            ck_assert_uint_le(shown * (bytes[i] == 'a' ? 1 : 6) + 6 * cut, 400);
            json_decref(json);
        }
}

TEST(writes_events)
{
    log_event("start", json_pack("{s:s}", "version", "1"));
    json_t *json = read_line();
    ck_assert_str_eq(text_of(json, "event"), "start");
    ck_assert_str_eq(text_of(json, "version"), "1");
    json_decref(json);
    log_event("stop", NULL);
    json = read_line();
    ck_assert_uint_eq(json_object_size(json), 2);
    json_decref(json);
    log_start(-1);
    log_event("stop", json_object());
    log_request(&record);
    char byte;
    ck_assert_int_eq(read(ends[0], &byte, 1), -1);
}

static void *write_many(void *arg)
{
    for (int i = 0; i < 1000; i++)
        log_request(&record);
    return arg;
}

/* Whole lines alone reach a reader, however slow; the rest is lost, and the writers never wait,
   though writing to the pipe would. */
TEST(loses_what_nobody_reads)
{
    static char read_back[1 << 20];
    pthread_t threads[3];
    fcntl(ends[1], F_SETFL, 0);
    for (int i = 0; i < COUNT(threads); i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, write_many, NULL), 0);
    for (int i = 0; i < COUNT(threads); i++)
        pthread_join(threads[i], NULL);
    size_t n = 0, lines = 0;
    for (ssize_t more; (more = read(ends[0], read_back + n, sizeof read_back - n)) > 0;)
        n += (size_t)more;
    for (size_t at = 0; at < n; lines++) {
        const char *stop = memchr(read_back + at, '\n', n - at);
        ck_assert(stop && read_back[at] == '{' && stop[-1] == '}');
        at = (size_t)(stop - read_back) + 1;
    }
    ck_assert(lines > 100 && lines < 3000);
}

TEST(gives_up_without_a_reader)
{
    close(ends[0]);
    ends[0] = -1;
    signal(SIGPIPE, SIG_IGN);
    log_request(&record);
}
