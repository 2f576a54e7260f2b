/*
 * bind.c: arguments to params, collecting all problems.
 *
 * URL, JSON body and shell are three readers of this one binder. Whatever the reader, a value comes
 * as text with the shape that it had, and is bound by the field's row alone.
 */
#include "guess.h"
#include "number.h"
#include "run.h"
#include "span.h"

enum { SEED_BYTES = 64 };

enum { COMMON_V, COMMON_SEED };

const struct mw_field mw_common_fields[] = {
    [COMMON_V] = {.name = "v",
                  .type = MW_INTEGER,
                  .optional = true,
                  .least = 1,
                  .most = INT32_MAX,
                  .help = "The generator's version that you rely on; another is refused"},
    [COMMON_SEED] =
        {.name = "seed",
         .type = MW_STRING,
         .optional = true,
         .least_count = 1,
         .most_count = SEED_BYTES,
         .help = "What the map is drawn from: an integer from 0 to 2^53-1, or a string of 1 to 64 "
                 "bytes; the same seed gives the same map"},
    MW_END,
};

/* ---- one argument, one field ----------------------------------------------------------------- */

static bool is_utf8(struct span text)
{
    for (size_t i = 0, n; i < text.length; i += n) {
        n = span_character((struct span){text.at + i, text.length - i});
        if (!n || !text.at[i])
            return false;
    }
    return true;
}

static struct span name_of(const struct mw_arg *arg)
{
    return (struct span){arg->name, arg->name_length};
}

static struct span text_of(const struct mw_arg *arg)
{
    return (struct span){arg->text, arg->length};
}

/* What a value is bound from and to. */
struct binding {
    struct mw_run *run;
    const struct mw_field *field;
    const struct mw_arg *arg;
    char pointer[MW_POINTER_MAX];
};

/* "/name", with ~ and / escaped (RFC 6901), cut where it is too long for a row. What is no text is
   shown as question marks, so that every answer can be written as JSON. */
static void point_at(char pointer[MW_POINTER_MAX], struct span name)
{
    char *to = pointer, *end = pointer + MW_POINTER_MAX - 3;
    bool text = is_utf8(name);
    *to++ = '/';
    for (size_t i = 0; i < name.length && to < end; i++) {
        char c = name.at[i];
        if (c == '~' || c == '/') {
            *to++ = '~';
            *to++ = c == '~' ? '0' : '1';
        } else {
            *to++ = text || (c >= ' ' && c < 0x7f) ? c : '?';
        }
    }
    *to = '\0';
    assert(is_utf8((struct span){pointer, strlen(pointer)}) || to >= end);
}

static bool is_scalar_text(const struct mw_arg *arg, enum mw_shape shape)
{
    return arg->shape == MW_RAW || arg->shape == shape;
}

/* An integer from `least` to `most`. */
static bool read_integer(struct span text, int64_t least, int64_t most, int64_t *to)
{
    bool exact;
    return mw_read_number(text.at, text.length, 0, to, &exact) && exact && *to >= least &&
           *to <= most;
}

static bool read_ranged(const struct mw_field *field, struct span text, int32_t *to)
{
    int64_t n;
    if (!read_integer(text, field->least, field->most, &n))
        return false;
    *to = (int32_t)n;
    return true;
}

static void bind_integer(const struct binding *b, int32_t *to)
{
    if (!is_scalar_text(b->arg, MW_NUMBER) || !read_ranged(b->field, text_of(b->arg), to))
        mw_complain(b->run, MW_BAD_PARAM, b->pointer, "must be an integer from %d to %d",
                    b->field->least, b->field->most);
}

/* Rounded to thousandths, but not into the range. */
static bool read_decimal(const struct binding *b, int32_t *to)
{
    int64_t n, fine;
    bool exact;
    const struct mw_arg *arg = b->arg;
    if (!is_scalar_text(arg, MW_NUMBER) || !mw_read_number(arg->text, arg->length, 3, &n, &exact) ||
        !mw_read_number(arg->text, arg->length, 9, &fine, &exact))
        return false;
    const int64_t unit = 1000000; /* of 10^-9 in a thousandth */
    if (fine < b->field->least * unit || fine > b->field->most * unit)
        return false;
    *to = (int32_t)n;
    return true;
}

static void bind_decimal(const struct binding *b, int32_t *to)
{
    if (read_decimal(b, to))
        return;
    char low[16], high[16];
    *mw_write_thousandths(low, b->field->least) = '\0';
    *mw_write_thousandths(high, b->field->most) = '\0';
    mw_complain(b->run, MW_BAD_PARAM, b->pointer, "must be a number from %s to %s", low, high);
}

