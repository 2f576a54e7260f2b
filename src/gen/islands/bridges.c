/*
 * bridges.c: short bridges that reach every island and pass beside no third.
 *
 * All islands spread over the air at once, step by step, and each cell of air goes to the zone of
 * the island that comes first (zones of influence: Lantuéjoul 1978). Where the zones of two
 * islands meet, a bridge can be laid: from the two cells that meet back to the one shore and to
 * the other. Of all places where two zones meet the shortest is taken. Kruskal's tree over these
 * makes one net of all islands; of the other pairs a share gets bridges too.
 *
 *     1 1 . . 2      A zone's inner cells have two steps or more to any shore, so only the first
 *     1 1 1 t 2      and the last cell of a bridge lie beside an island at all. A cell beside the
 *     1 . t . .      shores of two islands is a tie: a bridge of one cell for those two, and
 *     . . 3 3 .      closed to all others.
 *
 * Does the net reach every island? Say that a cell knows its island (land), its zone's (air), both
 * (a tie), or none (air that was not reached). Any two islands are joined by a way over cells, and
 * what two neighbours on it know is joined by the net: land with the air beside it by definition;
 * air with air, as it is one zone or two that meet; and a tie of a and b with a cell beside it that
 * faces neither, as that cell is in the zone of one of them, or of an island that it meets there,
 * or all four around it are ties that join their islands in a ring. So Kruskal's tree is one tree.
 *
 * All this of islands that do not touch at corners. Where they do (islands.c), two of a tie's need
 * not face each other, a cell may lie beside three islands or four, and some islands cannot be
 * reached at all without passing beside a third:
 *
 *     . A . B .      So each tie goes to the zone of one of its islands, where the others meet it,
 *     C . . . D      and cells not reached so far are filled from there. Now every cell belongs to
 *     . . e . .      an island, and neighbours on any way are of one or meet: the pairs join all.
 *     F . . . G      Where one of the cells that meet is such a tie, or was reached from one, the
 *     . H . I .      bridge counts as longer than any other, and only the tree has such.
 */
#include "islands.h"
#include "kit/dsf.h"

/* ---- where two zones meet -------------------------------------------------------------------- */

/*
 * The best meeting of each pair; `from` 0 is free. Zones are connected and lie in a plane, so
 * there are fewer than three pairs an island, and the table is never more than three quarters full.
 */
struct meetings {
    struct bridge *slot;
    uint32_t mask;
    int32_t count;
};

static void new_meetings(struct mw_run *run, struct meetings *p, int32_t islands)
{
    uint32_t slots = 16;
    while (slots < (uint32_t)islands * 4)
        slots *= 2;
    *p = (struct meetings){MW_NEW0(run, struct bridge, slots), slots - 1, 0};
}

static bool is_place_of(const struct bridge *slot, const struct bridge *b)
{
    return !slot->from || (slot->from == b->from && slot->to == b->to);
}

/* The slot that holds a pair, or may. */
static struct bridge *place_of(const struct meetings *p, const struct bridge *b)
{
    uint32_t i = ((uint32_t)b->from + (uint32_t)b->to) * 2 & p->mask;
    for (uint32_t left = p->mask; left && !is_place_of(&p->slot[i], b); left--)
        i = (i + 1) & p->mask;
    assert(is_place_of(&p->slot[i], b));
    return &p->slot[i];
}

static void meet(struct meetings *p, int32_t a, int32_t b, int32_t length, int32_t near,
                 int32_t far)
{
    assert(a > 0 && b > 0 && a != b && length > 0);
    struct bridge found =
        a < b ? (struct bridge){a, b, length, near, far} : (struct bridge){b, a, length, far, near};
    struct bridge *slot = place_of(p, &found);
    if (slot->from && slot->length <= length)
        return;
    p->count += !slot->from;
    *slot = found;
}

/* ---- zones ----------------------------------------------------------------------------------- */

