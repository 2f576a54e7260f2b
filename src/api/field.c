/* field.c: what the tables of fields mean. */
#include "field.h"

#include "lib/gen.h"
#include "lib/span.h"

bool field_can_be_absent(enum mw_type type)
{
    return type == MW_STRING || type == MW_INTEGERS || type == MW_POINTS || type == MW_ROWS;
}

bool field_has_default(const struct mw_field *field)
{
    if (field->optional)
        return false;
    if (field->type == MW_INTEGER || field->type == MW_DECIMAL)
        return field->fallback >= field->least && field->fallback <= field->most;
    return !field_can_be_absent(field->type) || field->list_default.count;
}

bool field_is_required(const struct mw_field *field)
{
    return !field->optional && field_can_be_absent(field->type) && !field_has_default(field);
}

bool column_is_omissible(const struct mw_column *column)
{
    return column->nullable && field_can_be_absent(column->type);
}

char field_separator(enum mw_type type)
{
    return type == MW_INTEGERS ? ',' : type == MW_POINTS ? ';' : type == MW_ROWS ? '/' : '\0';
}

bool arg_is_named(const struct mw_arg *arg, const char *name)
{
    return span_is((struct span){arg->name, arg->name_length}, name);
}

const struct mw_field *field_of_arg(const struct mw_generator *generator, const struct mw_arg *arg)
{
    for (const struct mw_field *f = generator->fields; f->type != MW_END_OF_TABLE; f++)
        if (arg_is_named(arg, f->name))
            return f;
    return NULL;
}

/* The last of the characters from `c` on that are consecutive in ASCII. */
static const char *end_of_run(const char *c)
{
    while (c[1] == c[0] + 1)
        c++;
    return c;
}

const char *field_class(char class[CLASS_BYTES], const char *alphabet)
{
    char *to = class, *end = class + CLASS_BYTES - 8;
    assert(*alphabet);
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
    assert(to < class + CLASS_BYTES - 1);
    *to++ = ']';
    *to = '\0';
    return class;
}