/* true or false; in a URL or a shell also 1 or 0 */
static void bind_boolean(const struct binding *b, bool *to)
{
    struct span text = text_of(b->arg);
    bool raw = b->arg->shape == MW_RAW, good = is_scalar_text(b->arg, MW_TRUTH);
    if (good && (span_is(text, "true") || (raw && span_is(text, "1"))))
        *to = true;
    else if (good && (span_is(text, "false") || (raw && span_is(text, "0"))))
        *to = false;
    else
        mw_complain(b->run, MW_BAD_PARAM, b->pointer, "must be true or false");
}

/* Names in a row, ", " between them: those that fit. */
struct names {
    char text[MW_DETAIL_MAX];
    size_t length;
};

static bool add_name(struct names *names, const char *name, size_t room)
{
    assert(room <= sizeof names->text);
    size_t n = names->length, length = strlen(name);
    if (n + length + 2 > room)
        return false;
    memcpy(names->text + n, name, length);
    memcpy(names->text + n + length, ", ", 2);
    names->length += length + 2;
    return true;
}

static int names_length(const struct names *names)
{
    return names->length ? (int)names->length - 2 : 0;
}

static void complain_choice(const struct binding *b)
{
    assert(b->field->choices && *b->field->choices);
    struct names names = {.length = 0};
    const char *const *choice = b->field->choices;
    while (*choice && add_name(&names, *choice, sizeof names.text - 1))
        choice++;
    mw_complain(b->run, MW_BAD_PARAM, b->pointer, "must be one of: %.*s", names_length(&names),
                names.text);
}

static void bind_choice(const struct binding *b, int32_t *to)
{
    if (is_scalar_text(b->arg, MW_TEXT))
        for (int32_t i = 0; b->field->choices[i]; i++)
            if (span_is(text_of(b->arg), b->field->choices[i])) {
                *to = i;
                return;
            }
    complain_choice(b);
}

static bool is_string(struct span text, int32_t least, int32_t most)
{
    return text.length >= (size_t)least && text.length <= (size_t)most && is_utf8(text);
}

static void bind_string(const struct binding *b, const char **to)
{
    int32_t least = b->field->least_count, most = b->field->most_count;
    if (is_scalar_text(b->arg, MW_TEXT) && is_string(text_of(b->arg), least, most))
        *to = mw_copy_text(b->run, b->arg->text, b->arg->length);
    else
        mw_complain(b->run, MW_BAD_PARAM, b->pointer, "must be a string of %d to %d bytes of UTF-8",
                    least, most);
}

/* ---- lists ----------------------------------------------------------------------------------- */

static bool count_fits(const struct binding *b, int32_t n, const char *of)
{
    const struct mw_field *field = b->field;
    if (n >= field->least_count && n <= field->most_count)
        return true;
    const char *more = n == 1 ? "" : "s";
    if (field->least_count == field->most_count)
        mw_complain(b->run, MW_BAD_PARAM, b->pointer, "has %d %s%s: must have %d", n, of, more,
                    field->least_count);
    else
        mw_complain(b->run, MW_BAD_PARAM, b->pointer, "has %d %s%s: must have %d to %d", n, of,
                    more, field->least_count, field->most_count);
    return false;
}

/* How a list is told from others, and what of it is said. */
struct list {
    char separator;
    enum mw_shape shape;
    char kind; /* of its elements, in a mixture */
    const char *element, *all;
};

static const struct list integers = {',', MW_NUMBERS, MW_KIND_NUMBER, "element", "integers"},
                         points = {';', MW_PAIRS, MW_KIND_PAIR, "point", "points [x, y]"},
                         strings = {'/', MW_STRINGS, MW_KIND_STRING, "row",
                                    "strings, one for each row"};

/* What an element that cannot be read should be. */
static void complain_element(const struct binding *b, int32_t i)
{
    const struct mw_field *field = b->field;
    if (field->type == MW_ROWS)
        mw_complain_of(b->run, MW_BAD_PARAM, b->pointer, i, "must be a string of %s",
                       field->alphabet);
    else
        mw_complain_of(b->run, MW_BAD_PARAM, b->pointer, i, "must be %s from %d to %d",
                       field->type == MW_POINTS ? "[x, y] with both" : "an integer", field->least,
                       field->most);
}

/* Complains of the elements of an array that are of another kind than the list's; false: it is no
   array at all. */
