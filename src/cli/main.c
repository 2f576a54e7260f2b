/*
 * main.c: the command `mapwright`: the library, for people and scripts.
 *
 * Options first, then what is asked for: a generator with parameters, an address, or a table.
 */
#include "cli.h"

#include "api/openapi.h"
#include "lib/number.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_MEMORY ((size_t)1 << 16)
#define DEFAULT_MEMORY (sizeof(size_t) > 4 ? (size_t)1 << 31 : (size_t)1 << 29)

static void say(const char *format, va_list args)
{
    fputs("mapwright: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

int complain(int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
    return status;
}

void die(int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(format, args);
    va_end(args);
    exit(status);
}

/* ---- options --------------------------------------------------------------------------------- */

/* 1048576, 1024K, 1M, 2G */
static size_t read_size(const char *text)
{
    int64_t bytes;
    if (!mw_read_size(text, &bytes) || bytes < (int64_t)LEAST_MEMORY)
        die(MISTAKEN, "--memory: must be a number of bytes from 64K, such as 512M or 2G");
    return (size_t)bytes;
}

/* The value of an option: behind its `=`, or the next word. NULL: it is another option. */
static const char *option_value(const char *name, char **argv, int argc, int *i)
{
    size_t n = strlen(name);
    const char *word = argv[*i];
    if (strncmp(word, name, n) || (word[n] && word[n] != '='))
        return NULL;
    if (word[n])
        return word + n + 1;
    if (++*i >= argc)
        die(MISTAKEN, "%s: must be followed by a value", name);
    return argv[*i];
}

static void read_option(struct options *options, char **argv, int argc, int *i)
{
    const char *word = argv[*i], *value;
    if (!strcmp(word, "--help") || !strcmp(word, "-h"))
        options->help = true;
    else if (!strcmp(word, "--version"))
        options->version = true;
    else if ((value = option_value("--memory", argv, argc, i)))
        options->memory = read_size(value);
    else if ((value = option_value("--output", argv, argc, i)) ||
             (value = option_value("-o", argv, argc, i)))
        options->output = strcmp(value, "-") ? value : NULL;
    else if (strchr(word, '='))
        die(MISTAKEN, "%s: is no option: parameters are written without dashes, %s", word,
            word + strspn(word, "-"));
    else
        die(MISTAKEN, "%s: is no option: mapwright --help lists them", word);
}

static struct options read_options(int argc, char **argv)
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

/* ---- what can be asked for ------------------------------------------------------------------- */

/* Whether all that was printed has arrived. */
static int flushed(void)
{
    if (ferror(stdout) || fflush(stdout))
        return complain(CANNOT, "cannot write: %s", strerror(errno));
    return DONE;
}

static int list(const struct options *options)
{
    if (options->count > 1)
        return complain(MISTAKEN, "list: takes no parameters");
    print_list(stdout);
    return flushed();
}

static int openapi(const struct options *options)
{
    const char *syntax = options->count > 1 ? options->words[1] : "yaml";
    bool json = !strcmp(syntax, "json");
    if (options->count > 2 || (!json && strcmp(syntax, "yaml")))
        return complain(MISTAKEN, "openapi: must be followed by yaml, json or nothing");
    char *text = openapi_write(json ? OPENAPI_JSON : OPENAPI_YAML);
    if (!text)
        return complain(CANNOT, "out of memory");
    int status = write_out(options, text, strlen(text));
    free(text);
    return status;
}

static int help(const struct options *options)
{
    if (!options->count || !strcmp(options->words[0], "list") ||
        !strcmp(options->words[0], "openapi"))
        print_help(stdout);
    else
        print_generator_help(stdout, generator_of_word(options->words[0]));
    return flushed();
}

static int version(void)
{
    puts("mapwright " MW_VERSION);
    return flushed();
}

int main(int argc, char **argv)
{
    struct options options = read_options(argc, argv);
    if (options.version)
        return version();
    if (options.help)
        return help(&options);
    if (!options.count) {
        print_help(stderr);
        return MISTAKEN;
    }
    if (!strcmp(options.words[0], "list"))
        return list(&options);
    if (!strcmp(options.words[0], "openapi"))
        return openapi(&options);
    return draw_map(&options);
}
