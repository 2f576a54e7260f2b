/*
 * laws.c: what holds for every generator, whatever it makes.
 *
 * Each law is tried on requests drawn at random from the generator's own tables:
 *
 *     order      the order of the arguments changes neither the address nor the problems
 *     self       an address binds to itself
 *     twice      made in blocks of different junk, everything is the same: bytes or refusal, steps,
 *                memory
 *     written    every encoder's output is read by a reader that is not ours
 *     promised   the generator's own promises hold on the map, by its checker in check_<name>.c
 *     flat       a map on other maps is the map of a client that sends the values read from them
 *     starving   with less memory or fewer steps it is the same map, or TOO_BIG or TOO_HARD, and
 *                nothing else
 *     stopping   it ends as STOPPED once the host says so, else as ever
 *     apart      two threads with a block each do not disturb one another
 *
 *     laws [requests a generator [generator [number of the first request]]]
 */
#include "check_names.h"
#include "flat.h"
#include "formats.h"
#include "trial.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One request on trial. */
struct law_case {
    const struct mw_generator *generator;
    uint64_t number;
    struct arbitrary source;
    struct raw_request raw;
    struct bound bound;
    struct block here, there;
    struct trial first; /* in `here`, with all that it may have */
    const char *law;
    uint64_t text_hash; /* the hash of the last text, without its colours */
};

static const size_t small_block = (size_t)2 << 20, large_block = (size_t)12 << 20;
static const uint64_t most_steps = UINT64_C(20000000);

static int failures;
static struct {
    int made, refused, unbound, starved, stopped, based;
} tally;

