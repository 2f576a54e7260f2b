/*
 * replay.c: a fuzz target on files, without a fuzzer: seeds, and whatever once broke something.
 *
 *     replay-bind FILE ...
 */
#include "fuzz.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

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
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return fprintf(stderr, "usage: replay FILE ...\n"), 2;
    signal(SIGABRT, name_file);
    for (int i = 1; i < argc; i++)
        replay_file(argv[i]);
    printf("replay: %d files\n", argc - 1);
    return 0;
}
