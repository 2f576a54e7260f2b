/*
 * check_tables.c: the tables of every generator and encoder say what their readers rely on.
 *
 * The samples of the tests come first, then whatever is registered.
 */
#include "unit/unit.h"

static const struct mw_generator *generator(int i)
{
    const struct mw_generator *samples[] = {&mw_sample, &mw_null};
    return i < COUNT(samples) ? samples[i] : mw_generators[i - COUNT(samples)];
}

static int generator_count(void)
{
    int n = 0;
    while (mw_generators[n])
        n++;
    return n + 2;
}

/* A name for URLs, and one line for people: begins large, ends without a full stop. */
static void check_words(const char *name, const char *more, const char *sentence)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
    for (const char *c = name; *c; c++)
        ck_assert_msg(strchr(plain, *c) || strchr(more, *c), "«%s» is no name for a URL", name);
    ck_assert_msg(*name && sentence && *sentence && sentence[strlen(sentence) - 1] != '.' &&
                      !strchr(sentence, '\n'),
                  "%s has no sentence of one line without a full stop", name);
}

static size_t size_of(enum mw_type type)
{
    static const size_t sizes[] = {
        [MW_INTEGER] = sizeof(int32_t),         [MW_DECIMAL] = sizeof(int32_t),
        [MW_ONE_OF] = sizeof(int32_t),          [MW_BOOLEAN] = sizeof(bool),
        [MW_STRING] = sizeof(const char *),     [MW_INTEGERS] = sizeof(struct mw_ints),
        [MW_POINTS] = sizeof(struct mw_points), [MW_ROWS] = sizeof(struct mw_rows)};
    return sizes[type]; /* 0: no type of a parameter */
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* A list that has neither a default nor may be left out is missed, at its pointer. */
static void check_needed(const struct mw_generator *generator, const struct mw_field *f)
{
    struct mw_request request;
    struct mw_run *run = unit_open();
    ck_assert(!mw_bind(run, generator, NULL, 0, NULL, &request));
    ck_assert_str_eq(mw_problems(run)->list[0].pointer + 1, f->name);
}

static void check_list_field(const struct mw_generator *generator, const struct mw_field *f)
{
    const struct mw_ints *fallback = &f->list_default;
    ck_assert_msg(f->least_count >= 0 && f->least_count <= f->most_count && f->most_count > 0,
                  "%s: no list has from %d to %d elements", f->name, f->least_count, f->most_count);
    ck_assert_msg(!fallback->count || fallback->count >= f->least_count, "%s: default too short",
                  f->name);
    for (int32_t i = 0; i < fallback->count; i++)
        ck_assert_msg(fallback->at[i] >= f->least && fallback->at[i] <= f->most,
                      "%s: the default is out of range", f->name);
    /* an empty list is not told from none */
    ck_assert_msg(f->least_count > 0 || !fallback->count, "%s: left out and empty look alike",
                  f->name);
    ck_assert_msg(f->type != MW_ROWS || (f->alphabet && *f->alphabet), "%s has no alphabet",
                  f->name);
    if (!f->optional && !fallback->count)
        check_needed(generator, f);
}

static void check_single_field(const struct mw_field *f)
{
    int32_t most = f->most;
    if (f->type == MW_ONE_OF)
        for (most = -1; f->choices[most + 1];)
            most++;
    ck_assert_msg(f->optional || (f->least <= f->fallback && f->fallback <= most),
                  "%s: the default is out of range", f->name);
}

/* Two fields of a generator, or one of it and one of all. */
static void check_pair(const struct mw_field *a, const struct mw_field *b, bool members)
{
    ck_assert_msg(strcmp(a->name, b->name), "there are two %s", a->name);
    ck_assert_msg(!members || a->offset >= b->offset + size_of(b->type) ||
                      b->offset >= a->offset + size_of(a->type),
                  "%s and %s share their place", a->name, b->name);
}

TEST(fields, .end = generator_count())
{
    const struct mw_generator *g = generator(_i);
    const struct mw_field *f = g->fields;
    for (; f->type != MW_END_OF_TABLE; f++) {
        check_words(f->name, "", f->help);
        ck_assert_msg(size_of(f->type) && f->offset + size_of(f->type) <= g->params_size,
                      "%s is of no type of parameters, or lies outside", f->name);
        if (size_of(f->type) > sizeof(int32_t))
            check_list_field(g, f);
        else
            check_single_field(f);
        for (const struct mw_field *other = g->fields; other < f; other++)
            check_pair(f, other, true);
        for (const struct mw_field *o = mw_common_fields; o->type != MW_END_OF_TABLE; o++)
            check_pair(f, o, false);
    }
    ck_assert_int_le(f - g->fields, 64); /* bits in mw_given */
}

/* ---- parts ----------------------------------------------------------------------------------- */

static void check_columns(const struct mw_part *part)
{
    ck_assert_msg(part->columns, "%s has no columns", part->name);
    for (const struct mw_column *c = part->columns; c->type != MW_END_OF_TABLE; c++) {
        check_words(c->name, "", c->help);
        ck_assert_msg(c->type != MW_ONE_OF, "%s: columns have no choices", c->name);
        ck_assert_msg(c->role != MW_MARK || c->type == MW_POINT, "%s: a mark is a point", c->name);
        ck_assert_msg(c->role != MW_TRACK || c->type == MW_POINTS, "%s: a way is points", c->name);
        ck_assert_msg(c->role != MW_LINKS || c->type == MW_INTEGERS, "%s: links are integers",
                      c->name);
        for (const struct mw_column *other = part->columns; other < c; other++)
            ck_assert_msg(strcmp(c->name, other->name), "there are two %s", c->name);
    }
}

static void check_value(const struct mw_part *p)
{
    ck_assert_msg(p->type != MW_END_OF_TABLE, "%s has no type", p->name);
    ck_assert_msg(p->type != MW_ONE_OF || p->choices, "%s has no choices", p->name);
    ck_assert_msg(p->role != MW_MARK || p->type == MW_INTEGER, "%s: a mark is the id of a row",
                  p->name);
}

static bool has_table(const struct mw_generator *g, const char *name)
{
    for (const struct mw_part *p = g->parts; p->kind != MW_NO_PART; p++)
        if (p->kind == MW_TABLE && name && !strcmp(p->name, name))
            return true;
    return false;
}

TEST(parts, .end = generator_count())
{
    const struct mw_generator *g = generator(_i);
    ck_assert_msg(g->parts->kind != MW_NO_PART, "it makes nothing");
    for (const struct mw_part *p = g->parts; p->kind != MW_NO_PART; p++) {
        check_words(p->name, "", p->help);
        ck_assert_msg(p->kind != MW_EDGES || has_table(g, p->of), "%s joins rows of no table",
                      p->name);
        if (p->kind == MW_VALUE)
            check_value(p);
        if (p->kind == MW_TABLE)
            check_columns(p);
        for (const struct mw_part *other = g->parts; other < p; other++)
            ck_assert_msg(strcmp(p->name, other->name), "there are two %s", p->name);
    }
}

/* ---- generators and encoders ----------------------------------------------------------------- */

TEST(generators, .end = generator_count())
{
    const struct mw_generator *g = generator(_i);
    check_words(g->name, "/", g->summary);
    ck_assert(g->about && g->version >= 1 && g->steps > 0 && g->make);
    ck_assert_ptr_eq(mw_find(g->name), _i < 2 ? NULL : g); /* so no two have the same name */
    ck_assert(mw_encoders[0]->fits(g));
}

TEST(encoders)
{
    for (const struct mw_encoder *const *e = mw_encoders; *e; e++) {
        check_words((*e)->name, "", (*e)->help);
        check_words(mw_suffix(*e), "", (*e)->help);
        ck_assert_uint_le(strlen(mw_suffix(*e)), 12); /* the server makes file names of it */
        ck_assert_msg(strchr((*e)->media, '/') != NULL, "%s is no media type", (*e)->media);
        ck_assert_ptr_eq(mw_encoder_named((*e)->name), *e);
        ck_assert_ptr_eq(mw_encoder_named(mw_suffix(*e)), *e);
    }
    ck_assert_str_eq(mw_encoders[0]->name, "json");
    ck_assert_str_eq(mw_suffix(mw_encoder_named("text")), "txt");
    static const char *const none[] = {"", "/", "no-such", "regions/", "Regions"};
    for (int i = 0; i < COUNT(none); i++)
        ck_assert(!mw_find(none[i]) && !mw_encoder_named(none[i]));
}
