/*
 * wide.c: makes and writes maps of every size, with asserts on, and judges refusals.
 *
 *     wide LIST                      the addresses of a file: one a line, its format at the end
 *     wide GENERATOR|all FROM COUNT  random addresses by number (tests/prop/any_size.h)
 *
 * A child process does the work. What ends it (an assertion, a sanitizer, a signal, a hang) is a
 * finding: the parent prints the address, and another child goes on behind it.
 *
 * Steps bound what a random address takes; one that needs too much time or memory by its estimate
 * is skipped. An address that counts no step for long hangs: time is that of the processor, so
 * that a busy machine makes no findings.
 */
#include "all/registry.h"
#include "prop/any_size.h"
#include "prop/rounds.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SHOWN = 4000 };

/* The default of the command `mapwright`. */
static const size_t block_size = (size_t)2 << 30;
/* A map that needs no more memory than this is written in all formats. */
static const uint64_t small = (uint64_t)1 << 21;
/* What is estimated to take longer is skipped. */
static const uint64_t most_nanoseconds = UINT64_C(3000000000);

/* Shared with the child, so that the parent knows what a dead child did last. */
static struct {
    uint64_t number;
    bool busy;
    char address[SHOWN], slowest[SHOWN];
    uint64_t tried, made, refused, skipped, findings;
    double most_seconds;
} * shared;

static char *block;
static char *lines[1000]; /* of a list */

/* ---- judging --------------------------------------------------------------------------------- */

/* Ends the child: the result is neither a map nor a proper refusal. */
_Noreturn static void improper(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn static void improper(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "improper: ");
    vfprintf(stderr, format, list);
    fprintf(stderr, "\n");
    va_end(list);
    abort();
}

static bool names_field(const struct mw_field *fields, const char *name, size_t length)
{
    for (; fields->type != MW_END_OF_TABLE; fields++)
        if (strlen(fields->name) == length && !memcmp(fields->name, name, length))
            return true;
    return false;
}

/* "", "/width" or "/sizes/12" */
static bool is_proper_pointer(const struct mw_generator *generator, const char *pointer)
{
    if (!*pointer)
        return true;
    size_t length = strcspn(pointer + 1, "/");
    const char *name = pointer + 1, *rest = name + length;
    bool known = names_field(generator->fields, name, length) ||
                 names_field(mw_common_fields, name, length) ||
                 names_field(mw_look_fields, name, length) ||
                 !strcmp(name, "nonsense"); /* which arbitrary.c asks for */
    return *pointer == '/' && known &&
           (!*rest || (rest[1] && strspn(rest + 1, "0123456789") == strlen(rest + 1)));
}

/* The faults, as bits, that each stage of a run may end in. */
enum {
    WHEN_ASKED =
        1u << MW_BAD_PARAM | 1u << MW_OTHER_VERSION | 1u << MW_NO_RESULT | 1u << MW_TOO_BIG,
    WHEN_MADE = 1u << MW_NO_RESULT | 1u << MW_TOO_HARD | 1u << MW_TOO_BIG,
};

static void judge_refusal(const struct mw_run *run, const struct mw_generator *generator,
                          unsigned allowed)
{
    const struct mw_problems *problems = mw_problems(run);
    if (!problems->count)
        improper("refused without a problem");
    for (size_t i = 0; i < problems->count; i++) {
        const struct mw_problem *p = &problems->list[i];
        size_t length = strlen(p->detail);
        if (!(allowed >> p->fault & 1))
            improper("fault %d at '%s': %s", (int)p->fault, p->pointer, p->detail);
        if (!length || p->detail[length - 1] == '.' || strchr(p->detail, '\n'))
            improper("at '%s' it does not say in a line why: '%s'", p->pointer, p->detail);
        if (!is_proper_pointer(generator, p->pointer))
            improper("'%s' points to no parameter: %s", p->pointer, p->detail);
    }
    shared->refused++;
}

/* ---- one address ----------------------------------------------------------------------------- */

/* SIGPROF ends the process when no step is counted for so long. */
static void limit_time(void)
{
    struct itimerval limit = {.it_value.tv_sec = is_sanitized() ? 120 : 20};
    setitimer(ITIMER_PROF, &limit, NULL);
}

/* Called every million steps or so. */
static bool go_on(void *arg, uint64_t steps)
{
    (void)arg, (void)steps;
    limit_time();
    return false;
}

static struct mw_run *open_run(uint64_t steps)
{
    return mw_open(&(struct mw_limits){block, block_size, steps, go_on, NULL});
}

