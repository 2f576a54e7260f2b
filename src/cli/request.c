/* request.c: from the words of a command line to a request. */
#include "cli.h"

#include "all/registry.h"
#include "api/field.h"
#include "kit/uuid.h"
#include "lib/suggestion.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

enum {
    SEED_BITS = 53,
    /* Bytes of a file with a parameter: more than the largest mask with any line ends, or the most
       positions with each number on a line. The service takes no longer body either. */
    LONGEST_FILE = 64 << 20,
};

/* ---- generators ------------------------------------------------------------------------------ */

_Noreturn static void die_of_name(const char *name)
{
    struct suggestion guess = {.meant = {name, strlen(name)}};
    for (const struct mw_generator *const *g = mw_generators; *g; g++)
        mw_consider_word(&guess, (*g)->name);
    die_of_word(name, "generator", guess.nearest, "mapwright list has them");
}

static char *copy_text(const char *text, size_t length)
{
    char *copy = need(malloc(length + 1));
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

/* "regions.svg?width=60" of "http://localhost:8080/regions.svg?width=60" or "/regions.svg?..." */
static const char *path_of_word(const char *word)
{
    const char *scheme = strstr(word, "://");
    if (scheme && scheme < word + strcspn(word, "/?"))
        word = scheme + strlen("://") + strcspn(scheme + strlen("://"), "/");
    return word + (*word == '/');
}

const struct mw_generator *generator_of_word(const char *word)
{
    const char *path = path_of_word(word);
    char *name = copy_text(path, strcspn(path, "?."));
    const struct mw_generator *generator = mw_find(name);
    if (!generator)
        die_of_name(name);
    free(name);
    return generator;
}

/* "svg" of "/regions.svg?width=60", or NULL */
static const char *suffix_of_word(const char *word)
{
    const char *path = path_of_word(word), *dot = path + strcspn(path, "?.");
    return *dot == '.' ? copy_text(dot + 1, strcspn(dot + 1, "?")) : NULL;
}

/* ---- values from files ----------------------------------------------------------------------- */

struct buffer {
    char *at;
    size_t length, room;
};

static struct buffer read_all(FILE *file, const char *name)
{
    struct buffer b = {NULL, 0, 0};
    do {
        b.room = b.room * 2 + 65536;
        b.at = need(realloc(b.at, b.room));
        b.length += fread(b.at + b.length, 1, b.room - b.length, file);
        if (b.length > LONGEST_FILE)
            die(STATUS_USAGE, "%s: must be at most %d bytes, more than any parameter needs", name,
                LONGEST_FILE);
    } while (b.length == b.room);
    if (ferror(file))
        die(STATUS_SYSTEM, "cannot read %s: %s", name, strerror(errno));
    return b;
}

static struct buffer read_file(const char *name)
{
    if (!strcmp(name, "-"))
        return read_all(stdin, "standard input");
    FILE *file = fopen(name, "r");
    if (!file)
        die(STATUS_SYSTEM, "cannot read %s: %s", name, strerror(errno));
    struct buffer b = read_all(file, name);
    fclose(file);
    return b;
}

/* Drops line ends at the end, and replaces the others by the separator of the list. */
static void join_lines(struct buffer *b, char separator)
{
    assert(separator);
    size_t kept = 0;
    for (size_t i = 0; i < b->length; i++)
        if (b->at[i] != '\r')
            b->at[kept++] = b->at[i];
    while (kept && b->at[kept - 1] == '\n')
        kept--;
    for (size_t i = 0; i < kept; i++)
        if (b->at[i] == '\n')
            b->at[i] = separator;
    b->length = kept;
}

static bool is_json(const struct buffer *b)
{
    size_t i = 0;
    while (i < b->length && isspace((unsigned char)b->at[i]))
        i++;
    return i < b->length && b->at[i] == '[';
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* A value in JSON, as in a body. */
static struct mw_arg read_value(struct mw_run *run, struct span name, struct buffer *value)
{
    char *text = need(malloc(name.length + value->length + sizeof "{\"\":}"));
    int begin = sprintf(text, "{\"%.*s\":", (int)name.length, name.at);
    size_t length = (size_t)begin + value->length;
    memcpy(text + begin, value->at, value->length);
    text[length++] = '}';
    free(value->at);
    const struct mw_arg *args = NULL;
    size_t count = 0;
    if (!mw_read_json(run, text, length, &args, &count) || count != 1)
        die(STATUS_USAGE,
            "%.*s: must be a JSON array in its file, or have an element or a row on each line",
            (int)name.length, name.at);
    return args[0];
}

static struct mw_arg read_word(struct mw_run *run, const struct mw_generator *generator,
                               const char *word)
{
    const char *equals = strchr(word, '=');
    if (!equals)
        die(STATUS_USAGE, "%s: must be name=value: mapwright %s --help lists the names", word,
            generator->name);
    struct mw_arg arg = {.name = word,
                         .name_length = (size_t)(equals - word),
                         .shape = MW_RAW,
                         .text = equals + 1,
                         .length = strlen(equals + 1)};
    const struct mw_field *field = field_of_arg(generator, &arg);
    char separator = field ? field_separator(field->type) : '\0';
    if (separator && arg.text[0] == '@') {
        struct buffer b = read_file(arg.text + 1);
        if (is_json(&b))
            return read_value(run, (struct span){arg.name, arg.name_length}, &b);
        join_lines(&b, separator);
        arg.text = b.at;
        arg.length = b.length;
    }
    return arg;
}

static const struct mw_arg *read_query(struct mw_run *run, const char *word, size_t *count)
{
    const struct mw_arg *args = NULL;
    const char *query = strchr(word, '?');
    *count = 0;
    if (query && !mw_read_query(run, query + 1, strlen(query + 1), &args, count))
        exit(report(run));
    return args;
}

/* Of parameters that are given twice keeps the last: in a shell one edits the end of a line. */
static void keep_last(struct mw_arg *args, size_t *count)
{
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) {
        size_t later = i + 1;
        while (later < *count &&
               !span_equal((struct span){args[later].name, args[later].name_length},
                           (struct span){args[i].name, args[i].name_length}))
            later++;
        if (later == *count)
            args[kept++] = args[i];
    }
    *count = kept;
}

/* The parameters of the address in the first word, then the other words. */
static struct mw_arg *read_args(struct mw_run *run, const struct options *options, size_t *count)
{
    static struct mw_arg *args; /* static, so that leak checkers see it */
    const struct mw_generator *generator = generator_of_word(options->words[0]);
    const struct mw_arg *query = read_query(run, options->words[0], count);
    args = need(malloc((*count + (size_t)options->count) * sizeof *args));
    if (*count)
        memcpy(args, query, *count * sizeof *args);
    for (int i = 1; i < options->count; i++)
        args[(*count)++] = read_word(run, generator, options->words[i]);
    keep_last(args, count);
    return args;
}

/* ---- formats --------------------------------------------------------------------------------- */

/* "svg" of "a/map.svg"; NULL: the name has no suffix */
static const char *suffix_of_file(const char *file)
{
    const char *slash = strrchr(file, '/'), *dot = strrchr(slash ? slash + 1 : file, '.');
    return dot ? dot + 1 : NULL;
}

/* If the suffixes of address and file differ, one is a mistake; format= overrides both. */
static void refuse_other_suffix(const char *suffix, const char *file)
{
    const char *other = file ? suffix_of_file(file) : NULL;
    const struct mw_encoder *asked = mw_encoder_named(suffix);
    const struct mw_encoder *named = other ? mw_encoder_named(other) : NULL;
    if (asked && named && asked != named)
        die(STATUS_USAGE, "the address ends in .%s, but the file is %s: leave one of them out",
            suffix, file);
}

static const char *choose_format(const struct options *options, const struct mw_request *request)
{
    static const char *suffix;
    if (request->look.format)
        return request->look.format;
    if ((suffix = suffix_of_word(options->words[0]))) {
        refuse_other_suffix(suffix, options->output);
        return suffix;
    }
    if (!options->output)
        return isatty(STDOUT_FILENO) ? "text" : "json";
    return (suffix = suffix_of_file(options->output)) ? suffix : "json";
}

_Noreturn static void die_of_format(const char *format, const struct mw_request *request)
{
    char formats[MW_FORMATS_ROOM];
    mw_write_formats(formats, request);
    die(STATUS_USAGE, "format: is '%s': must be one of: %s", format, formats);
}

/* Whether a terminal can show it. */
static bool is_text(const char *media)
{
    return !strncmp(media, "text/", strlen("text/")) || strstr(media, "json") ||
           strstr(media, "xml");
}

static const struct mw_encoder *choose_encoder(const struct options *options,
                                               const struct mw_request *request)
{
    const char *format = choose_format(options, request);
    const struct mw_encoder *encoder = mw_encoder_named(format);
    if (!encoder || !mw_fits(encoder, request))
        die_of_format(format, request);
    if (!options->output && !is_text(encoder->media) && isatty(STDOUT_FILENO))
        die(STATUS_USAGE, "a terminal cannot show %s: write it to a file, -o map.%s", format,
            format);
    return encoder;
}

bool is_lively(int descriptor)
{
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(descriptor) && !(none && *none) && terminal && strcmp(terminal, "dumb") != 0;
}

static bool is_given(const struct mw_arg *args, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (arg_is_named(&args[i], name))
            return true;
    return false;
}

/* Within the range of the parameter `columns`; 0: unknown. */
static int32_t columns_of_terminal(void)
{
    const struct mw_field *field = &mw_look_fields[MW_LOOK_COLUMNS];
    int columns = terminal_columns();
    if (!columns)
        return 0;
    return columns < field->least ? field->least : columns > field->most ? field->most : columns;
}

/* Colour and width of the terminal, unless they were given. */
static void fit_terminal(struct mw_look *look, const struct mw_arg *args, size_t count)
{
    if (!is_given(args, count, "color"))
        look->color = is_lively(STDOUT_FILENO);
    if (!is_given(args, count, "columns") && isatty(STDOUT_FILENO))
        look->columns = columns_of_terminal();
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void draw_seed(char text[24])
{
    uint64_t bits;
    if (!draw_bits(&bits))
        die(STATUS_SYSTEM, "cannot draw a seed: %s: give one, seed=7", strerror(errno));
    snprintf(text, 24, "%llu", (unsigned long long)(bits >> (64 - SEED_BITS)));
}

void read_request(struct mw_run *run, const struct options *options, struct map_job *job)
{
    char seed[24];
    size_t count;
    const struct mw_arg *args = read_args(run, options, &count);
    struct mw_request *request = &job->request;
    draw_seed(seed);
    if (!mw_bind(run, generator_of_word(options->words[0]), args, count, seed, request))
        exit(report(run));
    job->encoder = choose_encoder(options, request);
    if (!options->output)
        fit_terminal(&request->look, args, count);
    mw_uuid_of_url(request->address, request->address_length, request->id);
}
