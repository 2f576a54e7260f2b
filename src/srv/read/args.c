/*
 * args.c: what a request says. The only file with jansson.h.
 *
 * All numbers are read as reals, so that 10.0 is 10 and an integer of any size is out of range
 * rather than a syntax error. Arrays take the spelling that they would have in a URL; their shape
 * goes along.
 */
#include "args.h"

#include "lib/span.h"

#include <jansson.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_ROOM = 26 };

static struct mw_arg *add(struct args *args)
{
    if (args->count == args->room) {
        size_t room = args->room ? args->room * 2 : 16;
        struct mw_arg *list = realloc(args->list, room * sizeof *list);
        if (!list) {
            args->failed = true;
            return NULL;
        }
        args->list = list;
        args->room = room;
    }
    return &args->list[args->count++];
}

void args_append(struct args *args, const struct mw_arg *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct mw_arg *arg = add(args);
        if (!arg)
            return;
        *arg = list[i];
    }
}

/* ---- spelling -------------------------------------------------------------------------------- */

/* The shortest of 15 or 17 digits that reads back as the same number. */
static void spell_number(struct strbuf *text, const json_t *number)
{
    double value = json_real_value(number);
    char digits[NUMBER_ROOM];
    if (value > -1e15 && value < 1e15 && value == (double)(int64_t)value)
        snprintf(digits, sizeof digits, "%lld", (long long)value);
    else if (snprintf(digits, sizeof digits, "%.15g", value), strtod(digits, NULL) != value)
        snprintf(digits, sizeof digits, "%.17g", value);
    strbuf_add(text, digits);
}

/* A slash inside a row must not begin another row: it becomes a byte that no alphabet has. */
static void spell_row(struct strbuf *text, const json_t *string)
{
    const char *at = json_string_value(string);
    for (size_t i = 0, n = json_string_length(string); i < n; i++)
        strbuf_char(text, at[i] == '/' ? MW_SLASH : at[i]);
}

static void spell_pair(struct strbuf *text, const json_t *pair)
{
    spell_number(text, json_array_get(pair, 0));
    strbuf_char(text, ',');
    spell_number(text, json_array_get(pair, 1));
}

static bool is_pair(const json_t *json)
{
    return json_is_array(json) && json_array_size(json) == 2 &&
           json_is_real(json_array_get(json, 0)) && json_is_real(json_array_get(json, 1));
}

/* The shape of an array of such elements. */
static enum mw_shape shape_of_element(const json_t *json)
{
    if (json_is_real(json))
        return MW_NUMBERS;
    if (json_is_string(json))
        return MW_STRINGS;
    return is_pair(json) ? MW_PAIRS : MW_MIXED;
}

static enum mw_shape shape_of_array(const json_t *array)
{
    size_t n = json_array_size(array);
    enum mw_shape shape = n ? shape_of_element(json_array_get(array, 0)) : MW_EMPTY;
    for (size_t i = 1; i < n; i++)
        if (shape_of_element(json_array_get(array, i)) != shape)
            return MW_MIXED;
    return shape;
}

static void spell_kinds(struct strbuf *text, const json_t *array)
{
    static const char kinds[] = {[MW_NUMBERS] = MW_KIND_NUMBER,
                                 [MW_PAIRS] = MW_KIND_PAIR,
                                 [MW_STRINGS] = MW_KIND_STRING,
                                 [MW_MIXED] = MW_KIND_OTHER};
    for (size_t i = 0; i < json_array_size(array); i++)
        strbuf_char(text, kinds[shape_of_element(json_array_get(array, i))]);
}

static void spell_array(struct strbuf *text, const json_t *array, enum mw_shape shape)
{
    char between = shape == MW_NUMBERS ? ',' : shape == MW_PAIRS ? ';' : '/';
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *element = json_array_get(array, i);
        if (i)
            strbuf_char(text, between);
        if (shape == MW_NUMBERS)
            spell_number(text, element);
        else if (shape == MW_PAIRS)
            spell_pair(text, element);
        else
            spell_row(text, element);
    }
}

