/*
 * queue.c: jobs that wait for workers, served round robin by client.
 *
 * Each client has a flow, first in, first out. Flows with jobs form a ring, and each gives one job
 * in its turn. A client that sends a thousand jobs waits behind its own, and every other client
 * waits for at most one of them.
 *
 * A client's flow is found by hashing its key to one of 256 slots (stochastic fairness queueing:
 * McKenney, INFOCOM 1990), so no memory is allocated for a client. Two clients in the same slot
 * share its turns.
 *
 * Putting, taking and removing are O(1); the expected wait takes a step for each flow with jobs.
 */
#include "queue.h"

#include <assert.h>

static size_t index_of(uint64_t client) { return (client * UINT64_C(0x9e3779b97f4a7c15)) >> 56; }

static struct flow *flow_of(struct queue *queue, const struct job *job)
{
    return &queue->flows[index_of(job->client)];
}

/* ---- the ring of flows with jobs ------------------------------------------------------------- */

/* Appends it to the ring. */
static void link_flow(struct queue *queue, struct flow *flow)
{
    if (!queue->turn)
        queue->turn = flow->next = flow->before = flow;
    flow->next = queue->turn;
    flow->before = queue->turn->before;
    flow->before->next = flow;
    flow->next->before = flow;
}

static void unlink_flow(struct queue *queue, struct flow *flow)
{
    assert(!flow->first && !flow->last && !flow->work && !flow->length);
    if (queue->turn == flow)
        queue->turn = flow->next == flow ? NULL : flow->next;
    flow->before->next = flow->next;
    flow->next->before = flow->before;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/* After that job of the same flow; NULL: first. */
static void insert(struct queue *queue, struct job *job, struct flow *flow, struct job *before)
{
    assert(!job->queued && job->charge > 0);
    if (!flow->first)
        link_flow(queue, flow);
    job->before = before;
    job->next = before ? before->next : flow->first;
    *(before ? &before->next : &flow->first) = job;
    *(job->next ? &job->next->before : &flow->last) = job;
    job->queued = true;
    flow->work += job->charge;
    flow->length++;
    queue->work += job->charge;
    queue->length++;
}

void queue_put(struct queue *queue, struct job *job)
{
    struct flow *flow = flow_of(queue, job);
    insert(queue, job, flow, flow->last);
}

void queue_put_first(struct queue *queue, struct job *job)
{
    struct flow *flow = flow_of(queue, job);
    insert(queue, job, flow, NULL);
    queue->turn = flow;
}

void queue_remove(struct queue *queue, struct job *job)
{
    struct flow *flow = flow_of(queue, job);
    assert(job->queued && flow->work >= job->charge && queue->work >= job->charge);
    assert(job->before ? job->before->next == job : flow->first == job);
    *(job->before ? &job->before->next : &flow->first) = job->next;
    *(job->next ? &job->next->before : &flow->last) = job->before;
    job->queued = false;
    flow->work -= job->charge;
    flow->length--;
    queue->work -= job->charge;
    queue->length--;
    if (!flow->first)
        unlink_flow(queue, flow);
}

/* ---- turns ----------------------------------------------------------------------------------- */

struct job *queue_next(const struct queue *queue)
{
    return queue->turn ? queue->turn->first : NULL;
}

void queue_take(struct queue *queue, struct job *job)
{
    struct flow *flow = queue->turn;
    assert(flow && flow->first == job);
    queue->turn = flow->next;
    queue_remove(queue, job);
}

struct job *queue_take_overdue(struct queue *queue, int64_t now)
{
    struct job *overdue = NULL;
    for (int i = 0; i < FLOWS; i++)
        for (struct job *job = queue->flows[i].first, *next; job; job = next) {
            next = job->next;
            if (job->until >= now)
                continue;
            queue_remove(queue, job);
            job->next = overdue;
            overdue = job;
        }
    return overdue;
}

/* Every job of the same client goes first, and as many of each other client as far as they wait. */
uint64_t queue_ahead(const struct queue *queue, const struct job *job)
{
    const struct flow *own = &queue->flows[index_of(job->client)], *flow = queue->turn;
    uint64_t ahead = own->work, turns = (uint64_t)own->length + 1;
    if (!flow)
        return 0;
    do {
        uint64_t length = (uint64_t)flow->length;
        if (flow != own)
            ahead += length <= turns ? flow->work : flow->work / length * turns;
        flow = flow->next;
    } while (flow != queue->turn);
    return ahead;
}
