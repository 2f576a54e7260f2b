/*
 * child.c: a worker process, as its parent has it.
 *
 * It is spawned, not forked: so it takes the same time however large the server is, holds nothing
 * of the server, and is laid out in memory anew.
 */
#include "child.h"

#include "worker.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { PIPE_BYTES = 1024 * 1024, PATIENCE_MS = 10000 };

/* The settings hold secrets. NULL: out of memory. */
static char **copy_environment(void)
{
    size_t n = 0;
    while (environ[n])
        n++;
    char **copy = calloc(n + 1, sizeof *copy);
    for (size_t i = 0, kept = 0; copy && i < n; i++)
        if (strncmp(environ[i], "MAPWRIGHT_", strlen("MAPWRIGHT_")) != 0)
            copy[kept++] = environ[i];
    return copy;
}

static bool spawn(struct child *child, const char *program, int shared, int in, int out)
{
    char name[] = WORKER_NAME, *words[] = {name, NULL}, **environment = copy_environment();
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, shared, WORKER_SHARED);
    posix_spawn_file_actions_addclosefrom_np(&files, WORKER_SHARED + 1);
    bool good = environment && !posix_spawn(&child->pid, program, &files, NULL, words, environment);
    posix_spawn_file_actions_destroy(&files);
    free(environment);
    if (!good)
        child->pid = 0;
    return good;
}

static bool is_ready(int from)
{
    char byte;
    return poll(&(struct pollfd){.fd = from, .events = POLLIN}, 1, PATIENCE_MS) == 1 &&
           read(from, &byte, 1) == 1;
}

bool child_start(struct child *child, const char *program, int shared)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    bool good = !pipe2(in, O_CLOEXEC) && !pipe2(out, O_CLOEXEC);
    fcntl(out[1], F_SETPIPE_SZ, PIPE_BYTES); /* or as large as it is */
    good = good && spawn(child, program, shared, in[0], out[1]);
    close(in[0]);
    close(out[1]);
    child->to = in[1];
    child->from = out[0];
    fcntl(child->to, F_SETFL, O_NONBLOCK);
    good = good && is_ready(child->from);
    fcntl(child->from, F_SETFL, O_NONBLOCK);
    if (!good)
        child_end(child);
    return good;
}

int child_end(struct child *child)
{
    int status = 0;
    if (child->pid && !kill(child->pid, SIGKILL))
        waitpid(child->pid, &status, 0);
    close(child->to);
    close(child->from);
    child->pid = 0;
    child->to = child->from = -1;
    return status;
}
