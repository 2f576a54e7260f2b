/*
 * module.c: the library as a WebAssembly module: the functions that src/web/ask/engine.js calls.
 *
 * The host takes room for a question, writes it there, and calls for an estimate or a map. It gets
 * the bytes that the service would send, or the JSON of a problem. They stay until the next call.
 *
 * MEMORY. From the bottom: the stack, whose overflow is a trap and damages no table; the question;
 * the block of the run, which grows to the host's limit. A map is made in as much as its estimate
 * says. If that is too little, it is made again in twice as much, which gives the same map.
 */
#include "api/fault.h"
#include "lib/run.h"

enum { PAGE = 65536, LEAST_BLOCK = 1 << 20 };

/* Of the host, called now and then: whether to stop. */
bool mw_stop(void *none, uint64_t steps);

#define EXPORT(name) __attribute__((export_name(#name))) name

extern char __heap_base; /* of the linker: memory above it is free */

/* Three texts in a row, each ended by a zero; "": it was not given. */
struct module_question {
    const char *address, *json, *seed;
    size_t length; /* of all */
};

struct answer {
    const char *at;
    size_t length;
    const char *media;
    uint32_t status; /* 200, or that of the problem */
};

/* The host calls these. */
char *EXPORT(mw_room_for)(size_t length);
const struct mw_cost *EXPORT(mw_estimate_it)(void);
const struct answer *EXPORT(mw_make_it)(size_t most, double steps);

/* ---- memory ---------------------------------------------------------------------------------- */

/* Grows memory to that end; false: the host has no more. */
static bool reach(uint64_t end)
{
    uint64_t have = __builtin_wasm_memory_size(0), want = (end + PAGE - 1) / PAGE;
    return want <= have || __builtin_wasm_memory_grow(0, (size_t)(want - have)) != SIZE_MAX;
}

/* NULL: there is no room for a question of that length. */
char *mw_room_for(size_t length)
{
    return reach((uintptr_t)&__heap_base + (uint64_t)length) ? &__heap_base : NULL;
}

static struct mw_run *open_block(size_t after, size_t size, uint64_t steps)
{
    uintptr_t at = ((uintptr_t)&__heap_base + after + 63) / 64 * 64;
    if (!reach(at + (uint64_t)size))
        return NULL;
    return mw_open(
        &(struct mw_limits){.memory = (void *)at, .size = size, .steps = steps, .stop = mw_stop});
}

/* ---- questions ------------------------------------------------------------------------------- */

static struct module_question read_question(void)
{
    struct module_question q = {.address = &__heap_base};
    q.json = q.address + strlen(q.address) + 1;
    q.seed = q.json + strlen(q.json) + 1;
    q.length = (size_t)(q.seed + strlen(q.seed) + 1 - q.address);
    return q;
}

/* The question is decoded, and its lists take more memory than their text. */
static size_t block_for(const struct module_question *q) { return LEAST_BLOCK + 16 * q->length; }

static const struct mw_request *ask(struct mw_run *run, const struct module_question *q)
{
    return mw_ask(run, q->address, q->json, *q->seed ? q->seed : NULL);
}

/* NULL: it cannot be made; mw_make_it says why. */
const struct mw_cost *mw_estimate_it(void)
{
    struct module_question q = read_question();
    struct mw_run *run = open_block(q.length, block_for(&q), 0);
    const struct mw_request *request = run ? ask(run, &q) : NULL;
    return request ? &request->cost : NULL;
}

/* ---- problems -------------------------------------------------------------------------------- */

static void put_text(struct mw_run *run, const char *before, const char *text)
{
    mw_put(run, before);
    mw_put_json_string(run, text, strlen(text));
}

/* Of one problem its own; of several a reference to the list. */
static void put_detail(struct mw_run *run, const struct mw_problems *all)
{
    char detail[MW_POINTER_MAX + MW_DETAIL_MAX], *to = detail;
    for (const char *c = all->list[0].pointer; *c; c++)
        *to++ = *c;
    if (to > detail)
        *to++ = ' ';
    memcpy(to, all->list[0].detail, strlen(all->list[0].detail) + 1);
    put_text(run,
             ", \"detail\": ", all->count == 1 ? detail : "several things are wrong: see errors");
}

static void put_problem(struct mw_run *run, void *context)
{
    const struct fault_row *row = context;
    const struct mw_problems *all = mw_problems(run);
    mw_put(run, "{\"type\": \"/problems/");
    mw_put(run, row->slug);
    put_text(run, "\", \"title\": ", row->title);
    mw_put(run, ", \"status\": ");
    mw_put_int(run, row->status);
    put_detail(run, all);
    mw_put(run, ", \"errors\": [");
    for (size_t i = 0; i < all->count; i++) {
        put_text(run, i ? ", {\"pointer\": " : "{\"pointer\": ", all->list[i].pointer);
        put_text(run, ", \"detail\": ", all->list[i].detail);
        mw_put_char(run, '}');
    }
    mw_put(run, "]}\n");
}

/* In the memory of the run that failed, from its `mark` on. */
static struct answer answer_problem(struct mw_run *run, char *mark)
{
    const struct fault_row *row = &fault_rows[fault_of(mw_problems(run))];
    mw_rewind(run, mark);
    const char *start = run->bottom;
    if (!mw_catch(run, put_problem, (void *)(uintptr_t)row))
        return (struct answer){start, 0, "application/problem+json", row->status};
    return (struct answer){start, (size_t)(run->bottom - start), "application/problem+json",
                           row->status};
}

/* ---- making ---------------------------------------------------------------------------------- */

static bool is_too_big(const struct mw_run *run)
{
    return mw_problems(run)->count && mw_problems(run)->list[0].fault == MW_TOO_BIG;
}

static struct answer make(struct mw_run *run, const struct mw_request *request, char *mark)
{
    const struct mw_map *map = request ? mw_make(run, request) : NULL;
    struct mw_bytes bytes = {0};
    if (map)
        bytes = mw_encode_with(run, request->encoder, map);
    if (!bytes.at)
        return answer_problem(run, mark);
    return (struct answer){bytes.at, bytes.length, request->encoder->media, 200};
}

static size_t lesser(uint64_t a, size_t b) { return a < b ? (size_t)a : b; }

/* In at most so many bytes and steps (0: the generator's budget). NULL: the host has too little
   memory to begin. */
const struct answer *mw_make_it(size_t most, double steps)
{
    static struct answer answer;
    struct module_question q = read_question();
    size_t size = lesser(block_for(&q), most);
    for (;;) {
        struct mw_run *run = open_block(q.length, size, (uint64_t)steps);
        if (!run)
            return NULL;
        char *mark = mw_mark(run);
        const struct mw_request *request = ask(run, &q);
        if (request && request->cost.bytes > size && size < most) {
            size = lesser(request->cost.bytes, most);
            continue;
        }
        answer = make(run, request, mark);
        if (!is_too_big(run) || size == most)
            return &answer;
        size = lesser(2 * (uint64_t)size, most);
    }
}
