/* request.c: from the words of a command line to a request. */
#include "cli.h"

#include "api/field.h"

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

/* "regions.svg?width=60" of "http://localhost:8080/regions.svg?width=60" or "/regions.svg?..." */
static const char *path_of_word(const char *word)
{
    const char *scheme = strstr(word, "://");
    if (scheme && scheme < word + strcspn(word, "/?"))
        word = scheme + strlen("://") + strcspn(scheme + strlen("://"), "/");
    return word + (*word == '/');
}

struct asked_map read_address(struct mw_run *run, const char *word)
{
    struct asked_map asked = {0};
    if (!mw_read_asked(run, span_of(path_of_word(word)), &asked))
        exit(report(run));
    return asked;
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

/* ---- what the output decides ----------------------------------------------------------------- */

/* "svg" of "a/map.svg"; NULL: the name has no suffix */
static const char *suffix_of_file(const char *file)
{
    const char *slash = strrchr(file, '/'), *dot = strrchr(slash ? slash + 1 : file, '.');
    return dot ? dot + 1 : NULL;
}

static const char *format_of_output(const char *output)
{
    const char *suffix = output ? suffix_of_file(output) : NULL;
    return suffix ? suffix : !output && isatty(STDOUT_FILENO) ? "text" : "json";
}

bool is_lively(int descriptor)
{
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(descriptor) && !(none && *none) && terminal && strcmp(terminal, "dumb") != 0;
}

/* Within the range of the parameter `columns`; NULL: unknown. */
static const char *columns_of_terminal(void)
{
    static char text[12];
    const struct mw_field *field = &mw_look_fields[MW_LOOK_COLUMNS];
    int columns = terminal_columns();
    columns = columns < field->least && columns ? field->least : columns;
    snprintf(text, sizeof text, "%d", columns > field->most ? field->most : columns);
    return columns ? text : NULL;
}

/* The value (NULL: none) of a parameter that is not given. */
static void add_default(struct mw_arg *args, size_t *count, const char *name, const char *value)
{
    for (size_t i = 0; i < *count; i++)
        if (arg_is_named(&args[i], name))
            return;
    if (value)
        args[(*count)++] = (struct mw_arg){name, strlen(name), MW_RAW, value, strlen(value)};
}

enum { DEFAULTS = 3 };

/* Format, and colour and width of the terminal. */
static void add_defaults(const char *output, struct asked_map *asked, struct mw_arg *args)
{
    if (!asked->suffix.at)
        add_default(args, &asked->count, "format", format_of_output(output));
    if (output)
        return;
    add_default(args, &asked->count, "color", is_lively(STDOUT_FILENO) ? "true" : NULL);
    add_default(args, &asked->count, "columns", columns_of_terminal());
}

/* If the suffixes of address and file differ, one is a mistake; format= overrides both. */
static void refuse_other_suffix(const char *output, const struct asked_map *asked,
                                const struct mw_request *request)
{
    const char *suffix = output && asked->suffix.at ? suffix_of_file(output) : NULL;
    const struct mw_encoder *named = suffix ? mw_encoder_named(suffix) : NULL;
    if (named && named != request->encoder && !request->look.format)
        die(STATUS_USAGE, "the address ends in .%.*s, but the file is %s: leave one of them out",
            (int)asked->suffix.length, asked->suffix.at, output);
}

/* Whether a terminal can show it. */
static bool is_text(const char *media)
{
    return !strncmp(media, "text/", strlen("text/")) || strstr(media, "json") ||
           strstr(media, "xml");
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void draw_seed(char text[24])
{
    uint64_t bits;
    if (!draw_bits(&bits))
        die(STATUS_SYSTEM, "cannot draw a seed: %s: give one, seed=7", strerror(errno));
    snprintf(text, 24, "%llu", (unsigned long long)(bits >> (64 - SEED_BITS)));
}

/* The parameters of the address, the other words, and what the output decides. */
static void add_args(struct mw_run *run, const struct options *options, struct asked_map *asked)
{
    static struct mw_arg *args; /* static, so that leak checkers see it */
    args = need(malloc((asked->count + (size_t)options->count + DEFAULTS) * sizeof *args));
    if (asked->count)
        memcpy(args, asked->args, asked->count * sizeof *args);
    for (int i = 1; i < options->count; i++)
        args[asked->count++] = read_word(run, asked->generator, options->words[i]);
    keep_last(args, &asked->count);
    add_defaults(options->output, asked, args);
    asked->args = args;
}

const struct mw_request *read_request(struct mw_run *run, const struct options *options)
{
    char seed[24];
    struct asked_map asked = read_address(run, options->words[0]);
    add_args(run, options, &asked);
    draw_seed(seed);
    const struct mw_request *request = mw_bind_asked(run, &asked, seed);
    if (!request)
        exit(report(run));
    const struct mw_encoder *encoder = request->encoder;
    refuse_other_suffix(options->output, &asked, request);
    if (!options->output && !is_text(encoder->media) && isatty(STDOUT_FILENO))
        die(STATUS_USAGE, "a terminal cannot show %s: write it to a file, -o map.%s", encoder->name,
            mw_suffix(encoder));
    return request;
}
