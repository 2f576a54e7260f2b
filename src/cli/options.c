/*
 * options.c: the command line: options, and words that name a map.
 *
 * Every parameter is an option too: `--width 5` and `--width=5` stand for the word `width=5`. The
 * names come from the tables of fields; which generator has which is checked later.
 */
#include "cli.h"

#include "lib/number.h"
#include "lib/suggestion.h"

#include <assert.h>
#include <getopt.h>
#include <string.h>

#define LEAST_MEMORY ((size_t)1 << 16)
#define DEFAULT_MEMORY (sizeof(size_t) > 4 ? (size_t)1 << 31 : (size_t)1 << 29)

/* Values of long options: the short ones' letters, then the parameters by their number. */
enum { JSON = 256, MEMORY, PARAMETER, MOST_OPTIONS = 256 };

static struct option names[MOST_OPTIONS] = {
    {"help", no_argument, NULL, 'h'},         {"version", no_argument, NULL, 'V'},
    {"output", required_argument, NULL, 'o'}, {"memory", required_argument, NULL, MEMORY},
    {"json", no_argument, NULL, JSON},
};

static bool is_named(const char *name)
{
    for (const struct option *option = names; option->name; option++)
        if (!strcmp(option->name, name))
            return true;
    return false;
}

static void add_parameters(const struct mw_field *fields, int *count)
{
    for (const struct mw_field *f = fields; f->type != MW_END_OF_TABLE; f++) {
        if (is_named(f->name))
            continue;
        assert(*count < MOST_OPTIONS - 1);
        int value = f->type == MW_BOOLEAN ? optional_argument : required_argument;
        names[*count] = (struct option){f->name, value, NULL, PARAMETER + *count};
        ++*count;
    }
}

static void name_parameters(void)
{
    int count = 0;
    while (names[count].name)
        count++;
    add_parameters(mw_common_fields, &count);
    add_parameters(mw_look_fields, &count);
    for (const struct mw_generator *const *g = mw_generators; *g; g++)
        add_parameters((*g)->fields, &count);
}

static size_t read_memory(const char *text)
{
    int64_t bytes;
    if (!mw_read_size(text, &bytes) || bytes < (int64_t)LEAST_MEMORY)
        die(STATUS_USAGE, "--memory: must be a number of bytes from 64K, such as 512M or 2G");
    return (size_t)bytes;
}

/* The word `width=5` for `--width 5`; of a boolean, `--labels` means true. */
static char *word_of_parameter(const char *name, const char *value)
{
    char *word = need(malloc(strlen(name) + strlen(value ? value : "true") + sizeof "="));
    sprintf(word, "%s=%s", name, value ? value : "true");
    return word;
}

_Noreturn static void die_of_unknown(const char *word)
{
    const char *name = word + strspn(word, "-");
    struct suggestion guess = {.meant = {name, strcspn(name, "=")}};
    for (const struct option *option = names; option->name; option++)
        mw_consider_word(&guess, option->name);
    const char *nearest = guess.nearest;
    die(STATUS_USAGE, "%.60s: is no option: %s%s%smapwright --help lists them", word,
        nearest ? "did you mean --" : "", nearest ? nearest : "", nearest ? "? " : "");
}

/* getopt has refused a word: no such option, or its value is missing or not wanted. */
_Noreturn static void die_of_option(int refusal, const char *word)
{
    if (refusal == ':')
        die(STATUS_USAGE, "%s: must be followed by a value", word);
    if (optopt >= PARAMETER || optopt == JSON || optopt == 'h' || optopt == 'V')
        die(STATUS_USAGE, "%s: takes no value", word);
    const char letter[] = {'-', (char)optopt, '\0'};
    die_of_unknown(optopt ? letter : word);
}

/* Before the generator or address there may be parameters: its place is the first. */
static void add_word(struct options *options, char *word)
{
    if (!options->words[0])
        options->words[0] = word;
    else
        options->words[options->count++] = word;
}

static void read_option(struct options *options, int option, const char *word)
{
    switch (option) {
    case 1: add_word(options, optarg); break;
    case 'h': options->help = true; break;
    case 'V': options->version = true; break;
    case 'o': options->output = strcmp(optarg, "-") ? optarg : NULL; break;
    case MEMORY: options->memory = read_memory(optarg); break;
    case JSON: options->json = true; break;
    case '?':
    case ':': die_of_option(option, word);
    default:
        options->words[options->count++] =
            word_of_parameter(names[option - PARAMETER].name, optarg);
    }
}

/* Words replace those of argv that were read before them. */
struct options read_options(int argc, char **argv)
{
    struct options options = {.memory = DEFAULT_MEMORY, .words = argv, .count = 1};
    name_parameters();
    opterr = 0;
    argv[0] = NULL;
    for (int option; (option = getopt_long(argc, argv, "-:hVo:", names, NULL)) != -1;)
        read_option(&options, option, argv[optind - 1]);
    while (optind < argc)
        add_word(&options, argv[optind++]);
    if (!argv[0])
        options.count = 0;
    return options;
}