static void read_array(struct args *args, struct mw_arg *arg, const json_t *array)
{
    size_t start = args->text.length;
    arg->shape = shape_of_array(array);
    if (arg->shape == MW_EMPTY)
        return;
    if (arg->shape == MW_MIXED)
        spell_kinds(&args->text, array);
    else
        spell_array(&args->text, array, arg->shape);
    arg->text = args->text.at + start;
    arg->length = args->text.length - start;
}

static void read_value(struct args *args, struct mw_arg *arg, const json_t *value)
{
    size_t start = args->text.length;
    switch (json_typeof(value)) {
    case JSON_NULL: arg->shape = MW_NIL; break;
    case JSON_TRUE: arg->shape = MW_TRUTH, arg->text = "true", arg->length = 4; break;
    case JSON_FALSE: arg->shape = MW_TRUTH, arg->text = "false", arg->length = 5; break;
    case JSON_STRING:
        arg->shape = MW_TEXT;
        arg->text = json_string_value(value);
        arg->length = json_string_length(value);
        break;
    case JSON_INTEGER: /* none: all numbers are read as reals */
    case JSON_REAL:
        spell_number(&args->text, value);
        arg->shape = MW_NUMBER;
        arg->text = args->text.at + start;
        arg->length = args->text.length - start;
        break;
    case JSON_ARRAY: read_array(args, arg, value); break;
    case JSON_OBJECT: arg->shape = MW_OTHER; break;
    }
}

static void read_member(struct args *args, const char *name, size_t length, const json_t *value)
{
    struct mw_arg *arg = add(args);
    if (!arg)
        return;
    *arg = (struct mw_arg){.name = name, .name_length = length, .shape = MW_OTHER, .text = ""};
    read_value(args, arg, value);
}

/* ---- names that occur twice ------------------------------------------------------------------ */

/* Past the end of the string that begins at `at`, its opening quote. The text is valid. */
static const char *past_string(const char *at)
{
    for (at++; *at != '"'; at++)
        if (*at == '\\')
            at++;
    return at + 1;
}

/* The next name of the outermost object of valid JSON, quotes and all; false at its end. */
static bool next_name(const char **at, const char *end, const char **name, size_t *length)
{
    int depth = 1;
    bool is_name = true; /* whether a string here is one: not behind a colon */
    for (const char *c = *at; c < end;) {
        if (*c != '"') {
            depth += (*c == '{' || *c == '[') - (*c == '}' || *c == ']');
            is_name = *c == ',' || (is_name && *c != ':');
            c++;
            continue;
        }
        const char *past = past_string(c);
        if (depth == 1 && is_name) {
            *name = c;
            *length = (size_t)(past - c);
            *at = past;
            return true;
        }
        c = past;
    }
    return false;
}

static size_t count_names(const char *at, const char *end)
{
    const char *name;
    size_t length, count = 0;
    while (next_name(&at, end, &name, &length))
        count++;
    return count;
}

/* Appends the name once more if it was seen before: without its value, as it is a problem
   anyway. */
static bool note_name(struct args *args, json_t *object, json_t *seen, json_t *name)
{
    const char *key = json_object_iter_key(json_object_iter_at(object, json_string_value(name)));
    if (!key)
        return false;
    if (!json_object_get(seen, key))
        return !json_object_set_new(seen, key, json_true());
    struct mw_arg again = {.name = key, .name_length = strlen(key), .shape = MW_OTHER, .text = ""};
    args_append(args, &again, 1);
    return true;
}

/* The tree holds one member of each name; what the text holds beyond is found by its names. */
static void read_twice(struct args *args, json_t *object, const char *at, const char *end)
{
    json_t *seen = json_object();
    const char *quoted;
    size_t length;
    args->failed |= !seen;
    while (!args->failed && next_name(&at, end, &quoted, &length)) {
        json_t *name = json_loadb(quoted, length, JSON_DECODE_ANY, NULL);
        args->failed |= !name || !note_name(args, object, seen, name);
        json_decref(name);
    }
    json_decref(seen);
}

/* ---- memory for jansson ---------------------------------------------------------------------- */

/*
 * Its lexer leaves out a character where there is no memory for it, and reads on: what comes out is
 * another body, or it runs past the end of a string whose end was left out. So the reading ends
 * where memory does, by longjmp, and what was taken until then is given back from a ring.
 */
