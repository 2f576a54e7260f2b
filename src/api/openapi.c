/*
 * openapi.c: the OpenAPI 3.1 document: what is fixed of it stands in openapi.in.yaml, and here is
 * what the words of that template mean, in the tables of fields, parts, encoders and faults.
 *
 * Nothing here knows a generator.
 */
#include "openapi.h"

#include "all/base_values.h"
#include "example.h"
#include "fault.h"
#include "field.h"
#include "lib/run.h"
#include "template.h"

#include <stdio.h>
#include <stdlib.h>

/* The template, taken in by the assembler. Hidden: found without a table of addresses, which on
   aarch64 holds that of the section alone, for both of them. */
__asm__(".section .rodata\n"
        "openapi_template: .incbin \"src/api/openapi.in.yaml\"\n"
        "openapi_template_end:\n"
        ".text\n");
__attribute__((visibility("hidden"))) extern const char openapi_template[], openapi_template_end[];

enum { DOCUMENT_BYTES = 1 << 20 };

/* Where a parameter stands decides how it is spelled, and whether null may stand for it. */
enum place { IN_QUERY, IN_BODY, IN_ANSWER };

/* What the lines of the template are about: rows of the tables, NULL where there is none. */
struct scope {
    struct mw_run *run;
    struct example *example, *examples; /* examples[i] is of mw_generators[i] */
    const struct mw_generator *generator;
    const struct mw_field *field;
    const struct mw_part *part;
    const struct mw_column *column;
    const struct mw_encoder *encoder;
    const struct fault_row *fault;
    /* of the field, part or column: */
    const char *name, *help;
    enum mw_type type;
    bool nullable;
    const char *const *choices;
    /* of a list: */
    const char *choice;
    int32_t element;
    const char *rest; /* of the words that ask for a set or a condition */
};

/* ---- texts ----------------------------------------------------------------------------------- */

static const char *const kinds[] = {
    [MW_VALUE] = "value", [MW_TABLE] = "table", [MW_GRID] = "grid", [MW_EDGES] = "edges"};

/* How the template calls a type, and how JSON Schema does. */
static const struct {
    const char *name, *schema;
} types[] = {
    [MW_INTEGER] = {"integer", "integer"}, [MW_DECIMAL] = {"number", "number"},
    [MW_BOOLEAN] = {"boolean", "boolean"}, [MW_ONE_OF] = {"choice", "string"},
    [MW_STRING] = {"text", "string"},      [MW_INTEGERS] = {"integers", "array"},
    [MW_POINT] = {"point", "array"},       [MW_POINTS] = {"points", "array"},
    [MW_BOX] = {"box", "array"},           [MW_ROWS] = {"rows", "array"},
};

static const char *number(const struct scope *s, int32_t n)
{
    char *to = MW_NEW(s->run, char, NUMBER_BYTES);
    *mw_write_int(to, n) = '\0';
    return to;
}

static const char *value(const struct scope *s, int32_t n)
{
    return field_number(MW_NEW(s->run, char, NUMBER_BYTES), s->field, n);
}

static const char *release(const struct scope *s) { return s ? MW_VERSION : ""; }
static const char *generator(const struct scope *s) { return s->generator->name; }
static const char *summary(const struct scope *s) { return s->generator->summary; }
static const char *about(const struct scope *s) { return s->generator->about; }
static const char *name(const struct scope *s) { return s->name; }
static const char *help(const struct scope *s) { return s->help; }
static const char *kind(const struct scope *s) { return kinds[s->part->kind]; }
static const char *type(const struct scope *s) { return types[s->type].name; }
static const char *schema(const struct scope *s) { return types[s->type].schema; }
static const char *choice(const struct scope *s) { return s->choice; }
static const char *element(const struct scope *s) { return number(s, s->element); }
static const char *least(const struct scope *s) { return value(s, s->field->least); }
static const char *most(const struct scope *s) { return value(s, s->field->most); }
static const char *fewest(const struct scope *s) { return number(s, s->field->least_count); }
static const char *longest(const struct scope *s) { return number(s, s->field->most_count); }
static const char *encoder(const struct scope *s) { return s->encoder->name; }
static const char *slug(const struct scope *s) { return s->fault->slug; }

