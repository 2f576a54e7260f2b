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

#define PLAIN "abcdefghijklmnopqrstuvwxyz_0123456789"

static void check_name(const char *name, const char *more)
{
    ck_assert_msg(name && *name &&
                      strspn(name, PLAIN) + strspn(name + strspn(name, PLAIN), more) > 0,
                  "no name");
    for (const char *c = name; *c; c++)
        ck_assert_msg(strchr(PLAIN, *c) || strchr(more, *c), "«%s» is no name for a URL", name);
}

/* One line for people: begins large, ends without a full stop. */
static void check_sentence(const char *of, const char *sentence)
{
    ck_assert_msg(sentence && *sentence, "%s has no sentence", of);
    ck_assert_msg(sentence[strlen(sentence) - 1] != '.', "the sentence of %s ends with a full stop",
                  of);
    ck_assert_msg(!strchr(sentence, '\n'), "the sentence of %s has two lines", of);
}

static size_t size_of(enum mw_type type)
{
    switch (type) {
    case MW_INTEGER:
    case MW_DECIMAL:
    case MW_ONE_OF: return sizeof(int32_t);
    case MW_BOOLEAN: return sizeof(bool);
    case MW_STRING: return sizeof(const char *);
    case MW_INTEGERS: return sizeof(struct mw_ints);
    case MW_POINTS: return sizeof(struct mw_points);
    case MW_ROWS: return sizeof(struct mw_rows);
    case MW_POINT:
    case MW_BOX:
    case MW_END_OF_TABLE: break;
    }
    return 0; /* no type of a parameter */
}

/* What has neither a default nor may be left out is asked for, at its pointer, when it is
   missing. */
static void check_needed(const struct mw_generator *generator)
{
    struct mw_request request;
    for (const struct mw_field *f = generator->fields; f->type != MW_END_OF_TABLE; f++) {
        if (f->type != MW_ROWS || f->optional)
            continue;
        struct mw_run *run = unit_open();
        ck_assert(!mw_bind(run, generator, NULL, 0, NULL, &request));
        ck_assert_str_eq(mw_problems(run)->list[0].pointer + 1, f->name);
    }
}

static void check_list_field(const struct mw_field *f)
{
    bool list = f->type == MW_STRING || f->type == MW_INTEGERS || f->type == MW_POINTS ||
                f->type == MW_ROWS;
    if (!list)
        return;
    ck_assert_msg(f->least_count >= 0 && f->least_count <= f->most_count && f->most_count > 0,
                  "%s: no list has from %d to %d elements", f->name, f->least_count, f->most_count);
    ck_assert_msg(f->optional || f->list_default.count || f->type == MW_ROWS,
                  "%s has neither a default nor may it be left out", f->name);
    ck_assert_msg(!f->list_default.count || f->list_default.count >= f->least_count,
                  "%s: default too short", f->name);
    for (int32_t i = 0; i < f->list_default.count; i++)
        ck_assert_msg(f->list_default.at[i] >= f->least && f->list_default.at[i] <= f->most,
                      "%s: the default is out of range", f->name);
    /* an empty list is not told from none */
    ck_assert_msg(f->least_count > 0 || !f->list_default.count, "%s: left out and empty look alike",
                  f->name);
    ck_assert_msg(f->type != MW_ROWS || (f->alphabet && *f->alphabet), "%s has no alphabet",
                  f->name);
}

static void check_scalar_field(const struct mw_field *f)
{
    int32_t choices = 0;
    if (f->type == MW_ONE_OF)
        while (f->choices[choices])
            choices++;
    if (f->type == MW_ONE_OF)
        ck_assert_msg(f->fallback >= 0 && f->fallback < choices, "%s: the default is no choice",
                      f->name);
    else if (!f->optional && size_of(f->type) <= sizeof(int32_t))
        ck_assert_msg(f->least <= f->fallback && f->fallback <= f->most,
                      "%s: the default is out of range", f->name);
}

static bool overlap(const struct mw_field *a, const struct mw_field *b)
{
    return a->offset < b->offset + size_of(b->type) && b->offset < a->offset + size_of(a->type);
}

