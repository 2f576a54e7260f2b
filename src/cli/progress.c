/*
 * progress.c: a bar on the terminal for slow maps, erased at the end.
 *
 * The run asks now and then whether to stop. It never shall, but then the bar is drawn: the share
 * of the expected steps, so it may slow down near the end, or not reach it.
 */
#include "cli.h"

#include <string.h>
#include <unistd.h>

enum { PATIENCE_MS = 500, PAUSE_MS = 100, WIDTH = 40 };

void progress_begin(struct progress *progress, uint64_t steps)
{
    *progress = (struct progress){.expected = steps, .due = INT64_MAX};
    if (is_lively(STDERR_FILENO))
        progress->due = clock_ms() + PATIENCE_MS;
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
    int64_t now = clock_ms();
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