/* The islands beside a cell, each once; how many. */
static inline int list_beside(const struct island_map *s, int32_t cell, int32_t ids[5])
{
    int n = 0;
    for (int k = 0; k < 8; k += 2) {
        int32_t id = s->at[cell + s->ring[k]];
        bool known = id <= 0;
        for (int i = 0; i < n; i++)
            known |= ids[i] == id;
        ids[n] = id;
        n += !known;
    }
    return n;
}

/* Added to the steps of ties, and of what is reached from one; more than any other cell has. */
enum { LATE = 1 << 14 };

/*
 * Cells beside one island begin its zone; those beside more are ties, and a bridge where they are
 * two. Shores are listed from the front, ties from the back.
 */
static int32_t find_shores(struct island_map *s, uint16_t *steps, struct meetings *p,
                           int32_t **ties)
{
    int32_t n = 0, ids[5];
    *ties = s->list + s->width * s->height;
    for (int32_t cell = s->stride; cell < s->cells - s->stride; cell++) {
        if (s->at[cell] != CELL_AIR)
            continue;
        int beside = list_beside(s, cell, ids);
        steps[cell] = beside > 1 ? LATE + 1 : 1;
        if (beside)
            s->at[cell] = CELL_ZONE - ids[0];
        if (beside == 1)
            s->list[n++] = cell;
        if (beside > 1)
            *--*ties = cell;
        for (int i = 1; i < beside; i++)
            meet(p, ids[0], ids[i], beside == 2 ? 1 : LATE + 1, cell, cell);
    }
    mw_tick(s->run, (uint64_t)s->cells);
    return n;
}

/* Breadth first, from the cells listed. */
static void spread(struct island_map *s, uint16_t *steps, int32_t n)
{
    enum { SOME = 4096 }; /* cells for one tick */
    int32_t *list = s->list, *at = s->at;
    const int32_t side[4] = {s->ring[0], s->ring[2], s->ring[4], s->ring[6]};
    for (int32_t i = 0; i < n; i++) {
        int32_t cell = list[i];
        for (int k = 0; k < 4; k++) {
            int32_t next = cell + side[k];
            if (at[next] != CELL_AIR)
                continue;
            at[next] = at[cell];
            steps[next] = (uint16_t)(steps[cell] + 1);
            list[n++] = next;
        }
        if (i % SOME == SOME - 1)
            mw_tick(s->run, 2 * SOME);
    }
    mw_tick(s->run, (uint64_t)(n % SOME) * 2);
}

/* Whether two cells are of different zones. Branch-free: a branch would mispredict. */
static inline bool do_meet(int32_t own, int32_t other)
{
    return ((own - CELL_ZONE) & (other - CELL_ZONE) & -(int32_t)(own != other)) < 0;
}

static void find_meetings(const struct island_map *s, const uint16_t *steps, struct meetings *p)
{
    const int32_t *at = s->at, stride = s->stride;
    for (int32_t cell = stride, left = stride; cell < s->cells - stride; cell++, left--) {
        if (!left)
            mw_tick(s->run, (uint64_t)(left = stride));
        const int32_t beside[2] = {cell + 1, cell + stride};
        for (int k = 0; k < 2; k++) {
            if (do_meet(at[cell], at[beside[k]]))
                meet(p, CELL_ZONE - at[cell], CELL_ZONE - at[beside[k]],
                     steps[cell] + steps[beside[k]], cell, beside[k]);
        }
    }
}

/* ---- which pairs get a bridge ---------------------------------------------------------------- */

