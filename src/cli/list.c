/*
 * list.c: `mapwright list`: the generators for people, or with --json all tables of the library for
 * programs. tools/openapi.py and tools/types.py make their documents of the latter.
 */
#include "cli.h"

#include "all/bases.h"
#include "api/fault.h"
#include "api/field.h"
#include "lib/run.h"

static const char *const type_names[] = {
    [MW_INTEGER] = "integer", [MW_DECIMAL] = "number", [MW_BOOLEAN] = "boolean",
    [MW_ONE_OF] = "choice",   [MW_STRING] = "string",  [MW_INTEGERS] = "integers",
    [MW_POINT] = "point",     [MW_POINTS] = "points",  [MW_BOX] = "box",
    [MW_ROWS] = "rows",
};

static const char *const kind_names[] = {
    [MW_VALUE] = "value", [MW_TABLE] = "table", [MW_GRID] = "grid", [MW_EDGES] = "edges"};

/* ---- JSON ------------------------------------------------------------------------------------ */

/* `name` is NULL in a list. Objects begin on a line of their own, so that differences are easily
   seen. */
static void begin_item(struct mw_run *run, const char *name)
{
    mw_put_next(run);
    if (name)
        mw_print(run, "\"%s\":", name);
}

static void begin(struct mw_run *run, const char *name, const char *bracket)
{
    begin_item(run, name);
    mw_put(run, bracket);
}

static void put_text(struct mw_run *run, const char *name, const char *text)
{
    begin_item(run, name);
    mw_put_json_string(run, text, strlen(text));
}

/* Also a BOOLEAN, or thousandths as a DECIMAL. */
static void put_number(struct mw_run *run, const char *name, enum mw_type type, int32_t number)
{
    begin_item(run, name);
    mw_put_value(run, &mw_as_json, type, NULL, &number, 0);
}

static void put_choices(struct mw_run *run, const char *const *choices)
{
    begin(run, "choices", "[");
    for (; choices && *choices; choices++)
        put_text(run, NULL, *choices);
    mw_put_char(run, ']');
}

/* ---- fields ---------------------------------------------------------------------------------- */

static void put_default(struct mw_run *run, const struct mw_field *f)
{
    if (!field_has_default(f))
        return;
    begin_item(run, "default");
    mw_put_default(run, &mw_as_json, f);
}

/* The generators whose maps can give the field's value. */
static void put_bases(struct mw_run *run, const struct mw_field *f)
{
    begin(run, "bases", "[");
    for (const struct mw_generator *const *g = mw_generators; *g; g++)
        if (f->role != MW_PLAIN && source_of(f, *g).part >= 0)
            put_text(run, NULL, (*g)->name);
    mw_put_char(run, ']');
}

static void put_field(struct mw_run *run, const struct mw_field *f)
{
    char class[CLASS_BYTES];
    enum mw_type number = f->type == MW_DECIMAL ? MW_DECIMAL : MW_INTEGER;
    begin(run, NULL, "\n{");
    put_text(run, "name", f->name);
    put_text(run, "type", type_names[f->type]);
    put_number(run, "least", number, f->least);
    put_number(run, "most", number, f->most);
    put_number(run, "least_count", MW_INTEGER, f->least_count);
    put_number(run, "most_count", MW_INTEGER, f->most_count);
    put_choices(run, f->choices);
    put_text(run, "class", f->alphabet ? field_class(class, f->alphabet) : "");
    put_number(run, "required", MW_BOOLEAN, field_is_required(f));
    put_number(run, "distinct", MW_BOOLEAN, f->distinct);
    put_default(run, f);
    put_bases(run, f);
    put_text(run, "help", f->help);
    mw_put_char(run, '}');
}

static void put_fields(struct mw_run *run, const char *name, const struct mw_field *fields)
{
    begin(run, name, "[");
    for (const struct mw_field *f = fields; f->type != MW_END_OF_TABLE; f++)
        put_field(run, f);
    mw_put_char(run, ']');
}

/* ---- parts ----------------------------------------------------------------------------------- */