/* Encoders may run out of memory, and refuse more `maps` than they can put on a sheet, each of
   which is made while the sheet is written. */
static bool write_by(struct mw_run *run, const struct mw_map *map, const struct mw_encoder *encoder)
{
    limit_time();
    struct mw_bytes bytes = mw_encode_with(run, encoder, map);
    if (bytes.at && !bytes.length)
        improper("%s is empty", encoder->name);
    if (!bytes.at)
        judge_refusal(run, map->request->generator, WHEN_MADE);
    return bytes.at;
}

static void write_all(struct mw_run *run, const struct mw_map *map)
{
    struct mw_request request = *map->request;
    struct mw_map single = {&request, map->slots};
    request.look.maps = 1;
    for (const struct mw_encoder *const *e = mw_encoders; *e; e++)
        if (*e != request.encoder && mw_fits(*e, &request) && !write_by(run, &single, *e))
            return;
}

static void make(struct mw_run *run, const struct mw_request *request)
{
    const struct mw_map *map = mw_make(run, request);
    if (!map) {
        judge_refusal(run, request->generator,
                      WHEN_MADE | (request->bases ? 1u << MW_BAD_PARAM : 0));
        return;
    }
    bool made = write_by(run, map, request->encoder);
    shared->made += made;
    if (made && request->cost.bytes < small)
        write_all(run, map);
}

static const struct mw_generator *generator_of(const char *address)
{
    size_t length = strcspn(address + 1, "?");
    const struct mw_generator *const *g = mw_generators;
    while (*g && (strncmp((*g)->name, address + 1, length) || (*g)->name[length]))
        g++;
    return *g ? *g : mw_generators[0];
}

static void try_address(const char *address, uint64_t steps, bool any_cost)
{
    limit_time();
    snprintf(shared->address, SHOWN, "%s", address);
    struct mw_run *run = open_run(steps);
    const struct mw_request *request = mw_ask(run, address, NULL, "7");
    if (!request)
        judge_refusal(run, generator_of(address), WHEN_ASKED);
    else if (!any_cost &&
             (request->cost.bytes > block_size || request->cost.nanoseconds > most_nanoseconds))
        shared->skipped++;
    else
        make(run, request);
    if (mw_peak(run) > (size_t)256 << 20) /* returns the memory to the system */
        madvise(block, block_size, MADV_DONTNEED);
}

/* ---- random addresses ------------------------------------------------------------------------ */

static char text[4 << 20];
static size_t length;

__attribute__((format(printf, 1, 2))) static void add(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    length += (size_t)vsnprintf(text + length, sizeof text - length, format, list);
    va_end(list);
    if (length >= sizeof text)
        improper("an address of more than %zu bytes", sizeof text);
}

/* Pixels of a cell, so that pictures of large maps are no larger than can be made. */
static uint32_t most_of_look(int row, uint64_t cells)
{
    uint32_t most = (uint32_t)mw_look_fields[row].most;
    return row == MW_LOOK_SCALE && cells > 4096 ? 1 + most % 8 : most;
}

static void add_look(struct arbitrary *source, uint64_t cells)
{
    for (int i = MW_LOOK_FORMAT + 1; mw_look_fields[i].type != MW_END_OF_TABLE; i++) {
        const struct mw_field *field = &mw_look_fields[i];
        uint32_t choices = 0, span = most_of_look(i, cells) - (uint32_t)field->least + 1;
        if (arbitrary_below(source, i == MW_LOOK_MAPS ? 16 : 5))
            continue;
        while (field->type == MW_ONE_OF && field->choices[choices])
            choices++;
        if (field->type == MW_INTEGER)
            add("&%s=%d", field->name, (int)field->least + (int)arbitrary_below(source, span));
        else if (field->type == MW_ONE_OF)
            add("&%s=%s", field->name, field->choices[arbitrary_below(source, choices)]);
        else
            add("&%s=%s", field->name, arbitrary_below(source, 2) ? "true" : "false");
    }
}

static const struct mw_encoder *draw_format(struct arbitrary *source,
                                            const struct mw_request *request)
{
    const struct mw_encoder *picked = mw_encoders[0];
    uint32_t met = 0;
    for (const struct mw_encoder *const *e = mw_encoders; *e; e++)
        if (mw_fits(*e, request) && !arbitrary_below(source, ++met))
            picked = *e;
    return picked;
}

