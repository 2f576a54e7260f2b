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

/* A character that is 0 is not written. */
struct spelling {
    void (*put_text)(struct mw_run *, const char *, size_t);
    char open, close, next_point, before_rows, next_row;
    const char *yes, *no, *nothing;
};

static void put_url(struct mw_run *run, const char *text, size_t n)
{
    mw_put_url(run, text, n, "");
}

static const struct spelling spellings[] = {
    [MW_AS_JSON] = {mw_put_json_string, '[', ']', ',', 0, ',', "true", "false", "null"},
    [MW_AS_URL] = {put_url, 0, 0, ';', 0, '/', "true", "false", "-"},
    [MW_AS_TEXT] = {mw_put_bytes, 0, 0, ';', '\n', '\n', "yes", "no", "-"},
};

static char *write_char(char *to, char c)
{
    *to = c;
    return to + (c != 0);
}

static void put_mark(struct mw_run *run, char c)
{
    if (c)
        mw_put_char(run, c);
}

static void put_pair(struct mw_run *run, const struct spelling *s, int32_t a, int32_t b)
{
    char *to = write_char(mw_reserve_output(run, 26), s->open);
    to = mw_write_int(to, a);
    to = mw_write_int(write_char(to, ','), b);
    mw_end_output(run, write_char(to, s->close));
}

/* Integers one by one, or in pairs. */
static void put_numbers(struct mw_run *run, const struct spelling *s, const int32_t *at,
                        int32_t count, bool pairs)
{
    put_mark(run, s->open);
    for (int32_t i = 0; i < count; i++) {
        put_mark(run, !i ? 0 : pairs ? s->next_point : ',');
        if (pairs)
            put_pair(run, s, at[2 * i], at[2 * i + 1]);
        else
            mw_put_int(run, at[i]);
    }
    put_mark(run, s->close);
}

static void put_rows(struct mw_run *run, const struct spelling *s, const struct mw_rows *rows)
{
    put_mark(run, s->open);
    for (int32_t y = 0; y < rows->count; y++) {
        put_mark(run, y ? s->next_row : s->before_rows);
        s->put_text(run, rows->at + (int64_t)y * (rows->width + 1), (size_t)rows->width);
    }
    put_mark(run, s->close);
}

static void put_integer(struct mw_run *run, const struct spelling *s, enum mw_type type,
                        const char *const *choices, int32_t value)
{
    if (value == MW_NULL)
        mw_put(run, s->nothing);
    else if (type == MW_BOOLEAN)
        mw_put(run, value ? s->yes : s->no);
    else if (type == MW_DECIMAL)
        mw_put_thousandths(run, value);
    else if (type == MW_ONE_OF)
        s->put_text(run, choices[value], strlen(choices[value]));
    else
        mw_put_int(run, value);
}

void mw_put_value(struct mw_run *run, enum mw_spelling spelling, enum mw_type type,
                  const char *const *choices, const void *array, int32_t i)
{
    const struct spelling *s = &spellings[spelling];
    const void *at = (const char *)array + (size_t)i * mw_width_of(type);
    const struct mw_ints *ints = at;
    const struct mw_points *points = at;
    const struct mw_point *point = at;
    const char *const *text = at;
    if (type == MW_INTEGERS)
        put_numbers(run, s, ints->at, ints->count, false);
    else if (type == MW_POINTS)
        put_numbers(run, s, (const int32_t *)(const void *)points->at, points->count, true);
    else if (type == MW_POINT)
        put_pair(run, s, point->x, point->y);
    else if (type == MW_BOX)
        put_numbers(run, s, at, 4, false);
    else if (type == MW_ROWS)
        put_rows(run, s, at);
    else if (type != MW_STRING)
        put_integer(run, s, type, choices, *(const int32_t *)at);
    else if (*text)
        s->put_text(run, *text, strlen(*text));
    else
        mw_put(run, s->nothing);
}

/* ---- parameters ------------------------------------------------------------------------------ */

const struct mw_base *mw_base_of(const struct mw_request *request, const struct mw_field *field)
{
    const struct mw_base *base = request->bases;
    while (base && base->field != field)
        base = base->next;
    return base;
}

static void put_field(struct mw_run *run, enum mw_spelling spelling, const struct mw_field *field,
                      const struct mw_request *request)
{
    const void *at = (const char *)request->params + field->offset;
    int32_t truth;
    if (field->type == MW_BOOLEAN) {
        truth = *(const bool *)at; /* where columns have an int32_t */
        at = &truth;
    }
    mw_put_value(run, spelling, field->type, field->choices, at, 0);
}

/* An address within an address: characters that RFC 3986 allows in a query are not escaped. */
void mw_put_field_url(struct mw_run *run, const struct mw_field *field,
                      const struct mw_request *request)
{
    const struct mw_base *base = mw_base_of(request, field);
    if (base)
        mw_put_url(run, base->address, base->address_length, "/?=,;:@");
    else
        put_field(run, MW_AS_URL, field, request);
}

void mw_put_field_json(struct mw_run *run, const struct mw_field *field,
                       const struct mw_request *request)
{
    const struct mw_base *base = mw_base_of(request, field);
    if (base)
        mw_put_json_string(run, base->address, base->address_length);
    else if (mw_field_present(field, request->params))
        put_field(run, MW_AS_JSON, field, request);
    else
        mw_put(run, "null");
}

void mw_put_default(struct mw_run *run, enum mw_spelling spelling, const struct mw_field *field)
{
    const void *list = &field->list_default, *number = &field->fallback;
    mw_put_value(run, spelling, field->type, field->choices,
                 field->type == MW_INTEGERS ? list : number, 0);
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
