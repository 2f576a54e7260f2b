/* words.c: a command line, and the address in it, as arguments of the library. */
#include "cli.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* What is read is kept as long as the process lives, which is short. */
struct kept {
    struct kept *before;
    _Alignas(max_align_t) char bytes[];
};
static struct kept *last_kept;

static void *keep(size_t size)
{
    struct kept *kept = malloc(sizeof *kept + size);
    if (!kept)
        die(CANNOT, "out of memory");
    kept->before = last_kept;
    last_kept = kept;
    return kept->bytes;
}

static char *copy(const char *text, size_t length, size_t room)
{
    char *to = keep(room);
    if (length)
        memcpy(to, text, length);
    return to;
}

static const char *copy_text(const char *text, size_t length)
{
    char *to = copy(text, length, length + 1);
    to[length] = '\0';
    return to;
}

/* ---- generators ------------------------------------------------------------------------------ */

static const struct mw_generator *find(const char *name, size_t length)
{
    for (const struct mw_generator *const *g = mw_generators; *g; g++)
        if (strlen((*g)->name) == length && !memcmp((*g)->name, name, length))
            return *g;
    return NULL;
}

_Noreturn static void die_of_name(const char *word)
{
    char names[1000] = "";
    size_t n = 0;
    for (const struct mw_generator *const *g = mw_generators; *g && n < sizeof names; g++)
        n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", n ? ", " : "", (*g)->name);
    die(MISTAKEN, "%.60s: is no generator: there are %s", word, names);
}

/* "regions", "/regions", "/regions.svg", "/regions.svg?width=60" */
static const struct mw_generator *split_word(const char *word, const char **suffix,
                                             size_t *suffix_length)
{
    const char *path = word + (*word == '/');
    size_t length = strcspn(path, "?"), stem = strcspn(path, "?.");
    *suffix = stem < length ? path + stem + 1 : NULL;
    *suffix_length = stem < length ? length - stem - 1 : 0;
    const struct mw_generator *generator = find(path, stem);
    if (!generator)
        die_of_name(word);
    return generator;
}

const struct mw_generator *generator_of_word(const char *word)
{
    const char *suffix;
    size_t length;
    return split_word(word, &suffix, &length);
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
        b.at = copy(b.at, b.length, b.room);
        b.length += fread(b.at + b.length, 1, b.room - b.length, file);
    } while (b.length == b.room);
    if (ferror(file))
        die(CANNOT, "cannot read %s: %s", name, strerror(errno));
    return b;
}

static struct buffer read_file(const char *name)
{
    if (!strcmp(name, "-"))
        return read_all(stdin, "standard input");
    FILE *file = fopen(name, "r");
    if (!file)
        die(CANNOT, "cannot read %s: %s", name, strerror(errno));
    struct buffer b = read_all(file, name);
    fclose(file);
    return b;
}

/* Drops line ends at the end, and writes the others as the separator of the list. */
static void join_lines(struct buffer *b, char separator)
{
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

/* What stands between two elements of a list on one line, or 0 for what is no list. */
static char separator_of(const struct mw_generator *generator, const struct mw_arg *arg)
{
    const struct mw_field *f = generator->fields;
    while (f->type != MW_END_OF_TABLE &&
           (strlen(f->name) != arg->name_length || memcmp(f->name, arg->name, arg->name_length)))
        f++;
    if (f->type == MW_ROWS)
        return '/';
    if (f->type == MW_POINTS)
        return ';';
    return f->type == MW_INTEGERS ? ',' : '\0';
}

/* ---- arguments ------------------------------------------------------------------------------- */

static struct mw_arg read_word(const struct mw_generator *generator, const char *word)
{
    const char *equals = strchr(word, '=');
    if (!equals)
        die(MISTAKEN, "%s: must be name=value: mapwright %s --help lists the names", word,
            generator->name);
    struct mw_arg arg = {.name = word,
                         .name_length = (size_t)(equals - word),
                         .shape = MW_RAW,
                         .text = equals + 1,
                         .length = strlen(equals + 1)};
    char separator = separator_of(generator, &arg);
    if (separator && arg.text[0] == '@') {
        struct buffer b = read_file(arg.text + 1);
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

struct question read_words(struct mw_run *run, const struct options *options)
{
    const char *suffix;
    size_t suffix_length, in_query;
    struct question question = {0};
    question.generator = split_word(options->words[0], &suffix, &suffix_length);
    question.suffix = suffix ? copy_text(suffix, suffix_length) : NULL;
    const struct mw_arg *query = read_query(run, options->words[0], &in_query);
    question.args = keep((in_query + (size_t)options->count) * sizeof *question.args);
    for (; question.count < in_query; question.count++)
        question.args[question.count] = query[question.count];
    for (int i = 1; i < options->count; i++)
        question.args[question.count++] = read_word(question.generator, options->words[i]);
    return question;
}
