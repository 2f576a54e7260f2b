/*
 * fit.c: values that fit those drawn before them, where a value that is drawn by itself would
 * nearly always be refused. The table at the end lists the fields.
 *
 * No expression draws twice: compilers differ in what they evaluate first.
 */
#include "draw.h"

#include <stdlib.h>
#include <string.h>

static int64_t at_least(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t at_most(int64_t a, int64_t b) { return a < b ? a : b; }

static const struct mw_field *field_of(const struct draft *d, int row)
{
    return &d->generator->fields[row];
}

/* Writes a number of the field's range and these bounds. */
static bool put_number(struct draft *d, int row, int64_t least, int64_t most)
{
    const struct mw_field *field = field_of(d, row);
    least = at_most(at_least(least, field->least), field->most);
    most = at_least(at_most(most, field->most), least);
    d->value[row] = draw_number(d->source, least, most);
    text_add(d->text, "%lld", (long long)d->value[row]);
    return true;
}

static bool put_choice(struct draft *d, int row, int64_t choice)
{
    const struct mw_field *field = field_of(d, row);
    d->value[row] = choice;
    text_add(d->text, "%s",
             field->type == MW_BOOLEAN ? choice ? "true" : "false" : field->choices[choice]);
    return true;
}

/* ---- sets of numbers, to draw what is distinct ----------------------------------------------- */

struct set {
    uint64_t *slot; /* 0: free, else a number and one */
    uint64_t mask;
};

static struct set set_new(int64_t count)
{
    struct set set = {.mask = 63};
    while (set.mask < 2 * (uint64_t)count)
        set.mask = 2 * set.mask + 1;
    set.slot = calloc(set.mask + 1, sizeof *set.slot);
    if (!set.slot)
        abort();
    return set;
}

/* False: the number was there already. */
static bool set_add(struct set *set, uint64_t n)
{
    uint64_t i = n * UINT64_C(0x9e3779b97f4a7c15) >> 20 & set->mask;
    while (set->slot[i] && set->slot[i] != n + 1)
        i = (i + 1) & set->mask;
    bool added = !set->slot[i];
    set->slot[i] = n + 1;
    return added;
}

static uint32_t below(struct arbitrary *source, int64_t n)
{
    return arbitrary_below(source, (uint32_t)at_most(at_least(n, 1), UINT32_MAX));
}

/* ---- rows of masks --------------------------------------------------------------------------- */

struct disc {
    int64_t x, y, reach;
};

/* Round lakes, or round islands. */
static void draw_discs(struct arbitrary *source, char *rows, int64_t width, int64_t height,
                       bool islands)
{
    int64_t count = islands ? draw_number(source, 1, 12) : draw_number(source, 0, 40);
    memset(rows, islands ? '.' : '#', (size_t)((width + 1) * height));
    for (int64_t i = 0; i < count; i++) {
        struct disc disc;
        disc.x = below(source, width);
        disc.y = below(source, height);
        disc.reach = draw_number(source, 1, at_least((width + height) / 8, 1));
        for (int64_t y = at_least(disc.y - disc.reach, 0);
             y < at_most(disc.y + disc.reach + 1, height); y++)
            for (int64_t x = at_least(disc.x - disc.reach, 0);
                 x < at_most(disc.x + disc.reach + 1, width); x++)
                if ((x - disc.x) * (x - disc.x) + (y - disc.y) * (y - disc.y) <=
                    disc.reach * disc.reach)
                    rows[y * (width + 1) + x] = islands ? '#' : '.';
    }
}

static void draw_speckles(struct arbitrary *source, char *rows, int64_t width, int64_t height)
{
    static const uint32_t shares[] = {1, 3, 10, 40, 60, 90, 99};
    uint32_t share = shares[arbitrary_below(source, sizeof shares / sizeof shares[0])];
    for (int64_t i = 0; i < (width + 1) * height; i++)
        rows[i] = arbitrary_below(source, 100) < share ? '.' : '#';
}

/* Columns of land, joined by the first row as a rule; else each is a piece. */
static void draw_comb(struct arbitrary *source, char *rows, int64_t width, int64_t height,
                      int64_t *pieces)
{
    int64_t pitch = draw_number(source, 2, at_least(width, 2));
    bool back = !one_in(source, 4);
    for (int64_t y = 0; y < height; y++)
        for (int64_t x = 0; x < width; x++)
            rows[y * (width + 1) + x] = x % pitch < (pitch + 1) / 2 || (back && y == 0) ? '#' : '.';
    *pieces = back ? 1 : (width + pitch - 1) / pitch;
}

/* Winding corridors: rows of land joined at alternate ends. */
static void draw_serpentine(struct arbitrary *source, char *rows, int64_t width, int64_t height)
{
    int64_t pitch = draw_number(source, 2, at_least(height / 2, 2));
    for (int64_t y = 0; y < height; y++)
        for (int64_t x = 0; x < width; x++)
            rows[y * (width + 1) + x] =
                y % pitch < pitch - 1 || x == (y / pitch % 2 ? 0 : width - 1) ? '#' : '.';
}

static void end_rows(char *rows, int64_t width, int64_t height)
{
    for (int64_t y = 0; y < height; y++)
        rows[y * (width + 1) + width] = '/';
}

static void draw_mask(struct draft *d, char *rows, int64_t width, int64_t height)
{
    switch (arbitrary_below(d->source, 8)) {
    case 0: draw_speckles(d->source, rows, width, height); break;
    case 1: draw_comb(d->source, rows, width, height, &d->pieces); break;
    case 2: draw_serpentine(d->source, rows, width, height); break;
    case 3:
        draw_discs(d->source, rows, width, height, true);
        d->pieces = 12;
        break;
    default: draw_discs(d->source, rows, width, height, false); break;
    }
    end_rows(rows, width, height);
    d->land = 0;
    for (int64_t i = 0; i < (width + 1) * height; i++)
        d->land += rows[i] == '#';
}

/* ---- rows of boards -------------------------------------------------------------------------- */

struct sheet {
    struct arbitrary *source;
    char *rows;
    int64_t width, height;
};

static char *cell_at(const struct sheet *s, int64_t x, int64_t y)
{
    bool on = x >= 0 && x < s->width && y >= 0 && y < s->height;
    return on ? &s->rows[y * (s->width + 1) + x] : NULL;
}

/* To a neighbour that is not on a walk yet; false: there is none. */
static bool step_on(const struct sheet *s, int64_t *x, int64_t *y)
{
    uint32_t first = arbitrary_below(s->source, 4);
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t side = (first + k) % 4;
        int64_t dx = (side == 0) - (side == 2), dy = (side == 1) - (side == 3);
        char *next = cell_at(s, *x + dx, *y + dy);
        if (!next || *next != '.')
            continue;
        *x += dx;
        *y += dy;
        return true;
    }
    return false;
}

