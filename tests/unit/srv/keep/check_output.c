/* check_output.c: answers on their way to clients. */
#include "srv/base/clock.h"
#include "srv/keep/output.h"
#include "unit/unit.h"

#include <sys/socket.h>
#include <unistd.h>

enum { KIB = 1024, SECOND = 1000000 };

/* A client that reads nothing. Its sockets are no TCP: what it takes is not told. */
struct reader {
    struct sending sending;
    int pair[2];
};

static void begin(struct output *output, struct reader *reader, size_t length, int64_t since)
{
    *reader = (struct reader){.sending.blob = blob_reserve(length, "text/plain")};
    ck_assert(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, reader->pair));
    reader->sending.fd = reader->pair[0];
    output_watch(output, &reader->sending, since);
}

static bool is_ended(const struct reader *reader)
{
    char byte;
    return read(reader->pair[1], &byte, 1) == 0;
}

static void finish(struct output *output, struct reader *reader)
{
    output_forget(output, &reader->sending);
    blob_drop(reader->sending.blob);
    close(reader->pair[0]);
    close(reader->pair[1]);
}

static struct output *output_of(size_t room, size_t rate)
{
    struct output_plan plan = {.limit = blob_loose() + room, .rate = rate, .window = SECOND / 100};
    return output_new(&plan);
}

TEST(counts_what_nobody_keeps)
{
    size_t before = blob_loose();
    struct blob *blob = blob_new("abc", 3, "text/plain");
    ck_assert_uint_eq(blob_loose(), before + blob_weight(blob));
    blob_keep(blob);
    ck_assert_uint_eq(blob_loose(), before);
    blob_drop(blob_ref(blob));
    ck_assert_uint_eq(blob_loose(), before);
    blob_let_go(blob);
    ck_assert_uint_eq(blob_loose(), before + blob_weight(blob));
    blob_drop(blob);
    ck_assert_uint_eq(blob_loose(), before);
    blob = blob_new("abc", 3, "text/plain");
    blob_keep(blob);
    blob_drop(blob);
    ck_assert_uint_eq(blob_loose(), before);
}

TEST(promises_no_more_than_there_is)
{
    struct output *output = output_of(100 * KIB, KIB);
    ck_assert_int_eq(output_make_room(output, 60 * KIB), ROOM_THERE);
    ck_assert_int_eq(output_make_room(output, 60 * KIB), ROOM_NONE);
    ck_assert_int_eq(output_make_room(output, 40 * KIB), ROOM_THERE);
    output_made(output, 60 * KIB);
    struct blob *blob = blob_reserve(60 * KIB - sizeof *blob, "text/plain");
    ck_assert_int_eq(output_make_room(output, KIB), ROOM_NONE);
    blob_drop(blob);
    ck_assert_int_eq(output_make_room(output, 60 * KIB), ROOM_THERE);
    output_made(output, 100 * KIB);
    ck_assert_int_eq(output_make_room(output, (size_t)1 << 40), ROOM_NEVER);
    output_drop(output);
}

/* The one that would hold most for longest goes, and no more than are needed. */
TEST(ends_the_slowest)
{
    struct reader small, large, young, kept;
    struct output *output = output_of(300 * KIB, KIB);
    int64_t now = clock_now();
    begin(output, &small, 50 * KIB, now - SECOND);
    begin(output, &large, 100 * KIB, now - SECOND);
    begin(output, &young, 140 * KIB, now + 600 * SECOND);
    begin(output, &kept, 200 * KIB, now - SECOND);
    blob_keep(kept.sending.blob);
    ck_assert_int_eq(output_make_room(output, 60 * KIB), ROOM_NONE);
    ck_assert(is_ended(&large) && !is_ended(&small) && !is_ended(&young) && !is_ended(&kept));
    finish(output, &large);
    ck_assert_int_eq(output_make_room(output, 60 * KIB), ROOM_THERE);
    output_made(output, 60 * KIB);
    ck_assert(!is_ended(&small));
    blob_let_go(kept.sending.blob);
    ck_assert(output_relieve(output));
    ck_assert(is_ended(&kept) && !is_ended(&small) && !is_ended(&young));
    finish(output, &kept);
    finish(output, &small);
    finish(output, &young);
    ck_assert(!output_relieve(output));
    output_drop(output);
}

/* Where nobody tells what was taken, all of it must be by the time that the least speed gives. */
TEST(waits_as_long_as_the_least_speed_takes)
{
    struct reader reader;
    struct output *output = output_of(100 * KIB, KIB);
    ck_assert(output_may_last(output, 11) && !output_may_last(output, 10));
    begin(output, &reader, 10 * KIB, 0);
    ck_assert(output_is_taken(output, &reader.sending, 9 * SECOND));
    ck_assert(!output_is_taken(output, &reader.sending, 10 * SECOND));
    finish(output, &reader);
    output_drop(output);
}
