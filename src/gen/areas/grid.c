/*
 * grid.c: the grid on which areas grow, and the test that keeps them free of holes.
 *
 * A cell that joins an area by one arc of its ring cannot enclose anything; one that joins by two
 * arcs closes a loop. On squares cells are joined by their sides and the rest of the map also by
 * its corners, so an arc runs from a side over a corner to the next side only where all three are
 * taken (the simple points of Rosenfeld, counted as by Yokoi).
 */
#include "areas.h"
#include "kit/lattice.h"

static const int8_t ring_dx[8] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int8_t ring_dy[8] = {0, 1, 1, 1, 0, -1, -1, -1};

static void set_steps(struct grid *g)
{
    int32_t w = g->lattice.width;
    int32_t hex[2][6] = {{1, w, w - 1, -1, -w - 1, -w}, {1, w + 1, w, -1, -w, -w + 1}};
    for (int odd = 0; odd < 2; odd++)
        for (int k = 0; k < 8; k++) {
            int32_t to =
                g->lattice.tiling == MW_HEX ? hex[odd][k % 6] : ring_dx[k] + ring_dy[k] * w;
            g->ring[odd][k] = to;
            if (g->around == 6 ? k < 6 : k % 2 == 0)
                g->step[odd][g->around == 6 ? k : k / 2] = to;
        }
    for (int side = 0; side < g->sides; side++)
        g->shut[side] = (uint8_t) ~(1u << (side + g->sides / 2) % g->sides);
}

/* For each set of sides, every side in it as often as any other. */
static void fill_draws(struct grid *g)
{
    g->draws = g->sides == 6 ? 60 : AREAS_FLAT_DRAWS;
    for (uint32_t set = 1; set < 1u << g->sides; set++) {
        uint8_t list[MW_MAX_SIDES];
        uint32_t count = 0;
        for (uint8_t side = 0; side < g->sides; side++)
            if (set >> side & 1)
                list[count++] = side;
        assert(g->draws % count == 0); /* so each is as likely as any other */
        for (uint32_t drawn = 0, k = 0; drawn < g->draws; drawn++, k = k + 1 < count ? k + 1 : 0)
            g->way[set * g->draws + drawn] = list[k];
    }
    memset(g->way, 0, g->draws);
}

static void fill_offsets(struct grid *g)
{
    assert(g->draws == AREAS_FLAT_DRAWS);
    for (uint32_t i = 0; i < 16 * g->draws; i++)
        g->offset[i] = i < g->draws ? 0 : g->step[0][g->way[i]];
}

/* A cell that joins by one arc leaves the area without holes. */
static void look_at_rings(struct grid *g)
{
    for (unsigned ring = 0; ring < 1u << g->around; ring++) {
        unsigned arcs = areas_arcs(g, ring);
        g->once[ring] = arcs && !(arcs & (arcs - 1));
    }
}

struct mw_box areas_inside(const struct areas *p)
{
    int32_t x = p->edge == AREAS_SEA && p->wrap == MW_WRAP_NONE;
    int32_t y = p->edge == AREAS_SEA && p->wrap != MW_WRAP_XY;
    return (struct mw_box){x, y, p->width - 1 - x, p->height - 1 - y};
}

void areas_new_grid(struct grid *g, struct mw_run *run, const struct areas *p, int32_t *owner)
{
    *g = (struct grid){
        .run = run, .owner = owner, .cells = p->width * p->height, .vacant = AREAS_FREE};
    g->lattice =
        (struct mw_lattice){p->width, p->height, (enum mw_tiling)p->grid, (enum mw_wrap)p->wrap};
    g->inside = areas_inside(p);
    g->reciprocal = (UINT64_C(1) << 36) / (uint64_t)p->width + 1;
    g->sides = mw_sides(&g->lattice);
    g->around = g->sides == 6 ? 6 : 8;
    g->flat = g->sides == 4 && p->wrap == MW_WRAP_NONE;
    g->exits = MW_NEW(run, uint8_t, g->cells + 2 * p->width) + p->width;
    memset(g->exits - p->width, 0, (size_t)p->width);
    memset(g->exits + g->cells, 0, (size_t)p->width);
    set_steps(g);
    fill_draws(g);
    if (g->flat)
        fill_offsets(g);
    if (p->holes)
        return;
    look_at_rings(g);
    g->mine = MW_NEW0(run, uint8_t, g->cells);
}

