/*
 * flat.c: a map that stands on others, asked for as if a client had sent what it reads from them.
 *
 * It shares no code with src/all/bases.c: that the two agree is a law.
 */
#include "flat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
    char *at;
    size_t length, room;
};

static void put(struct text *text, const char *piece, size_t n)
{
    if (text->length + n + 1 > text->room) {
        text->room = 2 * text->room + n + 64;
        text->at = realloc(text->at, text->room);
        if (!text->at)
            abort();
    }
    memcpy(text->at + text->length, piece, n);
    text->length += n;
    text->at[text->length] = '\0';
}

static void put_number(struct text *text, const char *before, int32_t n)
{
    char digits[32];
    put(text, digits, (size_t)snprintf(digits, sizeof digits, "%s%d", before, n));
}

static bool picks(const struct mw_base *base, int32_t id)
{
    bool found = false;
    for (int32_t i = 0; i < base->of.count; i++)
        found |= base->of.at[i] == id;
    return found;
}

static void put_land(struct text *text, const struct mw_base *base, const struct mw_cells *cells)
{
    for (int32_t y = 0; y < cells->lattice.height; y++) {
        put(text, "/", y > 0);
        for (int32_t x = 0; x < cells->lattice.width; x++) {
            int32_t label = cells->at[y * cells->lattice.width + x];
            bool land = base->of.count ? picks(base, label) : label != 0;
            put(text, land ? "%23" : ".", land ? 3 : 1);
        }
    }
}

static void put_board(struct text *text, struct mw_rows rows)
{
    for (int32_t y = 0; y < rows.count; y++) {
        put(text, "/", y > 0);
        for (int32_t x = 0; x < rows.width; x++) {
            const char *c = &rows.at[y * (rows.width + 1) + x];
            put(text, *c == '#' ? "%23" : c, *c == '#' ? 3 : 1);
        }
    }
}

static const void *column(const struct mw_base *base, int p, enum mw_role role)
{
    const struct mw_column *columns = base->request.generator->parts[p].columns;
    for (int c = 0; columns[c].type != MW_END_OF_TABLE; c++)
        if (columns[c].role == role)
            return base->map->slots[p].as.table.columns[c];
    return NULL;
}

static bool has_row(const struct mw_base *base, int p, int32_t row)
{
    const struct mw_column *first = base->request.generator->parts[p].columns;
    const int32_t *ids = base->map->slots[p].as.table.columns[0];
    return !base->of.count || picks(base, strcmp(first->name, "id") ? row : ids[row]);
}

/* False: that table has no places. */
static bool put_places(struct text *text, const struct mw_base *base, int p)
{
    const struct mw_point *at = column(base, p, MW_MARK);
    const int32_t *x = column(base, p, MW_ACROSS), *y = column(base, p, MW_DOWN);
    const char *between = "";
    if (!at && !x)
        return false;
    for (int32_t row = 0; row < base->map->slots[p].as.table.rows; row++) {
        if (!has_row(base, p, row))
            continue;
        put_number(text, between, at ? at[row].x : x[row]);
        put_number(text, ",", at ? at[row].y : y[row]);
        between = ";";
    }
    return true;
}

static bool put_numbers(struct text *text, const struct mw_base *base, int p)
{
    const int32_t *out = column(base, p, MW_EMPHASIS);
    const char *between = "";
    for (int32_t row = 0; out && row < base->map->slots[p].as.table.rows; row++)
        if (out[row] && has_row(base, p, row)) {
            put_number(text, between, row);
            between = ",";
        }
    return out;
}

static void put_value(struct text *text, const struct mw_base *base)
{
    const struct mw_part *parts = base->request.generator->parts;
    bool done = false;
    for (int p = 0; !done && parts[p].kind != MW_NO_PART; p++) {
        enum mw_type type = base->field->type;
        const struct mw_slot *slot = &base->map->slots[p];
        bool here = type == MW_ROWS && parts[p].role == base->field->role;
        if (here && parts[p].kind == MW_GRID)
            put_land(text, base, &slot->as.grid);
        else if (here)
            put_board(text, slot->as.value.rows);
        else if (parts[p].kind == MW_TABLE && type == MW_POINTS)
            here = put_places(text, base, p);
        else if (parts[p].kind == MW_TABLE && type == MW_INTEGERS)
            here = put_numbers(text, base, p);
        done = here;
    }
}

char *flat_address(const struct mw_map *map)
{
    struct text text = {0};
    const char *at = map->request->address;
    for (const struct mw_base *g = map->request->bases; g; g = g->next) {
        char name[80];
        snprintf(name, sizeof name, "&%s=", g->field->name);
        const char *value = strstr(at, name);
        if (!value)
            abort();
        value += strlen(name);
        put(&text, at, (size_t)(value - at));
        put_value(&text, g);
        at = value + strcspn(value, "&");
    }
    put(&text, at, strlen(at));
    return text.at;
}