static const char *suffix(const struct scope *s)
{
    return s->encoder->suffix ? s->encoder->suffix : s->encoder->name;
}

/* What a row of the table is: its name, in the singular. */
static const char *record(const struct scope *s)
{
    size_t length = strlen(s->part->name);
    return mw_copy_text(s->run, s->part->name, length - (s->part->name[length - 1] == 's'));
}

static const char *fallback(const struct scope *s)
{
    if (s->type == MW_ONE_OF)
        return s->choices[s->field->fallback];
    if (s->type == MW_BOOLEAN)
        return s->field->fallback ? "true" : "false";
    return value(s, s->field->fallback);
}

/* A regular expression of one coordinate. */
static const char *integer(const struct scope *s)
{
    return s->field->least < 0 ? "-?[0-9]+" : "[0-9]+";
}

static const char *class(const struct scope *s)
{
    return field_class(MW_NEW(s->run, char, CLASS_BYTES), s->field->alphabet);
}

/* The media type without its parameters. */
static const char *medium(const struct scope *s)
{
    return mw_copy_text(s->run, s->encoder->media, strcspn(s->encoder->media, ";"));
}

static const struct {
    const char *hole;
    const char *(*text)(const struct scope *);
} texts[] = {
    /* clang-format off */
    {"release", release}, {"generator", generator}, {"summary", summary}, {"about", about},
    {"name", name}, {"help", help}, {"kind", kind}, {"type", type}, {"schema", schema},
    {"choice", choice}, {"element", element}, {"least", least}, {"most", most},
    {"fewest", fewest}, {"longest", longest}, {"integer", integer}, {"class", class},
    {"default", fallback}, {"encoder", encoder}, {"suffix", suffix}, {"medium", medium},
    {"record", record}, {"slug", slug},
    /* clang-format on */
};

static const char *text(const void *scope, const char *hole)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!strcmp(texts[i].hole, hole))
            return texts[i].text(scope);
    return NULL;
}

/* ---- sets ------------------------------------------------------------------------------------ */

static void each_generator(struct player *p, struct scope s, struct lines lines)
{
    for (int i = 0; mw_generators[i]; i++) {
        s.generator = mw_generators[i];
        s.example = &s.examples[i];
        template_play_lines(p, &s, lines);
    }
}

/* Whether null may stand for it: in a body for all that can be left out; an answer shows what
   became of those, but for what is absent. */
static bool field_is_nullable(const struct mw_field *field, enum place place)
{
    if (place == IN_QUERY || field_is_required(field))
        return false;
    return place == IN_BODY || (field_can_be_absent(field->type) && !field_has_default(field));
}

static struct scope scope_of_field(struct scope s, const struct mw_field *field)
{
    enum place place = !strcmp(s.rest, "query")  ? IN_QUERY
                       : !strcmp(s.rest, "body") ? IN_BODY
                                                 : IN_ANSWER;
    s.field = field;
    s.name = field->name;
    s.help = field->help;
    s.type = field->type;
    s.choices = field->choices;
    s.nullable = field_is_nullable(field, place);
    return s;
}

static void each_field(struct player *p, struct scope s, struct lines lines)
{
    for (const struct mw_field *f = s.generator->fields; f->type != MW_END_OF_TABLE; f++) {
        struct scope inner = scope_of_field(s, f);
        template_play_lines(p, &inner, lines);
    }
}

/* Whether it writes down what the generator makes, or any at all. */
static bool fits(const struct scope *s) { return !s->generator || s->encoder->fits(s->generator); }

/* Whether a drawing of what the generator makes uses that field of the look. */
static bool uses_look(struct scope s, int look)
{
    for (const struct mw_encoder *const *e = mw_encoders; *e; e++) {
        s.encoder = *e;
        if (((*e)->look_mask >> look & 1) && fits(&s))
            return true;
    }
    return false;
}

