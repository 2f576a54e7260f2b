/*
 * bind.c: arguments to params, collecting all problems.
 *
 * URL, JSON body and shell are three readers of this one binder. Whatever the reader, a value comes
 * as text with the shape that it had, and is bound by the field's row alone.
 */
#include "cut.h"
#include "number.h"
#include "run.h"

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

const struct mw_field mw_look_fields[] = {
    {.name = "format",
     .type = MW_STRING,
     MW_OFFSET(struct mw_look, format, const char *),
     .optional = true,
     .least_count = 1,
     .most_count = 32,
     .help = "What the answer is written in"},
    {.name = "scale",
     .type = MW_INTEGER,
     MW_OFFSET(struct mw_look, scale, int32_t),
     .optional = true,
     .least = 1,
     .most = 64,
     .help = "Size of a picture: pixels from cell to cell (star lanes: a hundredth of the longer "
             "side); left out, as fits a screen"},
    MW_BOOL(struct mw_look, color, false, "Text in the colours of a terminal"),
    MW_END,
};

struct mw_look mw_heeded(const struct mw_encoder *encoder, struct mw_look look)
{
    return (struct mw_look){.format = encoder->name,
                            .scale = encoder->scaled ? look.scale : 0,
                            .color = encoder->coloured && look.color};
}

/* ---- one argument, one field ----------------------------------------------------------------- */

/* The length of a well-formed UTF-8 character at `at`, or 0. */
static size_t utf8_length(const unsigned char *at, size_t left)
{
    size_t n = at[0] < 0x80                    ? 1
               : at[0] >= 0xc2 && at[0] < 0xe0 ? 2
               : (at[0] & 0xf0) == 0xe0        ? 3
               : at[0] >= 0xf0 && at[0] < 0xf5 ? 4
                                               : 0;
    if (!n || n > left)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) ||
        (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f))
        return 0;
    return n;
}

