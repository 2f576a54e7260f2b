/*
 * list.c: any text as a list, for every list field that a generator has.
 *
 * The first byte picks the way that the text comes in, the second the field; the rest is the text.
 * A list that binds has only elements that its field allows, and binds to the same list again from
 * its address, and from the shape that JSON would give it; what does not bind has a reason at its
 * pointer.
 */
#include "fuzz.h"

#include "prop/arbitrary.h"

#include <string.h>

static _Alignas(64) char memory[3][4 << 20];

union list {
    struct mw_ints integers;
    struct mw_points points;
    struct mw_rows rows;
};

static bool is_list(const struct mw_field *f)
{
    return f->type == MW_INTEGERS || f->type == MW_POINTS || f->type == MW_ROWS;
}

/* List field i of all that there are; NULL: there are not so many. */
static const struct mw_field *list_field(int i)
{
    for (const struct mw_generator *const *g = mw_generators; *g; g++)
        for (const struct mw_field *f = (*g)->fields; f->type != MW_END_OF_TABLE; f++)
            if (is_list(f) && !i--)
                return f;
    return NULL;
}

static int list_fields(void)
{
    int n = 0;
    while (list_field(n))
        n++;
    return n;
}

/* A generator that has this field alone, and refuses nothing that the field allows. */
static const struct mw_generator *generator_of(const struct mw_field *field)
{
    static struct mw_field fields[2];
    static const struct mw_part parts[1];
    static struct mw_generator generator = {
        .name = "list", .version = 1, .fields = fields, .parts = parts, .seedless = true};
    fields[0] = *field;
    fields[0].offset = 0;
    generator.params_size = sizeof(union list);
    return &generator;
}

static struct mw_run *open_block(int i)
{
    return mw_open(&(struct mw_limits){.memory = memory[i], .size = sizeof memory[i]});
}

/* ---- judging --------------------------------------------------------------------------------- */

static bool allows(const struct mw_field *f, int32_t n) { return n >= f->least && n <= f->most; }

static void judge_rows(const struct mw_field *f, struct mw_rows rows)
{
    MUST(allows(f, rows.width));
    for (int32_t y = 0; y < rows.count; y++) {
        const char *row = rows.at + (size_t)y * ((size_t)rows.width + 1);
        for (int32_t x = 0; x < rows.width; x++)
            MUST(row[x] && strchr(f->alphabet, row[x]));
        MUST(row[rows.width] == (y + 1 < rows.count ? '/' : '\0'));
    }
}

static void judge(const struct mw_field *f, const union list *list)
{
    int32_t count = f->type == MW_INTEGERS ? list->integers.count
                    : f->type == MW_POINTS ? list->points.count
                                           : list->rows.count;
    if (!count)
        return; /* left out */
    MUST(count >= f->least_count && count <= f->most_count);
    if (f->type == MW_ROWS)
        judge_rows(f, list->rows);
    for (int32_t i = 0; f->type == MW_INTEGERS && i < count; i++)
        MUST(allows(f, list->integers.at[i]));
    for (int32_t i = 0; f->type == MW_POINTS && i < count; i++)
        MUST(allows(f, list->points.at[i].x) && allows(f, list->points.at[i].y));
}

static bool equal(enum mw_type type, const union list *a, const union list *b)
{
    if (type == MW_INTEGERS)
        return a->integers.count == b->integers.count &&
               (!a->integers.count || !memcmp(a->integers.at, b->integers.at,
                                              (size_t)a->integers.count * sizeof(int32_t)));
    if (type == MW_POINTS)
        return a->points.count == b->points.count &&
               (!a->points.count || !memcmp(a->points.at, b->points.at,
                                            (size_t)a->points.count * sizeof(struct mw_point)));
    return a->rows.count == b->rows.count && a->rows.width == b->rows.width &&
           (!a->rows.count ||
            !memcmp(a->rows.at, b->rows.at, (size_t)a->rows.count * ((size_t)a->rows.width + 1)));
}

/* From the address, and from the same text as JSON gives it. */
static void judge_again(const struct mw_generator *generator, const struct mw_request *request)
{
    const struct mw_field *field = generator->fields;
    const char *query = strchr(request->address, '?') + 1;
    const struct mw_arg *args;
    struct mw_request again;
    size_t count;
    struct mw_run *run = open_block(1);
    MUST(mw_read_query(run, query, strlen(query), &args, &count));
    MUST(mw_bind(run, generator, args, count, NULL, &again));
    MUST(!strcmp(again.address, request->address));
    MUST(equal(field->type, request->params, again.params));
    if (count < 2)
        return;
    static char text[1 << 22];
    struct mw_arg arg = args[1];
    bool elsewhere = arg.length && *arg.text == '/'; /* another map is the value: its address */
    arg = elsewhere ? (struct mw_arg){arg.name, arg.name_length, MW_TEXT, arg.text, arg.length}
                    : list_of_json(arg, field->type, text);
    MUST(mw_bind(open_block(2), generator, &arg, 1, NULL, &again));
    MUST(equal(field->type, request->params, again.params));
}

static void judge_problems(const struct mw_run *run, const struct mw_field *field)
{
    const struct mw_problems *problems = mw_problems(run);
    size_t length = strlen(field->name);
    MUST(problems->count > 0);
    for (size_t i = 0; i < problems->count; i++) {
        const struct mw_problem *p = &problems->list[i];
        MUST(p->detail[0]);
        MUST(p->fault == MW_TOO_BIG || p->fault == MW_BAD_PARAM);
        MUST(!p->pointer[0] ||
             (p->pointer[0] == '/' && !memcmp(p->pointer + 1, field->name, length)));
    }
}

/* ---- the ways in ----------------------------------------------------------------------------- */

/* As it would stand in a URL; a & would begin another parameter. */
static bool bind_query(struct mw_run *run, const struct mw_generator *generator, const char *text,
                       size_t length, struct mw_request *request)
{
    static char query[1 << 20];
    int name = snprintf(query, sizeof query, "%s=", generator->fields->name);
    const char *end = memchr(text, '&', length);
    length = end ? (size_t)(end - text) : length;
    length = length < sizeof query - (size_t)name ? length : sizeof query - (size_t)name;
    memcpy(query + name, text, length);
    const struct mw_arg *args;
    size_t count;
    return mw_read_query(run, query, (size_t)name + length, &args, &count) &&
           mw_bind(run, generator, args, count, NULL, request);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 2)
        return 0;
    const struct mw_field *field = list_field(bytes[1] % list_fields());
    const struct mw_generator *generator = generator_of(field);
    const char *text = (const char *)bytes + 2;
    struct mw_arg arg = {field->name, strlen(field->name), MW_RAW, text, size - 2};
    struct mw_request request;
    struct mw_run *run = open_block(0);
    if (bytes[0] % 4 == 1)
        arg.shape = MW_LIST;
    if (bytes[0] % 4 == 3)
        arg.shape = (enum mw_shape)(bytes[0] / 4 % (MW_OTHER + 1));
    bool good = bytes[0] % 4 == 2 ? bind_query(run, generator, text, size - 2, &request)
                                  : mw_bind(run, generator, &arg, 1, NULL, &request);
    MUST(good == (mw_problems(run)->count == 0));
    if (!good) {
        judge_problems(run, field);
        return 0;
    }
    judge(field, request.params);
    judge_again(generator, &request);
    return 0;
}