/* The generators that the field may be read from. */
static void each_ground(struct player *p, struct scope s, struct lines lines)
{
    for (int i = 0; mw_generators[i]; i++) {
        s.generator = mw_generators[i];
        if (source_of(s.field, s.generator).part >= 0)
            template_play_lines(p, &s, lines);
    }
}

/* All of the look but the format. */
static void each_look(struct player *p, struct scope s, struct lines lines)
{
    for (int i = MW_LOOK_FORMAT + 1; mw_look_fields[i].type != MW_END_OF_TABLE; i++) {
        struct scope inner = scope_of_field(s, &mw_look_fields[i]);
        if (uses_look(inner, i))
            template_play_lines(p, &inner, lines);
    }
}

static void each_part(struct player *p, struct scope s, struct lines lines)
{
    for (const struct mw_part *part = s.generator->parts; part->kind != MW_NO_PART; part++) {
        s.part = part;
        s.name = part->name;
        s.help = part->help;
        s.type = part->type;
        s.choices = part->choices;
        s.nullable = part->nullable;
        template_play_lines(p, &s, lines);
    }
}

/* Whether a table of the generators up to this one, before this part, has the same columns. */
static bool is_told(int generator, const struct mw_part *part)
{
    for (int i = 0; i <= generator; i++)
        for (const struct mw_part *p = mw_generators[i]->parts; p->kind != MW_NO_PART; p++)
            if (p->kind == MW_TABLE && p->columns == part->columns)
                return p != part;
    return false;
}

/* The tables of all generators; of those with the same columns one. */
static void each_record(struct player *p, struct scope s, struct lines lines)
{
    for (int i = 0; mw_generators[i]; i++)
        for (s.part = mw_generators[i]->parts; s.part->kind != MW_NO_PART; s.part++)
            if (s.part->kind == MW_TABLE && !is_told(i, s.part)) {
                s.help = s.part->help;
                template_play_lines(p, &s, lines);
            }
}

static void each_column(struct player *p, struct scope s, struct lines lines)
{
    assert(s.part->kind == MW_TABLE);
    for (const struct mw_column *c = s.part->columns; c->type != MW_END_OF_TABLE; c++) {
        s.column = c;
        s.name = c->name;
        s.help = c->help;
        s.type = c->type;
        s.nullable = c->nullable && !column_is_omissible(c);
        template_play_lines(p, &s, lines);
    }
}

static void each_choice(struct player *p, struct scope s, struct lines lines)
{
    assert(s.type == MW_ONE_OF && s.choices);
    for (const char *const *choice = s.choices; *choice; choice++) {
        s.choice = *choice;
        template_play_lines(p, &s, lines);
    }
}

static void each_default(struct player *p, struct scope s, struct lines lines)
{
    assert(s.type == MW_INTEGERS);
    for (int32_t i = 0; i < s.field->list_default.count; i++) {
        s.element = s.field->list_default.at[i];
        template_play_lines(p, &s, lines);
    }
}

static void each_encoder(struct player *p, struct scope s, struct lines lines)
{
    for (const struct mw_encoder *const *e = mw_encoders; *e; e++) {
        s.encoder = *e;
        s.help = (*e)->help;
        template_play_lines(p, &s, lines);
    }
}

static void each_fault(struct player *p, struct scope s, struct lines lines)
{
    for (int i = FAULT_NONE + 1; i < FAULT_END; i++) {
        s.fault = &fault_rows[i];
        template_play_lines(p, &s, lines);
    }
}

static const struct {
    const char *name;
    void (*each)(struct player *, struct scope, struct lines);
} sets[] = {
    /* clang-format off */
    {"generator", each_generator}, {"field", each_field}, {"ground", each_ground},
    {"look", each_look},
    {"part", each_part}, {"record", each_record}, {"column", each_column},
    {"choice", each_choice}, {"default", each_default}, {"encoder", each_encoder},
    {"fault", each_fault},
    /* clang-format on */
};