static bool is_utf8(const char *text, size_t length)
{
    for (size_t i = 0, n; i < length; i += n) {
        n = utf8_length((const unsigned char *)text + i, length - i);
        if (!n || !text[i])
            return false;
    }
    return true;
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
static void point_at(char pointer[MW_POINTER_MAX], const char *name, size_t length)
{
    char *to = pointer, *end = pointer + MW_POINTER_MAX - 3;
    bool text = is_utf8(name, length);
    *to++ = '/';
    for (size_t i = 0; i < length && to < end; i++) {
        if (name[i] == '~' || name[i] == '/') {
            *to++ = '~';
            *to++ = name[i] == '~' ? '0' : '1';
        } else {
            bool shown = text || (name[i] >= ' ' && name[i] < 0x7f);
            *to++ = shown ? name[i] : '?';
        }
    }
    *to = '\0';
}

/* Complains of element i of a list. */
static void complain_element(const struct binding *b, int32_t i, const char *should)
{
    char pointer[MW_POINTER_MAX + 16];
    size_t n = strlen(b->pointer);
    memcpy(pointer, b->pointer, n);
    pointer[n++] = '/';
    *mw_write_int(pointer + n, i) = '\0';
    mw_complain(b->run, MW_BAD_PARAM, pointer, "must be %s from %d to %d", should, b->field->least,
                b->field->most);
}

static bool in_range(const struct mw_field *field, int64_t n)
{
    return n >= field->least && n <= field->most;
}

static bool is_scalar_text(const struct mw_arg *arg, enum mw_shape shape)
{
    return arg->shape == MW_RAW || arg->shape == shape;
}

static void bind_integer(const struct binding *b, int32_t *to)
{
    int64_t n;
    bool exact;
    const struct mw_arg *arg = b->arg;
    if (is_scalar_text(arg, MW_NUMBER) && mw_read_number(arg->text, arg->length, 0, &n, &exact) &&
        exact && in_range(b->field, n))
        *to = (int32_t)n;
    else
        mw_complain(b->run, MW_BAD_PARAM, b->pointer, "must be an integer from %d to %d",
                    b->field->least, b->field->most);
}

/* Thousandths as text, for a message. */
static const char *decimal_text(char text[32], int32_t n)
{
    char *to = mw_write_int(text, n / 1000);
    int32_t rest = (n < 0 ? -n : n) % 1000;
    if (rest) {
        *to++ = '.';
        for (int32_t unit = 100; rest; rest %= unit, unit /= 10)
            *to++ = (char)('0' + rest / unit);
    }
    *to = '\0';
    return text;
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
    char low[32], high[32];
    if (!read_decimal(b, to))
        mw_complain(b->run, MW_BAD_PARAM, b->pointer, "must be a number from %s to %s",
                    decimal_text(low, b->field->least), decimal_text(high, b->field->most));
}

static bool arg_is(const struct mw_arg *arg, const char *text)
{
    return arg->length == strlen(text) && !memcmp(arg->text, text, arg->length);
}

static void bind_boolean(const struct binding *b, bool *to)
{
    bool good = is_scalar_text(b->arg, MW_TRUTH);
    if (good && (arg_is(b->arg, "true") || (b->arg->shape == MW_RAW && arg_is(b->arg, "1"))))
        *to = true;
    else if (good && (arg_is(b->arg, "false") || (b->arg->shape == MW_RAW && arg_is(b->arg, "0"))))
        *to = false;
    else
        mw_complain(b->run, MW_BAD_PARAM, b->pointer, "must be true or false");
}

static void complain_choice(const struct binding *b)
{
    char names[MW_DETAIL_MAX];
    size_t n = 0;
    for (const char *const *choice = b->field->choices; *choice; choice++) {
        size_t length = strlen(*choice);
        if (n + length + 3 > sizeof names)
            break;
        memcpy(names + n, *choice, length);
        memcpy(names + n + length, ", ", 2);
        n += length + 2;
    }
    mw_complain(b->run, MW_BAD_PARAM, b->pointer, "must be one of: %.*s", (int)(n ? n - 2 : 0),
                names);
}

static void bind_choice(const struct binding *b, int32_t *to)
{
    if (is_scalar_text(b->arg, MW_TEXT))
        for (int32_t i = 0; b->field->choices[i]; i++)
            if (arg_is(b->arg, b->field->choices[i])) {
                *to = i;
                return;
            }
    complain_choice(b);
}

static char *copy_text(struct mw_run *run, const char *text, size_t length)
{
    char *copy = MW_NEW(run, char, length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static void bind_string(const struct binding *b, const char **to)
{
    const struct mw_arg *arg = b->arg;
    const struct mw_field *field = b->field;
    if (is_scalar_text(arg, MW_TEXT) && arg->length >= (size_t)field->least_count &&
        arg->length <= (size_t)field->most_count && is_utf8(arg->text, arg->length))
        *to = copy_text(b->run, arg->text, arg->length);
    else
        mw_complain(b->run, MW_BAD_PARAM, b->pointer, "must be a string of %d to %d bytes of UTF-8",
                    field->least_count, field->most_count);
}

/* ---- lists ----------------------------------------------------------------------------------- */

static int32_t count_elements(const struct mw_arg *arg, char separator)
{
    return arg->shape == MW_EMPTY ? 0 : cut_count(arg->text, arg->length, separator);
}

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

static bool list_shape(const struct binding *b, enum mw_shape shape, const char *should)
{
    if (is_scalar_text(b->arg, shape) || b->arg->shape == MW_EMPTY)
        return true;
    mw_complain(b->run, MW_BAD_PARAM, b->pointer, "must be %s", should);
    return false;
}

static bool read_element(const struct binding *b, const char *text, size_t length, int32_t *to)
{
    int64_t n;
    bool exact;
    if (!mw_read_number(text, length, 0, &n, &exact) || !exact || !in_range(b->field, n))
        return false;
    *to = (int32_t)n;
    return true;
}

static void bind_integers(const struct binding *b, struct mw_ints *to)
{
    int32_t n = count_elements(b->arg, ',');
    if (!list_shape(b, MW_NUMBERS, "a list of integers") || !count_fits(b, n, "element"))
        return;
    int32_t *list = MW_NEW(b->run, int32_t, n);
    struct cutter cutter = cut_text(b->arg->text, b->arg->length);
    const char *piece;
    size_t length;
    for (int32_t i = 0; i < n && cut_next(&cutter, ',', &piece, &length); i++)
        if (!read_element(b, piece, length, &list[i]))
            complain_element(b, i, "an integer");
    *to = (struct mw_ints){list, n};
}

static void bind_points(const struct binding *b, struct mw_points *to)
{
    int32_t n = count_elements(b->arg, ';');
    if (!list_shape(b, MW_PAIRS, "a list of points [x, y]") || !count_fits(b, n, "point"))
        return;
    struct mw_point *list = MW_NEW(b->run, struct mw_point, n);
    struct cutter cutter = cut_text(b->arg->text, b->arg->length);
    const char *piece;
    size_t length;
    for (int32_t i = 0; i < n && cut_next(&cutter, ';', &piece, &length); i++) {
        const char *comma = memchr(piece, ',', length);
        size_t x = comma ? (size_t)(comma - piece) : 0;
        if (!comma || !read_element(b, piece, x, &list[i].x) ||
            !read_element(b, comma + 1, length - x - 1, &list[i].y))
            complain_element(b, i, "[x, y] with both");
    }
    *to = (struct mw_points){list, n};
}

/* Looks through row y; false when a character was complained of. */
static bool row_is_clean(const struct binding *b, int32_t y, const char *row, size_t length)
{
    for (size_t x = 0; x < length; x++) {
        unsigned char c = (unsigned char)row[x];
        if (c && strchr(b->field->alphabet, c))
            continue;
        c = c == MW_SLASH ? '/' : c;
        if (c > 0x20 && c < 0x7f)
            mw_complain(b->run, MW_BAD_PARAM, b->pointer,
                        "row %d, column %d is '%c': must be one of %s", y, (int)x, c,
                        b->field->alphabet);
        else
            mw_complain(b->run, MW_BAD_PARAM, b->pointer,
                        "row %d, column %d is no printable character: must be one of %s", y, (int)x,
                        b->field->alphabet);
        return false;
    }
    return true;
}

static void bind_rows(const struct binding *b, struct mw_rows *to)
{
    int32_t n = count_elements(b->arg, '/');
    if (!list_shape(b, MW_STRINGS, "a list of strings, one for each row") ||
        !count_fits(b, n, "row"))
        return;
    struct cutter cutter = cut_text(b->arg->text, b->arg->length);
    const char *row;
    size_t length, width = 0;
    for (int32_t y = 0; y < n && cut_next(&cutter, '/', &row, &length); y++) {
        width = y ? width : length;
        if (length != width) {
            mw_complain(b->run, MW_BAD_PARAM, b->pointer,
                        "row %d has %zu characters and row 0 has %zu: rows must be of equal length",
                        y, length, width);
            return;
        }
        if (!row_is_clean(b, y, row, length))
            return;
    }
    if (width < (size_t)b->field->least || width > (size_t)b->field->most) {
        mw_complain(b->run, MW_BAD_PARAM, b->pointer,
                    "has rows of %zu characters: must be %d to %d", width, b->field->least,
                    b->field->most);
        return;
    }
    *to = (struct mw_rows){copy_text(b->run, b->arg->text, b->arg->length), (int32_t)width, n};
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

static bool names(const struct mw_arg *arg, const char *name)
{
    return arg->name_length == strlen(name) && !memcmp(arg->name, name, arg->name_length);
}

/* The argument of that name, or NULL; a second one is a problem, null is left out. */
static const struct mw_arg *find_arg(struct mw_run *run, const struct binder *binder,
                                     const char *name)
{
    const struct mw_arg *found = NULL;
    int times = 0;
    for (size_t i = 0; i < binder->count; i++)
        if (names(&binder->args[i], name)) {
            found = times++ ? found : &binder->args[i];
        }
    if (times > 1) {
        char pointer[MW_POINTER_MAX];
        point_at(pointer, name, strlen(name));
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
        struct binding b = {.run = run, .field = &fields[i]};
        set_default(b.field, params + b.field->offset);
        b.arg = find_arg(run, binder, b.field->name);
        if (!b.arg)
            continue;
        point_at(b.pointer, b.field->name, strlen(b.field->name));
        bind_value(&b, params + b.field->offset);
        given |= (mw_given)1 << i;
    }
    return given;
}

static bool is_look(const struct mw_arg *arg)
{
    for (const struct mw_field *f = mw_look_fields; f->type != MW_END_OF_TABLE; f++)
        if (names(arg, f->name))
            return true;
    return false;
}

static bool is_known(const struct mw_generator *generator, const struct mw_arg *arg)
{
    for (const struct mw_field *f = generator->fields; f->type != MW_END_OF_TABLE; f++)
        if (names(arg, f->name))
            return true;
    for (int i = 0; mw_common_fields[i].name; i++)
        if (names(arg, mw_common_fields[i].name))
            return !(generator->seedless && i == COMMON_SEED);
    return is_look(arg);
}

/* "width, height, ..." */
static size_t list_fields(const struct mw_generator *generator, char *text, size_t size)
{
    size_t n = 0;
    for (const struct mw_field *f = generator->fields; f->type != MW_END_OF_TABLE; f++) {
        size_t length = strlen(f->name);
        if (n + length + 2 > size)
            break;
        memcpy(text + n, f->name, length);
        memcpy(text + n + length, ", ", 2);
        n += length + 2;
    }
    return n ? n - 2 : 0;
}

static bool seen_before(const struct binder *binder, size_t i)
{
    for (size_t j = 0; j < i && j < 64; j++)
        if (binder->args[j].name_length == binder->args[i].name_length &&
            !memcmp(binder->args[j].name, binder->args[i].name, binder->args[i].name_length))
            return true;
    return false;
}

static void refuse_unknown(struct mw_run *run, const struct binder *binder)
{
    char known[MW_DETAIL_MAX], pointer[MW_POINTER_MAX];
    size_t n = list_fields(binder->generator, known, 200);
    for (size_t i = 0; i < binder->count; i++) {
        const struct mw_arg *arg = &binder->args[i];
        if (is_known(binder->generator, arg) || seen_before(binder, i))
            continue;
        point_at(pointer, arg->name, arg->name_length);
        mw_complain(run, MW_BAD_PARAM, pointer, "is no parameter of %s: it has %.*s%s",
                    binder->generator->name, (int)n, known,
                    binder->generator->seedless ? ", v, format, scale, color"
                                                : ", v, seed, format, scale, color");
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
        request->seed = copy_text(run, fresh, strlen(fresh));
        return;
    }
    int64_t n;
    bool exact;
    bool text = arg->shape == MW_RAW || arg->shape == MW_TEXT;
    if (text && arg->length >= 1 && arg->length <= SEED_BYTES && is_utf8(arg->text, arg->length)) {
        request->seed = copy_text(run, arg->text, arg->length);
    } else if (arg->shape == MW_NUMBER && mw_read_number(arg->text, arg->length, 0, &n, &exact) &&
               exact && n >= 0 && n <= MW_SEED_MOST) {
        char digits[24], *p = digits + sizeof digits;
        do
            *--p = (char)('0' + n % 10);
        while (n /= 10);
        request->seed = copy_text(run, p, (size_t)(digits + sizeof digits - p));
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
    char pointer[MW_POINTER_MAX];
    for (size_t i = 0; i < binder->count; i++) {
        const struct mw_arg *arg = &binder->args[i];
        if (is_look(arg) || seen_before(binder, i))
            continue;
        point_at(pointer, arg->name, arg->name_length);
        mw_complain(run, MW_BAD_PARAM, pointer,
                    "is no parameter here: there are only format, scale, color");
    }
}

bool mw_bind_look(struct mw_run *run, const struct mw_arg *args, size_t count, struct mw_look *look)
{
    struct mw_request request = {0};
    struct binder binder = {.args = args, .count = count, .request = &request};
    bool good = mw_guarded(run, bind_look, &binder);
    *look = request.look;
    return good;
}