static bool complain_of_kinds(const struct binding *b, const struct list *list)
{
    const struct list *kinds[] = {&integers, &points, &strings};
    struct span text = text_of(b->arg);
    bool good = true;
    for (int32_t i = 0; b->arg->shape == MW_MIXED && i < (int32_t)text.length; i++)
        if (text.at[i] != list->kind) {
            complain_element(b, i);
            good = false;
        }
    for (int k = 0; k < 3; k++) {
        int32_t n = b->arg->shape == kinds[k]->shape ? span_count(text, kinds[k]->separator) : 0;
        for (int32_t i = 0; i < n; i++)
            complain_element(b, i);
        good = good && !n;
    }
    return !good;
}

/* The elements that a list of that kind has; -1: there is no such list, as was complained. */
static int32_t count_elements(const struct binding *b, const struct list *list)
{
    bool empty = b->arg->shape == MW_EMPTY;
    if (!is_scalar_text(b->arg, list->shape) && !empty) {
        if (!complain_of_kinds(b, list))
            mw_complain(b->run, MW_BAD_PARAM, b->pointer, "must be a list of %s", list->all);
        return -1;
    }
    int32_t n = empty ? 0 : span_count(text_of(b->arg), list->separator);
    return count_fits(b, n, list->element) ? n : -1;
}

static void bind_integers(const struct binding *b, struct mw_ints *to)
{
    int32_t n = count_elements(b, &integers);
    if (n < 0)
        return;
    int32_t *list = MW_NEW(b->run, int32_t, n);
    struct span rest = text_of(b->arg), piece;
    for (int32_t i = 0; i < n && span_cut(&rest, integers.separator, &piece); i++)
        if (!read_ranged(b->field, piece, &list[i]))
            complain_element(b, i);
    *to = (struct mw_ints){list, n};
}

static bool read_point(const struct mw_field *field, struct span text, struct mw_point *to)
{
    struct span y = text, x;
    span_cut(&y, ',', &x);
    return y.at && read_ranged(field, x, &to->x) && read_ranged(field, y, &to->y);
}

static void bind_points(const struct binding *b, struct mw_points *to)
{
    int32_t n = count_elements(b, &points);
    if (n < 0)
        return;
    struct mw_point *list = MW_NEW(b->run, struct mw_point, n);
    struct span rest = text_of(b->arg), piece;
    for (int32_t i = 0; i < n && span_cut(&rest, points.separator, &piece); i++)
        if (!read_point(b->field, piece, &list[i]))
            complain_element(b, i);
    *to = (struct mw_points){list, n};
}

/* Looks through row y; false when its first wrong character was complained of. */
static bool row_is_clean(const struct binding *b, int32_t y, struct span row)
{
    const char *alphabet = b->field->alphabet;
    for (size_t x = 0; x < row.length; x++) {
        unsigned char c = (unsigned char)row.at[x];
        if (c && strchr(alphabet, c))
            continue;
        c = c == MW_SLASH ? '/' : c;
        if (c > 0x20 && c < 0x7f)
            mw_complain_of(b->run, MW_BAD_PARAM, b->pointer, y,
                           "column %d is '%c': must be one of %s", (int)x, c, alphabet);
        else
            mw_complain_of(b->run, MW_BAD_PARAM, b->pointer, y,
                           "column %d is no printable character: must be one of %s", (int)x,
                           alphabet);
        return false;
    }
    return true;
}

static bool row_is_as_long(const struct binding *b, int32_t y, struct span row, size_t width)
{
    if (row.length != width)
        mw_complain_of(b->run, MW_BAD_PARAM, b->pointer, y,
                       "has %zu characters and row 0 has %zu: rows must be of equal length",
                       row.length, width);
    return row.length == width;
}

/* The width of n rows that are good together; 0: something was complained of. */
static size_t check_rows(const struct binding *b, int32_t n)
{
    struct span rest = text_of(b->arg), row;
    size_t width = 0;
    bool good = true;
    for (int32_t y = 0; y < n && span_cut(&rest, '/', &row); y++) {
        width = y ? width : row.length;
        good = row_is_as_long(b, y, row, width) && row_is_clean(b, y, row) && good;
    }
    if (width >= (size_t)b->field->least && width <= (size_t)b->field->most)
        return good ? width : 0;
    mw_complain(b->run, MW_BAD_PARAM, b->pointer, "has rows of %zu characters: must be %d to %d",
                width, b->field->least, b->field->most);
    return 0;
}