static uint8_t exits_of(const struct grid *g, int32_t cell)
{
    uint8_t exits = 0;
    for (int side = 0; side < g->sides; side++) {
        int32_t next = areas_across(g, cell, side);
        if (next >= 0 && g->owner[next] == g->owner[cell])
            exits |= (uint8_t)(1u << side);
    }
    return exits;
}

/* Marks rows and rim; no exit is open. */
static void mark_edge(struct grid *g)
{
    int32_t w = g->lattice.width, h = g->lattice.height;
    for (int32_t y = 0; y < h; y++) {
        uint8_t *row = g->exits + (int64_t)y * w;
        uint8_t odd = g->lattice.tiling == MW_HEX && y & 1 ? AREAS_ODD : 0;
        bool rim = y == 0 || y == h - 1;
        memset(row, rim ? odd | AREAS_EDGE : odd, (size_t)w);
        row[0] = row[w - 1] = odd | AREAS_EDGE;
    }
    mw_tick(g->run, (uint64_t)g->cells / 8 + 1);
}

/* Where all cells inside are vacant, inner rows of a parity are alike. */
void areas_open_exits(struct grid *g, bool alike)
{
    int32_t w = g->lattice.width;
    mark_edge(g);
    for (int32_t y = 0; y < g->lattice.height; y++) {
        uint8_t *row = g->exits + (int64_t)y * w;
        if (alike && y > g->inside.y0 + 2 && y < g->inside.y1) {
            memcpy(row, row - 2 * (int64_t)w, (size_t)w);
            continue;
        }
        for (int32_t x = 0; x < w; x++)
            row[x] |= exits_of(g, y * w + x);
        mw_tick(g->run, (uint64_t)w * 4);
    }
}

void areas_reopen_exits_to(struct grid *g, int32_t cell, int32_t id)
{
    uint8_t *exits = g->exits + cell;
    ptrdiff_t width = g->lattice.width;
    if (g->flat && g->vacant == AREAS_FREE && !(*exits & AREAS_EDGE)) {
        /* without shares the exits of cells that are barred or held by others are not used */
        exits[1] |= 4;
        exits[width] |= 8;
        exits[-1] |= 1;
        exits[-width] |= 2;
        return;
    }
    for (int side = 0; side < g->sides; side++) {
        int32_t next = areas_across(g, cell, side);
        if (next >= 0 && (g->owner[next] == g->vacant || g->owner[next] == id))
            g->exits[next] |= (uint8_t)~g->shut[side];
    }
}

int32_t areas_around(const struct grid *g, int32_t cell, int k)
{
    assert(g->lattice.wrap == MW_WRAP_NONE && k >= 0 && k < g->around);
    if (!(g->exits[cell] & AREAS_EDGE))
        return cell + g->ring[(g->exits[cell] & AREAS_ODD) != 0][k];
    if (g->around == 6)
        return mw_neighbour(&g->lattice, cell, k);
    int32_t w = g->lattice.width, x = cell % w + ring_dx[k], y = cell / w + ring_dy[k];
    return x < 0 || y < 0 || x >= w || y >= g->lattice.height ? -1 : y * w + x;
}

unsigned areas_ring(const struct grid *g, int32_t cell, int32_t id)
{
    unsigned ring = 0;
    for (int k = 0; k < g->around; k++) {
        int32_t at = areas_around(g, cell, k);
        ring |= (unsigned)(at >= 0 && g->owner[at] == id) << k;
    }
    return ring;
}