/* Writes the `count` bridges that stand among so many slots, by (from, to) or first by length. */
static void sort_bridges(struct mw_run *run, const struct bridge *slot, int64_t slots,
                         int32_t count, bool by_length, struct bridge *to)
{
    uint64_t *key = MW_NEW(run, uint64_t, count);
    int32_t *item = MW_NEW(run, int32_t, count), n = 0;
    for (int64_t i = 0; i < slots; i++) {
        const struct bridge *b = &slot[i];
        if (!b->from)
            continue;
        assert(n < count && b->length < 1 << 16 && b->from < 1 << 24 && b->to < 1 << 24);
        key[n] =
            (by_length ? (uint64_t)b->length << 48 : 0) | (uint64_t)b->from << 24 | (uint64_t)b->to;
        item[n++] = (int32_t)i;
    }
    assert(n == count);
    mw_sort(run, key, item, n);
    for (int32_t i = 0; i < n; i++)
        to[i] = slot[item[i]];
}

static void swap_bridges(struct bridge *a, struct bridge *b)
{
    struct bridge other = *a;
    *a = *b;
    *b = other;
}

/* Moves the bridges of Kruskal's tree to the front. */
static int32_t pick_tree(const struct island_map *s, struct bridge *list, int32_t n)
{
    int32_t *sets = MW_NEW(s->run, int32_t, s->count + 1), tree = 0;
    mw_dsf_init(sets, s->count + 1);
    for (int32_t i = 0; i < n; i++)
        if (mw_dsf_join(sets, list[i].from, list[i].to))
            swap_bridges(&list[i], &list[tree++]);
    assert(tree == s->count - 1); /* it reaches every island */
    return tree;
}

/* Moves so many of the others that are not too long for a loop behind them, at random. */
static int32_t pick_loops(struct island_map *s, struct bridge *list, int32_t tree, int32_t n,
                          int32_t loops)
{
    int32_t end = tree;
    for (int32_t i = tree; i < n; i++)
        if (list[i].length <= s->longest)
            swap_bridges(&list[i], &list[end++]);
    int32_t more = (int32_t)((int64_t)(end - tree) * loops / 1000);
    for (int32_t i = tree; i < tree + more; i++)
        swap_bridges(&list[i], &list[i + (int32_t)mw_below(&s->rng, (uint32_t)(end - i))]);
    return tree + more;
}

/* All that have met, the shortest first. */
static int32_t list_meetings(const struct island_map *s, const struct meetings *p,
                             struct bridge *list)
{
    assert(p->count <= s->count * 3); /* zones are connected and lie in a plane */
    char *mark = mw_mark(s->run);
    sort_bridges(s->run, p->slot, (int64_t)p->mask + 1, p->count, true, list);
    mw_rewind(s->run, mark);
    mw_tick(s->run, p->mask + (uint64_t)p->count * 8);
    return p->count;
}

void islands_bridge(struct island_map *s, int32_t loops, uint16_t *steps, struct bridges *b)
{
    struct meetings meetings;
    b->list = MW_NEW(s->run, struct bridge, (int64_t)s->count * 3);
    char *mark = mw_mark(s->run);
    new_meetings(s->run, &meetings, s->count);
    int32_t *ties, *end = s->list + s->width * s->height;
    spread(s, steps, find_shores(s, steps, &meetings, &ties));
    memmove(s->list, ties, (size_t)(end - ties) * sizeof *ties);
    spread(s, steps, (int32_t)(end - ties));
    find_meetings(s, steps, &meetings);
    int32_t n = list_meetings(s, &meetings, b->list), tree = pick_tree(s, b->list, n);
    b->count = pick_loops(s, b->list, tree, n, loops);
    struct bridge *sorted = MW_NEW(s->run, struct bridge, b->count);
    sort_bridges(s->run, b->list, b->count, b->count, false, sorted);
    memcpy(b->list, sorted, (size_t)b->count * sizeof *sorted);
    for (int32_t i = 0; i < b->count; i++)
        b->list[i].length %= LATE;
    mw_rewind(s->run, mark);
}

/* ---- laying one ------------------------------------------------------------------------------ */

/* The next cell on the way to the shore, straight on if possible. */
static int32_t towards_shore(const struct island_map *s, const uint16_t *steps, int32_t cell,
                             int *heading)
{
    for (int turn = 0; turn < 4; turn++) {
        int side = (*heading + turn) % 4;
        int32_t next = cell + s->ring[2 * side];
        if (s->at[next] != s->at[cell] || steps[next] + 1 != steps[cell])
            continue;
        *heading = side;
        return next;
    }
    return cell;
}

