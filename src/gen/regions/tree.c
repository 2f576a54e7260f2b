/*
 * tree.c: a piece of land divided anew, along a tree that spans it.
 *
 * Where land is thin, single cells cannot move: all that two countries share may be a cell which
 * holds one of them together, with a long cape behind it. Then what the piece was divided into is
 * forgotten. A random tree is spanned over its cells, and cut into parts of the sizes wanted: each
 * part of a tree is connected, whatever the land (as where electoral districts are drawn at
 * random: DeFord, Duchin and Solomon, «Recombination», 2019).
 *
 * Whether a tree comes apart into such parts is found exactly, and round such loops of the land as
 * there is room for, all of them where it is thin (cuts.c). So one tree, the best of some for that,
 * decides mazes, combs, rings and corridors: either they are divided, or it is proven that they
 * cannot be. On thicker land, and where sizes are of too many kinds to be counted in 64 bits,
 * nothing is proven, and it is cut in two instead, and each part again (bisect.c).
 *
 * What it costs, and when it ends: steps are counted, as to divide land exactly is hard in the
 * strict sense; a tree has as many as it is given.
 */
#include "tree.h"
#include "kit/dsf.h"
#include "kit/integer.h"

/* Trees of which the best is chosen. Entries of lists for each cell: one for so many steps, and at
   most. */
enum { CHOICE = 24, STEPS_FOR_ROOM = 1 << 15, MUCH_ROOM = 256 };

static void add_place(struct tree *t, int32_t place, int32_t parent)
{
    struct ground *g = &t->board->g;
    assert(t->count < t->cells);
    g->stamp[place >> 1] = g->stamps;
    t->rank[place >> 1] = t->count;
    t->place[t->count] = place;
    t->parent[t->count++] = parent;
}

/* A neighbour that is not in the tree, any of them; -1 when there is none. */
static int32_t free_beside(const struct tree *t, int32_t place)
{
    const struct ground *g = &t->board->g;
    int32_t found = -1;
    uint32_t n = 0;
    for (int i = 0, p; (p = regions_beside(g, place, i)) >= 0; i++)
        if (g->stamp[p >> 1] != g->stamps && (!t->part || t->part[p >> 1] == t->only) &&
            mw_below(t->rng, ++n) == 0)
            found = p;
    return found;
}

void regions_span(struct tree *t, int32_t root, int winding)
{
    int32_t active = 0, first = 0;
    regions_fresh_stamp(&t->board->g);
    t->count = 0;
    add_place(t, root, -1);
    t->active[active++] = 0;
    while (first < active) {
        bool last = winding == TREE_WINDS ||
                    (winding >= 0 && mw_below(t->rng, TREE_WINDS) < (uint32_t)winding);
        int32_t i = last          ? active - 1
                    : winding < 0 ? first
                                  : (int32_t)mw_below(t->rng, (uint32_t)active);
        int32_t rank = t->active[i], place = free_beside(t, t->place[rank]);
        if (place < 0 && winding < 0) {
            first++;
            continue;
        }
        if (place < 0) {
            t->active[i] = t->active[--active];
            continue;
        }
        t->active[active++] = t->count;
        add_place(t, place, rank);
    }
    mw_tick(t->board->g.run, (uint64_t)t->count * 2);
}

/* Spans the one of some trees, by depth first, that promises the shortest lists; a tree is spanned
   again by the same chances. */
static void span_best(struct tree *t, int32_t root)
{
    struct mw_run *run = t->board->g.run;
    uint64_t best = UINT64_MAX, now = mw_steps(run), end = now + (t->end - now) / 4;
    struct mw_rng chances = *t->rng;
    for (int i = 0; i < CHOICE && (!i || mw_steps(run) < end); i++) {
        struct mw_rng before = *t->rng;
        regions_span(t, root, TREE_WINDS);
        uint64_t weight = regions_weigh_cuts(t);
        if (weight < best) {
            best = weight;
            chances = before;
        }
    }
    struct mw_rng after = *t->rng;
    *t->rng = chances;
    regions_span(t, root, TREE_WINDS);
    *t->rng = after;
}

/* ---- a piece --------------------------------------------------------------------------------- */

/* Lists what the countries of the piece are to have, those that may have a cell more the first:
   want[] by seat, wanted[] by size. */
static void list_sizes(struct tree *t, const struct quota *q, const struct piece *piece,
                       int32_t *want)
{
    const int32_t *country = q->order + piece->first;
    int32_t spare = piece->cells;
    for (int32_t s = 0; s < piece->seats; s++)
        spare -= q->low[country[s]];
    for (int32_t s = 0; s < piece->seats; s++) {
        int32_t more = mw_min(spare, q->high[country[s]] - q->low[country[s]]);
        spare -= more;
        want[s] = q->low[country[s]] + more;
        t->wanted[want[s]]++;
        t->largest = mw_max(t->largest, want[s]);
    }
    assert(spare == 0); /* quotas add up to the cells of the piece */
}

