/*
 * replay.c: a fuzz target on files, without a fuzzer: seeds, and whatever once broke something.
 *
 *     replay-query FILE|DIRECTORY ...
 */
#include "fuzz.h"

#include <dirent.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int files;
static const char *now;

/* What breaks a target ends it by a signal: say which file it was. */
static void name_file(int number)
{
    (void)!write(STDERR_FILENO, now, strlen(now));
    (void)!write(STDERR_FILENO, " breaks it\n", 11);
    signal(number, SIG_DFL);
    raise(number);
}

static void replay_file(const char *path)
{
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        perror(path);
        exit(2);
    }
    fseek(stream, 0, SEEK_END);
    size_t size = (size_t)ftell(stream);
    rewind(stream);
    uint8_t *bytes = malloc(size ? size : 1);
    if (!bytes || fread(bytes, 1, size, stream) != size)
        exit(2);
    fclose(stream);
    now = path;
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    files++;
}

static void replay(const char *path)
{
    DIR *all = opendir(path);
    if (!all) {
        replay_file(path);
        return;
    }
    for (struct dirent *entry; (entry = readdir(all));) {
        char name[4096];
        struct stat status;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.' && !stat(name, &status) && S_ISREG(status.st_mode))
            replay_file(name);
    }
    closedir(all);
}

int main(int argc, char **argv)
{
    signal(SIGABRT, name_file);
    for (int i = 1; i < argc; i++) {
        struct stat status;
        if (!stat(argv[i], &status))
            replay(argv[i]);
    }
    printf("replay: %d files\n", files);
    return 0;
}
