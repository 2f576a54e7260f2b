/*
 * route_line.c: the route from start to end, drawn as a line.
 *
 * The line leads over land, in any direction, and over lit decks, along their bridges. Lit decks
 * are those of the route, so the shortest such way, found breadth first (Moore 1959), follows it.
 * On a step up or down the line follows the sides of the layers.
 */
#include "isles.h"
#include "kit/integer.h"

enum { MIDDLE = 2, TENTHS = 26 };

static bool leads(const struct isles *w, int32_t cell, int side)
{
    int32_t next = cell + w->offset[side];
    if (w->deck[next])
        return (w->deck[next] & DECK_KIND) == DECK_LIT &&
               (!w->deck[cell] || w->deck[cell] & DECK_WAY << side);
    return w->land.layers[next];
}

/* Breadth first; back: by cell, 1 + the side from which it was reached. Whether `to` was. */
static bool search(const struct isles *w, int32_t from, int32_t to, uint8_t *back)
{
    int32_t *queue = MW_NEW(w->run, int32_t, w->land_count + w->deck_count), count = 0;
    memset(back, 0, (size_t)w->count);
    queue[count++] = from;
    back[from] = 1;
    for (int32_t i = 0; i < count && !back[to]; i++)
        for (int side = 0; side < 4; side++) {
            int32_t next = queue[i] + w->offset[side];
            if (back[next] || !leads(w, queue[i], side))
                continue;
            back[next] = (uint8_t)((side + 2) % 4 + 1);
            assert(count < w->land_count + w->deck_count);
            queue[count++] = next;
        }
    mw_tick(w->run, (uint64_t)w->count / 16 + 4 * (uint64_t)count);
    return back[to];
}

/* A point of a cell's top; east, south: in quarters of a cell. */
static struct mw_point top_of(const struct isles *w, int32_t cell, int32_t east, int32_t south)
{
    return isles_place(w, cell, east, south, mw_max(w->land.layers[cell], 1) * ISLES_RISE);
}

/* The middle of a cell's side. */
static struct mw_point rim_of(const struct isles *w, int32_t cell, int side)
{
    static const struct mw_point quarters[] = {{4, 2}, {2, 4}, {0, 2}, {2, 0}};
    return top_of(w, cell, quarters[side].x, quarters[side].y);
}

void isles_find_route(struct isles *w, int32_t from, int32_t to)
{
    uint8_t *back = w->faces.walked;
    if (from == to || !search(w, from, to, back))
        return;
    int32_t most = w->land_count + w->deck_count;
    w->route = MW_NEW(w->run, int32_t, most);
    for (int32_t cell = to; cell != from && w->route_length < most - 1;
         cell += w->offset[back[cell] - 1]) {
        assert(back[cell] > 0); /* each was reached from an earlier one */
        w->route[w->route_length++] = cell;
    }
    w->route[w->route_length++] = from;
}

void isles_paint_route(struct isles *w)
{
    if (!w->route_length)
        return;
    int32_t tenths = mw_max((w->width + w->height) / 10, TENTHS); /* visible on a screen */
    canvas_begin(w->canvas, (struct pen){.line = INK_DECK + 3, .tenths = tenths});
    canvas_move(w->canvas, top_of(w, w->route[0], MIDDLE, MIDDLE));
    for (int32_t i = 1; i < w->route_length; i++) {
        int32_t cell = w->route[i - 1], next = w->route[i], side = 0;
        while (cell + w->offset[side] != next)
            side++;
        assert(side < 4);
        if (mw_max(w->land.layers[cell], 1) != mw_max(w->land.layers[next], 1)) {
            canvas_step_to(w->canvas, rim_of(w, cell, side));
            canvas_step_to(w->canvas, rim_of(w, next, (side + 2) % 4));
        }
        canvas_step_to(w->canvas, top_of(w, next, MIDDLE, MIDDLE));
    }
}
