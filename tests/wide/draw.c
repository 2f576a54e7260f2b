/* draw.c: random addresses from the table of a generator. */
#include "draw.h"

#include "all/bases.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool one_in(struct arbitrary *source, uint32_t n) { return arbitrary_below(source, n) == 0; }

/* ---- numbers --------------------------------------------------------------------------------- */

static uint32_t bits_of(int64_t n)
{
    uint32_t bits = 0;
    for (; n > 0; n >>= 1)
        bits++;
    return bits;
}

static int64_t draw_below(struct arbitrary *source, int64_t n)
{
    if (n <= UINT32_MAX)
        return arbitrary_below(source, (uint32_t)n);
    int64_t high = arbitrary_below(source, UINT32_C(1) << 31);
    return (high << 31 | arbitrary_below(source, UINT32_C(1) << 31)) % n;
}

int64_t draw_number(struct arbitrary *source, int64_t least, int64_t most)
{
    int64_t span = most - least;
    if (span <= 0)
        return least;
    switch (arbitrary_below(source, 32)) {
    case 0: return least;
    case 1: return most;
    default: break;
    }
    uint32_t bits = arbitrary_below(source, bits_of(span) + 1);
    if (!bits)
        return least;
    int64_t from = INT64_C(1) << (bits - 1), to = 2 * from - 1 < span ? 2 * from - 1 : span;
    return least + from + draw_below(source, to - from + 1);
}

static void add_thousandths(struct text *text, int64_t n)
{
    long long size = n < 0 ? -n : n;
    text_add(text, "%s%lld.%03lld", n < 0 ? "-" : "", size / 1000, size % 1000);
}

/* Evenly; the ends come more often. */
static void draw_decimal(struct draft *d, const struct mw_field *field)
{
    uint32_t span = (uint32_t)((int64_t)field->most - field->least);
    uint32_t end = arbitrary_below(d->source, 8);
    int64_t n = end == 0   ? field->least
                : end == 1 ? field->most
                           : field->least + (int64_t)arbitrary_below(d->source, span + 1);
    d->value[field - d->generator->fields] = n;
    add_thousandths(d->text, n);
}

/* ---- strings and lists ----------------------------------------------------------------------- */

static void draw_string(struct arbitrary *source, struct text *text, int32_t least, int32_t most)
{
    int32_t wanted = (int32_t)draw_number(source, least, most), length = 0;
    do {
        const char *word = arbitrary_word(source);
        size_t n = strlen(word);
        if (length + (int32_t)n > most)
            break;
        text_add_escaped(text, word, n, "-._~");
        length += (int32_t)n;
    } while (length < wanted);
    for (; length < least; length++)
        text_add_char(text, 'z');
}

static void draw_integers(struct draft *d, const struct mw_field *field)
{
    int64_t n = draw_number(d->source, field->least_count, field->most_count);
    for (int64_t i = 0; i < n; i++)
        text_add(d->text, "%s%lld", i ? "," : "",
                 (long long)draw_number(d->source, field->least, field->most));
}

static void draw_points(struct draft *d, const struct mw_field *field)
{
    int64_t n = draw_number(d->source, field->least_count, field->most_count);
    uint32_t span = (uint32_t)((int64_t)field->most - field->least + 1);
    for (int64_t i = 0; i < n; i++) {
        uint32_t x = arbitrary_below(d->source, span), y = arbitrary_below(d->source, span);
        text_add(d->text, "%s%lld,%lld", i ? ";" : "", (long long)field->least + x,
                 (long long)field->least + y);
    }
}

static uint32_t choice_count(const struct mw_field *field)
{
    uint32_t n = 0;
    while (field->choices[n])
        n++;
    return n;
}

/* ---- a value --------------------------------------------------------------------------------- */

static void draw_value(struct draft *d, int row)
{
    const struct mw_field *field = &d->generator->fields[row];
    switch (field->type) {
    case MW_INTEGER:
        d->value[row] = draw_number(d->source, field->least, field->most);
        text_add(d->text, "%lld", (long long)d->value[row]);
        return;
    case MW_BOOLEAN:
        d->value[row] = arbitrary_below(d->source, 2);
        text_add(d->text, "%s", d->value[row] ? "true" : "false");
        return;
    case MW_ONE_OF:
        d->value[row] = arbitrary_below(d->source, choice_count(field));
        text_add(d->text, "%s", field->choices[d->value[row]]);
        return;
    case MW_DECIMAL: draw_decimal(d, field); return;
    case MW_STRING: draw_string(d->source, d->text, field->least_count, field->most_count); return;
    case MW_INTEGERS: draw_integers(d, field); return;
    case MW_POINTS: draw_points(d, field); return;
    case MW_ROWS: draw_rows(d, row); return;
    case MW_POINT:
    case MW_BOX:
    case MW_END_OF_TABLE: assert(!"no type of a parameter");
    }
}

