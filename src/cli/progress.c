/*
 * progress.c: a bar on the terminal, for work that takes a while; erased when it is done.
 *
 * The run asks now and then whether it is to stop; it never is, but that is when to draw. The bar
 * is of the steps counted among those that were expected, so it may slow down near its end, or be
 * done before it.
 */
#include "cli.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 500, PAUSE_MS = 100, WIDTH = 40 };

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void progress_begin(struct progress *progress, uint64_t steps)
{
    *progress = (struct progress){.expected = steps, .due = INT64_MAX};
    if (is_lively(STDERR_FILENO))
        progress->due = now_ms() + PATIENCE_MS;
}

static void draw(double done)
{
    char bar[WIDTH + 1] = {0};
    int filled = (int)(done * WIDTH);
    memset(bar, '.', WIDTH);
    memset(bar, '#', (size_t)filled);
    fprintf(stderr, "\r%s %2d %%", bar, (int)(done * 100));
}

bool progress_tick(void *arg, uint64_t steps)
{
    struct progress *progress = arg;
    if (progress->due == INT64_MAX)
        return false;
    int64_t now = now_ms();
    if (now < progress->due)
        return false;
    draw(mw_progress(steps, progress->expected));
    progress->drawn = true;
    progress->due = now + PAUSE_MS;
    return false;
}

void progress_end(struct progress *progress)
{
    if (progress->drawn)
        fputs("\r\033[K", stderr);
    *progress = (struct progress){.due = INT64_MAX};
}
