/*
 * inside.h: the service in this process, asked through a pair of sockets: intake, libmicrohttpd,
 * exchange and worker, as a client meets them, on one I/O thread which is this one.
 */
#ifndef MAPWRIGHT_FUZZ_INSIDE_H
#define MAPWRIGHT_FUZZ_INSIDE_H

#include "fuzz.h"

#include "srv/base/clock.h"
#include "srv/net/http.h"
#include "srv/out/problem.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    LONGEST_STREAM = 1 << 16,
    MOST_ANSWERS = 600,
    MOST_BYTES = 160 << 20,
    PATIENCE_US = 20000000,
    CACHE = 64 << 20
};

struct answer {
    unsigned status;
    const char *head, *body; /* head: of its first field */
    size_t head_length, length;
};

/* All that came back on one connection. */
struct answers {
    int count, interim; /* these: 100 Continue */
    struct answer list[MOST_ANSWERS];
    size_t length;
    char bytes[MOST_BYTES];
};

static struct service inside;
static struct loop inside_loop;
static struct http inside_http;
static struct log inside_log;

/* With so much memory for maps, of which two must fit into `answers`, and so much time for each. */
static void inside_start(int64_t memory, int deadline_ms)
{
    static struct config config = {
        .port = 8080,
        .threads = 1,
        .workers = 1,
        .queue = 100,
        .connections = 8,
        .cache_bytes = CACHE,
        .output_bytes = 64 << 20,
        .max_body = 20000,
        .wait_ms = 60000,
        .header_ms = 60000,
        .body_ms = 60000,
        .send_ms = 60000,
        .idle_ms = 60000,
        .drain_ms = 60000,
    };
    const char *what;
    config.memory = memory;
    config.deadline_ms = deadline_ms;
    signal(SIGPIPE, SIG_IGN);
    log_init(&inside_log, false, -1);
    MUST(problem_init() && service_init(&inside, &config, &what) && loop_init(&inside_loop));
    MUST(http_open(&inside_http, &inside_loop, &inside, &inside_log, 8, false));
}

static void inside_turn(int most_ms)
{
    loop_wait(&inside_loop, http_sleep_ms(&inside_http, most_ms));
    http_run(&inside_http);
}

/* Where the value of a field begins, if it is there once; else NULL, with *n how often. */
static const char *find_field(const struct answer *answer, const char *name, size_t *length, int *n)
{
    const char *found = NULL, *end = answer->head + answer->head_length;
    *n = 0;
    for (const char *at = answer->head; at < end;) {
        const char *stop = memchr(at, '\r', (size_t)(end - at));
        MUST(stop);
        size_t name_length = strlen(name);
        if (!strncasecmp(at, name, name_length) && at[name_length] == ':') {
            found = at + name_length + 2;
            *length = (size_t)(stop - found);
            ++*n;
        }
        at = stop + 2;
    }
    return *n == 1 ? found : NULL;
}

static size_t content_length(const struct answer *answer)
{
    size_t n, value = 0;
    int count;
    const char *text = find_field(answer, "Content-Length", &n, &count);
    MUST(count <= 1);
    for (size_t i = 0; text && i < n; i++)
        value = value * 10 + (size_t)(text[i] - '0');
    return value;
}

/* Takes whole answers off what has come; `is_head(i)` says whether the i-th has no body. */
static void take_answers(struct answers *answers, size_t *at, bool (*is_head)(int i))
{
    for (;;) {
        const char *start = answers->bytes + *at;
        size_t left = answers->length - *at;
        const char *end = memmem(start, left, "\r\n\r\n", 4);
        if (!end)
            return;
        MUST(!memcmp(start, "HTTP/1.1 ", 9) && answers->count < MOST_ANSWERS);
        struct answer answer = {.status = (unsigned)strtoul(start + 9, NULL, 10)};
        answer.head = (const char *)memchr(start, '\n', left) + 1;
        answer.head_length = (size_t)(end + 2 - answer.head);
        answer.body = end + 4;
        if (answer.status == 100) {
            answers->interim++;
            *at += (size_t)(answer.body - start);
            continue;
        }
        bool bare = is_head(answers->count) || answer.status == 304 || answer.status == 204;
        answer.length = bare ? 0 : content_length(&answer);
        if (answer.length > left - (size_t)(answer.body - start))
            return;
        *at += (size_t)(answer.body - start) + answer.length;
        answers->list[answers->count++] = answer;
    }
}

/* How long the next piece is, where so much is sent. */
static size_t in_whole(size_t sent)
{
    (void)sent;
    return SIZE_MAX;
}

static uint32_t inside_chance;

static size_t at_random(size_t sent)
{
    (void)sent;
    inside_chance = inside_chance * 1664525 + 1013904223;
    return 1 + (inside_chance >> 16) % (inside_chance >> 31 ? 9 : 900);
}

/*
 * Sends all of it, piece by piece, and reads until `expected` answers are there or the server has
 * hung up; then closes our side, and waits for its own.
 */
static void inside_talk(const char *bytes, size_t length, size_t (*piece)(size_t sent),
                        int expected, bool (*is_head)(int i), struct answers *answers)
{
    static const struct sockaddr_in6 nobody = {.sin6_family = AF_INET6};
    int pair[2];
    size_t sent = 0, parsed = 0;
    bool shut = false;
    int64_t end = clock_now() + PATIENCE_US;
    answers->count = answers->interim = 0;
    answers->length = 0;
    MUST(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair));
    http_add(&inside_http, pair[0], (const struct sockaddr *)&nobody, sizeof nobody);
    for (;;) {
        size_t left = length - sent, n = left ? piece(sent) : 0;
        n = n < left ? n : left;
        ssize_t went = n ? send(pair[1], bytes + sent, n, MSG_NOSIGNAL) : 0;
        sent = went > 0 ? sent + (size_t)went : went < 0 && errno == EPIPE ? length : sent;
        inside_turn(sent < length ? 0 : 1);
        ssize_t got = recvfrom(pair[1], answers->bytes + answers->length,
                               MOST_BYTES - answers->length, 0, NULL, NULL);
        if (!got || (got < 0 && errno != EAGAIN))
            break;
        answers->length += got > 0 ? (size_t)got : 0;
        take_answers(answers, &parsed, is_head);
        if (!shut && sent == length && answers->count >= expected)
            shut = !shutdown(pair[1], SHUT_WR);
        MUST(clock_now() < end); /* it does not hang */
    }
    MUST(parsed == answers->length); /* whole answers, and nothing else */
    close(pair[1]);
    while (inside_http.held || inside_http.lingering.count) {
        inside_turn(1);
        MUST(clock_now() < end);
    }
    MUST(!inside_http.open && !inside_http.waiting && !inside_http.context->open);
}

#endif