TEST(fields, .end = generator_count())
{
    const struct mw_generator *g = generator(_i);
    int n = 0;
    for (const struct mw_field *f = g->fields; f->type != MW_END_OF_TABLE; f++, n++) {
        check_name(f->name, "");
        check_sentence(f->name, f->help);
        ck_assert_msg(size_of(f->type) > 0, "%s: not a type of parameters", f->name);
        ck_assert_msg(f->offset + size_of(f->type) <= g->params_size, "%s lies outside", f->name);
        check_list_field(f);
        check_scalar_field(f);
        for (const struct mw_field *other = g->fields; other < f; other++) {
            ck_assert_msg(strcmp(f->name, other->name), "there are two %s", f->name);
            ck_assert_msg(!overlap(f, other), "%s and %s share their place", f->name, other->name);
        }
        for (const struct mw_field *other = mw_common_fields; other->type != MW_END_OF_TABLE;
             other++)
            ck_assert_msg(strcmp(f->name, other->name), "%s is a common field", f->name);
    }
    ck_assert_int_le(n, 64); /* bits in mw_given */
    check_needed(g);
}

static void check_columns(const struct mw_part *part)
{
    for (const struct mw_column *c = part->columns; c->type != MW_END_OF_TABLE; c++) {
        check_name(c->name, "");
        check_sentence(c->name, c->help);
        ck_assert_msg(c->type != MW_ONE_OF, "%s: columns have no choices", c->name);
        ck_assert_msg(c->role != MW_MARK || c->type == MW_POINT, "%s: a mark is a point", c->name);
        ck_assert_msg(c->role != MW_TRACK || c->type == MW_POINTS, "%s: a way is points", c->name);
        ck_assert_msg(c->role != MW_LINKS || c->type == MW_INTEGERS, "%s: links are integers",
                      c->name);
        for (const struct mw_column *other = part->columns; other < c; other++)
            ck_assert_msg(strcmp(c->name, other->name), "there are two %s", c->name);
    }
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
        check_name(p->name, "");
        check_sentence(p->name, p->help);
        ck_assert_msg(p->kind != MW_VALUE || p->type != MW_END_OF_TABLE, "%s has no type", p->name);
        ck_assert_msg(p->kind != MW_VALUE || p->type != MW_ONE_OF || p->choices,
                      "%s has no choices", p->name);
        ck_assert_msg(p->kind != MW_VALUE || p->role != MW_MARK || p->type == MW_INTEGER,
                      "%s: a mark is the id of a row", p->name);
        ck_assert_msg(p->kind != MW_TABLE || p->columns, "%s has no columns", p->name);
        ck_assert_msg(p->kind != MW_EDGES || has_table(g, p->of), "%s joins rows of no table",
                      p->name);
        if (p->kind == MW_TABLE)
            check_columns(p);
        for (const struct mw_part *other = g->parts; other < p; other++)
            ck_assert_msg(strcmp(p->name, other->name), "there are two %s", p->name);
    }
}

TEST(descriptors, .end = generator_count())
{
    const struct mw_generator *g = generator(_i);
    check_name(g->name, "/");
    check_sentence(g->name, g->summary);
    ck_assert_ptr_nonnull(g->about);
    ck_assert_uint_ge(g->version, 1);
    ck_assert_msg(g->steps > 0, "it has no budget of steps");
    ck_assert_msg(g->make != NULL, "it makes nothing");
    for (int j = 0; j < _i; j++)
        ck_assert_msg(strcmp(g->name, generator(j)->name), "there are two %s", g->name);
    if (_i >= 2)
        ck_assert_ptr_eq(mw_find(g->name), g);
}

TEST(what_is_not_there_is_not_found)
{
    static const char *const names[] = {
        "", "/", "no-such", "regions/", "Regions", "sample/maker", "null"};
    for (int i = 0; i < COUNT(names); i++) {
        ck_assert_ptr_null(mw_find(names[i]));
        ck_assert_ptr_null(mw_encoder_named(names[i]));
    }
}

TEST(encoders)
{
    for (const struct mw_encoder *const *e = mw_encoders; *e; e++) {
        check_name((*e)->name, "");
        check_sentence((*e)->name, (*e)->help);
        ck_assert_msg(strchr((*e)->media, '/') != NULL, "%s is no media type", (*e)->media);
        ck_assert_ptr_eq(mw_encoder_named((*e)->name), *e);
        check_name(mw_suffix(*e), "");
        ck_assert_uint_le(strlen(mw_suffix(*e)), 12); /* the server makes file names of it */
        ck_assert_ptr_eq(mw_encoder_named(mw_suffix(*e)), *e);
    }
    ck_assert_str_eq(mw_encoders[0]->name, "json");
    ck_assert_str_eq(mw_suffix(mw_encoder_named("text")), "txt");
    ck_assert_str_eq(mw_suffix(mw_encoder_named("svg")), "svg");
    for (int i = 0; i < generator_count(); i++)
        ck_assert(mw_encoders[0]->fits(generator(i)));
}
