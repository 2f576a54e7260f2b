/* schema.c: fields and parts, described in JSON Schema. */
#include "schema.h"

#include <stdio.h>
#include <string.h>

void put_sentence(struct writer *w, const char *key, const char *help)
{
    put_format(w, key, "%s.", help);
}

static void put_type(struct writer *w, const char *type, bool nullable)
{
    if (!nullable) {
        put_text(w, "type", type);
        return;
    }
    put_list(w, "type");
    put_text(w, NULL, type);
    put_text(w, NULL, "null");
    put_end(w);
}

static void put_choices(struct writer *w, const char *const *choices, bool nullable)
{
    put_list(w, "enum");
    for (; *choices; choices++)
        put_text(w, NULL, *choices);
    if (nullable)
        put_raw(w, NULL, "null", 4);
    put_end(w);
}

/* An array of `count` integers. */
static void put_tuple_schema(struct writer *w, const char *key, int count,
                             const struct mw_field *range)
{
    put_map(w, key);
    put_text(w, "type", "array");
    put_int(w, "minItems", count);
    put_int(w, "maxItems", count);
    put_map(w, "items");
    put_text(w, "type", "integer");
    if (range) {
        put_int(w, "minimum", range->least);
        put_int(w, "maximum", range->most);
    }
    put_end(w);
    put_end(w);
}

/* ---- fields ---------------------------------------------------------------------------------- */

static bool can_be_absent(enum mw_type type)
{
    return type == MW_STRING || type == MW_INTEGERS || type == MW_POINTS || type == MW_ROWS;
}

bool field_has_default(const struct mw_field *field)
{
    if (field->optional)
        return false;
    if (field->type == MW_INTEGER || field->type == MW_DECIMAL)
        return field->fallback >= field->least && field->fallback <= field->most;
    return !can_be_absent(field->type) || field->list_default.count;
}

bool field_is_required(const struct mw_field *field)
{
    return !field->optional && can_be_absent(field->type) && !field_has_default(field);
}

bool needs_parameters(const struct mw_generator *generator)
{
    for (const struct mw_field *f = generator->fields; f->type != MW_END_OF_TABLE; f++)
        if (field_is_required(f))
            return true;
    return false;
}

/* The last of the characters that follow `c` in the order of ASCII. */
static const char *end_of_run(const char *c)
{
    while (c[1] == c[0] + 1)
        c++;
    return c;
}

void write_class(char to[CLASS_BYTES], const char *alphabet)
{
    char *end = to + CLASS_BYTES - 8;
    *to++ = '[';
    for (const char *c = alphabet; *c && to < end; c++) {
        const char *last = end_of_run(c);
        if (strchr("\\]^-[", *c))
            *to++ = '\\';
        *to++ = *c;
        if (last - c < 3 || strchr("\\]^-[", *last))
            continue;
        *to++ = '-';
        *to++ = *last;
        c = last;
    }
    *to++ = ']';
    *to = '\0';
}

/* Points and rows are one string in a URL. */
static void put_spelling(struct writer *w, const struct mw_field *field)
{
    char class[CLASS_BYTES];
    put_text(w, "type", "string");
    if (field->type == MW_POINTS) {
        const char *n = field->least < 0 ? "-?[0-9]+" : "[0-9]+";
        put_format(w, "pattern", "^%s,%s(;%s,%s)*$", n, n, n, n);
    } else {
        write_class(class, field->alphabet);
        put_format(w, "pattern", "^%s+(/%s+)*$", class, class);
    }
}

static void put_rows_items(struct writer *w, const struct mw_field *field)
{
    char class[CLASS_BYTES];
    write_class(class, field->alphabet);
    put_map(w, "items");
    put_text(w, "type", "string");
    put_format(w, "pattern", "^%s+$", class);
    put_int(w, "minLength", field->least);
    put_int(w, "maxLength", field->most);
    put_end(w);
}

static void put_integers_items(struct writer *w, const struct mw_field *field)
{
    put_map(w, "items");
    put_text(w, "type", "integer");
    put_int(w, "minimum", field->least);
    put_int(w, "maximum", field->most);
    put_end(w);
    if (!field_has_default(field))
        return;
    put_list(w, "default");
    for (int32_t i = 0; i < field->list_default.count; i++)
        put_int(w, NULL, field->list_default.at[i]);
    put_end(w);
}

