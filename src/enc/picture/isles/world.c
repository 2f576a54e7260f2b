/*
 * world.c: finds the visible faces of a world of voxels, before drawing.
 *
 * The map is surrounded by a rim of air, so that every cell has four neighbors. Land rises by the
 * heights, earth hangs below by the distance from the shore. Each layer lists the cells with a
 * visible face: those that are higher than a neighbor, and those whose top it is.
 *
 * Islands near each other have different tints.
 */
#include "enc/find.h"
#include "enc/labels.h"
#include "isles.h"
#include "kit/integer.h"
#include "kit/lattice.h"

enum { HIGHEST = 1000, DEEPEST = 16, FARTHEST = INT16_MAX - 1 };

/* ---- the world ------------------------------------------------------------------------------- */

static void read_land(struct isles *w, const struct mw_cells *heights)
{
    for (int32_t y = 0, i = 0; y < w->height; y++)
        for (int32_t x = 0; x < w->width; x++, i++) {
            int32_t cell = isles_cell(w, x, y), height = mw_min(heights->at[i], HIGHEST);
            w->land.layers[cell] = (int16_t)mw_max(height, 0);
            w->land_count += height > 0;
            if (height > 0 || w->labels->at[i] >= 0)
                continue;
            w->deck[cell] = DECK;
            w->deck_count++;
        }
    mw_tick(w->run, (uint64_t)w->count);
}

/* Limits the distance of each cell of the map to one more than those of its neighbors, in two
   passes; a cell takes the label of the neighbor that it is near to. */
static void spread(const struct isles *w, int16_t *far, int32_t *labels)
{
    const int32_t count = w->width * w->height;
    for (int32_t i = 0; i < 2 * count; i++) {
        const bool back = i >= count;
        const int32_t at = back ? 2 * count - 1 - i : i,
                      cell = isles_cell(w, at % w->width, at / w->width);
        for (int side = back ? EAST : WEST, n = 0; n < 2; side++, n++) {
            const int32_t next = cell + w->offset[side];
            if (far[next] + 1 >= far[cell])
                continue;
            far[cell] = (int16_t)(far[next] + 1);
            labels[cell] = labels[next];
        }
    }
    mw_tick(w->run, 8 * (uint64_t)count);
}

/* Two layers for each step from the nearest cell that is not land. */
static void measure_earth(struct isles *w)
{
    char *mark = mw_mark(w->run);
    int32_t *labels = MW_NEW0(w->run, int32_t, w->count);
    int16_t *layers = w->earth.layers;
    for (int32_t cell = 0; cell < w->count; cell++)
        layers[cell] = w->land.layers[cell] ? FARTHEST : 0;
    spread(w, layers, labels);
    for (int32_t cell = 0; cell < w->count; cell++)
        layers[cell] = (int16_t)mw_min(mw_max(2 * layers[cell] - 1, 0), DEEPEST);
    mw_rewind(w->run, mark);
}

/* The highest layer of a cell that has no visible face. */
static int32_t hidden(const struct isles *w, const struct mass *m, int32_t cell)
{
    int32_t least = mw_max(m->layers[cell] - 1, 0);
    for (int side = 0; side < 4; side++)
        least = mw_min(least, m->layers[cell + w->offset[side]]);
    return least;
}

/* Adds each cell to the layers in which it has a visible face. */
static void sort_layers(struct isles *w, struct mass *m)
{
    for (int32_t cell = 0; cell < w->count; cell++)
        m->most = mw_max(m->most, m->layers[cell]);
    m->first = MW_NEW0(w->run, int64_t, m->most + 2);
    for (int32_t cell = w->stride; cell < w->count - w->stride; cell++)
        for (int32_t n = m->layers[cell], least = hidden(w, m, cell); n > least; n--)
            m->first[n]++;
    for (int32_t n = 0; n <= m->most; n++)
        m->first[n + 1] += m->first[n];
    mw_tick(w->run, 3 * (uint64_t)w->count + 2 * (uint64_t)m->first[m->most + 1]);
    assert(!m->first[0]);
    m->list = MW_NEW(w->run, int32_t, m->first[m->most + 1] + 1);
    for (int32_t cell = w->count - w->stride - 1; cell >= w->stride; cell--)
        for (int32_t n = m->layers[cell], least = hidden(w, m, cell); n > least; n--)
            m->list[--m->first[n]] = cell;
}

/* ---- bridges --------------------------------------------------------------------------------- */

/* The labels next to the ends of a bridge; 0: none. */
static void find_shores(const struct isles *w, struct mw_points way, int32_t shore[2])
{
    shore[0] = shore[1] = 0;
    for (int i = 0; i < 2 && way.count; i++) {
        struct mw_point at = way.at[i ? way.count - 1 : 0];
        for (int side = 0; side < 4; side++) {
            int32_t cell = mw_neighbour(&w->labels->lattice, at.y * w->width + at.x, side);
            int32_t label = cell < 0 ? 0 : w->labels->at[cell];
            if (label > 0 && label != shore[0])
                shore[shore[0] != 0] = label;
        }
    }
}

