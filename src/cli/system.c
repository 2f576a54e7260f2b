/* system.c: what the command needs of Linux and the like; src/cli/windows has it for Windows. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
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

/* The path of the file that may be replaced, links followed; NULL: it must be written in place. */
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

/* Opens a new file in the folder of `path`, with the owner and permissions of the old one, if there
   is one; its name is put in `name`. -1: there can be no such file. */
static int open_beside(const char *path, const struct stat *old, char **name)
{
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash - path) + 1 : 0;
    if (asprintf(name, "%.*s.mapwright-%d", folder, path, (int)getpid()) < 0)
        *name = NULL;
    int fd = *name ? open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    if (fd < 0 || !old->st_nlink)
        return fd;
    if (!fchown(fd, old->st_uid, old->st_gid) && !fchmod(fd, old->st_mode & 0777))
        return fd;
    unlink(*name);
    close(fd);
    return -1;
}

/*
 * A file is written beside the one that it replaces and renamed when it is complete, so that a full
 * disk leaves the old one as it was. What cannot be replaced is written in place: devices, pipes,
 * open files by their descriptors, files with several names, and those whose folder or owner
 * forbids it.
 */
bool write_file(const char *output, const char *bytes, size_t length)
{
    struct stat old = {.st_nlink = 0};
    char *name = NULL, *path = find_target(output, &old);
    signal(SIGXFSZ, SIG_IGN); /* a limit of size is an error like a full disk */
    int fd = path ? open_beside(path, &old, &name) : -1;
    bool written = fd >= 0 && write_all(fdopen(fd, "wb"), bytes, length);
    bool renamed = written && !rename(name, path);
    int reason = errno;
    if (fd >= 0 && !renamed)
        unlink(name);
    free(name);
    free(path);
    errno = reason;
    return renamed || ((fd < 0 || written) && write_all(fopen(output, "wb"), bytes, length));
}
