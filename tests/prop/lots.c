/*
 * lots.c: requests drawn by lot. It shares no code with the library, its random numbers included.
 *
 * No expression draws twice: compilers differ in what they evaluate first.
 */
#include "lots.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct lots lots_of(const struct mw_generator *generator, uint64_t number)
{
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15) * (number + 1);
    for (const char *c = generator->name; *c; c++)
        state = (state ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    return (struct lots){.state = state};
}

static uint32_t from_bytes(struct lots *lots)
{
    uint32_t n = 0;
    for (int i = 0; i < 4 && lots->left; i++, lots->left--)
        n = n << 8 | *lots->bytes++;
    return n;
}

/* splitmix64 */
static uint32_t from_state(struct lots *lots)
{
    uint64_t z = lots->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(z >> 32);
}

uint32_t lots_below(struct lots *lots, uint32_t n)
{
    return lots->bytes ? from_bytes(lots) % n : (uint32_t)((uint64_t)from_state(lots) * n >> 32);
}

static bool one_in(struct lots *lots, uint32_t n) { return lots_below(lots, n) == 0; }

/* ---- the text of values ---------------------------------------------------------------------- */

/* Adds to the text of the argument under way; what does not fit is left out. */
static void add(struct wish *wish, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct wish *wish, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    size_t room = sizeof wish->text - wish->used;
    int n = vsnprintf(wish->text + wish->used, room, format, list);
    va_end(list);
    if (n > 0 && (size_t)n < room)
        wish->used += (size_t)n;
}

/* Small as a rule, as sides of maps multiply; now and then a boundary, or anything. */
static int64_t draw_number(struct lots *lots, int64_t least, int64_t most)
{
    uint64_t span = (uint64_t)(most - least) + 1, reach = UINT64_C(1)
                                                          << (lots_below(lots, 6) + lots->scale);
    switch (lots_below(lots, 24)) {
    case 0: return least;
    case 1: return most;
    case 2: reach = 1000; break;
    case 3: reach = span < UINT32_MAX ? span : UINT32_MAX; break;
    default: break;
    }
    return least + lots_below(lots, (uint32_t)(reach < span ? reach : span));
}

static void add_thousandths(struct wish *wish, int64_t n)
{
    uint64_t size = n < 0 ? (uint64_t)-n : (uint64_t)n;
    add(wish, "%s%u.%03u", n < 0 ? "-" : "", (unsigned)(size / 1000), (unsigned)(size % 1000));
}

static void add_decimal(struct lots *lots, struct wish *wish, const struct mw_field *field)
{
    uint32_t span = (uint32_t)((int64_t)field->most - field->least) + 1;
    int64_t n = one_in(lots, 4) ? field->least
                : one_in(lots, 4)
                    ? field->most
                    : field->least + (int64_t)lots_below(lots, span ? span : UINT32_MAX);
    add_thousandths(wish, n);
}

static int32_t draw_count(struct lots *lots, const struct mw_field *field)
{
    int64_t n = draw_number(lots, field->least_count, field->most_count);
    return (int32_t)(n < 200 ? n : 200);
}

static void add_string(struct lots *lots, struct wish *wish, const struct mw_field *field)
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
    int32_t least = field->least_count;
    do
        add(wish, "%s", words[lots_below(lots, sizeof words / sizeof words[0])]);
    while ((least -= 1) > 0);
}

static void add_integers(struct lots *lots, struct wish *wish, const struct mw_field *field)
{
    bool alike = one_in(lots, 3);
    int64_t n = draw_number(lots, field->least, field->most);
    for (int32_t i = 0, count = draw_count(lots, field); i < count; i++) {
        add(wish, i ? ",%lld" : "%lld", (long long)n);
        n = alike ? n : draw_number(lots, field->least, field->most);
    }
}

