/*
 * regions_grow.c: countries grown from seeds, where there are no rectangles to begin with.
 *
 * The country that is least full, by its own measure, takes the next free place beside its own,
 * the longest known first: so all fill up at the same pace, in rounds. Then every seed moves to
 * the innermost place of its country, and they grow again (as in Lloyd's method for even cells):
 * a few such rounds pull seeds apart that began too close. A country that is walled in stays
 * small, and its neighbours get more than their share: what is left to even out is the matter of
 * sweeps and chains.
 */
#include "regions.h"

struct growth {
    struct ground *g;
    int32_t *head, *tail;  /* by country: the line of places with free ones beside them */
    int32_t *side;         /* of its first place: the next to look across */
    int32_t *next;         /* by index: the place after it in its country's line; -1 */
    int32_t *heap, heaped; /* countries that can grow, the least full on top */
};

/* Whether country a is less full than b. */
static bool emptier(const struct census *c, int32_t a, int32_t b)
{
    int64_t p = (int64_t)c->size[a] * c->low[b], q = (int64_t)c->size[b] * c->low[a];
    return p < q || (p == q && a < b);
}

static void sift_down(struct growth *w, int32_t i)
{
    const struct census *c = w->g->census;
    int32_t country = w->heap[i];
    for (int32_t child; (child = 2 * i + 1) < w->heaped; i = child) {
        child += child + 1 < w->heaped && emptier(c, w->heap[child + 1], w->heap[child]);
        if (!emptier(c, w->heap[child], country))
            break;
        w->heap[i] = w->heap[child];
    }
    w->heap[i] = country;
}

static void take(struct growth *w, int32_t country, int32_t place)
{
    struct ground *g = w->g;
    g->claim(g, place, (uint16_t)country);
    regions_resize(g->census, country, regions_weight(g, place));
    w->next[place >> g->shift] = -1;
    if (w->head[country] < 0)
        w->head[country] = place;
    else
        w->next[w->tail[country] >> g->shift] = place;
    w->tail[country] = place;
}

/* Takes one more place; false when there is none. */
static bool grow_one(struct growth *w, int32_t country)
{
    const struct ground *g = w->g;
    for (int32_t place; (place = w->head[country]) >= 0;
         w->head[country] = w->next[place >> g->shift]) {
        for (int32_t p; (p = g->beside(g, place, w->side[country])) >= 0; w->side[country]++)
            if (regions_holder(g, p) == 0) {
                take(w, country, p);
                return true;
            }
        w->side[country] = 0;
    }
    return false;
}

void regions_grow(struct ground *g, const int32_t *countries, int32_t n, const int32_t *seed)
{
    char *mark = mw_mark(g->run);
    struct growth w = {.g = g};
    w.head = MW_NEW(g->run, int32_t, g->census->count + 1);
    w.tail = MW_NEW(g->run, int32_t, g->census->count + 1);
    w.side = MW_NEW(g->run, int32_t, g->census->count + 1);
    w.next = MW_NEW(g->run, int32_t, g->indices);
    w.heap = MW_NEW(g->run, int32_t, n);
    for (int32_t i = 0; i < n; i++) {
        int32_t k = countries[i];
        g->census->size[k] = w.side[k] = 0;
        w.head[k] = -1;
        take(&w, k, seed[k]);
        w.heap[w.heaped++] = k;
    }
    for (int32_t i = n / 2; i >= 0 && n; i--)
        sift_down(&w, i);
    while (w.heaped) {
        mw_tick(g->run, 8);
        if (!grow_one(&w, w.heap[0]))
            w.heap[0] = w.heap[--w.heaped];
        if (w.heaped)
            sift_down(&w, 0);
    }
    mw_rewind(g->run, mark);
}

/* Whether a place lies at the border of its country, or at a coast. */
static bool at_border(const struct ground *g, int32_t place, int full)
{
    int sides = 0;
    for (int32_t p; (p = g->beside(g, place, sides)) >= 0; sides++)
        if (p == place || regions_holder(g, p) != regions_holder(g, place))
            return true;
    return sides < full;
}

void regions_centre(struct ground *g, int full, int32_t *seed)
{
    int32_t seen = regions_fresh_stamp(g), head = 0, tail = 0;
    for (int32_t i = 0; i < g->count; i++)
        if (at_border(g, g->place[i], full)) {
            g->stamp[g->place[i] >> g->shift] = seen;
            g->queue[tail++] = g->place[i];
        }
    while (head < tail) { /* inwards; who comes last lies deepest */
        int32_t place = g->queue[head++];
        seed[regions_holder(g, place)] = place;
        for (int32_t i = 0, p; (p = g->beside(g, place, i)) >= 0; i++)
            if (g->stamp[p >> g->shift] != seen) {
                g->stamp[p >> g->shift] = seen;
                g->queue[tail++] = p;
            }
    }
    mw_tick(g->run, (uint64_t)g->count * 2);
}