struct held {
    struct held *next, *before;
};

struct reading {
    struct held ring;
    jmp_buf out;
};

static _Thread_local struct reading *reading; /* NULL outside of args_read_json */

static void join(struct held *one, struct held *ring)
{
    *one = (struct held){ring->next, ring};
    ring->next->before = one;
    ring->next = one;
}

static void leave(struct held *one)
{
    one->next->before = one->before;
    one->before->next = one->next;
    *one = (struct held){one, one};
}

static void *take_memory(size_t size)
{
    struct held *one = malloc(sizeof *one + size);
    if (!one && reading)
        longjmp(reading->out, 1);
    if (!one)
        return NULL;
    *one = (struct held){one, one};
    if (reading)
        join(one, &reading->ring);
    return one + 1;
}

static void give_memory(void *at)
{
    if (!at)
        return;
    struct held *one = (struct held *)at - 1;
    leave(one);
    free(one);
}

static void give_all(struct held *ring)
{
    while (ring->next != ring)
        give_memory(ring->next + 1);
}

static void give_allocator(void) { json_set_alloc_funcs(take_memory, give_memory); }

/* ---- the body -------------------------------------------------------------------------------- */

static bool is_blank(const char *body, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!strchr(" \t\r\n", body[i]) || !body[i])
            return false;
    return true;
}

static enum args_outcome explain(const json_error_t *error, char why[200])
{
    enum json_error_code code = json_error_code(error);
    if (code == json_error_out_of_memory || code == json_error_unknown) /* it names all others */
        return ARGS_NO_MEMORY;
    snprintf(why, 200, "line %d, column %d: %.150s", error->line, error->column, error->text);
    return ARGS_INVALID;
}

static void read_object(struct args *args, json_t *object, const char *body, size_t length)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) read_member(args, key, strlen(key), value);
    const char *inside = (const char *)memchr(body, '{', length) + 1, *end = body + length;
    if (count_names(inside, end) != json_object_size(object))
        read_twice(args, object, inside, end);
}

/* Whether it is meant to be one; of fields of a form, say, the first mistake is not the point. */
static bool begins_object(const char *body, size_t length)
{
    size_t i = 0;
    while (i < length && memchr(" \t\r\n", body[i], 4))
        i++;
    return i < length && body[i] == '{';
}

static enum args_outcome read_body(struct args *args, const char *body, size_t length,
                                   char why[200])
{
    json_error_t error = {0};
    json_t *json = json_loadb(body, length, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, &error);
    args->tree = json;
    if (!json && begins_object(body, length))
        return explain(&error, why);
    if (!json_is_object(json)) {
        snprintf(why, 200, "must be an object in UTF-8: {\"name\": value, ...}");
        return ARGS_INVALID;
    }
    /* A number of two bytes or more, comma included, is spelled in at most NUMBER_ROOM: the text
       never moves. */
    if (!strbuf_reserve(&args->text, length * NUMBER_ROOM / 2 + NUMBER_ROOM))
        return ARGS_NO_MEMORY;
    read_object(args, json, body, length);
    return args->failed || args->text.failed ? ARGS_NO_MEMORY : ARGS_OK;
}

static enum args_outcome read_text(struct args *args, const char *body, size_t length,
                                   char why[200])
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct reading here = {.ring = {&here.ring, &here.ring}};
    const size_t before = args->count;
    pthread_once(&once, give_allocator);
    if (setjmp(here.out)) {
        reading = NULL;
        give_all(&here.ring);
        args->tree = NULL;
        args->count = before; /* those of the body had their names and texts there */
        return ARGS_NO_MEMORY;
    }
    reading = &here;
    enum args_outcome outcome = read_body(args, body, length, why);
    reading = NULL;
    leave(&here.ring); /* the tree is the arguments' */
    return outcome;
}

enum args_outcome args_read_json(struct args *args, const char *body, size_t length, char why[200])
{
    struct span text = span_unmarked((struct span){body, length});
    return is_blank(text.at, text.length) ? ARGS_OK : read_text(args, text.at, text.length, why);
}

void args_release(struct args *args)
{
    json_decref(args->tree);
    free(args->list);
    strbuf_release(&args->text);
    *args = (struct args){0};
}
