/*
 * bind_value.c: one argument to one value, by the row of its field alone.
 *
 * Everything that is wrong is reported, for lists at each wrong element.
 */
#include "number.h"
#include "run.h"
#include "suggestion.h"

#define REFUSE(b, ...) mw_add_problem((b)->run, MW_BAD_PARAM, (b)->pointer, __VA_ARGS__)
#define REFUSE_AT(b, i, ...) mw_add_problem_at((b)->run, MW_BAD_PARAM, (b)->pointer, i, __VA_ARGS__)

/* ---- text ------------------------------------------------------------------------------------ */

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
        bool escaped = c == '~' || c == '/';
        if (escaped)
            *to++ = '~';
        *to++ = escaped ? (c == '~' ? '0' : '1') : text || (c >= ' ' && c < 0x7f) ? c : '?';
    }
    *to = '\0';
    assert(is_utf8(span_of(pointer)) || to >= end);
}

void mw_list_names(char *to, size_t room, const char *const *names)
{
    char *start = to, *end = to + room;
    for (; *names && strlen(*names) + sizeof ", " <= (size_t)(end - to); names++) {
        if (to > start) {
            *to++ = ',';
            *to++ = ' ';
        }
        memcpy(to, *names, strlen(*names));
        to += strlen(*names);
    }
    *to = '\0';
}

void mw_refuse_word(struct mw_run *run, const char *pointer, struct span word, const char *is_no,
                    const char *kind, const char *const *names)
{
    char known[240]; /* so that the sentence fits */
    struct suggestion guess = {.meant = word};
    for (size_t i = 0; names[i]; i++)
        mw_consider_word(&guess, names[i]);
    mw_list_names(known, sizeof known, names);
    mw_add_problem(run, MW_BAD_PARAM, pointer, "%s%s: %s%s%sthere are %s", is_no, kind,
                   guess.nearest ? "did you mean " : "", guess.nearest ? guess.nearest : "",
                   guess.nearest ? "? " : "", known);
}

/* ---- single values: false where the text is none --------------------------------------------- */

bool mw_read_integer(struct span text, int64_t least, int64_t most, int64_t *to)
{
    bool exact;
    return mw_read_number(text.at, text.length, 0, to, &exact) && exact && *to >= least &&
           *to <= most;
}

static bool read_ranged(const struct mw_field *field, struct span text, int32_t *to)
{
    int64_t n;
    bool good = mw_read_integer(text, field->least, field->most, &n);
    *to = good ? (int32_t)n : *to;
    return good;
}

/* Rounded to thousandths, but not into the range. */
static bool read_decimal(const struct mw_field *field, struct span text, int32_t *to)
{
    const int64_t unit = 1000000; /* of 10^-9 in a thousandth */
    int64_t n, fine;
    bool exact;
    if (!mw_read_number(text.at, text.length, 3, &n, &exact) ||
        !mw_read_number(text.at, text.length, 9, &fine, &exact) || fine < field->least * unit ||
        fine > field->most * unit)
        return false;
    *to = (int32_t)n;
    return true;
}

static void refuse_decimal(const struct mw_binding *b)
{
    char low[16], high[16];
    *mw_write_decimal(low, b->field->least, 1000) = '\0';
    *mw_write_decimal(high, b->field->most, 1000) = '\0';
    REFUSE(b, "must be a number from %s to %s", low, high);
}

/* true or false; in a URL or a shell also 1 or 0 */
static bool read_boolean(struct span text, bool raw, bool *to)
{
    *to = span_is(text, "true") || (raw && span_is(text, "1"));
    return *to || span_is(text, "false") || (raw && span_is(text, "0"));
}

static bool read_choice(const struct mw_field *field, struct span text, int32_t *to)
{
    int32_t i = 0;
    while (field->choices[i] && !span_is(text, field->choices[i]))
        i++;
    *to = field->choices[i] ? i : *to;
    return field->choices[i];
}

static void refuse_choice(const struct mw_binding *b)
{
    char names[MW_DETAIL_MAX];
    assert(b->field->choices && *b->field->choices);
    mw_list_names(names, sizeof names, b->field->choices);
    REFUSE(b, "must be one of: %s", names);
}

bool mw_is_string(struct span text, int32_t least, int32_t most)
{
    return text.length >= (size_t)least && text.length <= (size_t)most && is_utf8(text);
}

static bool read_string(const struct mw_binding *b, const char **to)
{
    if (!mw_is_string(mw_text_of(b->arg), b->field->least_count, b->field->most_count))
        return false;
    *to = mw_copy_text(b->run, b->arg->text, b->arg->length);
    return true;
}

/* Sets the value, or reports what it must be. */
static void bind_single(const struct mw_binding *b, void *to)
{
    static const enum mw_shape shapes[] = {[MW_INTEGER] = MW_NUMBER,
                                           [MW_DECIMAL] = MW_NUMBER,
                                           [MW_BOOLEAN] = MW_TRUTH,
                                           [MW_ONE_OF] = MW_TEXT,
                                           [MW_STRING] = MW_TEXT};
    const struct mw_field *f = b->field;
    enum mw_shape shape = b->arg->shape;
    bool raw = shape == MW_RAW, fits = raw || shape == shapes[f->type];
    struct span text = mw_text_of(b->arg);
    if (f->type == MW_INTEGER && !(fits && read_ranged(f, text, to)))
        REFUSE(b, "must be an integer from %d to %d", f->least, f->most);
    if (f->type == MW_DECIMAL && !(fits && read_decimal(f, text, to)))
        refuse_decimal(b);
    if (f->type == MW_BOOLEAN && !(fits && read_boolean(text, raw, to)))
        REFUSE(b, "must be true or false");
    /* words that are a truth may be given as one */
    if (f->type == MW_ONE_OF && !((fits || shape == MW_TRUTH) && read_choice(f, text, to)))
        refuse_choice(b);
    if (f->type == MW_STRING && !(fits && read_string(b, to)))
        REFUSE(b, "must be a string of %d to %d bytes of UTF-8", f->least_count, f->most_count);
}

