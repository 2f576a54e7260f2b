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

/* `name` is NULL in a list and for the whole. Objects begin on a line of their own, so that
   differences are easily seen. */
static void begin_item(const char *name)
{
    fputs(first ? "" : ",", stdout);
    first = false;
    if (name)
        printf("\"%s\":", name);
}

static void begin(const char *name, const char *bracket)
{
    begin_item(name);
    fputs(bracket, stdout);
    first = true;
}

static void end(char bracket)
{
    putchar(bracket);
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
    begin("choices", "[");
    for (; choices && *choices; choices++)
        put_text(NULL, *choices);
    end(']');
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
        begin("default", "[");
        for (int32_t i = 0; i < f->list_default.count; i++)
            put_integer(NULL, f->list_default.at[i]);
        end(']');
    } else {
        put_number("default", f, f->fallback);
    }
}

/* The generators whose maps can give the field's value. */
static void put_bases(const struct mw_field *f)
{
    begin("bases", "[");
    for (const struct mw_generator *const *g = mw_generators; *g; g++)
        if (f->role != MW_PLAIN && source_of(f, *g).part >= 0)
            put_text(NULL, (*g)->name);
    end(']');
}

static void put_field(const struct mw_field *f)
{
    char class[CLASS_BYTES];
    begin(NULL, "\n{");
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
    end('}');
}

static void put_fields(const char *name, const struct mw_field *fields)
{
    begin(name, "[");
    for (const struct mw_field *f = fields; f->type != MW_END_OF_TABLE; f++)
        put_field(f);
    end(']');
}

/* ---- parts ----------------------------------------------------------------------------------- */

static void put_columns(const struct mw_column *columns)
{
    begin("columns", "[");
    for (const struct mw_column *c = columns; c && c->type != MW_END_OF_TABLE; c++) {
        begin(NULL, "\n{");
        put_text("name", c->name);
        put_text("type", type_names[c->type]);
        put_boolean("nullable", c->nullable && !column_is_omissible(c));
        put_boolean("optional", column_is_omissible(c));
        put_text("help", c->help);
        end('}');
    }
    end(']');
}

static void put_parts(const struct mw_part *parts)
{
    begin("parts", "[");
    for (const struct mw_part *part = parts; part->kind != MW_NO_PART; part++) {
        begin(NULL, "\n{");
        put_text("name", part->name);
        put_text("kind", kind_names[part->kind]);
        put_text("type", part->kind == MW_VALUE ? type_names[part->type] : "");
        put_boolean("optional", part->optional);
        put_boolean("nullable", part->nullable);
        put_boolean("single", part->single);
        put_choices(part->choices);
        put_columns(part->columns);
        put_text("help", part->help);
        end('}');
    }
    end(']');
}

/* ---- whole tables ---------------------------------------------------------------------------- */

static void put_generator(const struct mw_generator *generator)
{
    begin(NULL, "\n{");
    put_text("name", generator->name);
    put_integer("version", (int32_t)generator->version);
    put_boolean("seedless", generator->seedless);
    put_text("summary", generator->summary);
    put_text("about", generator->about);
    begin("formats", "[");
    for (const struct mw_encoder *const *e = mw_encoders; *e; e++)
        if ((*e)->fits(generator))
            put_text(NULL, (*e)->name);
    end(']');
    put_fields("fields", generator->fields);
    put_parts(generator->parts);
    end('}');
}

static void put_format(const struct mw_encoder *encoder)
{
    begin(NULL, "\n{");
    put_text("name", encoder->name);
    put_text("suffix", mw_suffix(encoder));
    put_text("media", encoder->media);
    begin("look", "[");
    for (int i = 0; mw_look_fields[i].type != MW_END_OF_TABLE; i++)
        if (encoder->look_mask >> i & 1)
            put_text(NULL, mw_look_fields[i].name);
    end(']');
    put_text("help", encoder->help);
    end('}');
}

static void put_problem(const struct fault_row *row)
{
    begin(NULL, "\n{");
    put_text("slug", row->slug);
    put_integer("status", (int32_t)row->status);
    put_text("title", row->title);
    put_text("meaning", row->meaning);
    end('}');
}

void print_tables(void)
{
    begin(NULL, "\n{");
    put_text("version", MW_VERSION);
    begin("generators", "[");
    for (const struct mw_generator *const *g = mw_generators; *g; g++)
        put_generator(*g);
    end(']');
    put_fields("look", mw_look_fields);
    begin("formats", "[");
    for (const struct mw_encoder *const *e = mw_encoders; *e; e++)
        put_format(*e);
    end(']');
    begin("problems", "[");
    for (int i = FAULT_NONE + 1; i < FAULT_END; i++)
        put_problem(&fault_rows[i]);
    end(']');
    end('}');
    putchar('\n');
}