/* A walk over free cells, marked `_`, with the letter on both ends; false: no room. */
static bool lay_walk(const struct sheet *s, int64_t longest, char letter)
{
    int64_t x = below(s->source, s->width), y = below(s->source, s->height), length = 1;
    char *start = cell_at(s, x, y);
    if (*start != '.')
        return false;
    *start = '_';
    for (; length < longest && step_on(s, &x, &y); length++)
        *cell_at(s, x, y) = '_';
    if (length == 1) {
        *start = '.';
        return false;
    }
    *start = *cell_at(s, x, y) = letter;
    return true;
}

/* Frees the cells of the walks; the others become walls where `wall_off` says so. */
static void uncover(const struct sheet *s, bool wall_off)
{
    for (int64_t i = 0; i < (s->width + 1) * s->height; i++)
        s->rows[i] = s->rows[i] == '_' ? '.' : s->rows[i] == '.' && wall_off ? '#' : s->rows[i];
}

/* Lays walls, then walks, and keeps the ends of the walks alone: so they can be joined. */
static void draw_board(struct draft *d, const struct mw_field *field, char *rows, int64_t width,
                       int64_t height)
{
    struct sheet s = {d->source, rows, width, height};
    const char *letters = field->alphabet + strspn(field->alphabet, ".#");
    int64_t paths = draw_number(d->source, 1, (int64_t)strlen(letters)), laid = 0;
    int64_t longest = draw_number(d->source, 2, at_least(width * height / paths, 2)) + 1;
    uint32_t walls = one_in(d->source, 2) ? arbitrary_below(d->source, 30) : 0;
    for (int64_t i = 0; i < (width + 1) * height; i++)
        rows[i] = arbitrary_below(d->source, 100) < walls ? '#' : '.';
    end_rows(rows, width, height);
    for (int64_t tries = 0; tries < 20 * paths && laid < paths; tries++)
        laid += lay_walk(&s, longest, letters[laid]);
    uncover(&s, one_in(d->source, 2));
}