/* Joins decks along a bridge, so that parallel bridges stay apart. */
static void join_decks(struct isles *w, struct mw_points way)
{
    for (int32_t i = 1; i < way.count; i++) {
        int32_t from = isles_cell(w, way.at[i - 1].x, way.at[i - 1].y);
        int32_t to = isles_cell(w, way.at[i].x, way.at[i].y);
        for (int side = 0; side < 4; side++)
            if (from + w->offset[side] == to) {
                w->deck[from] |= (uint8_t)(DECK_WAY << side);
                w->deck[to] |= (uint8_t)(DECK_WAY << (side + 2) % 4);
            }
    }
    mw_tick(w->run, (uint64_t)way.count);
}

/* Lights the bridges from each island on the route to the next. */
static void light_route(struct isles *w, const struct mw_ints *route, const struct mw_points *ways,
                        int32_t rows)
{
    int32_t most = 0;
    for (int32_t i = 0; i < route->count; i++)
        most = mw_max(most, route->at[i]);
    int32_t *next = MW_NEW0(w->run, int32_t, most + 1);
    for (int32_t i = 0; i + 1 < route->count; i++)
        next[route->at[i]] = route->at[i + 1];
    for (int32_t row = 0; row < rows; row++) {
        int32_t shore[2];
        find_shores(w, ways[row], shore);
        bool lit = shore[1] && shore[0] <= most && shore[1] <= most &&
                   (next[shore[0]] == shore[1] || next[shore[1]] == shore[0]);
        for (int32_t i = 0; lit && i < ways[row].count; i++) {
            uint8_t *deck = &w->deck[isles_cell(w, ways[row].at[i].x, ways[row].at[i].y)];
            assert(*deck);
            *deck = (uint8_t)((*deck & ~DECK_KIND) | DECK_LIT);
        }
        mw_tick(w->run, 8 + (uint64_t)ways[row].count);
    }
}

static void find_ways(struct isles *w)
{
    const struct mw_map *map = w->canvas->map;
    int32_t rows;
    const struct mw_points *ways = find_array(map, MW_TRACK, &rows);
    for (int32_t row = 0; row < rows; row++)
        join_decks(w, ways[row]);
    int p = find_part(map->request->generator, MW_VALUE, MW_ROUTE);
    if (ways && p >= 0 && map->slots[p].present)
        light_route(w, &map->slots[p].as.value.integers, ways, rows);
}

/* ---- tints ----------------------------------------------------------------------------------- */

/* Halves of a bridge count as land of the islands that it joins. */
static void label_bridges(const struct isles *w, int32_t *labels)
{
    int32_t rows, shore[2];
    const struct mw_points *ways = find_array(w->canvas->map, MW_TRACK, &rows);
    for (int32_t row = 0; row < rows; row++) {
        const struct mw_points way = ways[row];
        find_shores(w, way, shore);
        for (int32_t i = 0; i < way.count; i++)
            labels[isles_cell(w, way.at[i].x, way.at[i].y)] = shore[2 * i >= way.count];
        mw_tick(w->run, 8 + (uint64_t)way.count);
    }
}

/* Islands are neighbors where the cells nearest to them meet. */
static void choose_tints(struct isles *w)
{
    w->tints = MW_NEW(w->run, uint8_t, w->count);
    char *mark = mw_mark(w->run);
    int32_t *labels = MW_NEW0(w->run, int32_t, w->count);
    int16_t *far = MW_NEW(w->run, int16_t, w->count);
    for (int32_t i = 0; i < w->width * w->height; i++)
        labels[isles_cell(w, i % w->width, i / w->width)] = mw_max(w->labels->at[i], 0);
    label_bridges(w, labels);
    for (int32_t cell = 0; cell < w->count; cell++)
        far[cell] = labels[cell] ? 0 : FARTHEST;
    spread(w, far, labels);
    const struct mw_cells cells = {w->faces.flat, labels};
    const int32_t *tints =
        label_colors(w->run, &cells, label_borders(w->run, &cells), INK_ISLE_TINTS);
    for (int32_t cell = 0; cell < w->count; cell++)
        w->tints[cell] = (uint8_t)tints[labels[cell]];
    mw_rewind(w->run, mark);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static struct isles open_world(struct canvas *canvas, const struct mw_cells *labels)
{
    int32_t stride = labels->lattice.width + 2, count = stride * (labels->lattice.height + 2);
    struct isles w = {.canvas = canvas,
                      .run = canvas->run,
                      .labels = labels,
                      .width = labels->lattice.width,
                      .height = labels->lattice.height,
                      .stride = stride,
                      .count = count,
                      .offset = {1, stride, -1, -stride}};
    w.land.layers = MW_NEW0(w.run, int16_t, count);
    w.earth.layers = MW_NEW0(w.run, int16_t, count);
    w.deck = MW_NEW0(w.run, uint8_t, count);
    w.faces = (struct outline){.run = w.run,
                               .flat = {stride, count / stride, MW_SQUARE, MW_WRAP_NONE},
                               .borders = MW_NEW0(w.run, uint8_t, count),
                               .walked = MW_NEW(w.run, uint8_t, count)};
    return w;
}

struct isles isles_of(struct canvas *canvas, const struct mw_cells *heights,
                      const struct mw_cells *labels)
{
    struct isles w = open_world(canvas, labels);
    read_land(&w, heights);
    measure_earth(&w);
    find_ways(&w);
    choose_tints(&w);
    sort_layers(&w, &w.land);
    sort_layers(&w, &w.earth);
    return w;
}
