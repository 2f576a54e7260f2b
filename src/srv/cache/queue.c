/*
 * queue.c: jobs that wait for workers, served round robin by client.
 *
 * Each job has a turn: one after the turn of the client's last job, or the next one, if the client
 * has none waiting. Jobs are served by turn, and within a turn in the order in which they came. So
 * a client that sends a thousand jobs waits behind its own, and every other client waits for at
 * most one of them (fair queueing: Demers, Keshav and Shenker, SIGCOMM 1989).
 *
 * A client's turn is found by hashing its key to one of 256 slots (stochastic fairness queueing:
 * McKenney, INFOCOM 1990), so no memory is allocated for a client. Two clients in the same slot
 * share its turns.
 */
#include "queue.h"

#include <assert.h>

static size_t slot_of(const struct job *job)
{
    return (job->client * UINT64_C(0x9e3779b97f4a7c15)) >> 56;
}

/* The turn of a job that is queued now. */
static uint64_t next_turn(const struct queue *queue, const struct job *job)
{
    size_t slot = slot_of(job);
    return (queue->waiting[slot] ? queue->turns[slot] : queue->turn) + 1;
}

void queue_put(struct queue *queue, struct job *job)
{
    struct job *before = queue->last;
    assert(!job->queued && job->charge > 0);
    job->turn = next_turn(queue, job);
    while (before && before->turn > job->turn)
        before = before->before;
    job->before = before;
    job->next = before ? before->next : queue->first;
    *(before ? &before->next : &queue->first) = job;
    *(job->next ? &job->next->before : &queue->last) = job;
    job->queued = true;
    queue->turns[slot_of(job)] = job->turn;
    queue->waiting[slot_of(job)]++;
    queue->work += job->charge;
    queue->length++;
}

void queue_remove(struct queue *queue, struct job *job)
{
    assert(job->queued && queue->length > 0 && queue->work >= job->charge);
    assert(job->before ? job->before->next == job : queue->first == job);
    *(job->before ? &job->before->next : &queue->first) = job->next;
    *(job->next ? &job->next->before : &queue->last) = job->before;
    job->queued = false;
    queue->waiting[slot_of(job)]--;
    queue->work -= job->charge;
    queue->length--;
}

void queue_take(struct queue *queue, struct job *job)
{
    assert(queue->first == job && queue->turn <= job->turn);
    queue->turn = job->turn;
    queue_remove(queue, job);
}

struct job *queue_take_overdue(struct queue *queue, int64_t now)
{
    struct job *overdue = NULL;
    for (struct job *job = queue->first, *next; job; job = next) {
        next = job->next;
        if (job->until >= now)
            continue;
        queue_remove(queue, job);
        job->next = overdue;
        overdue = job;
    }
    return overdue;
}

uint64_t queue_ahead(const struct queue *queue, const struct job *job)
{
    uint64_t ahead = queue->work, turn = next_turn(queue, job);
    for (const struct job *one = queue->last; one && one->turn > turn; one = one->before)
        ahead -= one->charge;
    return ahead;
}
