/*
 * pieces.c: the pieces of land of a mask, found by runs of cells in rows.
 *
 * Runs that touch those of the row above, or across a seam, are joined to disjoint sets: no cell is
 * looked at more than once, and whoever asks for the piece of a cell finds its run by bisection, or
 * at once, if it is that of the cell asked for before.
 */
#include "kit/dsf.h"
#include "kit/integer.h"
#include "regions.h"

static void list_spans(struct spans *s)
{
    const struct board *b = s->board;
    int32_t n = 0, rows = 0;
    s->row = MW_NEW(b->g.run, int32_t, b->height + 1);
    s->span = MW_NEW(b->g.run, struct span, (b->width + 1) / 2 * b->height);
    char *mark = mw_mark(b->g.run);
    uint8_t *restrict turns = MW_NEW(b->g.run, uint8_t, b->width); /* land begins or ends */
    for (int32_t i = 0; i < b->strips; i++) {
        const struct strip strip = b->strip[i];
        const uint8_t *sides = b->sides + strip.at;
        int32_t left = strip.at - regions_at(b, 0, strip.y), cells = strip.cells;
        while (rows <= strip.y)
            s->row[rows++] = n;
        turns[0] = sides[0] != 0;
        for (int32_t x = 1; x < cells; x++)
            turns[x] = (sides[x] != 0) ^ (sides[x - 1] != 0);
        for (int32_t x = 0; (x = mw_next_byte(turns, x, cells)) < cells;) {
            int32_t end = mw_next_byte(turns, x + 1, cells);
            s->span[n++] = (struct span){left + x, left + end};
            x = end + 1;
        }
    }
    while (rows <= b->height)
        s->row[rows++] = n;
    mw_rewind(b->g.run, mark);
    mw_tick(b->g.run, (uint64_t)b->width * (uint64_t)b->height / 4);
}

/* The span that a cell lies in. */
static int32_t span_at(const struct spans *s, int32_t at)
{
    int32_t y = at / s->board->stride - 1, x = at % s->board->stride - 1;
    int32_t low = s->row[y], high = s->row[y + 1] - 1;
    while (low < high) {
        int32_t middle = (low + high + 1) / 2;
        if (s->span[middle].x <= x)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

void regions_find_span(const struct spans *s, int32_t at, struct last_span *last)
{
    const struct board *b = s->board;
    int32_t i = span_at(s, at), first = at - at % b->stride + 1;
    *last = (struct last_span){first + s->span[i].x, first + s->span[i].end, s->piece[i]};
}

/* Joins the spans of two rows, one below the other, that touch. */
static void join_rows(struct spans *s, int32_t above, int32_t y)
{
    int32_t left = s->board->hex && !(y & 1), right = s->board->hex && y & 1;
    int32_t i = s->row[above], j = s->row[y];
    while (i < s->row[above + 1] && j < s->row[y + 1]) {
        const struct span *up = &s->span[i], *down = &s->span[j];
        if (up->x < down->end + right && down->x - left < up->end)
            mw_dsf_join(s->piece, i, j);
        *(up->end < down->end + right - left ? &i : &j) += 1;
    }
}

/* Joins what a place at the edge leads to, where the map wraps. */
static void join_across(struct spans *s, int32_t at)
{
    const struct board *b = s->board;
    int32_t place = at * 2 + ((at / b->stride - 1) & 1);
    if (!b->sides[at])
        return;
    for (int32_t i = 0, p; (p = regions_beside(&b->g, place, i)) >= 0; i++)
        mw_dsf_join(s->piece, span_at(s, at), span_at(s, p >> 1));
}

void regions_find_pieces(struct board *b, struct quota *q, struct spans *s)
{
    *s = (struct spans){.board = b};
    list_spans(s);
    int32_t spans = s->row[b->height];
    s->piece = MW_NEW(s->board->g.run, int32_t, spans);
    mw_dsf_init(s->piece, spans);
    for (int32_t y = 1; y < b->height; y++)
        join_rows(s, y - 1, y);
    for (int32_t y = 0; y < b->height && b->across; y++) {
        join_across(s, regions_at(b, 0, y));
        join_across(s, regions_at(b, b->width - 1, y));
    }
    for (int32_t x = 0; x < b->width && b->down; x++)
        join_across(s, regions_at(b, x, 0));
    q->pieces = 0;
    for (int32_t i = 0; i < spans; i++)
        q->pieces += s->piece[i] == i;
    mw_tick(s->board->g.run, (uint64_t)spans * 8);
    if (q->pieces > q->count)
        mw_fail(s->board->g.run, MW_NO_RESULT, q->sizes.count ? "/sizes" : "/count",
                "too few countries, %d, for land in %d separate pieces: each needs one of its own",
                q->count, q->pieces);
    for (int32_t i = 0, n = 0; i < spans; i++) { /* a root is never greater than its members */
        bool root = s->piece[i] == i;
        s->piece[i] = root ? n : s->piece[s->piece[i]];
        if (root)
            q->piece[n++] = (struct piece){0};
        q->piece[s->piece[i]].cells += s->span[i].end - s->span[i].x;
    }
}

void regions_give_pieces(const struct spans *s, const struct quota *q, bool all)
{
    struct board *b = s->board;
    for (int32_t y = 0; y < b->height; y++)
        for (int32_t i = s->row[y]; i < s->row[y + 1]; i++) {
            const struct piece *p = &q->piece[s->piece[i]];
            for (int32_t x = s->span[i].x; x < s->span[i].end && (all || p->seats == 1); x++)
                b->g.label[regions_at(b, x, y)] = (uint16_t)q->order[p->first];
        }
    regions_copy_seams(b);
    mw_tick(s->board->g.run, (uint64_t)b->width * (uint64_t)b->height / 4);
}
