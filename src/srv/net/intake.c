/* intake.c: what comes in through a socket, judged before libmicrohttpd reads it. */
#include "intake.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { DISCARD_READS = 64, KEPT_HEAD = 1024 };

/* By descriptor; each I/O thread has its own. */
static _Thread_local struct {
    struct intake **at;
    size_t count;
} table;

static bool widen(size_t wanted)
{
    size_t count = table.count ? table.count : 64;
    while (count < wanted)
        count *= 2;
    struct intake **at = realloc(table.at, count * sizeof(struct intake *));
    if (!at)
        return false;
    for (size_t i = table.count; i < count; i++)
        at[i] = NULL;
    table.at = at;
    table.count = count;
    return true;
}

bool intake_attach(int fd, struct intake *intake)
{
    assert(fd >= 0 && intake);
    if ((size_t)fd >= table.count && !widen((size_t)fd + 1))
        return false;
    table.at[fd] = intake;
    return true;
}

void intake_detach(int fd)
{
    assert(fd >= 0 && (size_t)fd < table.count && table.at[fd]);
    table.at[fd] = NULL;
}

void intake_release(void)
{
    free(table.at);
    table.at = NULL;
    table.count = 0;
}

/* ---- on the way ------------------------------------------------------------------------------ */

/* Answers are sent in order: a refusal waits for those before it. */
static void refuse_in_turn(struct intake *intake)
{
    /* what is malformed may be the body of one that was let in */
    unsigned own = intake->body.state != BODY_NONE;
    if (!intake->stopped || intake->refused || intake->unanswered > own)
        return;
    intake->refused = true;
    intake->refuse(intake, intake->verdict);
}

static void stop(struct intake *intake, struct verdict verdict)
{
    intake->stopped = true;
    intake->verdict = verdict;
}

/* Judges a head as far as it has come, mostly in one piece; answers how many bytes are let in. */
static size_t take_head(struct intake *intake, const char *bytes, size_t n)
{
    struct strbuf *head = &intake->head;
    size_t before = head->length;
    if (before)
        strbuf_put(head, bytes, n);
    struct verdict verdict =
        before ? framing_judge(head->at, head->length) : framing_judge(bytes, n);
    if (verdict.outcome == FRAMING_WAIT && !before)
        strbuf_put(head, bytes, n);
    if (head->failed)
        verdict = (struct verdict){
            .outcome = FRAMING_REFUSE, .fault = FAULT_UNAVAILABLE, .detail = "out of memory"};
    if (verdict.outcome == FRAMING_WAIT)
        return n;
    strbuf_reset(head, KEPT_HEAD);
    if (verdict.outcome == FRAMING_REFUSE) {
        stop(intake, verdict);
        return 0;
    }
    intake->unanswered++;
    intake->body = verdict.body;
    assert(verdict.length > before && verdict.length <= before + n);
    return verdict.length - before;
}

static size_t take_body(struct intake *intake, const char *bytes, size_t n)
{
    bool malformed;
    size_t taken = framing_follow(&intake->body, bytes, n, &malformed);
    if (malformed)
        stop(intake, (struct verdict){.outcome = FRAMING_REFUSE,
                                      .fault = FAULT_INVALID_REQUEST,
                                      .detail = "the body is not chunked as it should be"});
    return taken;
}

/* How many of the bytes are let in: those before the first that is not fit. */
static size_t follow(struct intake *intake, const char *bytes, size_t n)
{
    size_t taken = 0;
    while (taken < n && !intake->stopped)
        taken += intake->body.state == BODY_NONE ? take_head(intake, bytes + taken, n - taken)
                                                 : take_body(intake, bytes + taken, n - taken);
    assert(taken <= n && (taken == n || intake->stopped));
    return taken;
}

/* Reads on until the client has closed: if the socket were closed with bytes unread, the kernel
   would send a reset, and our answer might be lost. */
static ssize_t discard(int fd)
{
    char nowhere[4096];
    ssize_t n = 1;
    for (int turns = 0; turns < DISCARD_READS && n > 0; turns++)
        n = recvfrom(fd, nowhere, sizeof nowhere, MSG_DONTWAIT, NULL, NULL);
    if (n <= 0)
        return n;
    errno = EAGAIN;
    return -1;
}

void intake_next(struct intake *intake)
{
    intake->unanswered -= intake->unanswered > 0; /* its head may never have come whole */
    refuse_in_turn(intake);
}

/* The one that libmicrohttpd calls. */
ssize_t recv(int fd, void *to, size_t room, int flags)
{
    struct intake *intake = fd >= 0 && (size_t)fd < table.count ? table.at[fd] : NULL;
    if (intake && intake->stopped)
        return discard(fd);
    ssize_t n = recvfrom(fd, to, room, flags, NULL, NULL);
    if (!intake || n <= 0)
        return n;
    size_t good = follow(intake, to, (size_t)n);
    refuse_in_turn(intake);
    return good ? (ssize_t)good : discard(fd);
}
