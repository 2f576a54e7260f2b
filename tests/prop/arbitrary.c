/*
 * arbitrary.c: random requests. It shares no code with the library, its random numbers included.
 *
 * No expression draws twice: compilers differ in what they evaluate first.
 */
#include "arbitrary.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arbitrary arbitrary_of(const struct mw_generator *generator, uint64_t number)
{
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15) * (number + 1);
    for (const char *c = generator->name; *c; c++)
        state = (state ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    return (struct arbitrary){.state = state};
}

uint32_t arbitrary_below(struct arbitrary *source, uint32_t n)
{
    uint64_t z = source->state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z >> 32) * n >> 32);
}

static bool one_in(struct arbitrary *source, uint32_t n) { return arbitrary_below(source, n) == 0; }

/* ---- the text of values ---------------------------------------------------------------------- */

/* Adds to the text of the argument under way; what does not fit is left out. */
static void add(struct raw_request *raw, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void add(struct raw_request *raw, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    size_t room = sizeof raw->text - raw->used;
    int n = vsnprintf(raw->text + raw->used, room, format, list);
    va_end(list);
    if (n > 0 && (size_t)n < room)
        raw->used += (size_t)n;
}

/* Small as a rule, as sides of maps multiply; now and then a boundary, or anything. */
static int64_t draw_number(struct arbitrary *source, int64_t least, int64_t most)
{
    uint64_t span = (uint64_t)(most - least) + 1,
             reach = UINT64_C(1) << (arbitrary_below(source, 6) + source->scale);
    switch (arbitrary_below(source, 24)) {
    case 0: return least;
    case 1: return most;
    case 2: reach = 1000; break;
    case 3: reach = span < UINT32_MAX ? span : UINT32_MAX; break;
    default: break;
    }
    return least + arbitrary_below(source, (uint32_t)(reach < span ? reach : span));
}

static void add_thousandths(struct raw_request *raw, int64_t n)
{
    uint64_t size = n < 0 ? (uint64_t)-n : (uint64_t)n;
    add(raw, "%s%u.%03u", n < 0 ? "-" : "", (unsigned)(size / 1000), (unsigned)(size % 1000));
}

static void add_decimal(struct arbitrary *source, struct raw_request *raw,
                        const struct mw_field *field)
{
    uint32_t span = (uint32_t)((int64_t)field->most - field->least) + 1;
    int64_t n = one_in(source, 4) ? field->least
                : one_in(source, 4)
                    ? field->most
                    : field->least + (int64_t)arbitrary_below(source, span ? span : UINT32_MAX);
    add_thousandths(raw, n);
}

static int32_t draw_count(struct arbitrary *source, const struct mw_field *field)
{
    int64_t n = draw_number(source, field->least_count, field->most_count);
    return (int32_t)(n < 200 ? n : 200);
}

const char *arbitrary_word(struct arbitrary *source)
{
    static const char *const words[] = {"a",
                                        "hello",
                                        "7",
                                        "007",
                                        "x y",
                                        "%&=+",
                                        "caf\xc3\xa9",
                                        "\xf0\x9f\x97\xba",
                                        "<&\">",
                                        "\n\t\x01\x7f",
                                        "\xef\xbf\xbf",
                                        "-",
                                        "true"};
    return words[arbitrary_below(source, sizeof words / sizeof words[0])];
}

static void add_string(struct arbitrary *source, struct raw_request *raw,
                       const struct mw_field *field)
{
    int32_t least = field->least_count;
    do
        add(raw, "%s", arbitrary_word(source));
    while ((least -= 1) > 0);
}

static void add_integers(struct arbitrary *source, struct raw_request *raw,
                         const struct mw_field *field)
{
    bool alike = one_in(source, 3);
    int64_t n = draw_number(source, field->least, field->most);
    for (int32_t i = 0, count = draw_count(source, field); i < count; i++) {
        add(raw, i ? ",%lld" : "%lld", (long long)n);
        n = alike ? n : draw_number(source, field->least, field->most);
    }
}

static void add_points(struct arbitrary *source, struct raw_request *raw,
                       const struct mw_field *field)
{
    uint32_t reach = (uint32_t)((int64_t)field->most - field->least);
    reach = one_in(source, 2) && reach > 20 ? 20 : reach; /* a crowd on a few lines */
    for (int32_t i = 0, count = draw_count(source, field); i < count; i++) {
        long long x = (long long)field->least + arbitrary_below(source, reach + 1);
        long long y = (long long)field->least + arbitrary_below(source, reach + 1);
        add(raw, i ? ";%lld,%lld" : "%lld,%lld", x, y);
    }
}

/* The characters of an alphabet that are (or are not) letters or digits. */
static int pick_alphabet(char picked[128], const char *alphabet, bool letters)
{
    int n = 0;
    for (const char *c = alphabet; *c && n < 127; c++) {
        bool letter =
            (*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z') || (*c >= 'a' && *c <= 'z');
        if (letter == letters)
            picked[n++] = *c;
    }
    picked[n] = '\0';
    return n;
}

/* The first cell from a drawn one on that has a mark; -1: there is none. */
static int draw_free(struct arbitrary *source, const char *board, uint32_t length,
                     const char *letters)
{
    uint32_t start = arbitrary_below(source, length);
    for (uint32_t k = 0; k < length; k++) {
        uint32_t i = (start + k) % length;
        if (board[i] != '/' && !strchr(letters, board[i]))
            return (int)i;
    }
    return -1;
}

/* A ground of marks with a preference for one, and letters on it in twos, as boards have them. */
static void add_rows(struct arbitrary *source, struct raw_request *raw,
                     const struct mw_field *field)
{
    static const uint32_t doubts[] = {0, 3, 10, 30, 60, 100};
    char marks[128], letters[128];
    int mark_count = pick_alphabet(marks, field->alphabet, false);
    int letter_count = pick_alphabet(letters, field->alphabet, true);
    int32_t most = field->most < 40 ? field->most : 40,
            most_rows = field->most_count < 40 ? field->most_count : 40;
    uint32_t width = (uint32_t)draw_number(source, field->least, most);
    uint32_t height = (uint32_t)draw_number(source, field->least_count, most_rows);
    if (raw->used + ((size_t)width + 1) * height >= sizeof raw->text)
        return;
    char *board = raw->text + raw->used;
    char ground = !mark_count ? letters[0] : one_in(source, 4) ? marks[mark_count - 1] : marks[0];
    uint32_t doubt = doubts[arbitrary_below(source, sizeof doubts / sizeof doubts[0])];
    for (uint32_t i = 0; i < (width + 1) * height; i++)
        board[i] = (i + 1) % (width + 1) == 0 ? '/'
                   : mark_count && arbitrary_below(source, 100) < doubt
                       ? marks[arbitrary_below(source, (uint32_t)mark_count)]
                       : ground;
    uint32_t pairs = letter_count ? arbitrary_below(source, width * height / 5 + 2) : 0;
    for (uint32_t i = 0; i < 2 * pairs && i < 2 * (uint32_t)letter_count; i++) {
        int at = draw_free(source, board, (width + 1) * height, letters);
        if (at >= 0)
            board[at] = letters[i / 2];
    }
    raw->used += (size_t)(width + 1) * height - 1; /* no separator after the last row */
}

static int32_t choice_count(const struct mw_field *field)
{
    int32_t n = 0;
    while (field->choices[n])
        n++;
    return n;
}

/* Writes a value into the range of the field, lists as in a URL; its shape in JSON. */
static enum mw_shape add_value(struct arbitrary *source, struct raw_request *raw,
                               const struct mw_field *field)
{
    switch (field->type) {
    case MW_INTEGER:
        add(raw, "%lld", (long long)draw_number(source, field->least, field->most));
        return MW_NUMBER;
    case MW_DECIMAL: add_decimal(source, raw, field); return MW_NUMBER;
    case MW_BOOLEAN: add(raw, one_in(source, 2) ? "true" : "false"); return MW_TRUTH;
    case MW_ONE_OF:
        add(raw, "%s", field->choices[arbitrary_below(source, (uint32_t)choice_count(field))]);
        return MW_TEXT;
    case MW_STRING: add_string(source, raw, field); return MW_TEXT;
    case MW_INTEGERS: add_integers(source, raw, field); return MW_LIST;
    case MW_POINTS: add_points(source, raw, field); return MW_LIST;
    case MW_ROWS: add_rows(source, raw, field); return MW_LIST;
    case MW_POINT:
    case MW_BOX:
    case MW_END_OF_TABLE: break;
    }
    return MW_NIL;
}

/* ---- the address of another map -------------------------------------------------------------- */

static void add_escaped(struct raw_request *raw, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                     (c && strchr("-._~/,;", c));
        add(raw, plain ? "%c" : "%%%02X", c);
    }
}

static bool can_be_spelled(const struct mw_arg *arg)
{
    return arg->shape != MW_NIL && arg->shape != MW_OTHER && (arg->shape != MW_LIST || arg->length);
}

/* A generator that has such a part or column as a rule, but sometimes any. */
static bool may_stand(struct arbitrary *source, const struct mw_field *field,
                      const struct mw_generator *generator)
{
    for (const struct mw_part *part = generator->parts; part->kind != MW_NO_PART; part++) {
        if (field->type == MW_ROWS && part->role == field->role)
            return true;
        const struct mw_column *c = part->kind == MW_TABLE ? part->columns : NULL;
        for (; c && field->type != MW_ROWS && c->type != MW_END_OF_TABLE; c++)
            if (c->role == field->role || (c->role == MW_DOWN && field->role == MW_MARK))
                return true;
    }
    return one_in(source, 20);
}

static bool add_address(struct arbitrary *source, struct raw_request *raw,
                        const struct mw_field *field)
{
    const struct mw_generator *picked = NULL;
    uint32_t met = 0;
    for (const struct mw_generator *const *g = mw_generators; *g; g++)
        if (may_stand(source, field, *g) && one_in(source, ++met))
            picked = *g;
    struct raw_request *below = picked ? calloc(1, sizeof *below) : NULL;
    if (!below)
        return false;
    source->depth++;
    arbitrary_request(source, picked, below);
    source->depth--;
    add(raw, "/%s?", picked->name);
    for (size_t i = 0; i < below->count; i++) {
        if (!can_be_spelled(&below->args[i]))
            continue;
        add_escaped(raw, below->args[i].name, below->args[i].name_length);
        add(raw, "=");
        add_escaped(raw, below->args[i].text, below->args[i].length);
        add(raw, "&");
    }
    if (one_in(source, 6))
        add(raw, one_in(source, 2) ? "of=1" : "of=2,1,3");
    free(below);
    return true;
}

/* ---- the request ----------------------------------------------------------------------------- */

static void add_arg(struct raw_request *raw, const char *name, enum mw_shape shape, size_t start)
{
    if (raw->count == REQUEST_ARGS)
        return;
    raw->args[raw->count++] = (struct mw_arg){.name = name,
                                              .name_length = strlen(name),
                                              .shape = shape,
                                              .text = raw->text + start,
                                              .length = raw->used - start};
}

static void add_seed(struct arbitrary *source, struct raw_request *raw)
{
    static const struct mw_field words = {.least_count = 1};
    size_t start = raw->used;
    bool number = one_in(source, 2);
    if (number)
        add(raw, "%u", (unsigned)arbitrary_below(source, 1000000));
    else
        add_string(source, raw, &words);
    add_arg(raw, "seed", one_in(source, 2) ? MW_RAW : number ? MW_NUMBER : MW_TEXT, start);
}

/* Something is wrong with this request, or is not quite usual. */
static void add_mishap(struct arbitrary *source, struct raw_request *raw)
{
    static const char *const nonsense[] = {
        "",      "-1", "1e400", "x", "0x10", "99999999999999999999", "1.5", "\xff\xfe",
        "1,2;3", "/",  "-",     ".", "4097"};
    size_t start = raw->used;
    add(raw, "%s", nonsense[arbitrary_below(source, sizeof nonsense / sizeof nonsense[0])]);
    struct mw_arg *arg =
        raw->count ? &raw->args[arbitrary_below(source, (uint32_t)raw->count)] : NULL;
    switch (arbitrary_below(source, 6)) {
    case 0: add_arg(raw, "nonsense", MW_RAW, start); return;
    case 1: add_arg(raw, "v", MW_RAW, start); return;
    case 2:
        if (arg)
            add_arg(raw, arg->name, MW_RAW, start);
        return;
    case 3:
        if (arg)
            arg->shape = (enum mw_shape)arbitrary_below(source, MW_OTHER + 1);
        return;
    default:
        if (arg) {
            arg->text = raw->text + start;
            arg->length = raw->used - start;
        }
    }
}

/* Whether a field is given. Optional ones often contradict others: they come seldom, and mostly
   alone. Without one that is required there is nothing to see. */
static bool is_given(struct arbitrary *source, const struct mw_field *field,
                     const struct mw_field *only, uint32_t generous)
{
    bool required = field->type == MW_ROWS && !field->optional;
    if (required && !one_in(source, 20))
        return true;
    if (only)
        return field == only || one_in(source, 12);
    return !field->optional && arbitrary_below(source, 4) <= generous;
}

static const struct mw_field *pick_optional(struct arbitrary *source, const struct mw_field *fields)
{
    const struct mw_field *picked = NULL;
    uint32_t met = 0;
    for (const struct mw_field *f = fields; f->type != MW_END_OF_TABLE; f++)
        if (f->optional && one_in(source, ++met))
            picked = f;
    return picked && one_in(source, 2) ? picked : NULL;
}

void arbitrary_request(struct arbitrary *source, const struct mw_generator *generator,
                       struct raw_request *raw)
{
    raw->generator = generator;
    raw->count = raw->used = 0;
    uint32_t generous = arbitrary_below(source, 4);
    const struct mw_field *only = pick_optional(source, generator->fields);
    for (const struct mw_field *f = generator->fields; f->type != MW_END_OF_TABLE; f++) {
        if (!is_given(source, f, only, generous))
            continue;
        size_t start = raw->used;
        bool address = f->role != MW_PLAIN && source->depth < 2 && one_in(source, 2) &&
                       add_address(source, raw, f);
        enum mw_shape shape = address ? MW_TEXT : add_value(source, raw, f);
        bool untyped = (shape != MW_LIST || raw->used > start) && one_in(source, 2);
        add_arg(raw, f->name, untyped ? MW_RAW : shape, start);
    }
    if (!generator->seedless && !one_in(source, 4))
        add_seed(source, raw);
    if (one_in(source, 8))
        add_mishap(source, raw);
}

void arbitrary_shuffle(struct arbitrary *source, struct raw_request *raw)
{
    for (size_t i = raw->count; i > 1; i--) {
        size_t j = arbitrary_below(source, (uint32_t)i);
        struct mw_arg arg = raw->args[i - 1];
        raw->args[i - 1] = raw->args[j];
        raw->args[j] = arg;
    }
}

static enum mw_type type_of(const struct raw_request *raw, const char *name)
{
    const struct mw_field *f = raw->generator->fields;
    while (f->type != MW_END_OF_TABLE && strcmp(f->name, name) != 0)
        f++;
    return f->type;
}

bool arbitrary_bind(struct mw_run *run, const struct raw_request *raw, struct mw_request *request)
{
    static char text[3 * REQUEST_TEXT + 2 * REQUEST_ARGS];
    struct mw_arg args[REQUEST_ARGS];
    char *to = text;
    for (size_t i = 0; i < raw->count; i++) {
        args[i] = raw->args[i];
        if (args[i].shape != MW_LIST)
            continue;
        args[i] = list_of_json(args[i], type_of(raw, args[i].name), to);
        to += args[i].length;
    }
    return mw_bind(run, raw->generator, args, raw->count, "fresh", request);
}
