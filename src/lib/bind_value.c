/*
 * bind_value.c: one argument to one value, by the row of its field alone.
 *
 * Everything that is wrong is reported, for lists at each wrong element.
 */
#include "bind.h"
#include "number.h"

static bool is_utf8(struct span text)
{
    uint32_t code = 1;
    for (size_t i = 0, n; i < text.length; i += n) {
        n = span_character((struct span){text.at + i, text.length - i}, &code);
        if (!n || !code)
            return false;
    }
    return true;
}

void mw_point_at(char pointer[MW_POINTER_MAX], struct span name)
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

void mw_list_names(char *to, size_t room, const char *const *names, size_t count)
{
    char *start = to, *end = to + room;
    *to = '\0';
    for (size_t i = 0; i < count && strlen(names[i]) + sizeof ", " <= (size_t)(end - to); i++) {
        const char *const pieces[] = {to > start ? ", " : "", names[i]};
        for (int k = 0; k < 2; to += strlen(pieces[k++]))
            memcpy(to, pieces[k], strlen(pieces[k]) + 1);
    }
}

static bool is_scalar_text(const struct mw_arg *arg, enum mw_shape shape)
{
    return arg->shape == MW_RAW || arg->shape == shape;
}

bool mw_read_integer(struct span text, int64_t least, int64_t most, int64_t *to)
{
    bool exact;
    return mw_read_number(text.at, text.length, 0, to, &exact) && exact && *to >= least &&
           *to <= most;
}

static bool read_ranged(const struct mw_field *field, struct span text, int32_t *to)
{
    int64_t n;
    if (!mw_read_integer(text, field->least, field->most, &n))
        return false;
    *to = (int32_t)n;
    return true;
}

static void bind_integer(const struct mw_binding *b, int32_t *to)
{
    if (!is_scalar_text(b->arg, MW_NUMBER) || !read_ranged(b->field, mw_text_of(b->arg), to))
        mw_add_problem(b->run, MW_BAD_PARAM, b->pointer, "must be an integer from %d to %d",
                       b->field->least, b->field->most);
}

/* Rounded to thousandths, but not into the range. */
static bool read_decimal(const struct mw_binding *b, int32_t *to)
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

static void bind_decimal(const struct mw_binding *b, int32_t *to)
{
    if (read_decimal(b, to))
        return;
    char low[16], high[16];
    *mw_write_thousandths(low, b->field->least) = '\0';
    *mw_write_thousandths(high, b->field->most) = '\0';
    mw_add_problem(b->run, MW_BAD_PARAM, b->pointer, "must be a number from %s to %s", low, high);
}

/* true or false; in a URL or a shell also 1 or 0 */
static void bind_boolean(const struct mw_binding *b, bool *to)
{
    struct span text = mw_text_of(b->arg);
    bool raw = b->arg->shape == MW_RAW, good = is_scalar_text(b->arg, MW_TRUTH);
    if (good && (span_is(text, "true") || (raw && span_is(text, "1"))))
        *to = true;
    else if (good && (span_is(text, "false") || (raw && span_is(text, "0"))))
        *to = false;
    else
        mw_add_problem(b->run, MW_BAD_PARAM, b->pointer, "must be true or false");
}

static void refuse_choice(const struct mw_binding *b)
{
    assert(b->field->choices && *b->field->choices);
    char names[MW_DETAIL_MAX];
    size_t count = 0;
    while (b->field->choices[count])
        count++;
    mw_list_names(names, sizeof names, b->field->choices, count);
    mw_add_problem(b->run, MW_BAD_PARAM, b->pointer, "must be one of: %s", names);
}

/* Words that are a truth may be given as one. */
static void bind_choice(const struct mw_binding *b, int32_t *to)
{
    if (is_scalar_text(b->arg, MW_TEXT) || b->arg->shape == MW_TRUTH)
        for (int32_t i = 0; b->field->choices[i]; i++)
            if (span_is(mw_text_of(b->arg), b->field->choices[i])) {
                *to = i;
                return;
            }
    refuse_choice(b);
}

