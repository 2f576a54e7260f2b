/*
 * bind.c: arguments to params, collecting all problems.
 *
 * URL, JSON body and shell are three readers of this one binder. Whatever the reader, a value comes
 * as text with the shape that it had, and is bound by the field's row alone.
 */
#include "run.h"

enum { COMMON_V, COMMON_SEED, SEED_BYTES = 64 };

/* What all generators take; `of`: which rows or labels of a map that others are built on. */
struct common {
    int32_t v;
    const char *seed;
    struct mw_ints of;
};

static const struct mw_field of_field = MW_LIST(struct common, of, 1, 64, -1, INT32_MAX, NULL);

const struct mw_field mw_common_fields[] = {
    [COMMON_V] =
        MW_INT(struct common, v, 1, INT32_MAX, 0,
               "The generator's version that you rely on; another is refused", .optional = true),
    [COMMON_SEED] = MW_FIELD(
        struct common, seed, const char *, MW_STRING, .optional = true, .least_count = 1,
        .most_count = SEED_BYTES,
        MW_HELP("What the map is drawn from: an integer from 0 to 2^53-1, or a string of 1 to 64 "
                "bytes; the same seed gives the same map")),
    MW_END,
};

/* ---- all arguments, all fields --------------------------------------------------------------- */

struct binder {
    const struct mw_generator *generator;
    const struct mw_arg *args;
    size_t count;
    const char *fresh_seed;
    struct mw_ints *of; /* NULL: it is no parameter */
    struct mw_request *request;
};

/* The argument of that name, or NULL; a second one is a problem, null is left out. */
static const struct mw_arg *find_arg(struct mw_run *run, const struct binder *binder,
                                     const char *name)
{
    const struct mw_arg *found = NULL;
    int times = 0;
    for (size_t i = 0; i < binder->count; i++)
        if (span_is(mw_name_of(&binder->args[i]), name))
            found = times++ ? found : &binder->args[i];
    if (times > 1) {
        char pointer[MW_POINTER_MAX];
        mw_point_at(pointer, span_of(name));
        mw_add_problem(run, MW_BAD_PARAM, pointer, "is given %d times: give it once", times);
        return NULL;
    }
    return found && found->shape != MW_NIL ? found : NULL;
}

/* Whether it is the address of another map that the field may be read from. */
static bool is_address(const struct mw_field *field, const struct mw_arg *arg)
{
    return field->role != MW_PLAIN && (arg->shape == MW_RAW || arg->shape == MW_TEXT) &&
           arg->length && *arg->text == '/';
}

static void add_base(struct mw_run *run, struct mw_request *request, const struct mw_field *field,
                     const struct mw_arg *arg)
{
    struct mw_base **last = &request->bases;
    while (*last)
        last = &(*last)->next;
    *last = MW_NEW0(run, struct mw_base, 1);
    (*last)->field = field;
    (*last)->address = mw_copy_text(run, arg->text, arg->length);
    (*last)->address_length = arg->length;
}

/* Binds the argument of a field, if there is one: whether there is. */
static bool bind_field(struct mw_run *run, const struct binder *binder,
                       const struct mw_field *field, void *to)
{
    struct mw_binding b = {.run = run, .field = field, .arg = find_arg(run, binder, field->name)};
    if (!b.arg)
        return false;
    mw_point_at(b.pointer, mw_name_of(b.arg));
    if (is_address(field, b.arg))
        add_base(run, binder->request, field, b.arg);
    else
        mw_bind_value(&b, to);
    return true;
}

static mw_given bind_fields(struct mw_run *run, const struct binder *binder,
                            const struct mw_field *fields, void *params)
{
    mw_given given = 0;
    for (int i = 0; fields[i].type != MW_END_OF_TABLE; i++) {
        void *to = (char *)params + fields[i].offset;
        assert(i < 64); /* the bits of mw_given */
        mw_set_default(&fields[i], to);
        given |= (mw_given)bind_field(run, binder, &fields[i], to) << i;
    }
    return given;
}

enum { NAMES_MOST = 96 };

