/*
 * list.c: `mapwright list`: the generators for people, or with --json all tables of the library for
 * programs. tools/openapi.py and tools/types.py make their documents of the latter.
 */
#include "cli.h"

#include "all/bases.h"
#include "api/fault.h"
#include "api/field.h"

#include <string.h>

static const char *const type_names[] = {
    [MW_INTEGER] = "integer", [MW_DECIMAL] = "number", [MW_BOOLEAN] = "boolean",
    [MW_ONE_OF] = "choice",   [MW_STRING] = "string",  [MW_INTEGERS] = "integers",
    [MW_POINT] = "point",     [MW_POINTS] = "points",  [MW_BOX] = "box",
    [MW_ROWS] = "rows",
};

static const char *const kind_names[] = {
    [MW_VALUE] = "value", [MW_TABLE] = "table", [MW_GRID] = "grid", [MW_EDGES] = "edges"};

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Nothing stands before the next item of the innermost object or list. */
static bool first = true;

/* `name` is NULL in a list and for the whole. */
static void begin_item(const char *name)
{
    fputs(first ? "" : ",", stdout);
    first = false;
    if (name)
        printf("\"%s\":", name);
}

static void open_list(const char *name)
{
    begin_item(name);
    putchar('[');
    first = true;
}

static void close_list(void)
{
    putchar(']');
    first = false;
}

/* Objects begin on a line of their own, so that differences are easily seen. */
static void open_object(void)
{
    begin_item(NULL);
    fputs("\n{", stdout);
    first = true;
}

static void close_object(void)
{
    putchar('}');
    first = false;
}

/* The tables hold no control characters. */
static void put_text(const char *name, const char *text)
{
    begin_item(name);
    putchar('"');
    for (; *text; text++)
        printf(strchr("\"\\", *text) ? "\\%c" : "%c", *text);
    putchar('"');
}

static void put_integer(const char *name, int32_t number)
{
    begin_item(name);
    printf("%d", number);
}

static void put_boolean(const char *name, bool value)
{
    begin_item(name);
    fputs(value ? "true" : "false", stdout);
}

static void put_choices(const char *const *choices)
{
    open_list("choices");
    for (; choices && *choices; choices++)
        put_text(NULL, *choices);
    close_list();
}

/* ---- fields ---------------------------------------------------------------------------------- */

static void put_number(const char *name, const struct mw_field *f, int32_t number)
{
    char text[NUMBER_BYTES];
    begin_item(name);
    fputs(field_number(text, f, number), stdout);
}

static void put_default(const struct mw_field *f)
{
    if (!field_has_default(f))
        return;
    if (f->type == MW_ONE_OF) {
        put_text("default", f->choices[f->fallback]);
    } else if (f->type == MW_BOOLEAN) {
        put_boolean("default", f->fallback);
    } else if (f->type == MW_INTEGERS) {
        open_list("default");
        for (int32_t i = 0; i < f->list_default.count; i++)
            put_integer(NULL, f->list_default.at[i]);
        close_list();
    } else {
        put_number("default", f, f->fallback);
    }
}

/* The generators whose maps can give the field's value. */
static void put_bases(const struct mw_field *f)
{
    open_list("bases");
    for (const struct mw_generator *const *g = mw_generators; *g; g++)
        if (f->role != MW_PLAIN && source_of(f, *g).part >= 0)
            put_text(NULL, (*g)->name);
    close_list();
}

static void put_field(const struct mw_field *f)
{
    char class[CLASS_BYTES];
    open_object();
    put_text("name", f->name);
    put_text("type", type_names[f->type]);
    put_number("least", f, f->least);
    put_number("most", f, f->most);
    put_integer("least_count", f->least_count);
    put_integer("most_count", f->most_count);
    put_choices(f->choices);
    put_text("class", f->alphabet ? field_class(class, f->alphabet) : "");
    put_boolean("required", field_is_required(f));
    put_boolean("distinct", f->distinct);
    put_default(f);
    put_bases(f);
    put_text("help", f->help);
    close_object();
}

static void put_fields(const char *name, const struct mw_field *fields)
{
    open_list(name);
    for (const struct mw_field *f = fields; f->type != MW_END_OF_TABLE; f++)
        put_field(f);
    close_list();
}

/* ---- parts ----------------------------------------------------------------------------------- */

static void put_columns(const struct mw_column *columns)
{
    open_list("columns");
    for (const struct mw_column *c = columns; c && c->type != MW_END_OF_TABLE; c++) {
        open_object();
        put_text("name", c->name);
        put_text("type", type_names[c->type]);
        put_boolean("nullable", c->nullable && !column_is_omissible(c));
        put_boolean("optional", column_is_omissible(c));
        put_text("help", c->help);
        close_object();
    }
    close_list();
}

static void put_parts(const struct mw_part *parts)
{
    open_list("parts");
    for (const struct mw_part *part = parts; part->kind != MW_NO_PART; part++) {
        open_object();
        put_text("name", part->name);
        put_text("kind", kind_names[part->kind]);
        put_text("type", part->kind == MW_VALUE ? type_names[part->type] : "");
        put_boolean("optional", part->optional);
        put_boolean("nullable", part->nullable);
        put_boolean("single", part->single);
        put_choices(part->choices);
        put_columns(part->columns);
        put_text("help", part->help);
        close_object();
    }
    close_list();
}

/* ---- whole tables ---------------------------------------------------------------------------- */

static void put_generator(const struct mw_generator *generator)
{
    open_object();
    put_text("name", generator->name);
    put_integer("version", (int32_t)generator->version);
    put_boolean("seedless", generator->seedless);
    put_text("summary", generator->summary);
    put_text("about", generator->about);
    open_list("formats");
    for (const struct mw_encoder *const *e = mw_encoders; *e; e++)
        if ((*e)->fits(generator))
            put_text(NULL, (*e)->name);
    close_list();
    put_fields("fields", generator->fields);
    put_parts(generator->parts);
    close_object();
}

static void put_format(const struct mw_encoder *encoder)
{
    open_object();
    put_text("name", encoder->name);
    put_text("suffix", mw_suffix(encoder));
    put_text("media", encoder->media);
    open_list("look");
    for (int i = 0; mw_look_fields[i].type != MW_END_OF_TABLE; i++)
        if (encoder->look_mask >> i & 1)
            put_text(NULL, mw_look_fields[i].name);
    close_list();
    put_text("help", encoder->help);
    close_object();
}

static void put_problem(const struct fault_row *row)
{
    open_object();
    put_text("slug", row->slug);
    put_integer("status", (int32_t)row->status);
    put_text("title", row->title);
    put_text("meaning", row->meaning);
    close_object();
}

void print_tables(void)
{
    open_object();
    put_text("version", MW_VERSION);
    open_list("generators");
    for (const struct mw_generator *const *g = mw_generators; *g; g++)
        put_generator(*g);
    close_list();
    put_fields("look", mw_look_fields);
    open_list("formats");
    for (const struct mw_encoder *const *e = mw_encoders; *e; e++)
        put_format(*e);
    close_list();
    open_list("problems");
    for (int i = FAULT_NONE + 1; i < FAULT_END; i++)
        put_problem(&fault_rows[i]);
    close_list();
    close_object();
    putchar('\n');
}
