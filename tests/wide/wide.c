/*
 * wide.c: every generator at every size, with asserts on.
 *
 *     wide [-j PROCESSES] [-v] [-p] [-l FILE] [GENERATOR|all FROM COUNT]
 *
 * Addresses have numbers: number 1234 of a generator is the same address on every machine. Each is
 * made and written in a child process; one that ends the child, by an assertion, a sanitizer, a
 * signal or a hang, is a finding: it is printed, and the next one is tried.
 *
 * -l tries the addresses of a file first: one a line, with its format at the end. Lines that begin
 * with `#` are comments; sanitizers leave out those that begin with `!`. -v prints a line for each
 * address, -p prints addresses and makes nothing.
 *
 * Steps bound what an address takes. One that counts none for long hangs: time is that of the
 * processor, so that a busy machine makes no findings. What is estimated to need too much of it, or
 * more memory than a run has, is skipped and counted; but not of a list.
 */
#include "attempt.h"
#include "draw.h"
#include "prop/rounds.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SLOTS = 16, LONGEST_LINE = 100000, SHOWN = 300, TOLD_LINES = 12 };

struct tally {
    uint64_t addresses, made, skipped, findings, refused[FAULT_END];
    double seconds, slowest_seconds;
    uint64_t slowest;
};

/* A child process. The memory is shared, so that the parent knows what a dead child did last. */
struct slot {
    bool busy;
    uint64_t number;
    const char *format;
    struct tally tally;
    pid_t pid; /* 0: it has ended */
    FILE *told;
};

static struct {
    atomic_uint_least64_t next;
    struct slot slots[SLOTS];
} * shared;

static struct {
    int processes;
    bool verbose, print;
    const struct mw_generator *generator; /* NULL: a list */
    const char *name, *list;
    uint64_t end;
    char **lines;
} plan = {.processes = 1};

/* ---- addresses by number --------------------------------------------------------------------- */

struct numbered {
    struct text address;
    const struct mw_encoder *encoder;
    uint64_t steps;
    bool listed;
};

/* Splits a line into the address and the format at its end. */
static void read_line(const char *line, struct numbered *n)
{
    const char *format = strstr(line, "&format=");
    n->encoder = format ? mw_encoder_named(format + strlen("&format=")) : mw_encoders[0];
    n->listed = true;
    if (!n->encoder) {
        fprintf(stderr, "no format at the end of %s\n", line);
        exit(2);
    }
    text_clear(&n->address);
    text_add(&n->address, "%.*s", (int)(format ? format - line : (int)strlen(line)), line);
}

/* Few addresses may take very many steps: most that do are searches that find nothing. */
static uint64_t draw_steps(struct arbitrary *source)
{
    uint64_t steps = is_sanitized() ? 40000000 : 100000000;
    return one_in(source, 64) ? 20 * steps : steps;
}

static void draw_numbered(uint64_t number, struct numbered *n)
{
    struct arbitrary source = arbitrary_of(plan.generator, number + (UINT64_C(1) << 32));
    struct draft draft = {.source = &source,
                          .generator = plan.generator,
                          .text = &n->address,
                          .fitting = !one_in(&source, 8)};
    n->steps = draw_steps(&source);
    n->listed = false;
    text_clear(&n->address);
    draw_address(&draft);
    n->encoder = draw_format(&draft);
    draw_look(&draft);
}

static void address_of(uint64_t number, struct numbered *n)
{
    if (plan.generator)
        draw_numbered(number, n);
    else
        read_line(plan.lines[number], n);
}

static void print_address(const struct text *address, const char *format)
{
    if (address->length > LONGEST_LINE)
        printf("    %.*s... (%zu bytes)\n", SHOWN, address->at, address->length);
    else
        printf("    build/debug/mapwright '%s&format=%s' >/dev/null\n", address->at, format);
}

/* ---- the child ------------------------------------------------------------------------------- */

static void count(struct slot *slot, const struct attempt *a)
{
    struct tally *t = &slot->tally;
    t->addresses++;
    t->made += a->made;
    t->skipped += a->skipped;
    if (!a->made && !a->skipped)
        t->refused[a->fault]++;
    t->seconds += a->seconds;
    if (a->seconds > t->slowest_seconds) {
        t->slowest_seconds = a->seconds;
        t->slowest = slot->number;
    }
}

static void tell(const struct slot *slot, const struct attempt *a)
{
    printf("%s %" PRIu64 ": %s, %.3f s, %" PRIu64 " steps: %.*s&format=%s\n", plan.name,
           slot->number,
           a->made      ? "made"
           : a->skipped ? "skipped"
                        : fault_rows[a->fault].slug,
           a->seconds, a->spent, SHOWN, a->address, a->encoder->name);
    fflush(stdout);
}