static void put_list_schema(struct writer *w, const struct mw_field *field, bool nullable)
{
    put_type(w, "array", nullable);
    put_int(w, "minItems", field->least_count);
    put_int(w, "maxItems", field->most_count);
    if (field->distinct)
        put_bool(w, "uniqueItems", true);
    if (field->type == MW_POINTS)
        put_tuple_schema(w, "items", 2, field);
    else if (field->type == MW_ROWS)
        put_rows_items(w, field);
    else
        put_integers_items(w, field);
}

static void put_number_schema(struct writer *w, const struct mw_field *field, bool nullable)
{
    bool decimal = field->type == MW_DECIMAL;
    void (*put)(struct writer *, const char *, int64_t) = decimal ? put_thousandths : put_int;
    put_type(w, decimal ? "number" : "integer", nullable);
    put(w, "minimum", field->least);
    put(w, "maximum", field->most);
    if (field_has_default(field))
        put(w, "default", field->fallback);
}

static void put_type_of_field(struct writer *w, const struct mw_field *field, bool nullable)
{
    switch (field->type) {
    case MW_INTEGER:
    case MW_DECIMAL: put_number_schema(w, field, nullable); break;
    case MW_BOOLEAN:
        put_type(w, "boolean", nullable);
        if (field_has_default(field))
            put_bool(w, "default", field->fallback != 0);
        break;
    case MW_ONE_OF:
        put_type(w, "string", nullable);
        put_choices(w, field->choices, nullable);
        if (field_has_default(field))
            put_text(w, "default", field->choices[field->fallback]);
        break;
    case MW_STRING:
        put_type(w, "string", nullable);
        put_int(w, "minLength", field->least_count);
        put_int(w, "maxLength", field->most_count);
        break;
    case MW_INTEGERS:
    case MW_POINTS:
    case MW_ROWS: put_list_schema(w, field, nullable); break;
    case MW_POINT:
    case MW_BOX:
    case MW_END_OF_TABLE: break;
    }
}

/* Whether null stands for a value that is absent. An answer shows what became of the others. */
static bool is_nullable(const struct mw_field *field, enum place place)
{
    if (place == IN_QUERY || field_has_default(field) || field_is_required(field))
        return false;
    return place == IN_BODY || can_be_absent(field->type);
}

void put_field_schema(struct writer *w, const char *key, const struct mw_field *field,
                      enum place place)
{
    put_map(w, key);
    if (place != IN_QUERY)
        put_sentence(w, "description", field->help);
    if (place == IN_QUERY && (field->type == MW_POINTS || field->type == MW_ROWS))
        put_spelling(w, field);
    else
        put_type_of_field(w, field, is_nullable(field, place));
    put_end(w);
}

void put_seed_schema(struct writer *w, const char *key)
{
    put_map(w, key);
    put_text(w, "description",
             "What the map is drawn from: an integer, or a string of up to 64 bytes. 7 and \"7\" "
             "are the same seed. Left out of a request, the server picks an integer.");
    put_list(w, "type");
    put_text(w, NULL, "integer");
    put_text(w, NULL, "string");
    put_end(w);
    put_int(w, "minimum", 0);
    put_int(w, "maximum", INT64_C(9007199254740991));
    put_int(w, "minLength", 1);
    put_int(w, "maxLength", 64);
    put_end(w);
}

void put_version_schema(struct writer *w, const char *key)
{
    put_map(w, key);
    put_text(
        w, "description",
        "The generator's version that you rely on. Where the server has another it answers 410.");
    put_text(w, "type", "integer");
    put_int(w, "minimum", 1);
    put_int(w, "maximum", INT32_MAX);
    put_end(w);
}

void put_suffix_schema(struct writer *w, const char *key, const struct mw_generator *generator)
{
    put_map(w, key);
    put_text(w, "type", "string");
    put_list(w, "enum");
    for (const struct mw_encoder *const *e = mw_encoders; *e; e++) {
        if (!(*e)->fits(generator))
            continue;
        put_text(w, NULL, (*e)->name);
        if ((*e)->suffix)
            put_text(w, NULL, (*e)->suffix);
    }
    put_end(w);
    put_end(w);
}

void put_format_schema(struct writer *w, const char *key, const struct mw_generator *generator)
{
    put_map(w, key);
    put_text(
        w, "description",
        "What the answer is written in. Left out, `Accept` decides; json where that says nothing.");
    put_text(w, "type", "string");
    put_list(w, "enum");
    for (const struct mw_encoder *const *e = mw_encoders; *e; e++)
        if ((*e)->fits(generator))
            put_text(w, NULL, (*e)->name);
    put_end(w);
    put_end(w);
}