static bool each(struct player *p, const void *scope, const char *set, const char *rest,
                 struct lines lines)
{
    struct scope s = *(const struct scope *)scope;
    s.rest = rest;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (!strcmp(sets[i].name, set)) {
            sets[i].each(p, s, lines);
            return true;
        }
    return false;
}

/* ---- conditions ------------------------------------------------------------------------------ */

static bool is_nullable(const struct scope *s) { return s->nullable; }
static bool is_grounded(const struct scope *s) { return s->field->role != MW_PLAIN; }
static bool is_distinct(const struct scope *s) { return s->field->distinct; }
static bool is_required(const struct scope *s) { return field_is_required(s->field); }
static bool has_default(const struct scope *s) { return field_has_default(s->field); }
static bool is_optional(const struct scope *s) { return s->part->optional; }
static bool is_single(const struct scope *s) { return s->part->single; }
static bool may_be_omitted(const struct scope *s) { return column_is_omissible(s->column); }
static bool is_seeded(const struct scope *s) { return !s->generator->seedless; }

/* Whether a request cannot do without parameters. */
static bool is_demanding(const struct scope *s)
{
    for (const struct mw_field *f = s->generator->fields; f->type != MW_END_OF_TABLE; f++)
        if (field_is_required(f))
            return true;
    return false;
}

/* Whether it writes down what the generator makes, in another form than programs read. */
static bool is_drawing(const struct scope *s) { return strcmp(encoder(s), "json") && fits(s); }

static const struct {
    const char *name;
    bool (*holds)(const struct scope *);
} conditions[] = {
    /* clang-format off */
    {"nullable", is_nullable}, {"grounded", is_grounded}, {"distinct", is_distinct},
    {"required", is_required}, {"default", has_default}, {"optional", is_optional},
    {"omissible", may_be_omitted}, {"seeded", is_seeded}, {"demanding", is_demanding},
    {"drawing", is_drawing}, {"single", is_single},
    /* clang-format on */
};

static bool holds(const void *scope, const char *condition, bool *result)
{
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        if (!strcmp(conditions[i].name, condition)) {
            *result = conditions[i].holds(scope);
            return true;
        }
    return false;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool put(struct writer *w, const char *key, const void *scope, const char *value)
{
    const struct scope *s = scope;
    if (!strcmp(value, "request example"))
        put_example_request(w, key, s->example);
    else if (!strcmp(value, "argument example"))
        put_example_argument(w, key, s->example, s->name);
    else if (!strcmp(value, "answer example"))
        put_example_answer(w, key, s->example);
    else
        return false;
    return true;
}

struct document {
    enum openapi_syntax syntax;
    struct example *examples;
};

static void write_document(struct mw_run *run, void *context)
{
    static const struct vocabulary words = {each, holds, text, put};
    const struct document *document = context;
    struct writer writer = {.run = run, .syntax = document->syntax};
    struct scope scope = {.run = run, .examples = document->examples};
    size_t length = (size_t)(openapi_template_end - openapi_template);
    template_play(&writer, openapi_template, length, &words, &scope);
    mw_put_bytes(run, "\n", 2);
}

static char *copy_document(struct document *document)
{
    void *block = malloc(DOCUMENT_BYTES);
    struct mw_run *run =
        block ? mw_open(&(struct mw_limits){.memory = block, .size = DOCUMENT_BYTES}) : NULL;
    bool good = run && mw_guarded(run, write_document, document);
    char *text = good ? strdup(run->output) : NULL;
    free(block);
    return text;
}

char *openapi_write(enum openapi_syntax syntax)
{
    size_t n = 0;
    while (mw_generators[n])
        n++;
    struct document document = {syntax, calloc(n + 1, sizeof *document.examples)};
    bool good = document.examples != NULL;
    for (size_t i = 0; good && i < n; i++)
        good = example_init(&document.examples[i], mw_generators[i]);
    char *text = good ? copy_document(&document) : NULL;
    for (size_t i = 0; document.examples && i < n; i++)
        example_release(&document.examples[i]);
    free(document.examples);
    return text;
}