bool mw_is_string(struct span text, int32_t least, int32_t most)
{
    return text.length >= (size_t)least && text.length <= (size_t)most && is_utf8(text);
}

static void bind_string(const struct mw_binding *b, const char **to)
{
    int32_t least = b->field->least_count, most = b->field->most_count;
    if (is_scalar_text(b->arg, MW_TEXT) && mw_is_string(mw_text_of(b->arg), least, most))
        *to = mw_copy_text(b->run, b->arg->text, b->arg->length);
    else
        mw_add_problem(b->run, MW_BAD_PARAM, b->pointer,
                       "must be a string of %d to %d bytes of UTF-8", least, most);
}

/* ---- lists ----------------------------------------------------------------------------------- */

static bool count_fits(const struct mw_binding *b, int32_t n, const char *of)
{
    const struct mw_field *field = b->field;
    if (n >= field->least_count && n <= field->most_count)
        return true;
    const char *more = n == 1 ? "" : "s";
    if (field->least_count == field->most_count)
        mw_add_problem(b->run, MW_BAD_PARAM, b->pointer, "has %d %s%s: must have %d", n, of, more,
                       field->least_count);
    else
        mw_add_problem(b->run, MW_BAD_PARAM, b->pointer, "has %d %s%s: must have %d to %d", n, of,
                       more, field->least_count, field->most_count);
    return false;
}

/* How a list is written, and its words in messages. */
struct list_kind {
    char separator; /* in a URL */
    char mark;      /* in JSON, before an element; 0: none */
    const char *element, *all;
};

static const struct list_kind integers = {',', 0, "element", "integers"},
                              points = {';', '[', "point", "points [x, y]"},
                              strings = {'/', '"', "row", "strings, one for each row"};

/* What an element that cannot be read should be. */
static void refuse_element(const struct mw_binding *b, int32_t i)
{
    const struct mw_field *field = b->field;
    if (field->type == MW_ROWS)
        mw_add_problem_at(b->run, MW_BAD_PARAM, b->pointer, i, "must be a string of %s",
                          field->alphabet);
    else
        mw_add_problem_at(b->run, MW_BAD_PARAM, b->pointer, i, "must be %s from %d to %d",
                          field->type == MW_POINTS ? "[x, y] with both" : "an integer",
                          field->least, field->most);
}

/* Elements that are still to be read. */
struct elements {
    struct span rest;
    char separator, mark;
    int32_t count; /* of all; -1: it is no such list, which is reported */
};

static struct elements find_elements(const struct mw_binding *b, const struct list_kind *kind)
{
    struct elements e = {mw_text_of(b->arg), kind->separator, 0, -1};
    if (b->arg->shape == MW_LIST) {
        e.rest = e.rest.length ? (struct span){e.rest.at + 1, e.rest.length - 1} : (struct span){0};
        e.separator = '\0';
        e.mark = kind->mark;
    } else if (b->arg->shape != MW_RAW) {
        bool two = b->field->least_count == 2 && b->field->most_count == 2;
        mw_add_problem(b->run, MW_BAD_PARAM, b->pointer, "must be a list of %s%s%s",
                       two ? "two " : "", kind->all,
                       b->field->role ? ", or the address of another map" : "");
        return e;
    }
    int32_t n = e.rest.at ? span_count(e.rest, e.separator) : 0;
    e.count = count_fits(b, n, kind->element) ? n : -1;
    return e;
}

/* The next element, of which there is one; NULL: it is of another kind. */
static struct span next_element(struct elements *e)
{
    struct span piece = {0};
    span_cut(&e->rest, e->separator, &piece);
    if (!e->mark)
        return piece;
    bool marked = piece.length && *piece.at == e->mark;
    return marked ? (struct span){piece.at + 1, piece.length - 1} : (struct span){0};
}