void draw_rows(struct draft *d, int row)
{
    const struct mw_field *field = field_of(d, row);
    bool mask = field->role == MW_LABEL_GRID;
    int64_t most = d->depth && mask ? 256 : field->most;
    int64_t width = draw_number(d->source, field->least, most);
    int64_t height = draw_number(d->source, field->least_count, at_most(most, field->most_count));
    char *rows = calloc((size_t)(width + 1), (size_t)height);
    if (!rows)
        abort();
    if (mask)
        draw_mask(d, rows, width, height);
    else
        draw_board(d, field, rows, width, height);
    text_add(d->text, "%.*s", (int)((width + 1) * height - 1), rows);
    d->width = width;
    d->height = height;
    free(mask ? NULL : rows);
    d->mask = mask ? rows : NULL;
}

/* ---- cells and countries --------------------------------------------------------------------- */

/* Hexagons that wrap both ways need an even height. */
static bool fit_wrap(struct draft *d, int row)
{
    bool odd = value_of(d, "grid", MW_SQUARE) == MW_HEX && d->height % 2;
    bool no_outside = !value_of(d, "holes", true);
    return put_choice(d, row, no_outside ? MW_WRAP_NONE : arbitrary_below(d->source, odd ? 2 : 3));
}

/* What wraps has no outside to tell a hole from. */
static bool fit_holes(struct draft *d, int row)
{
    bool wraps = value_of(d, "wrap", MW_WRAP_NONE) != MW_WRAP_NONE;
    return put_choice(d, row, wraps || one_in(d->source, 2));
}

static bool fit_count(struct draft *d, int row)
{
    int64_t area = value_of(d, "area", 1);
    return put_number(d, row, d->pieces, at_least(d->land / area, 1));
}

static bool fit_area(struct draft *d, int row) { return put_number(d, row, 1, d->land); }

/* Sizes from 1 up that add up to the land: each takes a share of what is left. */
static bool fit_sizes(struct draft *d, int row)
{
    const struct mw_field *field = field_of(d, row);
    if (d->mask_from || d->land < d->pieces)
        return false;
    int64_t count = value_of(d, "count", 1), left = d->land;
    if (!is_given(d, "count"))
        count = draw_number(d->source, d->pieces, at_most(d->land, field->most_count));
    count = at_most(count, left);
    for (int64_t i = 0; i < count; i++) {
        int64_t others = count - 1 - i, fair = left / (count - i);
        int64_t size = 1 + below(d->source, at_most(2 * fair, left - others));
        size = i == count - 1 ? left : at_most(size, left - others);
        text_add(d->text, "%s%lld", i ? "," : "", (long long)size);
        left -= size;
    }
    d->count[row] = count;
    return true;
}

/* A random cell of land; -1: thirty tries met none. */
static int64_t draw_land(const struct draft *d)
{
    for (int tries = 0; tries < 30; tries++) {
        int64_t x = below(d->source, d->width), y = below(d->source, d->height);
        if (!d->mask || d->mask[y * (d->width + 1) + x] == '#')
            return y << 32 | x;
    }
    return -1;
}

static int64_t count_of(const struct draft *d, const char *list)
{
    int row = field_row(d->generator, list);
    return row >= 0 ? d->count[row] : 0;
}

