/*
 * shim.c: a machine that has run out of something, or whose clocks jump; a run that does not end.
 *
 * Preloaded into a server; what is to happen stands in a file that the test has mapped as well
 * (MAPWRIGHT_SHIM names it). The n-th request for memory from now on fails, whoever makes it: the
 * server, libmicrohttpd, zlib; connections are not accepted; clocks are ahead. To pack a map with
 * gzip does not end: workers do that, and count no steps.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct control {
    atomic_int_least64_t fail; /* requests up to the one that fails, it included; 0: none does */
    atomic_int_least64_t accepting;           /* errno of accept4; 0: it works */
    atomic_int_least64_t accepts;             /* calls of accept4 */
    atomic_int_least64_t realtime, monotonic; /* seconds that the clocks are ahead */
    atomic_int_least64_t endless;             /* 1: packing does not end */
    atomic_int_least64_t hung;                /* calls that have not ended for that */
};

static struct control idle, *control = &idle;
static int (*find_attributes)(pthread_t, pthread_attr_t *);
static int (*pack)(void *stream, int flush);

__attribute__((constructor)) static void open_control(void)
{
    const char *path = getenv("MAPWRIGHT_SHIM");
    *(void **)&find_attributes = dlsym(RTLD_NEXT, "pthread_getattr_np");
    *(void **)&pack = dlsym(RTLD_NEXT, "deflate");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *at = fd < 0 ? MAP_FAILED
                      : mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd >= 0)
        close(fd);
    if (at != MAP_FAILED)
        control = at;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* A sanitizer looks for the stack of each new thread, and ends all where there is no memory for it:
   this is no fault of the server's. */
static _Thread_local bool exempt __attribute__((tls_model("initial-exec")));

int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes)
{
    exempt = true;
    int outcome = find_attributes(thread, attributes);
    exempt = false;
    return outcome;
}

static bool fails(void)
{
    if (exempt)
        return false;
    int_least64_t n = atomic_load(&control->fail);
    while (n && !atomic_compare_exchange_weak(&control->fail, &n, n - 1))
        continue;
    if (n == 1)
        errno = ENOMEM;
    return n == 1;
}

/* The allocator beneath: AddressSanitizer's where it is there, else libc's. */
#define BENEATH(T, name, parameters) \
    T __libc_##name parameters; \
    T __interceptor_##name parameters __attribute__((weak));
BENEATH(void *, malloc, (size_t))
BENEATH(void *, calloc, (size_t, size_t))
BENEATH(void *, realloc, (void *, size_t))
BENEATH(void *, memalign, (size_t, size_t))
#define CALL(name, ...) \
    (__interceptor_##name ? __interceptor_##name(__VA_ARGS__) : __libc_##name(__VA_ARGS__))

void *malloc(size_t size) { return fails() ? NULL : CALL(malloc, size); }
void *calloc(size_t n, size_t size) { return fails() ? NULL : CALL(calloc, n, size); }
void *memalign(size_t to, size_t size) { return fails() ? NULL : CALL(memalign, to, size); }
void *aligned_alloc(size_t to, size_t size) { return memalign(to, size); }

void *realloc(void *at, size_t size)
{
    if (!at)
        return malloc(size);
    return fails() ? NULL : CALL(realloc, at, size);
}

int posix_memalign(void **at, size_t to, size_t size)
{
    void *found = memalign(to, size);
    if (found)
        *at = found;
    return found ? 0 : ENOMEM;
}

void *mmap(void *at, size_t size, int guard, int flags, int fd, off_t from)
{
    return fails() ? MAP_FAILED : mmap64(at, size, guard, flags, fd, from);
}

/* ---- descriptors ----------------------------------------------------------------------------- */

int epoll_ctl(int set, int what, int fd, struct epoll_event *event)
{
    return what == EPOLL_CTL_ADD && fails() ? -1
                                            : (int)syscall(SYS_epoll_ctl, set, what, fd, event);
}

int accept4(int fd, struct sockaddr *at, socklen_t *length, int flags)
{
    atomic_fetch_add(&control->accepts, 1);
    errno = (int)atomic_load(&control->accepting);
    return errno ? -1 : (int)syscall(SYS_accept4, fd, at, length, flags);
}

/* ---- work that does not end ------------------------------------------------------------------ */

static void hang(void)
{
    if (atomic_load(&control->endless))
        atomic_fetch_add(&control->hung, 1);
    while (atomic_load(&control->endless))
        usleep(1000);
}

int deflate(void *stream, int flush)
{
    hang();
    return pack(stream, flush);
}

/* ---- clocks ---------------------------------------------------------------------------------- */

static int64_t ahead(clockid_t clock)
{
    bool real = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
    bool monotonic =
        clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_BOOTTIME;
    return real        ? atomic_load(&control->realtime)
           : monotonic ? atomic_load(&control->monotonic)
                       : 0;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    int outcome = (int)syscall(SYS_clock_gettime, clock, time);
    time->tv_sec += ahead(clock);
    return outcome;
}

time_t time(time_t *at)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at)
        *at = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone)
{
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    *at = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}