static void fail(const struct law_case *h, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void fail(const struct law_case *h, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (failures++ < 20) {
        printf("%s: law «%s» is broken: ", h->generator->name, h->law);
        vprintf(format, list);
        printf("\n    %s\n    again: laws 1 %s %" PRIu64 "\n",
               h->bound.address ? h->bound.address : "(not bound)", h->generator->name, h->number);
    }
    va_end(list);
}

/* ---- binding --------------------------------------------------------------------------------- */

static void order(struct law_case *h)
{
    arbitrary_shuffle(&h->source, &h->raw);
    struct bound other = trial_bind(&h->raw, &h->there, 0xff);
    if (other.good != h->bound.good || other.hash != h->bound.hash)
        fail(h, "shuffled, it is bound otherwise");
    free(other.address);
}

static void self(struct law_case *h)
{
    struct mw_limits limits = {.memory = h->there.at, .size = h->there.size};
    struct mw_run *run = mw_open(&limits);
    struct mw_request request;
    if (!mw_bind_address(run, h->bound.address, strlen(h->bound.address), &request))
        fail(h, "the address is refused: %s %s", mw_problems(run)->list[0].pointer,
             mw_problems(run)->list[0].detail);
    else if (strcmp(request.address, h->bound.address))
        fail(h, "the address is bound to another: %s", request.address);
}

/* ---- making ---------------------------------------------------------------------------------- */

static bool same(const struct trial *a, const struct trial *b)
{
    return a->fault == b->fault && a->hash == b->hash && a->spent == b->spent;
}

static void twice(struct law_case *h)
{
    struct trial again = {.block = &h->there,
                          .junk = (unsigned char)arbitrary_below(&h->source, 256),
                          .steps = most_steps};
    trial_make(&again, h->bound.address);
    if (!same(&again, &h->first) || again.peak != h->first.peak)
        fail(h,
             "fault %d hash %016" PRIx64 " steps %" PRIu64 " peak %zu, then %d %016" PRIx64
             " %" PRIu64 " %zu",
             h->first.fault, h->first.hash, h->first.spent, h->first.peak, again.fault, again.hash,
             again.spent, again.peak);
}

/* What only one generator promises: NULL when it holds, else why not. */
#define PROMISE(name) const char *check_##name(const struct mw_map *, char *why, size_t room);
PROMISES
#undef PROMISE

static const struct {
    const char *generator;
    const char *(*check)(const struct mw_map *, char *why, size_t room);
} promises[] = {
#define PROMISE(name) {#name, check_##name},
    PROMISES
#undef PROMISE
    {NULL, NULL},
};

/* "puzzle" speaks for puzzle/solve and puzzle/generate. */
static bool speaks_for(const char *promise, const char *generator)
{
    size_t n = strlen(promise);
    return !strncmp(promise, generator, n) && (!generator[n] || generator[n] == '/');
}

static bool is_judged(const char *generator)
{
    size_t i = 0;
    while (promises[i].generator && !speaks_for(promises[i].generator, generator))
        i++;
    return promises[i].generator;
}

static void judge_promises(struct law_case *h, const struct mw_map *map)
{
    char why[300];
    h->law = "promised";
    for (size_t i = 0; promises[i].generator; i++)
        if (speaks_for(promises[i].generator, h->generator->name) &&
            promises[i].check(map, why, sizeof why))
            fail(h, "%s", why);
    if (check_names(map, why, sizeof why))
        fail(h, "%s", why);
}

/* From the result on, or NULL. */
static const char *result_of(struct mw_bytes bytes, size_t *length)
{
    static const char key[] = "\"result\":";
    for (size_t i = 0; i + sizeof key < bytes.length; i++)
        if (!memcmp(bytes.at + i, key, sizeof key - 1)) {
            *length = bytes.length - i;
            return bytes.at + i;
        }
    return NULL;
}

/* Makes it from what it reads of the maps below; the promises hold on that, as judges know no map
   but the one that is asked for. */
static void judge_flat(struct law_case *h, const struct mw_map *map, struct mw_bytes bytes)
{
    char *address = flat_address(map);
    struct mw_limits limits = {.memory = h->there.at, .size = h->there.size};
    struct mw_run *run = mw_open(&limits);
    struct mw_request request;
    bool bound = mw_bind_address(run, address, strlen(address), &request);
    const struct mw_map *flat = bound ? mw_make(run, &request) : NULL;
    struct mw_bytes again = {NULL, 0};
    if (flat)
        again = mw_encode_with(run, mw_encoders[0], flat);
    h->law = "flat";
    tally.based++;
    size_t n = 0, m = 0;
    const char *here = result_of(bytes, &n), *there = again.at ? result_of(again, &m) : NULL;
    const struct mw_problem *problem = &mw_problems(run)->list[0];
    if (!again.at && problem->fault != MW_TOO_BIG)
        fail(h, "flat it is refused: %s %s", problem->pointer, problem->detail);
    else if (again.at && (!here || !there || n != m || memcmp(here, there, n)))
        fail(h, "flat it is another map");
    if (flat)
        judge_promises(h, flat);
    free(address);
}

/* The hash of what can be seen in text: neither blanks nor colours. */
static uint64_t hash_letters(struct mw_bytes bytes)
{
    uint64_t hash = HASH_EMPTY;
    for (size_t i = 0; i < bytes.length; i++) {
        while (i < bytes.length && bytes.at[i] == '\033')
            for (; i < bytes.length && bytes.at[i++] != 'm';)
                ;
        if (i < bytes.length && bytes.at[i] != ' ')
            hash = hash_bytes(hash, bytes.at + i, 1);
    }
    return hash;
}

/* Whether a map is drawn in blocks, which mean nothing without their colours. */
static bool has_blocks(struct mw_bytes bytes)
{
    for (size_t i = 0; i + 2 < bytes.length; i++)
        if ((unsigned char)bytes.at[i] == 0xe2 && (unsigned char)bytes.at[i + 1] == 0x96)
            return true;
    return false;
}

/* Colours change nothing but colours. */
static void judge_colours(struct law_case *h, const struct mw_map *map, struct mw_bytes bytes)
{
    uint64_t text_hash = hash_letters(bytes);
    h->law = "coloured";
    if (map->request->look.color && !has_blocks(bytes) && text_hash != h->text_hash)
        fail(h, "in colours the text is another");
    h->text_hash = text_hash;
}

static void on_encoded(void *context, const struct mw_map *map, const struct mw_encoder *encoder,
                       struct mw_bytes bytes)
{
    struct law_case *h = context;
    char why[300];
    h->law = "written";
    if (!well_formed(map, encoder, bytes, why, sizeof why))
        fail(h, "%s: %s", encoder->name, why);
    if (encoder->look_mask & MW_LOOK_BIT(COLOR))
        judge_colours(h, map, bytes);
    if (encoder == mw_encoders[0] && map->request->bases)
        judge_flat(h, map, bytes);
    else if (encoder == mw_encoders[0])
        judge_promises(h, map);
}

/* What a starving run may come to: TOO_BIG, TOO_HARD, or what it comes to else. */
static void judge_starving(struct law_case *h, const struct trial *t, const char *what)
{
    bool starved = t->fault == MW_TOO_BIG || t->fault == MW_TOO_HARD;
    tally.starved += starved;
    if (!starved && (t->fault != h->first.fault || t->hash != h->first.hash))
        fail(h, "with %s it comes to fault %d, and to %d else: %s", what, t->fault, h->first.fault,
             t->fault ? t->problem.detail : "other bytes");
}

static void starve_of_memory(struct law_case *h)
{
    struct block scarce;
    block_init(&scarce, 64 + arbitrary_below(&h->source, (uint32_t)h->first.peak + 32768));
    struct trial t = {.block = &scarce, .junk = 0x11, .steps = most_steps};
    trial_make(&t, h->bound.address);
    judge_starving(h, &t, "less memory");
    block_release(&scarce);
}

static void starve_of_steps(struct law_case *h, uint64_t steps)
{
    struct trial t = {.block = &h->there, .junk = 0x22, .steps = steps};
    trial_make(&t, h->bound.address);
    if (t.fault == MW_OK && t.spent > steps)
        fail(h, "it was made in %" PRIu64 " steps of %" PRIu64, t.spent, steps);
    judge_starving(h, &t, "fewer steps");
    bool enough = steps >= h->first.spent;
    bool right = enough ? same(&t, &h->first) : t.fault == MW_TOO_HARD || h->first.fault != MW_OK;
    if (!right)
        fail(h, "it takes %" PRIu64 " steps, but with %" PRIu64 " comes to fault %d",
             h->first.spent, steps, t.fault);
}

static void starving(struct law_case *h)
{
    starve_of_memory(h);
    starve_of_memory(h);
    uint64_t spent = h->first.spent;
    if (spent < 2 || spent > most_steps)
        return;
    starve_of_steps(h, 1 + arbitrary_below(&h->source, (uint32_t)spent));
    starve_of_steps(h, spent - 1);
    starve_of_steps(h, spent);
}

/* ---- stopped --------------------------------------------------------------------------------- */

struct countdown {
    int left;
    bool ended;
};

static bool count_down(void *context, uint64_t steps)
{
    (void)steps;
    struct countdown *countdown = context;
    countdown->ended = countdown->left-- <= 0;
    return countdown->ended;
}

static void stopping(struct law_case *h)
{
    struct countdown countdown = {.left = (int)arbitrary_below(&h->source, 4)};
    struct trial t = {.block = &h->there,
                      .junk = 0x33,
                      .steps = most_steps,
                      .stop = count_down,
                      .stop_arg = &countdown};
    trial_make(&t, h->bound.address);
    tally.stopped += countdown.ended;
    if (countdown.ended ? t.fault != MW_STOPPED : !same(&t, &h->first))
        fail(h, "the host %s, and it comes to fault %d",
             countdown.ended ? "said stop" : "let it be", t.fault);
}

/* ---- two threads ----------------------------------------------------------------------------- */

static void *make_apart(void *context)
{
    struct trial *trial = context;
    trial_make(trial, trial->context);
    return NULL;
}

static void apart(struct law_case *h)
{
    struct trial trials[2];
    pthread_t threads[2];
    struct block *blocks[2] = {&h->here, &h->there};
    for (int i = 0; i < 2; i++)
        trials[i] = (struct trial){
            .block = blocks[i], .junk = 0x44, .steps = most_steps, .context = h->bound.address};
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, make_apart, &trials[i]))
            abort();
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++)
        if (!same(&trials[i], &h->first))
            fail(h, "beside another it comes to fault %d", trials[i].fault);
}