/* ---- lists ----------------------------------------------------------------------------------- */

static bool count_fits(const struct mw_binding *b, int32_t n, const char *of)
{
    const struct mw_field *field = b->field;
    if (n >= field->least_count && n <= field->most_count)
        return true;
    const char *more = n == 1 ? "" : "s";
    if (field->least_count == field->most_count)
        REFUSE(b, "has %d %s%s: must have %d", n, of, more, field->least_count);
    else
        REFUSE(b, "has %d %s%s: must have %d to %d", n, of, more, field->least_count,
               field->most_count);
    return false;
}

/* How a list is written, and its words in messages. */
struct list_kind {
    char separator; /* in a URL */
    char mark;      /* in JSON, before an element; 0: none */
    const char *element, *all;
};

static const struct list_kind list_kinds[] = {
    [MW_INTEGERS] = {',', 0, "element", "integers"},
    [MW_POINTS] = {';', '[', "point", "points [x, y]"},
    [MW_ROWS] = {'/', '"', "row", "strings, one for each row"},
};

/* Reports what an element that cannot be read must be. */
static void refuse_element(const struct mw_binding *b, int32_t i)
{
    const struct mw_field *field = b->field;
    if (field->type == MW_ROWS)
        REFUSE_AT(b, i, "must be a string of %s", field->alphabet);
    else
        REFUSE_AT(b, i, "must be %s from %d to %d",
                  field->type == MW_POINTS ? "[x, y] with both" : "an integer", field->least,
                  field->most);
}

/* Elements that are still to be read. */
struct elements {
    struct span rest;
    char separator, mark;
    int32_t count; /* of all; -1: it is no such list, which is reported */
};

static struct elements find_elements(const struct mw_binding *b)
{
    const struct list_kind *kind = &list_kinds[b->field->type];
    struct elements e = {mw_text_of(b->arg), kind->separator, 0, -1};
    if (b->arg->shape == MW_LIST) {
        e.rest = e.rest.length ? (struct span){e.rest.at + 1, e.rest.length - 1} : (struct span){0};
        e.separator = '\0';
        e.mark = kind->mark;
    } else if (b->arg->shape != MW_RAW) {
        bool two = b->field->least_count == 2 && b->field->most_count == 2;
        REFUSE(b, "must be a list of %s%s%s", two ? "two " : "", kind->all,
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

/* So many integers with commas between them. */
static bool read_tuple(const struct mw_field *field, struct span text, int length, int32_t *to)
{
    struct span piece;
    for (int i = 0; i < length; i++)
        if (!span_cut(&text, ',', &piece) || !read_ranged(field, piece, &to[i]))
            return false;
    return !text.at;
}

/* Integers one by one, or two for each point. */
static void bind_numbers(const struct mw_binding *b, void *to)
{
    struct elements e = find_elements(b);
    if (e.count < 0)
        return;
    int length = b->field->type == MW_POINTS ? 2 : 1;
    int32_t *list = MW_NEW(b->run, int32_t, (int64_t)e.count * length);
    for (int32_t i = 0; i < e.count; i++)
        if (!read_tuple(b->field, next_element(&e), length, &list[i * length]))
            refuse_element(b, i);
    if (length == 2)
        *(struct mw_points *)to = (struct mw_points){(struct mw_point *)(void *)list, e.count};
    else
        *(struct mw_ints *)to = (struct mw_ints){list, e.count};
}

/* ---- rows ------------------------------------------------------------------------------------ */

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

/* Whether row y is of that width and of good characters; what is wrong first is reported. */
static bool check_row(const struct mw_binding *b, int32_t y, struct span row, size_t width)
{
    const char *alphabet = b->field->alphabet;
    size_t x = 0;
    while (x < row.length && row.at[x] && strchr(alphabet, row.at[x]))
        x++;
    if (row.length != width)
        REFUSE_AT(b, y, "is of length %zu and row 0 of %zu: rows must be of equal length",
                  row.length, width);
    else if (x < width && row.at[x] > 0x20 && row.at[x] < 0x7f)
        REFUSE_AT(b, y, "column %d is '%c': must be one of %s", (int)x, row.at[x], alphabet);
    else if (x < width)
        REFUSE_AT(b, y, "column %d is no printable character: must be one of %s", (int)x, alphabet);
    return row.length == width && x == width;
}

/* The width of good rows; 0: a problem is reported. */
static size_t check_rows(const struct mw_binding *b, struct elements e)
{
    size_t width = 0;
    bool good = true;
    for (int32_t y = 0; y < e.count; y++) {
        struct span row = next_element(&e);
        width = y ? width : row.length;
        good = check_row(b, y, row, width) && good;
    }
    if (width >= (size_t)b->field->least && width <= (size_t)b->field->most)
        return good ? width : 0;
    REFUSE(b, "has rows of length %zu: must be %d to %d", width, b->field->least, b->field->most);
    return 0;
}

static void bind_rows(const struct mw_binding *b, struct mw_rows *to)
{
    assert(b->field->least > 0);
    struct elements e = find_elements(b);
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

void mw_bind_value(const struct mw_binding *b, void *to)
{
    enum mw_type type = b->field->type;
    if (type == MW_ROWS)
        bind_rows(b, to);
    else if (type == MW_INTEGERS || type == MW_POINTS)
        bind_numbers(b, to);
    else
        bind_single(b, to);
}
