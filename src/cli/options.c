/* options.c: the words of a command line that begin with a dash, and their values. */
#include "cli.h"

#include "lib/number.h"

#include <assert.h>
#include <string.h>

#define LEAST_MEMORY ((size_t)1 << 16)
#define DEFAULT_MEMORY (sizeof(size_t) > 4 ? (size_t)1 << 31 : (size_t)1 << 29)

static size_t read_memory(const char *text)
{
    int64_t bytes;
    if (!mw_read_size(text, &bytes) || bytes < (int64_t)LEAST_MEMORY)
        die(STATUS_USAGE, "--memory: must be a number of bytes from 64K, such as 512M or 2G");
    return (size_t)bytes;
}

/* The value of an option: behind its `=`, or the next word. NULL: it is another option. */
static const char *option_value(const char *name, char **argv, int argc, int *i)
{
    assert(*i < argc);
    size_t n = strlen(name);
    const char *word = argv[*i];
    if (strncmp(word, name, n) || (word[n] && word[n] != '='))
        return NULL;
    if (word[n])
        return word + n + 1;
    if (++*i >= argc)
        die(STATUS_USAGE, "%s: must be followed by a value", name);
    return argv[*i];
}

static void read_option(struct options *options, char **argv, int argc, int *i)
{
    const char *word = argv[*i], *value;
    if (!strcmp(word, "--help") || !strcmp(word, "-h"))
        options->help = true;
    else if (!strcmp(word, "--version"))
        options->version = true;
    else if (!strcmp(word, "--json"))
        options->json = true;
    else if ((value = option_value("--memory", argv, argc, i)))
        options->memory = read_memory(value);
    else if ((value = option_value("--output", argv, argc, i)) ||
             (value = option_value("-o", argv, argc, i)))
        options->output = strcmp(value, "-") ? value : NULL;
    else if (strchr(word, '='))
        die(STATUS_USAGE, "%s: is no option: parameters are written without dashes, %s", word,
            word + strspn(word, "-"));
    else
        die(STATUS_USAGE, "%s: is no option: mapwright --help lists them", word);
}

struct options read_options(int argc, char **argv)
{
    struct options options = {.memory = DEFAULT_MEMORY, .words = argv};
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-' && argv[i][1])
            read_option(&options, argv, argc, &i);
        else
            argv[options.count++] = argv[i];
    }
    return options;
}