static bool fit_capitals(struct draft *d, int row)
{
    const struct mw_field *field = field_of(d, row);
    int64_t sizes = count_of(d, "sizes"), countries = sizes ? sizes : value_of(d, "count", 1);
    bool bound = sizes || is_given(d, "count");
    int64_t most = at_most(bound ? countries : d->land / 2 + 1, field->most_count);
    int64_t count = draw_number(d->source, 1, at_most(most, d->land / 2 + 1)), put = 0;
    struct set met = set_new(count);
    for (int64_t i = 0; i < count; i++) {
        int64_t cell = draw_land(d);
        if (cell < 0 || !set_add(&met, (uint64_t)cell))
            continue;
        text_add(d->text, "%s%lld,%lld", put++ ? ";" : "", (long long)(cell & 0xffff),
                 (long long)(cell >> 32));
    }
    free(met.slot);
    return put > 0;
}

/* ---- islands --------------------------------------------------------------------------------- */

static void put_range(struct draft *d, int row, int64_t most_of_fewest, int64_t most)
{
    int64_t low = draw_number(d->source, 1, at_least(most_of_fewest, 1));
    int64_t high = one_in(d->source, 4) ? field_of(d, row)->most
                                        : low + draw_number(d->source, 0, at_least(most, 1));
    d->value[row] = low;
    text_add(d->text, "%lld,%lld", (long long)low,
             (long long)at_most(high, field_of(d, row)->most));
}

/* An island of n cells covers some n + 2 sqrt n + 1 corners; twice that room is mostly enough. */
static bool fit_islands(struct draft *d, int row)
{
    int64_t least = is_given(d, "size") ? 1 : value_of(d, "size", 18);
    put_range(d, row, d->land / (4 * least + 12), d->land / 8);
    return true;
}

static bool fit_island_size(struct draft *d, int row)
{
    int64_t each = d->land / at_least(value_of(d, "islands", 9), 1);
    put_range(d, row, (each - 12) / 4, each);
    return true;
}

/* ---- stars ----------------------------------------------------------------------------------- */

static int64_t star_count(const struct draft *d)
{
    int64_t positions = count_of(d, "positions");
    return positions ? positions : value_of(d, "stars", 2);
}

/* The star at the centre is nobody's home. */
static bool fit_homeworlds(struct draft *d, int row)
{
    return put_number(d, row, 1, star_count(d) - 1);
}

static bool fit_homes(struct draft *d, int row)
{
    const struct mw_field *field = field_of(d, row);
    int64_t stars = star_count(d), wanted = value_of(d, "homeworlds", 1);
    if (!is_given(d, "homeworlds"))
        wanted = draw_number(d->source, 1, at_most(at_least(stars / 2, 1), field->most_count));
    struct set met = set_new(wanted);
    for (int64_t put = 0; put < wanted;) {
        uint32_t star = below(d->source, stars);
        if (!set_add(&met, star))
            continue;
        text_add(d->text, "%s%u", put++ ? "," : "", (unsigned)star);
    }
    free(met.slot);
    d->count[row] = wanted;
    return true;
}

/* Kinds of skies: anywhere, on few rows or columns, in knots, on slanting lines. */
enum { SKY_ANY, SKY_ROWS, SKY_COLUMNS, SKY_KNOTS, SKY_SLANTS, SKIES };

static void draw_star(struct arbitrary *source, int sky, int64_t side, int64_t few, int64_t *x,
                      int64_t *y)
{
    *x = below(source, side);
    *y = below(source, side);
    if (sky == SKY_ROWS)
        *y = *y % few * (side / few);
    else if (sky == SKY_COLUMNS)
        *x = *x % few * (side / few);
    else if (sky == SKY_KNOTS) {
        int64_t knot = below(source, few), width = at_least(side / (4 * few), 1);
        *x = knot * (side / few) + *x % width;
        *y = knot * 7919 % few * (side / few) + *y % width;
    } else if (sky == SKY_SLANTS)
        *y = at_most(*x / (1 + *y % few), side - 1);
}

