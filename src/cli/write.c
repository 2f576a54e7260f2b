/*
 * write.c: bytes to where they are wanted, all of them or a complaint.
 *
 * A file is written beside the one that it replaces and renamed when it is complete, so that a full
 * disk or an interruption leaves the old one as it was. What cannot be replaced is written in
 * place: devices, pipes, open files by their descriptors, files with several names, and those whose
 * folder or owner forbids it.
 */
#include "cli.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct content {
    const char *bytes;
    size_t length;
};

/* Closes the file. */
static bool write_all(FILE *file, struct content content)
{
    bool good = fwrite(content.bytes, 1, content.length, file) == content.length;
    return !fclose(file) && good;
}

static bool write_in_place(const char *path, struct content content)
{
    FILE *file = fopen(path, "wb");
    return file && write_all(file, content);
}

/* ---- writing beside, and renaming ------------------------------------------------------------ */

/* "/dev/stdout", "/dev/fd/3", "/proc/self/fd/3": whoever opened the file has it still. */
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
static bool take_over(int fd, const struct stat *old)
{
    if (!old->st_nlink)
        return !fchmod(fd, default_mode());
    return !fchown(fd, old->st_uid, old->st_gid) && !fchmod(fd, old->st_mode & 0777);
}

static bool fill(int fd, const struct stat *old, struct content content)
{
    FILE *file = take_over(fd, old) ? fdopen(fd, "wb") : NULL;
    if (file)
        return write_all(file, content);
    int reason = errno;
    close(fd);
    errno = reason;
    return false;
}

/* "a/.mapwright-XXXXXX" for "a/map.svg"; NULL without memory. */
static char *name_temporary(const char *path)
{
    static const char name[] = ".mapwright-XXXXXX";
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    char *temporary = malloc(folder + sizeof name);
    if (temporary) {
        memcpy(temporary, path, folder);
        memcpy(temporary + folder, name, sizeof name);
    }
    return temporary;
}

static bool replace(const char *path, const struct stat *old, struct content content)
{
    char *temporary = name_temporary(path);
    int fd = temporary ? mkstemp(temporary) : -1;
    bool good = fd >= 0 && fill(fd, old, content) && !rename(temporary, path);
    int reason = errno;
    if (fd >= 0 && !good)
        unlink(temporary);
    free(temporary);
    errno = reason;
    return good;
}

/* A signal waits until the temporary file is gone; a limit of size is an error like a full disk. */
static bool write_beside(const char *path, const struct stat *old, struct content content)
{
    sigset_t ends, before;
    sigemptyset(&ends);
    sigaddset(&ends, SIGHUP);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    signal(SIGXFSZ, SIG_IGN);
    sigprocmask(SIG_BLOCK, &ends, &before);
    bool good = replace(path, old, content);
    int reason = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return good;
}

/* Whether the folder, or the owner, does not let the file be replaced. */
static bool is_forbidden(int reason)
{
    return reason == EACCES || reason == EPERM || reason == EBUSY || reason == EROFS;
}

static bool write_file(const char *output, struct content content)
{
    struct stat old = {.st_nlink = 0};
    char *path = find_target(output, &old);
    bool good = path && write_beside(path, &old, content);
    bool in_place = !path || (!good && is_forbidden(errno));
    free(path);
    return good || (in_place && write_in_place(output, content));
}

int write_out(const char *output, const char *bytes, size_t length)
{
    assert(bytes);
    if (output && !write_file(output, (struct content){bytes, length}))
        return complain(STATUS_SYSTEM, "cannot write %s: %s", output, strerror(errno));
    if (!output && (fwrite(bytes, 1, length, stdout) != length || fflush(stdout)))
        return complain(STATUS_SYSTEM, "cannot write: %s", strerror(errno));
    return STATUS_DONE;
}

int flush_out(void)
{
    if (ferror(stdout) || fflush(stdout))
        return complain(STATUS_SYSTEM, "cannot write: %s", strerror(errno));
    return STATUS_DONE;
}