static void bind_rows(const struct binding *b, struct mw_rows *to)
{
    assert(b->field->least > 0);
    int32_t n = count_elements(b, &strings);
    size_t width = n < 0 ? 0 : check_rows(b, n);
    if (!width)
        return;
    const char *rows = mw_copy_text(b->run, b->arg->text, b->arg->length);
    *to = (struct mw_rows){rows, (int32_t)width, n};
}

/* ---- all arguments, all fields --------------------------------------------------------------- */

static void bind_value(const struct binding *b, void *to)
{
    switch (b->field->type) {
    case MW_INTEGER: bind_integer(b, to); break;
    case MW_DECIMAL: bind_decimal(b, to); break;
    case MW_BOOLEAN: bind_boolean(b, to); break;
    case MW_ONE_OF: bind_choice(b, to); break;
    case MW_STRING: bind_string(b, to); break;
    case MW_INTEGERS: bind_integers(b, to); break;
    case MW_POINTS: bind_points(b, to); break;
    case MW_ROWS: bind_rows(b, to); break;
    case MW_POINT:
    case MW_BOX:
    case MW_END_OF_TABLE: break;
    }
}

static void set_default(const struct mw_field *field, void *to)
{
    switch (field->type) {
    case MW_INTEGER:
    case MW_DECIMAL:
    case MW_ONE_OF: *(int32_t *)to = field->fallback; break;
    case MW_BOOLEAN: *(bool *)to = field->fallback != 0; break;
    case MW_INTEGERS: *(struct mw_ints *)to = field->list_default; break;
    case MW_STRING:
    case MW_POINT:
    case MW_POINTS:
    case MW_BOX:
    case MW_ROWS:
    case MW_END_OF_TABLE: break; /* absent: the zeros of a cleared struct */
    }
}

struct binder {
    const struct mw_generator *generator;
    const struct mw_arg *args;
    size_t count;
    const char *fresh_seed;
    struct mw_request *request;
};

/* The argument of that name, or NULL; a second one is a problem, null is left out. */
static const struct mw_arg *find_arg(struct mw_run *run, const struct binder *binder,
                                     const char *name)
{
    const struct mw_arg *found = NULL;
    int times = 0;
    for (size_t i = 0; i < binder->count; i++)
        if (span_is(name_of(&binder->args[i]), name))
            found = times++ ? found : &binder->args[i];
    if (times > 1) {
        char pointer[MW_POINTER_MAX];
        point_at(pointer, (struct span){name, strlen(name)});
        mw_complain(run, MW_BAD_PARAM, pointer, "is given %d times: give it once", times);
        return NULL;
    }
    return found && found->shape != MW_NIL ? found : NULL;
}

static mw_given bind_fields(struct mw_run *run, const struct binder *binder,
                            const struct mw_field *fields, void *to)
{
    mw_given given = 0;
    char *params = to;
    for (int i = 0; fields[i].type != MW_END_OF_TABLE; i++) {
        assert(i < 64); /* the bits of mw_given */
        struct binding b = {.run = run, .field = &fields[i]};
        set_default(b.field, params + b.field->offset);
        b.arg = find_arg(run, binder, b.field->name);
        if (!b.arg)
            continue;
        point_at(b.pointer, name_of(b.arg));
        bind_value(&b, params + b.field->offset);
        given |= (mw_given)1 << i;
    }
    return given;
}

/* Tells `each` all that may be asked of a generator, or (NULL) of a map that is there. */
static void each_name(const struct mw_generator *generator,
                      void (*each)(void *context, const char *name), void *context)
{
    static const struct mw_field none[] = {MW_END};
    const struct mw_field *const tables[] = {generator ? generator->fields : none,
                                             generator ? mw_common_fields : none, mw_look_fields};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct mw_field *f = tables[i]; f->type != MW_END_OF_TABLE; f++)
            if (!generator || !generator->seedless || f != &mw_common_fields[COMMON_SEED])
                each(context, f->name);
}

struct search {
    struct span name;
    bool found;
};

static void compare_name(void *context, const char *name)
{
    struct search *search = context;
    search->found |= span_is(search->name, name);
}

static bool is_known(const struct mw_generator *generator, struct span name)
{
    struct search search = {.name = name};
    each_name(generator, compare_name, &search);
    return search.found;
}

struct advice {
    struct guess guess;
    struct names names;
};

static void consider_name(void *context, const char *name)
{
    enum { ROOM = 240 }; /* for names, so that the sentence fits */
    struct advice *advice = context;
    mw_guess(&advice->guess, name);
    add_name(&advice->names, name, ROOM);
}