/* ---- all laws, all generators ---------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*hold)(struct law_case *);
    uint32_t one_in; /* how many requests are tried by it */
} laws[] = {
    {"self", self, 1},         {"twice", twice, 1}, {"starving", starving, 1},
    {"stopping", stopping, 1}, {"apart", apart, 8},
};

static void make_first(struct law_case *h)
{
    h->first = (struct trial){
        .block = &h->here, .junk = 0, .steps = most_steps, .on_encoded = on_encoded, .context = h};
    trial_make(&h->first, h->bound.address);
    tally.made += h->first.fault == MW_OK;
    tally.refused += h->first.fault != MW_OK;
}

static void hold_laws(struct law_case *h)
{
    arbitrary_request(&h->source, h->generator, &h->raw);
    h->bound = trial_bind(&h->raw, &h->here, 0);
    h->law = "order";
    order(h);
    if (!h->bound.good) {
        tally.unbound++;
        return;
    }
    make_first(h);
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        h->law = laws[i].name;
        if (h->number % laws[i].one_in == 0)
            laws[i].hold(h);
    }
    free(h->bound.address);
}

/* Every tenth request is larger, so that hosts have the time to stop it. */
static void try_request(const struct mw_generator *generator, uint64_t number)
{
    static struct law_case h;
    bool large = number % 10 == 9;
    h = (struct law_case){
        .generator = generator, .number = number, .source = arbitrary_of(generator, number)};
    h.source.scale = large ? 4 : 0;
    block_init(&h.here, large ? large_block : small_block);
    block_init(&h.there, large ? large_block : small_block);
    hold_laws(&h);
    block_release(&h.here);
    block_release(&h.there);
}

int main(int argc, char **argv)
{
    uint64_t requests = argc > 1 ? strtoull(argv[1], NULL, 10) : 300;
    uint64_t first = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
    for (const struct mw_generator *const *g = mw_generators; *g; g++) {
        if (argc > 2 && strcmp(argv[2], (*g)->name))
            continue;
        if (!is_judged((*g)->name)) {
            printf("%s: no tests/prop/check_<name>.c judges its maps\n", (*g)->name);
            failures++;
            continue;
        }
        memset(&tally, 0, sizeof tally);
        for (uint64_t i = first; i < first + requests; i++)
            try_request(*g, i);
        printf("%s: %d made (%d on others), %d refused, %d not bound; %d starved, %d "
               "stopped\n",
               (*g)->name, tally.made, tally.based, tally.refused, tally.unbound, tally.starved,
               tally.stopped);
        if (requests >= 100 && !tally.made) {
            printf("%s: not one map was made: the requests draw nothing that it can make\n",
                   (*g)->name);
            failures++;
        }
    }
    return failures != 0;
}