static struct mw_point point_of(const struct island_map *s, int32_t cell)
{
    return (struct mw_point){cell % s->stride - 1 + s->inset, cell / s->stride - 1 + s->inset};
}

void islands_lay(const struct island_map *s, const uint16_t *steps, const struct bridge *b,
                 struct mw_point *to)
{
    int heading = 0;
    while (b->near + s->ring[2 * heading] != b->far && b->near != b->far && heading < 3)
        heading++;
    int back = (heading + 2) % 4;
    int32_t before = steps[b->near] % LATE;
    assert(before <= b->length); /* which there is room for */
    for (int32_t i = before, cell = b->near; i > 0;
         i--, cell = towards_shore(s, steps, cell, &back))
        to[i - 1] = point_of(s, cell);
    for (int32_t i = before, cell = b->far; i < b->length;
         i++, cell = towards_shore(s, steps, cell, &heading))
        to[i] = point_of(s, cell);
    assert((before + (b->near == b->far ? 0 : steps[b->far])) % LATE == b->length);
}

/* ---- the net --------------------------------------------------------------------------------- */

void islands_join(struct mw_run *run, const struct bridges *b, int32_t count,
                  struct mw_ints *neighbours)
{
    int32_t *end = MW_NEW0(run, int32_t, count + 2),
            *list = MW_NEW(run, int32_t, 2 * (int64_t)b->count);
    for (int32_t i = 0; i < b->count; i++) {
        end[b->list[i].from + 1]++;
        end[b->list[i].to + 1]++;
    }
    for (int32_t id = 1; id <= count; id++) {
        end[id + 1] += end[id];
        neighbours[id - 1] = (struct mw_ints){list + end[id], end[id + 1] - end[id]};
    }
    for (int32_t i = 0; i < b->count; i++) /* lower neighbours first: bridges are in order */
        list[end[b->list[i].to]++] = b->list[i].from;
    for (int32_t i = 0; i < b->count; i++)
        list[end[b->list[i].from]++] = b->list[i].to;
    mw_tick(run, (uint64_t)b->count * 4 + (uint64_t)count);
}

/* The last island reached over bridges; before[id] is the one before, 0 at the start. */
static int32_t visit_all(struct island_map *s, const struct mw_ints *neighbours, int32_t start,
                         int32_t *before)
{
    int32_t *queue = MW_NEW(s->run, int32_t, s->count), n = 0;
    memset(before, -1, ((size_t)s->count + 1) * sizeof *before);
    before[start] = 0;
    queue[n++] = start;
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 0; k < neighbours[queue[i] - 1].count; k++) {
            int32_t next = neighbours[queue[i] - 1].at[k];
            if (before[next] >= 0)
                continue;
            assert(next > 0 && next <= s->count && n < s->count);
            before[next] = queue[i];
            queue[n++] = next;
        }
    assert(n == s->count);
    mw_tick(s->run, (uint64_t)n * 4);
    return queue[n - 1];
}

struct mw_ints islands_route(struct island_map *s, const struct mw_ints *neighbours)
{
    int32_t *before = MW_NEW(s->run, int32_t, s->count + 1);
    int32_t any = (int32_t)mw_below(&s->rng, (uint32_t)s->count) + 1;
    int32_t start = visit_all(s, neighbours, any, before);
    int32_t end = visit_all(s, neighbours, start, before), n = 0;
    for (int32_t id = end; id > 0 && n < s->count; id = before[id])
        n++;
    int32_t *route = MW_NEW(s->run, int32_t, n);
    for (int32_t id = end, i = n; i > 0; id = before[id])
        route[--i] = id;
    assert(n && route[0] == start);
    return (struct mw_ints){route, n};
}