/* Whether a part begins at a rank. */
static bool is_part(const struct tree *t, int32_t v) { return t->set[v] == v; }

/* Those that have got their capitals, and so their parts, want nothing more; others what is
   left. */
static void set_towns_apart(struct tree *t, const struct piece *piece, int32_t *want)
{
    const struct quota *q = t->quota;
    char *mark = mw_mark(t->board->g.run);
    bool *got = MW_NEW0(t->board->g.run, bool, q->count + 1);
    int32_t *left = t->left;
    memcpy(left, t->wanted, ((size_t)t->largest + 1) * sizeof *left);
    for (int32_t v = 0; v < t->count; v++)
        if (is_part(t, v) && t->town[v]) {
            got[t->town[v]] = true;
            left[t->open[v]]--;
        }
    for (int32_t s = 0; s < piece->seats; s++) {
        int32_t k = q->order[piece->first + s];
        assert(q->high[k] <= t->largest);
        want[s] = got[k] ? 0 : left[q->high[k]] ? q->high[k] : q->low[k];
        left[want[s]]--;
    }
    mw_rewind(t->board->g.run, mark);
}

/* Counts what the parts have. */
static void survey_parts(struct tree *t)
{
    for (int32_t v = 0; v < t->count; v++) {
        t->open[v] = 0;
        t->town[v] = 0;
    }
    for (int32_t v = 0; v < t->count; v++) {
        int32_t part = mw_dsf_find(t->set, v);
        t->open[part]++;
        t->town[part] |= regions_town(t, v);
    }
}

/* Gives the parts to countries that want their sizes, and those with a capital to its own. */
static void give_parts(struct tree *t, const struct quota *q, const struct piece *piece,
                       int32_t *want)
{
    struct ground *g = &t->board->g;
    survey_parts(t);
    if (t->board->town)
        set_towns_apart(t, piece, want);
    int32_t *seat = t->left, *next = MW_NEW(g->run, int32_t, piece->seats), *country = t->active;
    for (int32_t size = 0; size <= t->largest; size++)
        seat[size] = -1;
    for (int32_t s = piece->seats - 1; s >= 0; s--) { /* seat[size]: the first that wants it */
        next[s] = seat[want[s]];
        seat[want[s]] = s;
    }
    for (int32_t v = 0; v < t->count; v++) {
        if (!is_part(t, v)) {
            country[v] = country[mw_dsf_find(t->set, v)];
        } else if (t->town[v]) {
            country[v] = t->town[v];
        } else {
            int32_t *first = &seat[t->open[v]];
            assert(*first >= 0); /* there are as many parts of a size as are wanted */
            country[v] = q->order[piece->first + *first];
            *first = next[*first];
        }
        if (regions_country(g, t->place[v]) != country[v])
            regions_move(g, t->place[v], (uint16_t)country[v]);
    }
}

void regions_new_tree(struct tree *t, struct board *b, struct mw_rng *rng, int32_t cells)
{
    struct mw_run *run = b->g.run;
    *t = (struct tree){.board = b, .rng = rng, .cells = cells};
    t->place = MW_NEW(run, int32_t, cells);
    t->parent = MW_NEW(run, int32_t, cells);
    t->rank = MW_NEW(run, int32_t, b->g.indices);
    t->active = MW_NEW(run, int32_t, cells);
    t->set = MW_NEW(run, int32_t, cells);
    t->open = MW_NEW(run, int32_t, cells);
    t->town = MW_NEW(run, uint16_t, cells);
    t->wanted = MW_NEW0(run, int32_t, cells + 1);
    t->left = MW_NEW(run, int32_t, cells + 1);
}

enum regions_verdict regions_cut_tree(struct board *b, const struct quota *q,
                                      const struct piece *piece, struct mw_rng *rng, int32_t root,
                                      uint64_t steps, bool proves)
{
    struct mw_run *run = b->g.run;
    assert(piece->seats > 0 && regions_country(&b->g, root));
    char *mark = mw_mark(run);
    struct tree t;
    regions_new_tree(&t, b, rng, piece->cells);
    int32_t *want = MW_NEW(run, int32_t, piece->seats);
    t.quota = q;
    t.proves = proves;
    t.end = mw_steps(run) + steps;
    list_sizes(&t, q, piece, want);
    regions_new_cuts(&t);
    enum regions_verdict verdict = REGIONS_UNKNOWN;
    if (t.classes) {
        regions_make_room(&t, (int32_t)mw_min64((int64_t)steps / STEPS_FOR_ROOM, MUCH_ROOM));
        span_best(&t, root);
        verdict = regions_cut_exactly(&t);
    }
    if (verdict == REGIONS_CUT)
        give_parts(&t, q, piece, want);
    mw_rewind(run, mark);
    return verdict;
}
