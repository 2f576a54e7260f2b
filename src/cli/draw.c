/* draw.c: from a command line to a map in a file. */
#include "cli.h"

#include "api/example.h"
#include "api/identity.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

enum { SEED_BITS = 53, LONGEST_HINT = 2000 };

/* Pages that are never touched cost nothing, so the block may be large. */
static struct mw_run *open_run(size_t memory)
{
    void *block = mmap(NULL, memory, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED)
        die(CANNOT, "cannot have %zu bytes: %s: ask for less by --memory", memory, strerror(errno));
    struct mw_run *run = mw_open(&(struct mw_limits){.memory = block, .size = memory});
    if (!run)
        die(MISTAKEN, "--memory: must be larger than %zu bytes", memory);
    return run;
}

static void draw_seed(char text[24])
{
    uint64_t bits;
    if (getrandom(&bits, sizeof bits, 0) != sizeof bits)
        die(CANNOT, "cannot draw a seed: %s: give one, seed=7", strerror(errno));
    snprintf(text, 24, "%llu", (unsigned long long)(bits >> (64 - SEED_BITS)));
}

/* ---- problems -------------------------------------------------------------------------------- */

static int status_of(enum mw_fault fault)
{
    switch (fault) {
    case MW_OK: return DONE;
    case MW_BAD_PARAM:
    case MW_OTHER_VERSION: return MISTAKEN;
    case MW_NO_RESULT:
    case MW_TOO_HARD:
    case MW_TOO_BIG:
    case MW_STOPPED: break;
    }
    return NO_MAP;
}

int report(const struct mw_run *run)
{
    const struct mw_problems *problems = mw_problems(run);
    int least = NO_MAP;
    for (size_t i = 0; i < problems->count; i++) {
        const struct mw_problem *p = &problems->list[i];
        int status = status_of(p->fault);
        least = status < least ? status : least;
        complain(status, "%s%s%s", p->pointer, *p->pointer ? ": " : "", p->detail);
    }
    if (problems->dropped)
        complain(least, "and %zu problems more", problems->dropped);
    return least;
}

/* ---- formats --------------------------------------------------------------------------------- */

/* "svg" of "a/map.svg"; NULL: the name has no suffix */
static const char *suffix_of(const char *file)
{
    const char *slash = strrchr(file, '/'), *dot = strrchr(slash ? slash + 1 : file, '.');
    return dot ? dot + 1 : NULL;
}

static const char *choose_format(const struct options *options, const struct question *question,
                                 const struct mw_request *request)
{
    if (request->look.format)
        return request->look.format;
    if (question->suffix)
        return question->suffix;
    if (options->output)
        return suffix_of(options->output) ? suffix_of(options->output) : "json";
    return isatty(STDOUT_FILENO) ? "text" : "json";
}

_Noreturn static void die_of_format(const char *format, const struct mw_generator *generator)
{
    char names[1000] = "";
    size_t n = 0;
    for (const struct mw_encoder *const *e = mw_encoders; *e && n < sizeof names; e++)
        if ((*e)->fits(generator))
            n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", n ? ", " : "", (*e)->name);
    die(MISTAKEN, "/format: is '%s': must be one of: %s", format, names);
}

static const struct mw_encoder *choose_encoder(const struct options *options,
                                               const struct question *question,
                                               const struct mw_request *request)
{
    const char *format = choose_format(options, question, request);
    const struct mw_encoder *encoder = mw_encoder_named(format);
    if (!encoder || !encoder->fits(question->generator))
        die_of_format(format, question->generator);
    if (!options->output && !media_is_text(encoder->media) && isatty(STDOUT_FILENO))
        die(MISTAKEN, "%s is nothing for a terminal: write it to a file, -o map.%s", format,
            format);
    return encoder;
}

/* ---- output ---------------------------------------------------------------------------------- */

int write_out(const struct options *options, const char *bytes, size_t length)
{
    FILE *file = options->output ? fopen(options->output, "wb") : stdout;
    if (!file)
        return complain(CANNOT, "cannot write %s: %s", options->output, strerror(errno));
    bool good = fwrite(bytes, 1, length, file) == length;
    good = !fflush(file) && good;
    int error = errno;
    if (options->output && fclose(file) && good) {
        good = false;
        error = errno;
    }
    if (!good)
        return complain(CANNOT, "cannot write%s%s: %s", options->output ? " " : "",
                        options->output ? options->output : "", strerror(error));
    return DONE;
}

static bool has_word(const struct question *question, const char *name)
{
    for (size_t i = 0; i < question->count; i++)
        if (question->args[i].name_length == strlen(name) &&
            !memcmp(question->args[i].name, name, strlen(name)))
            return true;
    return false;
}

/* A terminal gets colours, unless its user said that he wants none: no-color.org. */
static bool wants_colour(const struct options *options, const struct question *question)
{
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return !options->output && isatty(STDOUT_FILENO) && !has_word(question, "color") &&
           !(none && *none) && terminal && strcmp(terminal, "dumb") != 0;
}

/* Where the seed was drawn: how this very map is had again. */
static void tell_address(const struct mw_request *request)
{
    if (!request->seed || request->seed_given)
        return;
    if (request->address_length <= LONGEST_HINT)
        fprintf(stderr, "again: mapwright '%s'\n", request->address);
    else
        fprintf(stderr, "again: the same with seed=%s\n", request->seed);
}

int draw_map(const struct options *options)
{
    char seed[24];
    struct mw_request request;
    struct mw_run *run = open_run(options->memory);
    struct question question = read_words(run, options);
    draw_seed(seed);
    if (!mw_bind(run, question.generator, question.args, question.count, seed, &request))
        return report(run);
    const struct mw_encoder *encoder = choose_encoder(options, &question, &request);
    request.look.color |= wants_colour(options, &question);
    identity_of(request.address, request.address_length, request.id);
    const struct mw_map *map = mw_make(run, &request);
    struct mw_bytes bytes = map ? mw_encode(run, encoder, map) : (struct mw_bytes){NULL, 0};
    int status = bytes.at ? write_out(options, bytes.at, bytes.length) : report(run);
    tell_address(&request);
    return status;
}
