/* system.c: what the command needs of Linux and the like; src/cli/windows has it for Windows. */
#include "cli.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Pages cost nothing until they are touched, so the block may be large. */
void *take_block(size_t size)
{
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED)
        return NULL;
    madvise(block, size, MADV_HUGEPAGE); /* most of what is touched is large */
    return block;
}

bool draw_bits(uint64_t *bits) { return getrandom(bits, sizeof *bits, 0) == sizeof *bits; }

int terminal_columns(void)
{
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) ? 0 : size.ws_col;
}

int64_t clock_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool write_all(FILE *file, const char *bytes, size_t length)
{
    bool good = file && fwrite(bytes, 1, length, file) == length;
    return file && !fclose(file) && good;
}

/* "/dev/stdout", "/dev/fd/3", "/proc/self/fd/3": the file is open, and must stay the same. */
static bool is_descriptor(const char *path)
{
    return !strncmp(path, "/dev/", strlen("/dev/")) || !strncmp(path, "/proc/", strlen("/proc/"));
}

/* The path of the file that may be replaced by one with these permissions, links followed; NULL: it
   has to be written in place. */
static char *find_target(const char *output, struct stat *old)
{
    struct stat link;
    if (is_descriptor(output))
        return NULL;
    if (stat(output, old))
        return errno == ENOENT && lstat(output, &link) ? strdup(output) : NULL;
    bool plain = S_ISREG(old->st_mode) && old->st_nlink == 1 && !access(output, W_OK);
    return plain ? realpath(output, NULL) : NULL;
}

static mode_t default_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* With the owner and permissions of the old file, if there is one. */
static bool set_owner(int fd, const struct stat *old)
{
    if (!old->st_nlink)
        return !fchmod(fd, default_mode());
    return !fchown(fd, old->st_uid, old->st_gid) && !fchmod(fd, old->st_mode & 0777);
}

/* By a temporary file in the same folder. */
static bool replace(const char *path, const struct stat *old, const char *bytes, size_t length)
{
    char *temporary;
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash - path) + 1 : 0;
    if (asprintf(&temporary, "%.*s.mapwright-XXXXXX", folder, path) < 0)
        return false;
    int fd = mkstemp(temporary);
    bool good = fd >= 0 && set_owner(fd, old);
    good = good && write_all(fdopen(fd, "wb"), bytes, length) && !rename(temporary, path);
    int reason = errno;
    if (fd >= 0 && !good)
        unlink(temporary);
    free(temporary);
    errno = reason;
    return good;
}

/* A signal waits until the temporary file is gone; a limit of size is an error like a full disk. */
static void block_signals(void)
{
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGHUP);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    signal(SIGXFSZ, SIG_IGN);
    sigprocmask(SIG_BLOCK, &ends, NULL);
}

static void unblock_signals(void)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Whether the folder, or the owner, does not let the file be replaced. */
static bool is_forbidden(int reason)
{
    return reason == EACCES || reason == EPERM || reason == EBUSY || reason == EROFS;
}

/*
 * A file is written beside the one that it replaces and renamed when it is complete, so that a full
 * disk or an interruption leaves the old one as it was. What cannot be replaced is written in
 * place: devices, pipes, open files by their descriptors, files with several names, and those whose
 * folder or owner forbids it.
 */
bool write_file(const char *output, const char *bytes, size_t length)
{
    struct stat old = {.st_nlink = 0};
    char *path = find_target(output, &old);
    block_signals();
    bool good = path && replace(path, &old, bytes, length);
    unblock_signals();
    bool in_place = !path || (!good && is_forbidden(errno));
    free(path);
    return good || (in_place && write_all(fopen(output, "wb"), bytes, length));
}