void put_parameters_schema(struct writer *w, const char *key, const struct mw_generator *generator)
{
    const struct mw_field *fields = generator->fields;
    put_map(w, key);
    put_text(w, "description", "Every parameter, defaults filled in.");
    put_text(w, "type", "object");
    put_list(w, "required");
    for (const struct mw_field *f = fields; f->type != MW_END_OF_TABLE; f++)
        put_text(w, NULL, f->name);
    put_end(w);
    put_map(w, "properties");
    for (const struct mw_field *f = fields; f->type != MW_END_OF_TABLE; f++)
        put_field_schema(w, f->name, f, IN_ANSWER);
    put_end(w);
    put_end(w);
}

/* ---- parts ----------------------------------------------------------------------------------- */

static void put_array_of(struct writer *w, const char *item, bool nullable)
{
    put_type(w, "array", nullable);
    put_map(w, "items");
    put_text(w, "type", item);
    put_end(w);
}

/* The members that describe a value of a result. */
static void put_value_type(struct writer *w, enum mw_type type, const char *const *choices,
                           bool nullable)
{
    switch (type) {
    case MW_INTEGER: put_type(w, "integer", nullable); break;
    case MW_DECIMAL: put_type(w, "number", nullable); break;
    case MW_BOOLEAN: put_type(w, "boolean", nullable); break;
    case MW_ONE_OF:
        put_type(w, "string", nullable);
        put_choices(w, choices, nullable);
        break;
    case MW_STRING: put_type(w, "string", nullable); break;
    case MW_INTEGERS: put_array_of(w, "integer", nullable); break;
    case MW_ROWS: put_array_of(w, "string", nullable); break;
    case MW_POINTS:
        put_type(w, "array", nullable);
        put_tuple_schema(w, "items", 2, NULL);
        break;
    case MW_POINT:
    case MW_BOX:
        put_type(w, "array", nullable);
        put_int(w, "minItems", type == MW_POINT ? 2 : 4);
        put_int(w, "maxItems", type == MW_POINT ? 2 : 4);
        put_map(w, "items");
        put_text(w, "type", "integer");
        put_end(w);
        break;
    case MW_END_OF_TABLE: break;
    }
}

/* A nullable list is left out of its row rather than written as null. */
static bool is_left_out(const struct mw_column *column)
{
    return column->nullable && (column->type == MW_POINTS || column->type == MW_INTEGERS);
}

static void put_row_schema(struct writer *w, const char *key, const struct mw_column *columns)
{
    put_map(w, key);
    put_text(w, "type", "object");
    put_list(w, "required");
    for (const struct mw_column *c = columns; c->type != MW_END_OF_TABLE; c++)
        if (!is_left_out(c))
            put_text(w, NULL, c->name);
    put_end(w);
    put_map(w, "properties");
    for (const struct mw_column *c = columns; c->type != MW_END_OF_TABLE; c++) {
        put_map(w, c->name);
        put_sentence(w, "description", c->help);
        put_value_type(w, c->type, NULL, c->nullable && !is_left_out(c));
        put_end(w);
    }
    put_end(w);
    put_end(w);
}

static void put_grid_items(struct writer *w)
{
    put_text(w, "type", "array");
    put_map(w, "items");
    put_array_of(w, "integer", false);
    put_end(w);
}

static void put_edge_items(struct writer *w)
{
    static const struct mw_field row = {.least = 0, .most = INT32_MAX};
    put_text(w, "type", "array");
    put_tuple_schema(w, "items", 2, &row);
}

static void put_part_schema(struct writer *w, const struct mw_part *part)
{
    put_map(w, part->name);
    put_sentence(w, "description", part->help);
    switch (part->kind) {
    case MW_VALUE: put_value_type(w, part->type, part->choices, part->nullable); break;
    case MW_TABLE:
        put_text(w, "type", "array");
        put_row_schema(w, "items", part->columns);
        break;
    case MW_GRID: put_grid_items(w); break;
    case MW_EDGES: put_edge_items(w); break;
    case MW_NO_PART: break;
    }
    put_end(w);
}

void put_result_schema(struct writer *w, const char *key, const struct mw_generator *generator)
{
    put_map(w, key);
    put_text(w, "type", "object");
    put_list(w, "required");
    for (const struct mw_part *p = generator->parts; p->kind != MW_NO_PART; p++)
        if (!p->optional)
            put_text(w, NULL, p->name);
    put_end(w);
    put_map(w, "properties");
    for (const struct mw_part *p = generator->parts; p->kind != MW_NO_PART; p++)
        put_part_schema(w, p);
    put_end(w);
    put_end(w);
}