static bool fit_positions(struct draft *d, int row)
{
    const struct mw_field *field = field_of(d, row);
    int64_t wanted = draw_number(d->source, field->least_count, field->most_count), put = 0;
    int64_t side = draw_number(d->source, 2, (int64_t)field->most + 1);
    int sky = (int)arbitrary_below(d->source, SKIES + 3) % SKIES;
    int64_t few = draw_number(d->source, 1, at_most(side / 2, 1000));
    struct set met = set_new(wanted);
    for (int64_t tries = 0; tries < 2 * wanted + 50 && put < wanted; tries++) {
        int64_t x, y;
        draw_star(d->source, sky, side, few, &x, &y);
        if (set_add(&met, (uint64_t)y << 32 | (uint64_t)x))
            text_add(d->text, "%s%lld,%lld", put++ ? ";" : "", (long long)x, (long long)y);
    }
    free(met.slot);
    d->count[row] = put;
    return true;
}

/* As many as there are places. */
static bool fit_stars(struct draft *d, int row)
{
    return put_number(d, row, 2, value_of(d, "width", 1000) * value_of(d, "height", 1000));
}

/* ---- puzzles --------------------------------------------------------------------------------- */

/* Not far from the usual number as a rule: as many as cells on a side. */
static bool fit_colours(struct draft *d, int row)
{
    int64_t cells = d->width * d->height, side = 2;
    while (side * side < cells)
        side++;
    if (one_in(d->source, 8))
        return put_number(d, row, 1, cells / 2);
    return put_number(d, row, at_least(side * 3 / 4, 2), at_most(cells / 3, 3 * side));
}

static bool fit_min_length(struct draft *d, int row)
{
    int64_t cells = d->width * d->height;
    int64_t colours = value_of(d, "colors", 1 + (d->width + d->height) / 2);
    return put_number(d, row, 2, at_least(cells / colours / (one_in(d->source, 8) ? 1 : 3), 2));
}

static bool fit_difficulty(struct draft *d, int row)
{
    return put_choice(d, row, value_of(d, "unique", true) ? arbitrary_below(d->source, 5) : 0);
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct {
    const char *generator, *field;
    bool (*draw)(struct draft *, int row); /* false: as it comes */
    bool agrees;                           /* with what it follows */
} fits[] = {
    {.generator = "regions", .field = "wrap", .draw = fit_wrap},
    {.generator = "regions", .field = "count", .draw = fit_count, .agrees = true},
    {.generator = "regions", .field = "sizes", .draw = fit_sizes},
    {.generator = "regions", .field = "capitals", .draw = fit_capitals},
    {.generator = "areas", .field = "wrap", .draw = fit_wrap},
    {.generator = "areas", .field = "area", .draw = fit_area, .agrees = true},
    {.generator = "areas", .field = "count", .draw = fit_count},
    {.generator = "areas", .field = "holes", .draw = fit_holes},
    {.generator = "islands", .field = "islands", .draw = fit_islands},
    {.generator = "islands", .field = "size", .draw = fit_island_size},
    {.generator = "starlanes", .field = "positions", .draw = fit_positions},
    {.generator = "starlanes", .field = "stars", .draw = fit_stars},
    {.generator = "starlanes", .field = "homeworlds", .draw = fit_homeworlds, .agrees = true},
    {.generator = "starlanes", .field = "homes", .draw = fit_homes},
    {.generator = "puzzle/generate", .field = "colors", .draw = fit_colours},
    {.generator = "puzzle/generate", .field = "min_length", .draw = fit_min_length},
    {.generator = "puzzle/generate", .field = "difficulty", .draw = fit_difficulty},
};

/* Its row in that table, or -1. */
static int fit_of(const struct mw_generator *generator, int row)
{
    for (size_t i = 0; i < sizeof fits / sizeof fits[0]; i++)
        if (!strcmp(fits[i].generator, generator->name) &&
            !strcmp(fits[i].field, generator->fields[row].name))
            return (int)i;
    return -1;
}

bool draw_fitting(struct draft *d, int row)
{
    int fit = fit_of(d->generator, row);
    return fit >= 0 && fits[fit].draw(d, row);
}

bool agrees(const struct mw_generator *generator, int row)
{
    int fit = fit_of(generator, row);
    return fit >= 0 && fits[fit].agrees;
}