static void add_points(struct lots *lots, struct wish *wish, const struct mw_field *field)
{
    uint32_t reach = (uint32_t)((int64_t)field->most - field->least);
    reach = one_in(lots, 2) && reach > 20 ? 20 : reach; /* a crowd on a few lines */
    for (int32_t i = 0, count = draw_count(lots, field); i < count; i++) {
        long long x = (long long)field->least + lots_below(lots, reach + 1);
        long long y = (long long)field->least + lots_below(lots, reach + 1);
        add(wish, i ? ";%lld,%lld" : "%lld,%lld", x, y);
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
    return n;
}

/* A ground of marks with a preference for one, and letters on it in twos, as boards have them. */
static void add_rows(struct lots *lots, struct wish *wish, const struct mw_field *field)
{
    static const uint32_t doubts[] = {0, 3, 10, 30, 60, 100};
    char marks[128], letters[128];
    int mark_count = pick_alphabet(marks, field->alphabet, false);
    int letter_count = pick_alphabet(letters, field->alphabet, true);
    uint32_t width = (uint32_t)draw_number(lots, field->least, field->most < 40 ? field->most : 40);
    uint32_t height = (uint32_t)draw_number(lots, field->least_count,
                                            field->most_count < 40 ? field->most_count : 40);
    if (wish->used + ((size_t)width + 1) * height >= sizeof wish->text)
        return;
    char *board = wish->text + wish->used;
    char ground = !mark_count ? letters[0] : one_in(lots, 4) ? marks[mark_count - 1] : marks[0];
    uint32_t doubt = doubts[lots_below(lots, sizeof doubts / sizeof doubts[0])];
    for (uint32_t i = 0; i < (width + 1) * height; i++)
        board[i] = (i + 1) % (width + 1) == 0 ? '/'
                   : mark_count && lots_below(lots, 100) < doubt
                       ? marks[lots_below(lots, (uint32_t)mark_count)]
                       : ground;
    uint32_t pairs = letter_count ? lots_below(lots, width * height / 5 + 2) : 0;
    for (uint32_t i = 0; i < pairs && i < (uint32_t)letter_count; i++)
        for (int end = 0; end < 2; end++) {
            uint32_t row = lots_below(lots, height);
            board[row * (width + 1) + lots_below(lots, width)] = letters[i];
        }
    wish->used += (size_t)(width + 1) * height - 1; /* no separator after the last row */
}

static int32_t choice_count(const struct mw_field *field)
{
    int32_t n = 0;
    while (field->choices[n])
        n++;
    return n;
}

/* Writes a value into the range of the field; its shape in JSON. */
static enum mw_shape add_value(struct lots *lots, struct wish *wish, const struct mw_field *field)
{
    size_t start = wish->used;
    switch (field->type) {
    case MW_INTEGER:
        add(wish, "%lld", (long long)draw_number(lots, field->least, field->most));
        return MW_NUMBER;
    case MW_DECIMAL: add_decimal(lots, wish, field); return MW_NUMBER;
    case MW_BOOLEAN: add(wish, one_in(lots, 2) ? "true" : "false"); return MW_TRUTH;
    case MW_ONE_OF:
        add(wish, "%s", field->choices[lots_below(lots, (uint32_t)choice_count(field))]);
        return MW_TEXT;
    case MW_STRING: add_string(lots, wish, field); return MW_TEXT;
    case MW_INTEGERS:
        add_integers(lots, wish, field);
        return wish->used > start ? MW_NUMBERS : MW_EMPTY;
    case MW_POINTS: add_points(lots, wish, field); return wish->used > start ? MW_PAIRS : MW_EMPTY;
    case MW_ROWS: add_rows(lots, wish, field); return wish->used > start ? MW_STRINGS : MW_EMPTY;
    case MW_POINT:
    case MW_BOX:
    case MW_END_OF_TABLE: break;
    }
    return MW_NIL;
}

/* ---- the request ----------------------------------------------------------------------------- */

static void add_arg(struct wish *wish, const char *name, enum mw_shape shape, size_t start)
{
    if (wish->count == WISH_ARGS)
        return;
    wish->args[wish->count++] = (struct mw_arg){.name = name,
                                                .name_length = strlen(name),
                                                .shape = shape,
                                                .text = wish->text + start,
                                                .length = wish->used - start};
}

static void add_seed(struct lots *lots, struct wish *wish)
{
    static const struct mw_field words = {.least_count = 1};
    size_t start = wish->used;
    bool number = one_in(lots, 2);
    if (number)
        add(wish, "%u", (unsigned)lots_below(lots, 1000000));
    else
        add_string(lots, wish, &words);
    add_arg(wish, "seed", one_in(lots, 2) ? MW_RAW : number ? MW_NUMBER : MW_TEXT, start);
}

/* Something is wrong with this request, or is not quite usual. */
static void add_mishap(struct lots *lots, struct wish *wish)
{
    static const char *const nonsense[] = {
        "",      "-1", "1e400", "x", "0x10", "99999999999999999999", "1.5", "\xff\xfe",
        "1,2;3", "/",  "-",     ".", "4097"};
    size_t start = wish->used;
    add(wish, "%s", nonsense[lots_below(lots, sizeof nonsense / sizeof nonsense[0])]);
    struct mw_arg *arg = wish->count ? &wish->args[lots_below(lots, (uint32_t)wish->count)] : NULL;
    switch (lots_below(lots, 6)) {
    case 0: add_arg(wish, "nonsense", MW_RAW, start); return;
    case 1: add_arg(wish, "v", MW_RAW, start); return;
    case 2:
        if (arg)
            add_arg(wish, arg->name, MW_RAW, start);
        return;
    case 3:
        if (arg)
            arg->shape = (enum mw_shape)lots_below(lots, MW_OTHER + 1);
        return;
    default:
        if (arg) {
            arg->text = wish->text + start;
            arg->length = wish->used - start;
        }
    }
}

/* Whether a field is given. Optional ones often contradict others: they come seldom, and mostly
 * alone. */
static bool is_given(struct lots *lots, const struct mw_field *field, const struct mw_field *only,
                     uint32_t generous)
{
    if (only)
        return field == only || one_in(lots, 12);
    return !field->optional && lots_below(lots, 4) <= generous;
}

static const struct mw_field *pick_optional(struct lots *lots, const struct mw_field *fields)
{
    const struct mw_field *picked = NULL;
    uint32_t met = 0;
    for (const struct mw_field *f = fields; f->type != MW_END_OF_TABLE; f++)
        if (f->optional && one_in(lots, ++met))
            picked = f;
    return picked && one_in(lots, 2) ? picked : NULL;
}

void lots_wish(struct lots *lots, const struct mw_generator *generator, struct wish *wish)
{
    wish->generator = generator;
    wish->count = wish->used = 0;
    uint32_t generous = lots_below(lots, 4);
    const struct mw_field *only = pick_optional(lots, generator->fields);
    for (const struct mw_field *f = generator->fields; f->type != MW_END_OF_TABLE; f++) {
        if (!is_given(lots, f, only, generous))
            continue;
        size_t start = wish->used;
        enum mw_shape shape = add_value(lots, wish, f);
        bool raw = shape != MW_EMPTY && one_in(lots, 2);
        add_arg(wish, f->name, raw ? MW_RAW : shape, start);
    }
    if (!generator->seedless && !one_in(lots, 4))
        add_seed(lots, wish);
    if (one_in(lots, 8))
        add_mishap(lots, wish);
}

void lots_shuffle(struct lots *lots, struct wish *wish)
{
    for (size_t i = wish->count; i > 1; i--) {
        size_t j = lots_below(lots, (uint32_t)i);
        struct mw_arg arg = wish->args[i - 1];
        wish->args[i - 1] = wish->args[j];
        wish->args[j] = arg;
    }
}