/* ---- maps on maps ---------------------------------------------------------------------------- */

/* A solution is no board: its letters are on more than two cells. */
static bool may_stand_on(const struct draft *d, const struct mw_field *field,
                         const struct mw_generator *generator)
{
    bool solved = d->fitting && field->role == MW_BOARD && generator == d->generator;
    return source_of(field, generator).part >= 0 && !solved;
}

static const struct mw_generator *draw_source(struct draft *d, const struct mw_field *field)
{
    const struct mw_generator *picked = NULL;
    uint32_t met = 0;
    for (const struct mw_generator *const *g = mw_generators; *g; g++)
        if (may_stand_on(d, field, *g) && one_in(d->source, ++met))
            picked = *g;
    return picked;
}

/* The map below becomes the land of the draft. */
static void stand_on(struct draft *d, const struct draft *below)
{
    bool full = !strcmp(below->generator->name, "regions");
    d->width = below->width;
    d->height = below->height;
    d->land = full ? below->land : below->land / 8 + 1;
    d->pieces = full ? 1 : value_of(below, "count", 16);
    d->mask_from = below->generator;
}

/* Places must lie on the map: so the map that they are read from gets the same size. */
static void begin_below(const struct draft *d, const struct mw_field *field, struct draft *below)
{
    if (!d->fitting || field->type == MW_ROWS || !d->width)
        return;
    below->forced_width = d->width;
    below->forced_height = d->height;
}

static bool draw_base(struct draft *d, int row)
{
    const struct mw_field *field = &d->generator->fields[row];
    const struct mw_generator *generator = draw_source(d, field);
    if (!generator || d->depth == DRAFT_DEPTH)
        return false;
    struct text text = {0};
    struct draft below = {.source = d->source,
                          .generator = generator,
                          .text = &text,
                          .depth = d->depth + 1,
                          .fitting = d->fitting};
    begin_below(d, field, &below);
    draw_address(&below);
    text_add_escaped(d->text, text.at, text.length, "/?=.,:;#-_~");
    if (one_in(d->source, 6))
        text_add(d->text, "%%26of=%s", one_in(d->source, 2) ? "1" : "2,1,3");
    text_release(&text);
    if (field->role == MW_LABEL_GRID)
        stand_on(d, &below);
    return true;
}

/* ---- an address ------------------------------------------------------------------------------ */

int field_row(const struct mw_generator *generator, const char *name)
{
    for (int i = 0; generator->fields[i].type != MW_END_OF_TABLE; i++)
        if (!strcmp(generator->fields[i].name, name))
            return i;
    return -1;
}

int64_t value_of(const struct draft *d, const char *name, int64_t otherwise)
{
    int row = field_row(d->generator, name);
    if (row < 0)
        return otherwise;
    const struct mw_field *field = &d->generator->fields[row];
    return d->given[row] || !field->optional ? d->value[row] : otherwise;
}

bool is_given(const struct draft *d, const char *name)
{
    int row = field_row(d->generator, name);
    return row >= 0 && d->given[row];
}

/* Whether no map can be made without the field. */
static bool is_required(const struct mw_field *field)
{
    return field->type == MW_ROWS && !field->optional;
}

/* Leaves out fields that other given fields determine, unless fit.c draws a value that agrees. */
static void leave_out_followers(struct draft *d)
{
    const struct mw_field *fields = d->generator->fields;
    unsigned given = 0;
    for (int i = 0; fields[i].type != MW_END_OF_TABLE; i++)
        if (fields[i].optional && d->given[i])
            given |= 1u << fields[i].type;
    for (int i = 0; fields[i].type != MW_END_OF_TABLE; i++)
        if (fields[i].follows & given)
            d->given[i] = d->given[i] && agrees(d->generator, i) && one_in(d->source, 2);
}

static void begin_draft(struct draft *d)
{
    uint32_t generous = arbitrary_below(d->source, 4);
    for (int i = 0; d->generator->fields[i].type != MW_END_OF_TABLE; i++) {
        const struct mw_field *field = &d->generator->fields[i];
        assert(i < DRAFT_FIELDS);
        d->given[i] =
            is_required(field) ||
            (field->optional ? one_in(d->source, 5) : arbitrary_below(d->source, 4) <= generous);
        d->value[i] = field->list_default.count ? field->list_default.at[0] : field->fallback;
    }
    d->pieces = 1;
    if (d->fitting)
        leave_out_followers(d);
}

