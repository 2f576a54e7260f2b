/*
 * text_sky.c: stars and lanes in characters: `*` a node, `@` one that stands out, `.` an edge, `:`
 * a strong one. A character is about twice as high as it is wide, so rows are half as many.
 */
#include "enc/ink.h"
#include "text.h"

enum { COLUMNS = 79, MOST_ROWS = 200 };

struct canvas {
    struct links links;
    struct mw_point least;
    int64_t across, down; /* extent, at least 1 */
    int32_t rows;
    char *at; /* rows of COLUMNS and a newline each */
};

static struct mw_point on_canvas(const struct canvas *c, int32_t row)
{
    struct mw_point at = {0, 0};
    links_place(&c->links, row, &at);
    return (struct mw_point){(int32_t)(((int64_t)at.x - c->least.x) * (COLUMNS - 1) / c->across),
                             (int32_t)(((int64_t)at.y - c->least.y) * (c->rows - 1) / c->down)};
}

static void measure(struct canvas *c)
{
    struct mw_point most = {INT32_MIN, INT32_MIN}, at = {0, 0};
    c->least = (struct mw_point){INT32_MAX, INT32_MAX};
    for (int32_t row = 0; row < c->links.table->rows; row++) {
        links_place(&c->links, row, &at);
        c->least.x = at.x < c->least.x ? at.x : c->least.x;
        c->least.y = at.y < c->least.y ? at.y : c->least.y;
        most.x = at.x > most.x ? at.x : most.x;
        most.y = at.y > most.y ? at.y : most.y;
    }
    c->across = most.x > c->least.x ? (int64_t)most.x - c->least.x : 1;
    c->down = most.y > c->least.y ? (int64_t)most.y - c->least.y : 1;
    int64_t rows = c->down * COLUMNS / (2 * c->across) + 1;
    c->rows = (int32_t)(rows < MOST_ROWS ? rows : MOST_ROWS);
}

static void plot(struct canvas *c, struct mw_point at, char ink)
{
    c->at[at.y * (COLUMNS + 1) + at.x] = ink;
}

/* Bresenham's line. */
static void draw_line(struct canvas *c, struct mw_point a, struct mw_point b, char ink)
{
    int32_t dx = b.x > a.x ? b.x - a.x : a.x - b.x, dy = b.y > a.y ? a.y - b.y : b.y - a.y;
    int32_t error = dx + dy;
    while (a.x != b.x || a.y != b.y) {
        plot(c, a, ink);
        int32_t twice = 2 * error;
        if (twice >= dy) {
            error += dy;
            a.x += b.x > a.x ? 1 : -1;
        }
        if (twice <= dx) {
            error += dx;
            a.y += b.y > a.y ? 1 : -1;
        }
    }
}

static void draw_edges(struct mw_run *run, struct canvas *c, struct mw_edges edges, char ink)
{
    for (int32_t i = 0; i < edges.count; i++) {
        draw_line(c, on_canvas(c, edges.at[i].a), on_canvas(c, edges.at[i].b), ink);
        mw_tick(run, COLUMNS);
    }
}

static void draw_nodes(struct canvas *c)
{
    const int32_t *strong = links_strong(&c->links);
    for (int32_t row = 0; row < c->links.table->rows; row++)
        plot(c, on_canvas(c, row), '*');
    for (int32_t row = 0; strong && row < c->links.table->rows; row++)
        if (strong[row])
            plot(c, on_canvas(c, row), '@');
}

static enum ink ink_of(char c)
{
    switch (c) {
    case '@': return INK_HOME;
    case '*': return INK_STAR;
    case ':': return INK_TRUNK;
    default: return INK_LANE;
    }
}

/* The same on a night sky. */
static void put_night(struct mw_run *run, const struct canvas *c)
{
    for (int32_t y = 0; y < c->rows; y++) {
        char *to = mw_room(run, COLUMNS * (1 + ANSI_ROOM) + ANSI_ROOM + 1);
        const char *row = c->at + y * (COLUMNS + 1);
        struct paint paint = {0, 0};
        for (int32_t x = 0; x < COLUMNS; x++) {
            to = ansi_paint(to, &paint,
                            (struct paint){ansi_colour(ink_rgb[INK_NIGHT]),
                                           ansi_colour(ink_rgb[ink_of(row[x])])});
            *to++ = row[x];
        }
        to = ansi_paint(to, &paint, (struct paint){0, 0});
        *to++ = '\n';
        mw_wrote(run, to);
    }
}

void text_sky(struct mw_run *run, const struct mw_map *map, int p)
{
    struct canvas c = {.links = links_of(run, map)};
    const struct mw_part *parts = map->request->generator->parts;
    measure(&c);
    size_t size = (size_t)c.rows * (COLUMNS + 1);
    c.at = memset(MW_NEW(run, char, size), ' ', size);
    for (int32_t y = 0; y < c.rows; y++)
        c.at[y * (COLUMNS + 1) + COLUMNS] = '\n';
    draw_edges(run, &c, map->slots[p].as.edges, '.');
    for (int i = 0; parts[i].kind != MW_NO_PART; i++)
        if (parts[i].kind == MW_EDGES && parts[i].role == MW_STRONG && map->slots[i].as.edges.at)
            draw_edges(run, &c, map->slots[i].as.edges, ':');
    draw_nodes(&c);
    if (map->request->look.color)
        put_night(run, &c);
    else
        mw_put_bytes(run, c.at, size);
}