/* SIGPROF ends the process when no step is counted for so long. */
static void limit_time(void)
{
    struct itimerval limit = {.it_value.tv_sec = is_sanitized() ? 120 : 20};
    setitimer(ITIMER_PROF, &limit, NULL);
}

_Noreturn static void run_child(struct slot *slot)
{
    struct numbered n = {0};
    dup2(fileno(slot->told), STDERR_FILENO);
    for (;;) {
        slot->number = atomic_fetch_add(&shared->next, 1);
        if (slot->number >= plan.end)
            break;
        slot->busy = true;
        address_of(slot->number, &n);
        struct attempt a = {.address = n.address.at,
                            .encoder = n.encoder,
                            .steps = n.steps,
                            .any_size = n.listed,
                            .format = &slot->format,
                            .alive = limit_time};
        limit_time();
        attempt(&a);
        count(slot, &a);
        if (plan.verbose)
            tell(slot, &a);
        slot->busy = false;
    }
    fflush(stdout);
    _exit(0);
}

/* ---- the parent ------------------------------------------------------------------------------ */

static void start(struct slot *slot)
{
    if (!slot->told && !(slot->told = tmpfile())) {
        perror("tmpfile");
        exit(2);
    }
    rewind(slot->told);
    if (ftruncate(fileno(slot->told), 0))
        perror("ftruncate");
    fflush(stdout);
    pid_t pid = fork();
    if (!pid)
        run_child(slot);
    if (pid < 0) {
        perror("fork");
        exit(2);
    }
    slot->pid = pid; /* written by the parent alone: the child shares it */
}

/* Prints what the child wrote to stderr. */
static void print_told(FILE *told)
{
    char line[SHOWN];
    rewind(told);
    for (int i = 0; i < TOLD_LINES && fgets(line, sizeof line, told); i++) {
        line[strcspn(line, "\n")] = '\0';
        if (*line)
            printf("    %s\n", line);
    }
}

static void report(struct slot *slot, int status)
{
    struct numbered n = {0};
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    printf("%s: FINDING: number %" PRIu64 ": %s\n", plan.name, slot->number,
           number == SIGPROF ? "hangs: no step was counted for long"
           : number          ? strsignal(number)
                             : "the process ended itself");
    print_told(slot->told);
    address_of(slot->number, &n);
    print_address(&n.address, slot->format ? slot->format : n.encoder->name);
    if (plan.generator)
        printf("    again: wide %s %" PRIu64 " 1\n", plan.name, slot->number);
    text_release(&n.address);
    slot->tally.addresses++;
    slot->tally.findings++;
    slot->busy = false;
}

static void reap(struct slot *slot, int status)
{
    slot->pid = 0;
    if (WIFEXITED(status) && !WEXITSTATUS(status))
        return;
    if (!slot->busy) {
        fprintf(stderr, "a process ended between two addresses\n");
        print_told(slot->told);
        exit(2);
    }
    report(slot, status);
    start(slot);
}

static void run_all(uint64_t from)
{
    shared->next = from;
    for (int i = 0; i < plan.processes; i++) {
        shared->slots[i].tally = (struct tally){0};
        start(&shared->slots[i]);
    }
    int status;
    for (pid_t pid; (pid = wait(&status)) > 0 || errno == EINTR;)
        for (int i = 0; i < plan.processes; i++)
            if (shared->slots[i].pid == pid)
                reap(&shared->slots[i], status);
}

/* ---- sums ------------------------------------------------------------------------------------ */

static struct tally sum_up(void)
{
    struct tally sum = {0};
    for (int i = 0; i < plan.processes; i++) {
        const struct tally *t = &shared->slots[i].tally;
        sum.addresses += t->addresses;
        sum.made += t->made;
        sum.skipped += t->skipped;
        sum.findings += t->findings;
        sum.seconds += t->seconds;
        for (int k = 0; k < FAULT_END; k++)
            sum.refused[k] += t->refused[k];
        if (t->slowest_seconds > sum.slowest_seconds) {
            sum.slowest_seconds = t->slowest_seconds;
            sum.slowest = t->slowest;
        }
    }
    return sum;
}

