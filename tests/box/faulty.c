/*
 * faulty.c: a generator that does what none may do, for the tests of worker processes alone.
 *
 * It is built into build/<mode>/faultyd, which is the service and this.
 */
#include "lib/gen.h"
#include "srv/base/clock.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

struct faulty {
    int32_t fault, megabytes;
};

enum {
    NONE,
    TRAP,
    ABORT,
    WRITE,
    RECURSE,
    LOOP,
    COUNT,
    EXIT,
    ALLOC,
    MALLOC,
    OPEN,
    SOCKET,
    FORK,
    CODE,
    KILL,
    LATE
};
static const char *const faults[] = {"none",  "trap", "abort", "write",  "recurse", "loop",
                                     "count", "exit", "alloc", "malloc", "open",    "socket",
                                     "fork",  "code", "kill",  "late",   NULL};

static const struct mw_field fields[] = {
    MW_CHOICE(struct faulty, fault, faults, NONE, "What it does"),
    MW_INT(struct faulty, megabytes, 0, 4096, 0, "Memory that it takes first"),
    MW_END,
};

static const struct mw_part parts[] = {
    MW_VALUE_PART("fault", MW_INTEGER, "What it did, and came back from"),
    MW_END_PARTS,
};

static volatile int zero;

static int recurse(int depth)
{
    volatile char frame[1024];
    frame[depth % 1024] = 1;
    return zero ? depth : recurse(depth + 1) + frame[0];
}

static void take_memory(struct mw_run *run, int32_t megabytes)
{
    size_t size = (size_t)megabytes << 20;
    if (size)
        memset(mw_alloc(run, size, 1), 1, size);
}

static void allocate_for_ever(struct mw_run *run)
{
    while (!zero)
        mw_alloc(run, 1 << 20, 1);
}

/* Takes longer than a fast job may, does not count its steps, and ends. */
static void be_late(void)
{
    for (int64_t end = clock_now() + 150000; clock_now() < end;)
        continue;
}

static void use_the_system(int32_t fault)
{
    void *volatile at = NULL;
    switch (fault) {
    case MALLOC: free(at = malloc((size_t)1 << 30)); break;
    case OPEN: close(open("/etc/hostname", O_RDONLY)); break;
    case SOCKET: close(socket(AF_INET, SOCK_STREAM, 0)); break;
    case FORK: _exit(fork() ? 0 : 1); break;
    case CODE: at = mmap(at, 4096, PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); break;
    case KILL: kill(getppid(), SIGKILL); break;
    default: break;
    }
}

static void make(struct mw_run *run, const void *params, struct mw_map *map)
{
    const struct faulty *p = params;
    take_memory(run, p->megabytes);
    switch (p->fault) {
    case TRAP: __builtin_trap();
    case ABORT: abort();
    case WRITE: *(volatile int *)(uintptr_t)(0xdead000000000000 + (uintptr_t)zero) = 1; break;
    case RECURSE: zero += recurse(0); break;
    case LOOP:
        while (!zero)
            continue;
        break;
    case COUNT:
        while (!zero)
            mw_tick(run, 1);
        break;
    case EXIT: _exit(3);
    case ALLOC: allocate_for_ever(run); break;
    case LATE: be_late(); break;
    default: use_the_system(p->fault);
    }
    mw_set_int(map, 0, p->fault);
}

static void forecast(const void *params, struct mw_forecast *f)
{
    const struct faulty *p = params;
    f->steps = 1000;
    f->nanoseconds = 100000;
    f->bytes = 65536 + ((uint64_t)p->megabytes << 20);
}

const struct mw_generator mw_faulty = {
    .name = "faulty",
    .version = 1,
    .summary = "Does what none may do",
    .about = "For tests.",
    .fields = fields,
    .parts = parts,
    .params_size = sizeof(struct faulty),
    .steps = UINT64_C(1) << 60,
    .forecast = forecast,
    .make = make,
};
