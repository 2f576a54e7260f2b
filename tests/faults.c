/* faults.c: memory, descriptors and threads that cannot be had. */
#include "faults.h"

#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <zlib.h>
#include <zstd.h>

static atomic_int left; /* requests up to the one that fails, it included; 0: none does */

void faults_begin(int n) { atomic_store(&left, n); }

bool faults_end(void) { return !atomic_exchange(&left, 0); }

static bool fails(int reason)
{
    int n = atomic_load(&left);
    while (n && !atomic_compare_exchange_weak(&left, &n, n - 1))
        continue;
    if (n == 1)
        errno = reason;
    return n == 1;
}

/* A function of these arguments that answers `failure` when it is its turn. */
#define FAULTY(T, name, parameters, arguments, failure, reason) \
    T __real_##name parameters; \
    T __wrap_##name parameters; \
    T __wrap_##name parameters { return fails(reason) ? (failure) : __real_##name arguments; }

FAULTY(void *, malloc, (size_t size), (size), NULL, ENOMEM)
FAULTY(void *, calloc, (size_t n, size_t size), (n, size), NULL, ENOMEM)
FAULTY(void *, realloc, (void *at, size_t size), (at, size), NULL, ENOMEM)
FAULTY(void *, mmap, (void *at, size_t size, int guard, int flags, int fd, off_t from),
       (at, size, guard, flags, fd, from), MAP_FAILED, ENOMEM)
FAULTY(int, pthread_create,
       (pthread_t * thread, const pthread_attr_t *how, void *(*run)(void *), void *arg),
       (thread, how, run, arg), EAGAIN, EAGAIN)

FAULTY(FILE *, fopen, (const char *name, const char *mode), (name, mode), NULL, EMFILE)
FAULTY(int, socket, (int domain, int type, int protocol), (domain, type, protocol), -1, EMFILE)
FAULTY(int, socketpair, (int domain, int type, int protocol, int pair[2]),
       (domain, type, protocol, pair), -1, EMFILE)
FAULTY(int, accept4, (int fd, struct sockaddr *at, socklen_t *length, int flags),
       (fd, at, length, flags), -1, EMFILE)
FAULTY(int, epoll_create1, (int flags), (flags), -1, EMFILE)
FAULTY(int, epoll_ctl, (int set, int what, int fd, struct epoll_event *event),
       (set, what, fd, event), -1, ENOMEM)
FAULTY(int, eventfd, (unsigned count, int flags), (count, flags), -1, EMFILE)
FAULTY(int, getaddrinfo,
       (const char *host, const char *service, const struct addrinfo *hints,
        struct addrinfo **found),
       (host, service, hints, found), EAI_MEMORY, ENOMEM)

FAULTY(int, deflateInit2_,
       (z_stream * stream, int level, int method, int bits, int memory, int strategy,
        const char *version, int size),
       (stream, level, method, bits, memory, strategy, version, size), Z_MEM_ERROR, ENOMEM)
FAULTY(size_t, ZSTD_compress, (void *to, size_t room, const void *from, size_t length, int level),
       (to, room, from, length, level), (size_t)-1, ENOMEM)

FAULTY(struct MHD_Response *, MHD_create_response_from_buffer,
       (size_t length, void *bytes, enum MHD_ResponseMemoryMode mode), (length, bytes, mode), NULL,
       ENOMEM)
FAULTY(struct MHD_Response *, MHD_create_response_from_callback,
       (uint64_t length, size_t block, MHD_ContentReaderCallback read, void *arg,
        MHD_ContentReaderFreeCallback end),
       (length, block, read, arg, end), NULL, ENOMEM)
FAULTY(enum MHD_Result, MHD_add_response_header,
       (struct MHD_Response * response, const char *name, const char *value),
       (response, name, value), MHD_NO, ENOMEM)
FAULTY(enum MHD_Result, MHD_del_response_header,
       (struct MHD_Response * response, const char *name, const char *value),
       (response, name, value), MHD_NO, ENOMEM)
