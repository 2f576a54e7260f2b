/*
 * framing.c: any bytes as what a client sends, read in one piece and cut into many.
 *
 * The cut must not matter: the same requests are let in, and what is refused is refused for the
 * same reason. The pieces go through the intake as they do in the server, by a pair of sockets; the
 * one piece is read by the framing alone. The first byte says how to cut.
 */
#include "fuzz.h"

#include "srv/net/intake.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct outcome {
    size_t passed;    /* bytes before the first that is refused */
    unsigned heads;   /* let in */
    enum fault fault; /* FAULT_NONE: nothing was refused */
};

/* ---- in one piece ---------------------------------------------------------------------------- */

static struct outcome read_whole(const char *bytes, size_t length)
{
    struct outcome outcome = {0};
    struct body body = {0};
    while (outcome.passed < length && !outcome.fault) {
        const char *at = bytes + outcome.passed;
        size_t left = length - outcome.passed;
        if (body.state != BODY_NONE) {
            bool malformed;
            size_t taken = framing_follow(&body, at, left, &malformed);
            MUST(taken <= left && (taken == left || malformed || body.state == BODY_NONE));
            outcome.passed += taken;
            outcome.fault = malformed ? FAULT_INVALID_REQUEST : FAULT_NONE;
            continue;
        }
        struct verdict verdict = framing_judge(at, left);
        MUST((verdict.outcome == FRAMING_REFUSE) == (verdict.fault != FAULT_NONE));
        if (verdict.outcome == FRAMING_WAIT) {
            outcome.passed = length;
        } else if (verdict.outcome == FRAMING_PASS) {
            MUST(verdict.length > 0 && verdict.length <= left);
            outcome.passed += verdict.length;
            outcome.heads++;
            body = verdict.body;
        }
        outcome.fault = verdict.fault;
    }
    return outcome;
}

/* ---- in pieces ------------------------------------------------------------------------------- */

static void refuse(struct intake *intake, struct verdict verdict)
{
    MUST(intake->stopped && intake->refused && verdict.outcome == FRAMING_REFUSE);
}

/* All that passes must be the beginning of what was sent. */
static size_t receive(int fd, const char *expected, size_t most)
{
    char got[4096];
    size_t passed = 0;
    ssize_t n;
    while ((n = recv(fd, got, sizeof got, MSG_DONTWAIT)) > 0) {
        MUST(passed + (size_t)n <= most && !memcmp(got, expected + passed, (size_t)n));
        passed += (size_t)n;
    }
    return passed;
}

static struct outcome read_pieces(const char *bytes, size_t length, uint32_t cut)
{
    int pair[2];
    struct intake intake = {.refuse = refuse};
    size_t passed = 0;
    MUST(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair) && intake_attach(pair[0], &intake));
    for (size_t sent = 0; sent < length;) {
        cut = cut * 1664525 + 1013904223;
        size_t n = 1 + (cut >> 16) % (cut >> 31 ? 7 : 700);
        n = n < length - sent ? n : length - sent;
        MUST(send(pair[1], bytes + sent, n, 0) == (ssize_t)n);
        sent += n;
        passed += receive(pair[0], bytes + passed, sent - passed);
    }
    struct outcome outcome = {passed, intake.unanswered, intake.stopped ? intake.verdict.fault : 0};
    while (intake.unanswered)
        intake_next(&intake);
    MUST(intake.refused == intake.stopped);
    intake_detach(pair[0]);
    strbuf_release(&intake.head);
    close(pair[0]);
    close(pair[1]);
    return outcome;
}

/* ---- both ------------------------------------------------------------------------------------ */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!size)
        return 0;
    const char *sent = (const char *)bytes + 1;
    struct outcome whole = read_whole(sent, size - 1);
    struct outcome pieces = read_pieces(sent, size - 1, bytes[0]);
    MUST(whole.fault == pieces.fault);
    MUST(whole.heads == pieces.heads);
    /* the beginning of a head that is refused at its end has passed by then */
    MUST(whole.fault ? pieces.passed >= whole.passed : pieces.passed == whole.passed);
    return 0;
}