static void try_random(const struct mw_generator *generator, uint64_t number)
{
    struct arbitrary source = arbitrary_of(generator, number);
    struct mw_run *run = open_run(0);
    struct mw_request request;
    snprintf(shared->address, SHOWN, "(request %" PRIu64 " is not bound)", number);
    if (!any_size(run, generator, number, &request)) {
        judge_refusal(run, generator, WHEN_ASKED);
        return;
    }
    length = 0;
    add("%s&format=%s", request.address, draw_format(&source, &request)->name);
    add_look(&source, mw_estimate(&request, mw_encoders[0]).bytes / 16);
    /* Few may take very many steps: most that do are searches that find nothing. */
    uint64_t steps = is_sanitized() ? 40000000 : 100000000;
    try_address(text, number % 64 ? steps : 20 * steps, false);
}

/* ---- processes ------------------------------------------------------------------------------- */

static double seconds_now(void) { return (double)clock() / CLOCKS_PER_SEC; }

_Noreturn static void run_child(const struct mw_generator *generator, uint64_t end)
{
    for (; shared->number < end; shared->number++) {
        double start = seconds_now();
        limit_time();
        shared->busy = true;
        shared->tried++;
        if (generator)
            try_random(generator, shared->number);
        else
            try_address(lines[shared->number], 0, true);
        shared->busy = false;
        double seconds = seconds_now() - start;
        if (seconds > shared->most_seconds) {
            shared->most_seconds = seconds;
            memcpy(shared->slowest, shared->address, SHOWN);
        }
    }
    _exit(0);
}

/* How the child ended. */
static int run_and_wait(const struct mw_generator *generator, uint64_t end)
{
    int status;
    fflush(stdout);
    pid_t pid = fork();
    if (!pid)
        run_child(generator, end);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return pid > 0 ? status : -1;
}

static void report(const char *name, int status)
{
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    printf("%s: FINDING: number %" PRIu64 ": %s\n    %s\n", name, shared->number,
           number == SIGPROF ? "hangs: no step was counted for long"
           : number          ? strsignal(number)
                             : "the process ended itself",
           shared->address);
    shared->findings++;
}

/* The number of findings. */
static uint64_t try_range(const char *name, const struct mw_generator *generator, uint64_t from,
                          uint64_t count)
{
    memset(shared, 0, sizeof *shared);
    shared->number = from;
    for (int status; (status = run_and_wait(generator, from + count)) != 0; shared->number++) {
        if (!shared->busy)
            exit(2); /* between two addresses */
        report(name, status);
    }
    printf("%s: %" PRIu64 " addresses, %" PRIu64 " made, %" PRIu64 " refused, %" PRIu64
           " skipped, slowest %.2f s: %.200s\n",
           name, shared->tried, shared->made, shared->refused, shared->skipped,
           shared->most_seconds, shared->slowest);
    if (shared->tried >= 100 && 5 * shared->made < shared->tried) {
        printf("%s: FINDING: fewer than a fifth of the addresses were made\n", name);
        shared->findings++;
    }
    /* As Check has it, which tests/run.py counts. */
    printf("%d%%: Checks: %" PRIu64 ", Failures: %" PRIu64 ", Errors: 0\n",
           shared->findings ? 0 : 100, shared->tried, shared->findings);
    return shared->findings;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* The lines of a file that are addresses. Sanitizers leave out those behind a `!`. */
static uint64_t read_lines(const char *file)
{
    FILE *in = fopen(file, "r");
    uint64_t count = 0;
    if (!in) {
        perror(file);
        exit(2);
    }
    while (fgets(text, sizeof text, in) && count < sizeof lines / sizeof *lines) {
        const char *line = text + strspn(text, "! ");
        text[strcspn(text, "\n")] = '\0';
        if (*line == '/' && !(*text == '!' && is_sanitized()))
            lines[count++] = strdup(line);
    }
    fclose(in);
    return count;
}

int main(int argc, char **argv)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    /* Pages that are never touched cost nothing; behind the last is one that may not be touched. */
    block = mmap(NULL, block_size + page, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (shared == MAP_FAILED || block == MAP_FAILED ||
        mprotect(block + block_size, page, PROT_NONE))
        return 2;
    madvise(block, block_size, MADV_HUGEPAGE);
    if (argc == 2)
        return try_range(argv[1], NULL, 0, read_lines(argv[1])) != 0;
    uint64_t ranges = 0, findings = 0;
    for (const struct mw_generator *const *g = mw_generators; argc == 4 && *g; g++)
        if (!strcmp(argv[1], "all") || !strcmp(argv[1], (*g)->name)) {
            findings +=
                try_range((*g)->name, *g, strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
            ranges++;
        }
    if (!ranges)
        fprintf(stderr, "usage: wide LIST, or wide GENERATOR|all FROM COUNT\n");
    return ranges ? findings != 0 : 2;
}
