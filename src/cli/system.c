/* system.c: what the command needs of Linux and the like; src/cli/windows has it for Windows. */
#include "cli.h"

#include <errno.h>
#include <signal.h>
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

/* By a temporary file in the same folder, with the permissions of the old file, if there is one. */
static bool replace(const char *output, const struct stat *old, const char *bytes, size_t length)
{
    char *temporary;
    if (asprintf(&temporary, "%s.%d.part", output, (int)getpid()) < 0)
        return false;
    FILE *file = fopen(temporary, "wbx");
    if (file && old->st_nlink)
        fchmod(fileno(file), old->st_mode & 0777);
    bool good = write_all(file, bytes, length) && !rename(temporary, output);
    int reason = errno;
    if (file && !good)
        unlink(temporary);
    free(temporary);
    errno = reason;
    return good;
}

/*
 * A file is written beside the one that it replaces and renamed when it is complete, so that a full
 * disk leaves the old one as it was. What may not be replaced is written in place: links, devices
 * and pipes, files of others or with several names, and those whose folder forbids it.
 */
bool write_file(const char *output, const char *bytes, size_t length)
{
    struct stat old = {.st_nlink = 0};
    bool fresh = lstat(output, &old) && errno == ENOENT;
    bool own = S_ISREG(old.st_mode) && old.st_nlink == 1 && old.st_uid == geteuid() &&
               old.st_gid == getegid() && !access(output, W_OK);
    signal(SIGXFSZ, SIG_IGN); /* a limit of size is an error like a full disk */
    if ((fresh || own) && replace(output, &old, bytes, length))
        return true;
    if ((fresh || own) && errno != EACCES && errno != EPERM && errno != EBUSY && errno != EROFS)
        return false;
    return write_all(fopen(output, "wb"), bytes, length);
}