static void bind_integers(const struct mw_binding *b, struct mw_ints *to)
{
    struct elements e = find_elements(b, &integers);
    if (e.count < 0)
        return;
    int32_t *list = MW_NEW(b->run, int32_t, e.count);
    for (int32_t i = 0; i < e.count; i++)
        if (!read_ranged(b->field, next_element(&e), &list[i]))
            refuse_element(b, i);
    *to = (struct mw_ints){list, e.count};
}

static bool read_point(const struct mw_field *field, struct span text, struct mw_point *to)
{
    struct span y = text, x;
    span_cut(&y, ',', &x);
    return y.at && read_ranged(field, x, &to->x) && read_ranged(field, y, &to->y);
}

static void bind_points(const struct mw_binding *b, struct mw_points *to)
{
    struct elements e = find_elements(b, &points);
    if (e.count < 0)
        return;
    struct mw_point *list = MW_NEW(b->run, struct mw_point, e.count);
    for (int32_t i = 0; i < e.count; i++)
        if (!read_point(b->field, next_element(&e), &list[i]))
            refuse_element(b, i);
    *to = (struct mw_points){list, e.count};
}

/* Checks row y; false: its first wrong character is reported. */
static bool row_is_clean(const struct mw_binding *b, int32_t y, struct span row)
{
    const char *alphabet = b->field->alphabet;
    for (size_t x = 0; x < row.length; x++) {
        unsigned char c = (unsigned char)row.at[x];
        if (c && strchr(alphabet, c))
            continue;
        if (c > 0x20 && c < 0x7f)
            mw_add_problem_at(b->run, MW_BAD_PARAM, b->pointer, y,
                              "column %d is '%c': must be one of %s", (int)x, c, alphabet);
        else
            mw_add_problem_at(b->run, MW_BAD_PARAM, b->pointer, y,
                              "column %d is no printable character: must be one of %s", (int)x,
                              alphabet);
        return false;
    }
    return true;
}

static bool row_is_as_long(const struct mw_binding *b, int32_t y, struct span row, size_t width)
{
    if (row.length != width)
        mw_add_problem_at(b->run, MW_BAD_PARAM, b->pointer, y,
                          "is of length %zu and row 0 of %zu: rows must be of equal length",
                          row.length, width);
    return row.length == width;
}

static bool rows_are_strings(const struct mw_binding *b, struct elements e)
{
    bool good = true;
    for (int32_t y = 0; y < e.count; y++)
        if (!next_element(&e).at) {
            refuse_element(b, y);
            good = false;
        }
    return good;
}

/* The width of good rows; 0: a problem is reported. */
static size_t check_rows(const struct mw_binding *b, struct elements e)
{
    size_t width = 0;
    bool good = true;
    for (int32_t y = 0; y < e.count; y++) {
        struct span row = next_element(&e);
        width = y ? width : row.length;
        good = row_is_as_long(b, y, row, width) && row_is_clean(b, y, row) && good;
    }
    if (width >= (size_t)b->field->least && width <= (size_t)b->field->most)
        return good ? width : 0;
    mw_add_problem(b->run, MW_BAD_PARAM, b->pointer, "has rows of length %zu: must be %d to %d",
                   width, b->field->least, b->field->most);
    return 0;
}

static void bind_rows(const struct mw_binding *b, struct mw_rows *to)
{
    assert(b->field->least > 0);
    struct elements e = find_elements(b, &strings);
    size_t width = e.count > 0 && rows_are_strings(b, e) ? check_rows(b, e) : 0;
    if (!width)
        return;
    char *rows = MW_NEW(b->run, char, (size_t)e.count *(width + 1)), *end = rows;
    for (int32_t y = 0; y < e.count; y++) {
        memcpy(end, next_element(&e).at, width);
        end += width;
        *end++ = '/';
    }
    end[-1] = '\0';
    *to = (struct mw_rows){rows, (int32_t)width, e.count};
}

/* ---- any type -------------------------------------------------------------------------------- */

void mw_bind_value(const struct mw_binding *b, void *to)
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