static bool seen_before(const struct binder *binder, size_t i)
{
    for (size_t j = 0; j < i && j < 64; j++)
        if (span_equal(name_of(&binder->args[j]), name_of(&binder->args[i])))
            return true;
    return false;
}

static void refuse_unknown(struct mw_run *run, const struct binder *binder)
{
    char pointer[MW_POINTER_MAX];
    const struct mw_generator *generator = binder->generator;
    for (size_t i = 0; i < binder->count; i++) {
        struct span name = name_of(&binder->args[i]);
        if (is_known(generator, name) || seen_before(binder, i))
            continue;
        struct advice advice = {.guess.meant = name};
        each_name(generator, consider_name, &advice);
        point_at(pointer, name);
        const char *nearest = advice.guess.nearest;
        mw_complain(run, MW_BAD_PARAM, pointer, "is no parameter %s%s: %s%s%sthere are %.*s",
                    generator ? "of " : "here", generator ? generator->name : "",
                    nearest ? "did you mean " : "", nearest ? nearest : "", nearest ? "? " : "",
                    names_length(&advice.names), advice.names.text);
    }
}

static void bind_seed(struct mw_run *run, const struct binder *binder)
{
    struct mw_request *request = binder->request;
    if (binder->generator->seedless)
        return;
    const struct mw_arg *arg = find_arg(run, binder, "seed");
    request->seed_given = arg != NULL;
    if (!arg) {
        const char *fresh = binder->fresh_seed ? binder->fresh_seed : "0";
        request->seed = mw_copy_text(run, fresh, strlen(fresh));
        return;
    }
    int64_t n;
    struct span text = text_of(arg);
    if ((arg->shape == MW_RAW || arg->shape == MW_TEXT) && is_string(text, 1, SEED_BYTES)) {
        request->seed = mw_copy_text(run, arg->text, arg->length);
    } else if (arg->shape == MW_NUMBER && read_integer(text, 0, MW_SEED_MOST, &n)) {
        char digits[24];
        size_t length = (size_t)(mw_write_digits(digits, (uint64_t)n) - digits);
        request->seed = mw_copy_text(run, digits, length);
    } else {
        request->seed = "0";
        mw_complain(
            run, MW_BAD_PARAM, "/seed",
            "must be an integer from 0 to 9007199254740991, or a string of 1 to %d bytes of UTF-8",
            SEED_BYTES);
    }
}

static void bind_version(struct mw_run *run, const struct binder *binder)
{
    const struct mw_generator *generator = binder->generator;
    struct binding b = {run, &mw_common_fields[COMMON_V], find_arg(run, binder, "v"), "/v"};
    int32_t v = (int32_t)generator->version;
    if (b.arg)
        bind_integer(&b, &v);
    if (v != (int32_t)generator->version)
        mw_complain(run, MW_OTHER_VERSION, "/v", "is %d, but %s is at version %u here", v,
                    generator->name, generator->version);
}

static void bind(struct mw_run *run, void *context)
{
    const struct binder *binder = context;
    const struct mw_generator *generator = binder->generator;
    struct mw_request *request = binder->request;
    *request = (struct mw_request){.generator = generator};
    request->params = mw_calloc(run, 1, generator->params_size);
    bind_version(run, binder);
    mw_given given = bind_fields(run, binder, generator->fields, request->params);
    bind_seed(run, binder);
    bind_fields(run, binder, mw_look_fields, &request->look);
    refuse_unknown(run, binder);
    if (run->problems.count)
        return;
    if (generator->check)
        generator->check(run, request->params, given);
    assert(generator->seedless == !request->seed);
    if (!run->problems.count)
        mw_write_address(run, request);
}

bool mw_bind(struct mw_run *run, const struct mw_generator *generator, const struct mw_arg *args,
             size_t count, const char *fresh_seed, struct mw_request *request)
{
    struct binder binder = {generator, args, count, fresh_seed, request};
    return mw_guarded(run, bind, &binder);
}

/* ---- a look alone ---------------------------------------------------------------------------- */

static void bind_look(struct mw_run *run, void *context)
{
    const struct binder *binder = context;
    bind_fields(run, binder, mw_look_fields, &binder->request->look);
    refuse_unknown(run, binder);
}

bool mw_bind_look(struct mw_run *run, const struct mw_arg *args, size_t count, struct mw_look *look)
{
    struct mw_request request = {0};
    struct binder binder = {.args = args, .count = count, .request = &request};
    bool good = mw_guarded(run, bind_look, &binder);
    *look = request.look;
    return good;
}