static void print_tally(const struct tally *t)
{
    printf("%s: %" PRIu64 " addresses, %" PRIu64 " made (%.0f %%), %" PRIu64 " skipped, refused:",
           plan.name, t->addresses, t->made,
           t->addresses ? 100 * (double)t->made / (double)t->addresses : 0, t->skipped);
    for (int k = 0; k < FAULT_END; k++)
        if (t->refused[k])
            printf(" %" PRIu64 " %u %s,", t->refused[k], fault_rows[k].status, fault_rows[k].slug);
    printf(" %.1f s of work, slowest %.2f s: number %" PRIu64 "; %" PRIu64 " findings\n",
           t->seconds, t->slowest_seconds, t->slowest, t->findings);
    struct numbered n = {0};
    if (t->addresses)
        address_of(t->slowest, &n);
    if (t->addresses)
        printf("    slowest: %.*s%s\n", SHOWN, n.address.at, n.address.length > SHOWN ? "..." : "");
    text_release(&n.address);
    fflush(stdout);
}

static void print_addresses(uint64_t from)
{
    struct numbered n = {0};
    for (uint64_t i = from; i < plan.end; i++) {
        address_of(i, &n);
        printf("%s&format=%s\n", n.address.at, n.encoder->name);
    }
    text_release(&n.address);
}

/* Where most addresses are refused, little is tested. */
static bool makes_enough(const struct tally *t)
{
    bool enough = t->addresses < 100 || !plan.generator || 3 * t->made >= t->addresses;
    if (!enough)
        printf("%s: FINDING: fewer than a third of the addresses were made\n", plan.name);
    return enough;
}

static struct tally run_range(uint64_t from, uint64_t count)
{
    struct tally sum = {0};
    plan.end = from + count;
    if (plan.print) {
        print_addresses(from);
        return sum;
    }
    run_all(from);
    sum = sum_up();
    sum.findings += !makes_enough(&sum);
    print_tally(&sum);
    return sum;
}

/* ---- the command ----------------------------------------------------------------------------- */

static void *need(void *memory)
{
    if (memory)
        return memory;
    fprintf(stderr, "no memory\n");
    exit(2);
}

static void add_line(const char *line, uint64_t *count)
{
    bool spared = *line == '!' && is_sanitized();
    line += strspn(line, "! ");
    if (*line != '/' || spared)
        return;
    plan.lines = need(realloc(plan.lines, (*count + 1) * sizeof *plan.lines));
    plan.lines[(*count)++] = need(strdup(line));
}

static uint64_t read_lines(const char *file)
{
    FILE *in = fopen(file, "r");
    uint64_t count = 0;
    size_t room = 0;
    char *line = NULL;
    if (!in) {
        perror(file);
        exit(2);
    }
    while (getline(&line, &room, in) > 0) {
        line[strcspn(line, "\n")] = '\0';
        add_line(line, &count);
    }
    free(line);
    fclose(in);
    return count;
}

_Noreturn static void usage(void)
{
    fprintf(stderr, "wide [-j PROCESSES] [-v] [-p] [-l FILE] [GENERATOR|all FROM COUNT]\n");
    exit(2);
}

static void read_options(int argc, char **argv)
{
    for (int option; (option = getopt(argc, argv, "j:vpl:")) != -1;)
        switch (option) {
        case 'j': plan.processes = atoi(optarg); break;
        case 'v': plan.verbose = true; break;
        case 'p': plan.print = true; break;
        case 'l': plan.list = optarg; break;
        default: usage();
        }
    bool numbered = argc - optind == 3;
    if (plan.processes < 1 || plan.processes > SLOTS ||
        !(numbered || (plan.list && argc == optind)))
        usage();
}

static void add_up(struct tally *all, struct tally one)
{
    all->addresses += one.addresses;
    all->findings += one.findings;
}

static void run_list(const char *file, struct tally *all)
{
    plan.generator = NULL;
    plan.name = file;
    add_up(all, run_range(0, read_lines(file)));
}

static void run_generators(const char *name, uint64_t from, uint64_t count, struct tally *all)
{
    bool met = false;
    for (const struct mw_generator *const *g = mw_generators; *g; g++) {
        if (strcmp(name, "all") && strcmp(name, (*g)->name))
            continue;
        met = true;
        plan.generator = *g;
        plan.name = (*g)->name;
        add_up(all, run_range(from, count));
    }
    if (!met)
        usage();
}

int main(int argc, char **argv)
{
    struct tally all = {0};
    read_options(argc, argv);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 2;
    if (plan.list)
        run_list(plan.list, &all);
    if (optind < argc)
        run_generators(argv[optind], strtoull(argv[optind + 1], NULL, 10),
                       strtoull(argv[optind + 2], NULL, 10), &all);
    /* As Check has it, which tests/run.py counts. */
    if (!plan.print && all.addresses)
        printf("%" PRIu64 "%%: Checks: %" PRIu64 ", Failures: %" PRIu64 ", Errors: 0\n",
               100 * (all.addresses - all.findings) / all.addresses, all.addresses, all.findings);
    return all.findings != 0;
}
