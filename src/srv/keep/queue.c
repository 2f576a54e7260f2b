/*
 * queue.c: jobs that wait for workers, fairly among those who ask.
 *
 * THE IDEA. Start-time fair queueing (Goyal, Vin and Cheng, SIGCOMM 1996). Each client has a flow,
 * first in, first out. A flow's next job has a start tag: the sum of what the flow has been charged
 * so far. The least tag goes next, so whoever has been given least is served first, and a client
 * that sends a thousand jobs waits behind its own. The queue's time is the tag of the job taken
 * last; a flow that was idle starts there, so that nobody saves up turns.
 *
 * A CLIENT'S FLOW is found by hashing, among 256 (stochastic fairness queueing: McKenney, INFOCOM
 * 1990): nothing is to be allocated for a client, or forgotten. Two clients share a turn with
 * chance 1/256, which costs them half of it and nobody else anything.
 *
 * WHY NOBODY STARVES. Tags never fall, and each job raises that of its flow: a job at the head of a
 * flow waits at most until every other busy flow has passed its tag, for which each needs at most
 * as much work as stands between the tags, and one job more.
 *
 * WHEN IT IS FULL the newest job of the client with most work waiting makes room (as FQ-CoDel drops
 * from the fattest flow: RFC 8290, 4.1), so that nobody keeps others out by asking first.
 *
 * COST. Putting and removing O(1); choosing goes over the busy flows, of which there are at most
 * 256 and commonly a handful.
 */
#include "queue.h"

#include <assert.h>

static size_t index_of(uint64_t client) { return (client * UINT64_C(0x9e3779b97f4a7c15)) >> 56; }

static struct flow *flow_of(struct queue *queue, const struct job *job)
{
    return &queue->flows[index_of(job->client)];
}

/* ---- busy flows ------------------------------------------------------------------------------ */

static void wake_flow(struct queue *queue, struct flow *flow)
{
    if (flow->start < queue->time)
        flow->start = queue->time;
    flow->before = NULL;
    flow->next = queue->busy;
    if (flow->next)
        flow->next->before = flow;
    queue->busy = flow;
}

static void rest_flow(struct queue *queue, struct flow *flow)
{
    assert(!flow->first && !flow->last && !flow->work);
    *(flow->before ? &flow->before->next : &queue->busy) = flow->next;
    if (flow->next)
        flow->next->before = flow->before;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/* Behind that job of the flow; NULL: before all. */
static void insert(struct queue *queue, struct job *job, struct flow *flow, struct job *before)
{
    assert(!job->queued && job->charge > 0);
    if (!flow->first)
        wake_flow(queue, flow);
    job->before = before;
    job->next = before ? before->next : flow->first;
    *(before ? &before->next : &flow->first) = job;
    *(job->next ? &job->next->before : &flow->last) = job;
    job->queued = true;
    flow->work += job->charge;
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
    flow->start = queue->time;
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
    queue->work -= job->charge;
    queue->length--;
    if (!flow->first)
        rest_flow(queue, flow);
}

/* ---- choosing -------------------------------------------------------------------------------- */

struct job *queue_next(const struct queue *queue)
{
    const struct flow *least = queue->busy;
    for (const struct flow *flow = least; flow; flow = flow->next)
        if (flow->start < least->start ||
            (flow->start == least->start && flow->first->submitted < least->first->submitted))
            least = flow;
    return least ? least->first : NULL;
}

void queue_take(struct queue *queue, struct job *job)
{
    struct flow *flow = flow_of(queue, job);
    assert(flow->first == job && flow->start >= queue->time);
    queue->time = flow->start;
    flow->start += job->charge;
    queue_remove(queue, job);
}

struct job *queue_overdue(const struct queue *queue, int64_t now)
{
    for (const struct flow *flow = queue->busy; flow; flow = flow->next)
        for (struct job *job = flow->first; job; job = job->next)
            if (job->until < now)
                return job;
    return NULL;
}

struct job *queue_displaced(const struct queue *queue, const struct job *job)
{
    const struct flow *own = job ? &queue->flows[index_of(job->client)] : NULL, *most = own;
    uint64_t work = job ? own->work + job->charge : 0;
    for (const struct flow *flow = queue->busy; flow; flow = flow->next)
        if (flow != own && flow->work > work) {
            most = flow;
            work = flow->work;
        }
    return most == own ? NULL : most->last;
}

/* While the client's own jobs are served, each other one gets as much, as far as it wants it. */
uint64_t queue_ahead(const struct queue *queue, const struct job *job)
{
    const struct flow *own = &queue->flows[index_of(job->client)];
    uint64_t share = own->work + job->charge, ahead = own->work;
    for (const struct flow *flow = queue->busy; flow; flow = flow->next)
        if (flow != own)
            ahead += flow->work < share ? flow->work : share;
    return ahead;
}
