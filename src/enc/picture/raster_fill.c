/*
 * raster_fill.c: polygons in a field of samples.
 *
 * Polygons are filled by the even-odd rule without a list of their edges. Where an edge crosses the
 * middle of a row, the first sample to the right of it has its top bit toggled. When the figure
 * ends, its rows are walked from left to right: an odd number of flags so far means inside. All
 * flags that were set are met and cleared on the way, as the span of each row, kept beside, covers
 * them. A crossing is computed from the edge's upper end to its lower, so an edge that two figures
 * share, one running down it and one up, is the same to both; an end belongs to the rows at or
 * below it, so that a corner is counted once.
 *
 * A line lies over the fill of its own figure, but is drawn step by step before the figure is
 * complete. So it only marks its samples, with a number that no ink has, and the walk that fills
 * turns marks into ink. A figure without a fill paints at once.
 */
#include "kit/integer.h"
#include "raster.h"

static int32_t clipped(int64_t place, int32_t most)
{
    if (place <= RASTER_PARTS / 2)
        return 0;
    int64_t n = (place + RASTER_PARTS / 2 - 1) / RASTER_PARTS;
    return n < most ? (int32_t)n : most;
}

int32_t raster_row(const struct raster *r, int64_t y) { return clipped(y, r->height); }

int32_t raster_column(const struct raster *r, int64_t x) { return clipped(x, r->width); }

void raster_touch(struct raster *r, int32_t row, int32_t from, int32_t to)
{
    struct span *span = &r->spans[row];
    assert(row >= 0 && row < r->height && from >= 0 && to <= r->width);
    span->from = mw_min(span->from, from);
    span->to = mw_max(span->to, to);
    r->first = mw_min(r->first, row);
    r->last = mw_max(r->last, row);
}

void raster_toggle(struct raster *r, struct place a, struct place b)
{
    struct place upper = a.y < b.y ? a : b, lower = a.y < b.y ? b : a;
    int64_t dx = lower.x - upper.x, dy = lower.y - upper.y;
    int32_t row = raster_row(r, upper.y), end = raster_row(r, lower.y);
    for (; row < end; row++) {
        int64_t down = (int64_t)row * RASTER_PARTS + RASTER_PARTS / 2 - upper.y;
        int32_t column = raster_column(r, upper.x - mw_floor_div(-dx * down, dy));
        assert(row >= 0 && row < r->height && column >= 0);
        bool inside = column < r->width;
        if (inside)
            r->at[(size_t)row * (size_t)r->width + (size_t)column] ^= RASTER_FLAG;
        raster_touch(r, row, column, column + inside);
    }
}

#define EIGHT(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Eight samples of which none is flagged, none marked. */
static bool is_plain(uint64_t eight)
{
    uint64_t other = (eight & EIGHT(0x7f)) ^ EIGHT(RASTER_LINE);
    return !(eight & EIGHT(RASTER_FLAG)) && !((other - EIGHT(1)) & ~other & EIGHT(0x80));
}

static void fill_row(uint8_t *at, const uint8_t *end, struct pen pen)
{
    bool inside = false;
    while (at < end) {
        uint64_t eight;
        if (end - at >= (ptrdiff_t)sizeof eight &&
            (memcpy(&eight, at, sizeof eight), is_plain(eight))) {
            if (inside)
                memset(at, (int)pen.fill, sizeof eight);
            at += sizeof eight;
            continue;
        }
        inside ^= *at >> 7;
        uint8_t ink = *at & 0x7f;
        *at++ = ink == RASTER_LINE ? (uint8_t)pen.line : inside ? (uint8_t)pen.fill : ink;
    }
}

void raster_fill(struct raster *r)
{
    for (int32_t row = r->first; row <= r->last; row++) {
        struct span *span = &r->spans[row];
        uint8_t *at = r->at + (size_t)row * (size_t)r->width;
        if (span->from < span->to) {
            fill_row(at + span->from, at + span->to, r->pen);
            mw_tick(r->canvas.run, 1 + (uint64_t)(span->to - span->from) / 8);
        }
        *span = (struct span){r->width, 0};
    }
    r->first = r->height;
    r->last = -1;
}
