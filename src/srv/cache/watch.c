/* watch.c: runs on workers, and whether each ends when it has to. */
#include "watch.h"

#include <assert.h>

/* A longer time between two looks is one in which the whole process could not run, as on a machine
   that sleeps: no run could end then either, so the rest does not count. */
enum { LONGEST_LOOK_US = 2000000 };

void watch_init(struct watch *watch)
{
    *watch = (struct watch){0};
    pthread_mutex_init(&watch->lock, NULL);
}

void watch_release(struct watch *watch)
{
    assert(!watch->first);
    pthread_mutex_destroy(&watch->lock);
}

void watch_begin(struct watch *watch, struct watched *run)
{
    assert(run->must_end);
    pthread_mutex_lock(&watch->lock);
    run->overdue = -1;
    run->stuck = run->told = false;
    run->before = NULL;
    run->next = watch->first;
    if (run->next)
        run->next->before = run;
    watch->first = run;
    pthread_mutex_unlock(&watch->lock);
}

void watch_end(struct watch *watch, struct watched *run)
{
    pthread_mutex_lock(&watch->lock);
    *(run->before ? &run->before->next : &watch->first) = run->next;
    if (run->next)
        run->next->before = run->before;
    atomic_fetch_sub(&watch->stuck, run->stuck);
    pthread_mutex_unlock(&watch->lock);
}

/* Microseconds since the last look that count. Threads read the clock before they take the lock, so
   that one may come with an earlier time than the one before it. */
static int64_t pass(struct watch *watch, int64_t now)
{
    int64_t passed = now - watch->looked_at;
    if (passed <= 0)
        return 0;
    watch->looked_at = now;
    return passed < LONGEST_LOOK_US ? passed : LONGEST_LOOK_US;
}

/* A deadline may move away again, so a run that had to end need not any more. */
static void look(struct watched *run, int64_t now, int64_t passed)
{
    if (!run->must_end(run, now))
        run->overdue = -1;
    else
        run->overdue = run->overdue < 0 ? 0 : run->overdue + passed;
    run->stuck = run->overdue > STUCK_US;
}

void watch_look(struct watch *watch, int64_t now, watch_tell *tell, void *arg)
{
    pthread_mutex_lock(&watch->lock);
    int64_t passed = pass(watch, now);
    for (struct watched *run = watch->first; run; run = run->next) {
        bool was_stuck = run->stuck;
        look(run, now, passed);
        atomic_fetch_add(&watch->stuck, run->stuck - was_stuck);
        if (run->stuck && !run->told)
            tell(arg, run);
        run->told |= run->stuck;
    }
    pthread_mutex_unlock(&watch->lock);
}

void watch_list(struct watch *watch, watch_tell *tell, void *arg)
{
    pthread_mutex_lock(&watch->lock);
    for (const struct watched *run = watch->first; run; run = run->next)
        tell(arg, run);
    pthread_mutex_unlock(&watch->lock);
}

int watch_stuck(const struct watch *watch) { return atomic_load(&watch->stuck); }