static void put_columns(struct mw_run *run, const struct mw_column *columns)
{
    begin(run, "columns", "[");
    for (const struct mw_column *c = columns; c && c->type != MW_END_OF_TABLE; c++) {
        begin(run, NULL, "\n{");
        put_text(run, "name", c->name);
        put_text(run, "type", type_names[c->type]);
        put_number(run, "nullable", MW_BOOLEAN, c->nullable && !column_is_omissible(c));
        put_number(run, "optional", MW_BOOLEAN, column_is_omissible(c));
        put_text(run, "help", c->help);
        mw_put_char(run, '}');
    }
    mw_put_char(run, ']');
}

static void put_parts(struct mw_run *run, const struct mw_part *parts)
{
    begin(run, "parts", "[");
    for (const struct mw_part *part = parts; part->kind != MW_NO_PART; part++) {
        begin(run, NULL, "\n{");
        put_text(run, "name", part->name);
        put_text(run, "kind", kind_names[part->kind]);
        put_text(run, "type", part->kind == MW_VALUE ? type_names[part->type] : "");
        put_number(run, "optional", MW_BOOLEAN, part->optional);
        put_number(run, "nullable", MW_BOOLEAN, part->nullable);
        put_number(run, "single", MW_BOOLEAN, part->single);
        put_choices(run, part->choices);
        put_columns(run, part->columns);
        put_text(run, "help", part->help);
        mw_put_char(run, '}');
    }
    mw_put_char(run, ']');
}

/* ---- whole tables ---------------------------------------------------------------------------- */

static void put_generator(struct mw_run *run, const struct mw_generator *generator)
{
    begin(run, NULL, "\n{");
    put_text(run, "name", generator->name);
    put_number(run, "version", MW_INTEGER, (int32_t)generator->version);
    put_number(run, "seedless", MW_BOOLEAN, generator->seedless);
    put_text(run, "summary", generator->summary);
    put_text(run, "about", generator->about);
    begin(run, "formats", "[");
    for (const struct mw_encoder *const *e = mw_encoders; *e; e++)
        if ((*e)->fits(generator))
            put_text(run, NULL, (*e)->name);
    mw_put_char(run, ']');
    put_fields(run, "fields", generator->fields);
    put_parts(run, generator->parts);
    mw_put_char(run, '}');
}

static void put_format(struct mw_run *run, const struct mw_encoder *encoder)
{
    begin(run, NULL, "\n{");
    put_text(run, "name", encoder->name);
    put_text(run, "suffix", mw_suffix(encoder));
    put_text(run, "media", encoder->media);
    begin(run, "look", "[");
    for (int i = 0; mw_look_fields[i].type != MW_END_OF_TABLE; i++)
        if (encoder->look_mask >> i & 1)
            put_text(run, NULL, mw_look_fields[i].name);
    mw_put_char(run, ']');
    put_text(run, "help", encoder->help);
    mw_put_char(run, '}');
}

static void put_problem(struct mw_run *run, const struct fault_row *row)
{
    begin(run, NULL, "\n{");
    put_text(run, "slug", row->slug);
    put_number(run, "status", MW_INTEGER, (int32_t)row->status);
    put_text(run, "title", row->title);
    put_text(run, "meaning", row->meaning);
    mw_put_char(run, '}');
}

static void put_tables(struct mw_run *run, void *none)
{
    (void)none;
    mw_put(run, "\n{");
    put_text(run, "version", MW_VERSION);
    begin(run, "generators", "[");
    for (const struct mw_generator *const *g = mw_generators; *g; g++)
        put_generator(run, *g);
    mw_put_char(run, ']');
    put_fields(run, "look", mw_look_fields);
    begin(run, "formats", "[");
    for (const struct mw_encoder *const *e = mw_encoders; *e; e++)
        put_format(run, *e);
    mw_put_char(run, ']');
    begin(run, "problems", "[");
    for (int i = FAULT_NONE + 1; i < FAULT_END; i++)
        put_problem(run, &fault_rows[i]);
    mw_put(run, "]}\n");
}

int print_tables(struct mw_run *run)
{
    const char *start = run->bottom;
    if (!mw_guarded(run, put_tables, NULL))
        return report(run);
    return write_out(NULL, start, (size_t)(run->bottom - start));
}