static void draw_field(struct draft *d, int row)
{
    const struct mw_field *field = &d->generator->fields[row];
    text_add(d->text, "&%s=", field->name);
    if (field->role != MW_PLAIN && one_in(d->source, 2) && draw_base(d, row))
        return;
    if (!d->fitting || !draw_fitting(d, row))
        draw_value(d, row);
}

/* Draws a side of the map, before the fields that depend on it; a mask has its own sides. */
static void draw_side(struct draft *d, const char *name, int64_t forced, int64_t *side)
{
    int row = field_row(d->generator, name);
    if (row < 0 || (d->fitting && *side))
        return;
    bool optional = d->generator->fields[row].optional;
    d->given[row] = d->given[row] || forced || (!optional && one_in(d->source, 2));
    if (forced) {
        d->value[row] = forced;
        text_add(d->text, "&%s=%lld", name, (long long)forced);
    } else if (d->given[row])
        draw_field(d, row);
    *side = d->value[row];
}

static void draw_seed(struct draft *d)
{
    text_add(d->text, "&seed=");
    if (one_in(d->source, 2))
        draw_string(d->source, d->text, 1, 64);
    else
        text_add(d->text, "%lld", (long long)draw_number(d->source, 0, (INT64_C(1) << 53) - 1));
}

static bool is_land(const struct mw_field *field)
{
    return field->type == MW_ROWS && field->role == MW_LABEL_GRID;
}

static bool is_side(const struct mw_field *field)
{
    return !strcmp(field->name, "width") || !strcmp(field->name, "height");
}

void draw_address(struct draft *d)
{
    const struct mw_field *fields = d->generator->fields;
    begin_draft(d);
    text_add(d->text, "/%s?v=%u", d->generator->name, d->generator->version);
    for (int i = 0; fields[i].type != MW_END_OF_TABLE; i++)
        if (d->given[i] && is_land(&fields[i]))
            draw_field(d, i);
    draw_side(d, "width", d->forced_width, &d->width);
    draw_side(d, "height", d->forced_height, &d->height);
    d->land = d->land ? d->land : d->width * d->height;
    for (int i = 0; fields[i].type != MW_END_OF_TABLE; i++)
        if (d->given[i] && !is_land(&fields[i]) && !is_side(&fields[i]))
            draw_field(d, i);
    if (!d->generator->seedless && !one_in(d->source, 8))
        draw_seed(d);
    free(d->mask);
    d->mask = NULL;
}

/* ---- formats and looks ----------------------------------------------------------------------- */

/* Some encoders draw the map below, and this one on top of it. */
static bool can_write(const struct mw_encoder *encoder, const struct draft *d)
{
    bool under =
        encoder->look_mask & MW_LOOK_BIT(UNDER) && d->mask_from && encoder->fits(d->mask_from);
    return encoder->fits(d->generator) || under;
}

const struct mw_encoder *draw_format(const struct draft *d)
{
    const struct mw_encoder *picked = mw_encoders[0];
    uint32_t met = 0;
    for (const struct mw_encoder *const *e = mw_encoders; *e; e++)
        if (can_write(*e, d) && one_in(d->source, ++met))
            picked = *e;
    return picked;
}

/* Pixels of a cell, so that pictures of large maps are no larger than can be made. */
static int64_t most_of_look(const struct draft *d, int row)
{
    int64_t most = mw_look_fields[row].most;
    int64_t side = d->width > d->height ? d->width : d->height;
    if (row != MW_LOOK_SCALE || side < 64)
        return most;
    return side > 4096 ? 1 : 8192 / side < most ? 8192 / side : most;
}

void draw_look(struct draft *d)
{
    for (int i = MW_LOOK_FORMAT + 1; mw_look_fields[i].type != MW_END_OF_TABLE; i++) {
        const struct mw_field *field = &mw_look_fields[i];
        if (!one_in(d->source, i == MW_LOOK_MAPS ? 16 : 5))
            continue;
        text_add(d->text, "&%s=", field->name);
        if (field->type == MW_INTEGER)
            text_add(d->text, "%lld",
                     (long long)draw_number(d->source, field->least, most_of_look(d, i)));
        else if (field->type == MW_ONE_OF)
            text_add(d->text, "%s",
                     field->choices[arbitrary_below(d->source, choice_count(field))]);
        else
            text_add(d->text, "%s", one_in(d->source, 2) ? "true" : "false");
    }
}
