/*
 * value.c: values of every type, in every spelling.
 *
 *               JSON            an address      text
 *     text      "a b"           a%20b           a b
 *     truth     true            true            yes
 *     numbers   [1,2]           1,2             1,2
 *     points    [[1,2],[3,4]]   1,2;3,4         1,2;3,4
 *     rows      ["ab","cd"]     ab/cd           a line each, after a line's end
 *     nothing   null            -               -
 */
#include "run.h"

static void put_url(struct mw_run *run, const char *text, size_t n)
{
    mw_put_url(run, text, n, "");
}

static void put_json_key(struct mw_run *run, const char *name)
{
    mw_put_next(run);
    mw_put_char(run, '"');
    mw_put(run, name);
    mw_put(run, "\":");
}

/* clang-format off */
const struct mw_spelling
    mw_as_json = {NULL, mw_put_json_string, mw_put_int, mw_put_thousandths,
                  '[', ']', ',', ',', 0, ',', "true", "false", "null",
                  '{', '}', NULL, put_json_key},
    mw_as_url = {NULL, put_url, mw_put_int, mw_put_thousandths,
                 0, 0, ',', ';', 0, '/', "true", "false", .nothing = "-"},
    mw_as_text = {NULL, mw_put_bytes, mw_put_int, mw_put_thousandths,
                  0, 0, ',', ';', '\n', '\n', "yes", "no", .nothing = "-"};
/* clang-format on */

void mw_begin_list(struct mw_run *run, const struct mw_spelling *s, int32_t count)
{
    if (s->put_count)
        s->put_count(run, (uint64_t)count);
    mw_put_mark(run, s->open);
}

static void put_integers(struct mw_run *run, const struct mw_spelling *s, const int32_t *at,
                         int32_t count)
{
    mw_begin_list(run, s, count);
    for (int32_t i = 0; i < count; i++) {
        mw_put_mark(run, i ? s->next : 0);
        s->put_int(run, at[i]);
    }
    mw_put_mark(run, s->close);
}

static void put_points(struct mw_run *run, const struct mw_spelling *s, struct mw_points points)
{
    mw_begin_list(run, s, points.count);
    for (int32_t i = 0; i < points.count; i++) {
        mw_put_mark(run, i ? s->next_point : 0);
        put_integers(run, s, &points.at[i].x, 2);
    }
    mw_put_mark(run, s->close);
}

static void put_rows(struct mw_run *run, const struct mw_spelling *s, struct mw_rows rows)
{
    mw_begin_list(run, s, rows.count);
    for (int32_t y = 0; y < rows.count; y++) {
        mw_put_mark(run, y ? s->next_row : s->before_rows);
        s->put_text(run, rows.at + (int64_t)y * (rows.width + 1), (size_t)rows.width);
    }
    mw_put_mark(run, s->close);
}

/* NULL is nothing. */
static void put_word(struct mw_run *run, const struct mw_spelling *s, const char *word)
{
    if (word)
        s->put_text(run, word, strlen(word));
    else
        mw_put(run, s->nothing);
}

static void put_number(struct mw_run *run, const struct mw_spelling *s, enum mw_type type,
                       const char *const *choices, int32_t value)
{
    if (value == MW_NULL)
        mw_put(run, s->nothing);
    else if (type == MW_BOOLEAN)
        mw_put(run, value ? s->yes : s->no);
    else if (type == MW_DECIMAL)
        s->put_thousandths(run, value);
    else if (type == MW_ONE_OF)
        put_word(run, s, choices[value]);
    else
        s->put_int(run, value);
}

void mw_put_value(struct mw_run *run, const struct mw_spelling *s, enum mw_type type,
                  const char *const *choices, const void *array, int32_t i)
{
    const struct mw_ints *ints = array;
    switch (type) {
    case MW_STRING: put_word(run, s, ((const char *const *)array)[i]); break;
    case MW_INTEGERS: put_integers(run, s, ints[i].at, ints[i].count); break;
    case MW_POINT: put_integers(run, s, &((const struct mw_point *)array)[i].x, 2); break;
    case MW_POINTS: put_points(run, s, ((const struct mw_points *)array)[i]); break;
    case MW_BOX: put_integers(run, s, &((const struct mw_box *)array)[i].x0, 4); break;
    case MW_ROWS: put_rows(run, s, ((const struct mw_rows *)array)[i]); break;
    case MW_INTEGER:
    case MW_DECIMAL:
    case MW_BOOLEAN:
    case MW_ONE_OF: put_number(run, s, type, choices, ((const int32_t *)array)[i]); break;
    case MW_END_OF_TABLE: assert(!"a value has a type");
    }
}

/* ---- parameters ------------------------------------------------------------------------------ */

const struct mw_base *mw_base_of(const struct mw_request *request, const struct mw_field *field)
{
    const struct mw_base *base = request->bases;
    while (base && base->field != field)
        base = base->next;
    return base;
}

void mw_put_field(struct mw_run *run, const struct mw_spelling *s, const struct mw_field *field,
                  const struct mw_request *request)
{
    const struct mw_base *base = mw_base_of(request, field);
    const void *at = (const char *)request->params + field->offset;
    if (base)
        s->put_text(run, base->address, base->address_length);
    else if (!mw_field_present(field, request->params))
        mw_put(run, s->nothing);
    else if (field->type == MW_BOOLEAN) /* where columns have an int32_t */
        put_number(run, s, MW_BOOLEAN, NULL, *(const bool *)at);
    else
        mw_put_value(run, s, field->type, field->choices, at, 0);
}

void mw_put_default(struct mw_run *run, const struct mw_spelling *s, const struct mw_field *field)
{
    const void *list = &field->list_default, *number = &field->fallback;
    mw_put_value(run, s, field->type, field->choices, field->type == MW_INTEGERS ? list : number,
                 0);
}

/* What may be left out begins with a pointer, which is NULL then; numbers are always there. */
bool mw_field_present(const struct mw_field *field, const void *params)
{
    enum mw_type type = field->type;
    const void *pointer;
    static_assert(!offsetof(struct mw_ints, at) && !offsetof(struct mw_points, at) &&
                      !offsetof(struct mw_rows, at),
                  "the pointer comes first");
    if (type != MW_STRING && type != MW_INTEGERS && type != MW_POINTS && type != MW_ROWS)
        return true;
    memcpy(&pointer, (const char *)params + field->offset, sizeof pointer);
    return pointer;
}
