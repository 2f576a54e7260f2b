/*
 * framing.c: any bytes as what a client sends, read in one piece and cut into many.
 *
 * The cut must not matter: the same requests are taken out, with the same bodies, and what is
 * refused is refused for the same reason. What libmicrohttpd gets to see is never more than a head
 * of ours for each. The first byte says how to cut.
 */
#include "fuzz.h"

#include "srv/net/intake.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct outcome {
    struct intake intake;
    unsigned heads;   /* taken out */
    unsigned answers; /* of these and of the refusal, due */
    enum fault fault; /* FAULT_NONE: nothing was refused */
    uint64_t sum;     /* of what was taken out */
};

static void add(struct outcome *outcome, struct span piece)
{
    for (size_t i = 0; i < piece.length; i++)
        outcome->sum = outcome->sum * 31 + (unsigned char)piece.at[i] + 1;
}

static bool on_head(struct intake *intake, const struct head *head, const struct verdict *verdict)
{
    struct outcome *outcome = (struct outcome *)(void *)intake;
    MUST(!intake->last && verdict->outcome == FRAMING_PASS && head->count < MOST_FIELDS);
    outcome->heads++;
    add(outcome, head->method);
    add(outcome, head->target);
    for (int i = 0; i < head->count; i++)
        add(outcome, head->fields[i].value);
    return verdict->body.left < 5000;
}

static bool on_body(struct intake *intake, struct span piece)
{
    add((struct outcome *)(void *)intake, piece);
    return true;
}

static void on_refused(struct intake *intake, const struct verdict *verdict)
{
    struct outcome *outcome = (struct outcome *)(void *)intake;
    MUST(verdict->fault && !outcome->fault && intake->due && intake->last);
    outcome->fault = verdict->fault;
}

static const struct intake_owner owner = {on_head, on_body, on_refused};

/* As libmicrohttpd reads: it is answered at once, and asks again while there is more. */
static void read_all(struct outcome *outcome, int fd)
{
    char got[4096];
    ssize_t n = 0;
    while (!outcome->intake.last || outcome->intake.due) {
        n = recv(fd, got, sizeof got, MSG_DONTWAIT);
        if (n > 0) {
            MUST(outcome->intake.due && (size_t)n < 64 && !memcmp(got + n - 4, "\r\n\r\n", 4));
            outcome->answers++;
            intake_next(&outcome->intake);
        } else if (errno != EINTR) {
            return;
        }
    }
}

/* `cut` 0: in one piece. */
static void read_cut(struct outcome *outcome, const char *bytes, size_t length, uint32_t cut)
{
    int pair[2];
    MUST(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair) &&
         intake_attach(pair[0], &outcome->intake, &owner));
    for (size_t sent = 0; sent < length;) {
        size_t n = cut ? 1 + (cut >> 16) % (cut >> 31 ? 7 : 700) : length;
        n = n < length - sent ? n : length - sent;
        cut = cut ? cut * 1664525 + 1013904223 : 0;
        MUST(send(pair[1], bytes + sent, n, 0) == (ssize_t)n);
        sent += n;
        read_all(outcome, pair[0]);
    }
    MUST(outcome->answers == outcome->heads ||
         (outcome->answers == outcome->heads + 1 && outcome->fault) ||
         (outcome->answers + 1 == outcome->heads && outcome->intake.body.state != BODY_NONE));
    intake_detach(pair[0]);
    strbuf_release(&outcome->intake.held);
    close(pair[0]);
    close(pair[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!size)
        return 0;
    const char *sent = (const char *)bytes + 1;
    static struct outcome whole, pieces;
    whole = pieces = (struct outcome){0};
    read_cut(&whole, sent, size - 1, 0);
    read_cut(&pieces, sent, size - 1, (uint32_t)(bytes[0] + 1) << 23);
    MUST(whole.fault == pieces.fault && whole.heads == pieces.heads);
    MUST(whole.answers == pieces.answers && whole.sum == pieces.sum);
    return 0;
}