/* Lists the parameters of a generator, or (NULL) those of a look alone; NULL comes last. */
static void list_names(const struct mw_generator *generator, const char *names[NAMES_MOST])
{
    const struct mw_field *const tables[] = {generator ? generator->fields : NULL,
                                             generator ? mw_common_fields : NULL, mw_look_fields};
    size_t n = 0;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct mw_field *f = tables[i]; f && f->type != MW_END_OF_TABLE; f++) {
            assert(n + 1 < NAMES_MOST);
            names[n] = f->name;
            n += !generator || !generator->seedless || f != &mw_common_fields[COMMON_SEED];
        }
    names[n] = NULL;
}

static void refuse_unknown(struct mw_run *run, const struct binder *binder)
{
    const struct mw_generator *generator = binder->generator;
    const char *names[NAMES_MOST];
    char pointer[MW_POINTER_MAX];
    list_names(generator, names);
    for (size_t i = 0; i < binder->count; i++) {
        struct span name = mw_name_of(&binder->args[i]);
        bool known = binder->of && span_is(name, of_field.name);
        for (size_t k = 0; names[k] && !known; k++)
            known = span_is(name, names[k]);
        mw_point_at(pointer, name);
        if (!known)
            mw_refuse_word(run, pointer, name,
                           generator ? "is no parameter of " : "is no parameter here",
                           generator ? generator->name : "", names);
    }
}

static void bind_seed(struct mw_run *run, const struct binder *binder)
{
    struct mw_request *request = binder->request;
    const bool seedless = binder->generator->seedless;
    const struct mw_arg *arg = seedless ? NULL : find_arg(run, binder, "seed");
    char digits[MW_DIGITS];
    struct span text =
        arg ? mw_text_of(arg) : span_of(binder->fresh_seed ? binder->fresh_seed : "0");
    int64_t n;
    request->seed_given = seedless || arg;
    if (arg && arg->shape == MW_NUMBER && mw_read_integer(text, 0, MW_SEED_MOST, &n))
        text = (struct span){digits, (size_t)(mw_write_int(digits, n) - digits)};
    else if (arg && ((arg->shape != MW_RAW && arg->shape != MW_TEXT) ||
                     !mw_is_string(text, 1, SEED_BYTES))) {
        text = (struct span){"0", 1};
        mw_add_problem(
            run, MW_BAD_PARAM, "/seed",
            "must be an integer from 0 to 9007199254740991, or a string of 1 to %d bytes of UTF-8",
            SEED_BYTES);
    }
    if (!seedless)
        request->seed = mw_copy_text(run, text.at, text.length);
}

static void bind_version(struct mw_run *run, const struct binder *binder)
{
    const struct mw_generator *generator = binder->generator;
    int32_t v = (int32_t)generator->version;
    binder->request->version_given = bind_field(run, binder, &mw_common_fields[COMMON_V], &v);
    if (v != (int32_t)generator->version)
        mw_add_problem(run, MW_OTHER_VERSION, "/v", "is %d, but %s is at version %u here", v,
                       generator->name, generator->version);
}

/* Binds a request, or (without a generator) a look alone. */
static void bind(struct mw_run *run, void *context)
{
    const struct binder *binder = context;
    const struct mw_generator *generator = binder->generator;
    struct mw_request *request = binder->request;
    *request = (struct mw_request){.generator = generator};
    if (generator)
        request->params = mw_calloc(run, 1, generator->params_size);
    if (binder->of)
        bind_field(run, binder, &of_field, binder->of);
    if (generator) {
        bind_version(run, binder);
        request->given = bind_fields(run, binder, generator->fields, request->params);
        bind_seed(run, binder);
    }
    bind_fields(run, binder, mw_look_fields, &request->look);
    refuse_unknown(run, binder);
}

bool mw_bind_args(struct mw_run *run, const struct mw_generator *generator,
                  const struct mw_arg *args, size_t count, const char *fresh_seed,
                  struct mw_ints *of, struct mw_request *request)
{
    struct binder binder = {generator, args, count, fresh_seed, of, request};
    return mw_guarded(run, bind, &binder);
}

bool mw_bind_look(struct mw_run *run, const struct mw_arg *args, size_t count, struct mw_look *look)
{
    struct mw_request request;
    bool good = mw_bind_args(run, NULL, args, count, NULL, NULL, &request);
    *look = request.look;
    return good;
}
