/*
 * bases.c: maps built on other maps, their base maps: bound, made and estimated together.
 *
 * A map that takes rows, points or indices takes the address of another map for them. So a request
 * is a tree, and each map is made from values that are read of its base maps.
 *
 *     lanes  <-capitals-  countries  <-land-  islands
 *
 * Binding goes from the outermost map to the innermost. All problems are reported at once, each at
 * the parameter of the outermost map that leads there. A base map without a seed gets one from the
 * outer map's seed, by a stream of the field's name; then its address is written, and the outer
 * map's after it: the address of the whole names everything in it.
 *
 * Making goes from the innermost to the outermost. Each map is made as if it were alone, with its
 * own random streams and its own budget of steps. So its bytes, and its refusal, are those of its
 * own address, wherever it is used; with one budget for all, a map that can be made alone might be
 * too hard as a base map. For the host the tree is one run: one block, one count of steps, one
 * `stop`. The params of a map are complete only when its base maps are made; then its generator
 * checks them, as it would rows from a client. It ends, as there are at most MW_BASES_MAX base
 * maps, and each ends.
 *
 * Cost: the sum of its maps, and one look at each cell of a grid that becomes rows.
 */
#include "bases.h"
#include "registry.h"

#include "lib/run.h"

/* ---- problems of base maps ------------------------------------------------------------------- */

/* Problems from number `first` on are those of a base: reported at the field that leads there. */
static void report_at_field(struct mw_run *run, size_t first, const struct mw_base *base)
{
    char pointer[MW_POINTER_MAX];
    size_t count = run->problems.count;
    assert(first <= count && base->field);
    const struct mw_generator *generator = base->request.generator;
    mw_point_at(pointer, span_of(base->field->name));
    for (size_t i = first; i < count; i++) {
        const struct mw_problem reported = run->problems.list[i];
        const char *name = *reported.pointer ? reported.pointer + 1 : "";
        run->problems.count = i;
        if (generator)
            mw_add_problem(run, reported.fault, pointer, "in /%s%s%s: %s", generator->name,
                           *name ? ", " : "", name, reported.detail);
        else
            mw_add_problem(run, reported.fault, pointer, "%s", reported.detail);
    }
    run->problems.count = count;
}

/* ---- binding --------------------------------------------------------------------------------- */

static void write_base(struct mw_run *run, struct mw_base *base)
{
    if (!base->of.count) {
        base->address = base->request.address;
        base->address_length = base->request.address_length;
        return;
    }
    base->address = run->bottom;
    mw_put_bytes(run, base->request.address, base->request.address_length);
    mw_put(run, "&of=");
    mw_put_value(run, &mw_as_url, MW_INTEGERS, NULL, &base->of, 0);
    base->address_length = (size_t)(run->bottom - base->address);
    mw_put_char(run, '\0');
}

/* The seed of a base map that has none: 53 bits of the stream of the field's name. */
static void draw_seed(struct mw_run *run, const struct mw_request *request,
                      const struct mw_field *field, char seed[24])
{
    assert(request->seed && field->name);
    run->generator = request->generator->name;
    run->seed = request->seed;
    struct mw_rng rng = mw_stream(run, field->name);
    *mw_write_int(seed, (int64_t)(mw_next(&rng) >> 11)) = '\0';
}

/* Binds a map and its base maps, of which there may be `left` more. */
static bool bind_tree(struct mw_run *, int32_t *left, const struct asked_map *,
                      const char *fresh_seed, struct mw_ints *of, struct mw_request *);

static void bind_base(struct mw_run *run, int32_t *left, const struct mw_request *request,
                      struct mw_base *base, const char *fresh_seed)
{
    char seed[24];
    struct asked_map asked = {0};
    size_t reported = run->problems.count;
    if (request->seed)
        draw_seed(run, request, base->field, seed);
    if (!(*left)--)
        mw_add_problem(run, MW_BAD_PARAM, "", "is one map too many: at most %d stand below another",
                       MW_BASES_MAX);
    else if (mw_read_asked(run, (struct span){base->address, base->address_length}, &asked))
        bind_tree(run, left, &asked, request->seed ? seed : fresh_seed, &base->of, &base->request);
    base->request.generator = asked.generator;
    if (asked.generator && source_of(base->field, asked.generator).part < 0)
        mw_add_problem(run, MW_BAD_PARAM, "",
                       "must be the address of a map with %s, which it does not have",
                       source_kind(base->field));
    report_at_field(run, reported, base);
}

/* Completes and checks a map without base maps; estimates the params of one that has some. */
static void complete(struct mw_run *run, void *context)
{
    struct mw_request *request = context;
    const struct mw_generator *generator = request->generator;
    bool given = true;
    for (struct mw_base *g = request->bases; g; g = g->next) {
        write_base(run, g);
        given = given && g->request.seed_given;
        request->version_given &= g->request.version_given;
    }
    if (request->bases)
        expect_bases(request);
    else if (generator->check)
        generator->check(run, request->params, request->given);
    if (generator->seedless)
        request->seed_given = given;
    if (!run->problems.count)
        mw_write_address(run, request);
}

static bool bind_tree(struct mw_run *run, int32_t *left, const struct asked_map *asked,
                      const char *fresh_seed, struct mw_ints *of, struct mw_request *request)
{
    if (!mw_bind_args(run, asked->generator, asked->args, asked->count, fresh_seed, of, request) &&
        !request->params)
        return false;
    for (struct mw_base *g = request->bases; g; g = g->next)
        bind_base(run, left, request, g, fresh_seed);
    return !run->problems.count && mw_guarded(run, complete, request);
}

bool mw_bind(struct mw_run *run, const struct mw_generator *generator, const struct mw_arg *args,
             size_t count, const char *fresh_seed, struct mw_request *request)
{
    assert(generator && (args || !count));
    int32_t left = MW_BASES_MAX;
    const struct asked_map asked = {.generator = generator, .args = args, .count = count};
    return bind_tree(run, &left, &asked, fresh_seed, NULL, request);
}

bool mw_bind_address(struct mw_run *run, const char *address, size_t length,
                     struct mw_request *request)
{
    int32_t left = MW_BASES_MAX;
    struct asked_map asked = {0};
    return mw_read_asked(run, (struct span){address, length}, &asked) &&
           bind_tree(run, &left, &asked, NULL, NULL, request);
}

/* ---- making ---------------------------------------------------------------------------------- */

struct making {
    const struct mw_request *request;
    const struct mw_base *base; /* to be read */
    const struct mw_map *map;
};

static void read(struct mw_run *run, void *context)
{
    const struct making *making = context;
    read_base(run, making->base, making->request->params);
}

static void make(struct mw_run *run, void *context)
{
    struct making *making = context;
    const struct mw_request *request = making->request;
    if (request->bases && request->generator->check)
        request->generator->check(run, request->params, request->given);
    if (!run->problems.count)
        making->map = mw_make_within(run, request);
}

/* The params are complete once the base maps are made; then they are checked. */
const struct mw_map *mw_make(struct mw_run *run, const struct mw_request *request)
{
    struct making making = {.request = request};
    for (struct mw_base *g = request->bases; g; g = g->next) {
        size_t reported = run->problems.count;
        making.base = g;
        g->map = mw_make(run, &g->request);
        if (!g->map || !mw_guarded(run, read, &making)) {
            report_at_field(run, reported, g);
            return NULL;
        }
    }
    mw_catch(run, make, &making);
    return making.map;
}
