/*
 * sat_core.c: the state of a solver: clauses, activities, values; and propagation.
 */
#include "sat_core.h"

/* What the run may have in use before a search stops learning. */
#define SAT_MEMORY ((size_t)1 << 30)

/* ---- memory ---------------------------------------------------------------------------------- */

void *sat_take_block(struct sat *s, int size_class)
{
    if (size_class >= CLASSES)
        mw_out_of_room(s->run, SIZE_MAX);
    void *block = s->free_blocks[size_class];
    if (!block)
        return mw_alloc(s->run, (size_t)1 << size_class, 1);
    memcpy(&s->free_blocks[size_class], block, sizeof(void *));
    return block;
}

static void give_block(struct sat *s, void *block, int size_class)
{
    memcpy(block, &s->free_blocks[size_class], sizeof(void *));
    s->free_blocks[size_class] = block;
}

/* The same bytes in a block of twice the size. */
static void *grow_block(struct sat *s, void *block, int *size_class)
{
    void *larger = sat_take_block(s, *size_class + 1);
    memcpy(larger, block, (size_t)1 << *size_class);
    give_block(s, block, *size_class);
    ++*size_class;
    return larger;
}

static void watch(struct sat *s, sat_literal literal, uint32_t clause, sat_literal blocker)
{
    struct watches *list = &s->watches[literal];
    if (!list->at) {
        list->size_class = 6;
        list->at = sat_take_block(s, list->size_class);
    } else if ((list->count + 1) * sizeof *list->at > (size_t)1 << list->size_class) {
        list->at = grow_block(s, list->at, &list->size_class);
    }
    list->at[list->count++] = (struct clause_watch){clause, blocker};
}

bool sat_has_room(const struct sat *s)
{
    size_t arena = (size_t)1 << s->arena_class;
    return s->arena_class < CLASSES - 2 && mw_left(s->run, SAT_MEMORY) / 8 > arena;
}

static struct reason store_clause(struct sat *s, const sat_literal *literals, uint32_t count,
                                  uint32_t glue)
{
    while ((s->arena_count + HEADER + count) * sizeof *s->arena > (size_t)1 << s->arena_class)
        s->arena = grow_block(s, s->arena, &s->arena_class);
    uint32_t clause = s->arena_count;
    uint32_t *at = s->arena + clause;
    at[SIZE] = count;
    at[GLUE] = glue;
    memmove(at + HEADER, literals, count * sizeof *literals); /* reduce moves clauses down */
    s->arena_count += HEADER + count;
    s->learnt_count += glue > 0;
    watch(s, at[HEADER], clause, at[HEADER + 1]);
    watch(s, at[HEADER + 1], clause, at[HEADER]);
    return (struct reason){clause, NONE};
}

/* ---- activities (VSIDS) ---------------------------------------------------------------------- */

bool sat_is_more_active(const void *sat, int32_t a, int32_t b)
{
    const uint64_t *activity = ((const struct sat *)sat)->activity;
    return activity[a] > activity[b] || (activity[a] == activity[b] && a < b);
}

void sat_heap_insert(struct sat *s, uint32_t variable)
{
    if (s->branch[variable] && s->heap.place[variable] < 0)
        mw_heap_push(&s->heap, (int32_t)variable, sat_is_more_active, s);
}

void sat_bump(struct sat *s, uint32_t variable)
{
    s->activity[variable] += s->increment;
    if (s->heap.place[variable] >= 0)
        mw_heap_sift_up(&s->heap, s->heap.place[variable], sat_is_more_active, s);
}

/* Scaling down keeps the order, but for ties; so the heap is put in order again. */
void sat_decay(struct sat *s)
{
    s->increment += s->increment >> (s->theory.follow ? 1 : 4);
    if (s->increment < (uint64_t)1 << 54)
        return;
    for (uint32_t v = 0; v < s->variables; v++)
        s->activity[v] >>= 44;
    s->increment >>= 44;
    mw_heap_build(&s->heap, sat_is_more_active, s);
}

/* ---- assignments ----------------------------------------------------------------------------- */

void sat_assign(struct sat *s, sat_literal literal, struct reason why)
{
    uint32_t variable = variable_of(literal);
    assert(!s->value[literal] && !s->value[literal ^ 1] && s->trail_count < s->variables);
    s->value[literal] = 1;
    s->value[literal ^ 1] = -1;
    s->level[variable] = s->levels;
    s->reasons[variable] = why;
    s->trail[s->trail_count++] = literal;
}

void sat_backtrack(struct sat *s, int32_t level)
{
    if (s->levels <= level)
        return;
    uint32_t keep = s->level_start[level];
    assert(level >= 0 && keep < s->trail_count && s->level[variable_of(s->trail[keep])] > level);
    while (s->trail_count > keep) {
        sat_literal literal = s->trail[--s->trail_count];
        if (s->trail_count < s->propagated && s->theory.follow)
            s->theory.take_back(s->theory.data, literal);
        s->value[literal] = s->value[literal ^ 1] = 0;
        s->phase[variable_of(literal)] = !(literal & 1);
        sat_heap_insert(s, variable_of(literal));
    }
    s->propagated = keep;
    s->levels = level;
}

/* A clause that watched `gone`, now false: true where it found another literal to watch. */
static bool watch_another(struct sat *s, uint32_t name, sat_literal gone)
{
    uint32_t size = s->arena[name + SIZE];
    sat_literal *literals = s->arena + name + HEADER;
    assert(s->value[gone] < 0 && (literals[0] == gone || literals[1] == gone));
    if (literals[0] == gone) {
        literals[0] = literals[1];
        literals[1] = gone;
    }
    if (s->value[literals[0]] > 0)
        return false;
    for (uint32_t i = 2; i < size; i++)
        if (s->value[literals[i]] >= 0) {
            literals[1] = literals[i];
            literals[i] = gone;
            watch(s, literals[1], name, literals[0]);
            return true;
        }
    return false;
}

/* A literal follows; false where that is a conflict. */
static bool imply(struct sat *s, sat_literal literal, struct reason why)
{
    if (s->value[literal] > 0)
        return true;
    if (!s->value[literal]) {
        sat_assign(s, literal, why);
        return true;
    }
    s->conflict = literal;
    s->why = why;
    return false;
}

bool sat_imply(struct sat *s, sat_literal literal, sat_literal because, sat_literal and)
{
    assert(s->value[because] > 0 && s->value[and] > 0);
    return imply(s, literal, (struct reason){PAIR | (because ^ 1), and == because ? NONE : and^1});
}

/* Propagates that `gone` is false now; false where a clause is in conflict. */
static bool visit_watches(struct sat *s, sat_literal gone)
{
    struct watches *list = &s->watches[gone];
    uint32_t kept = 0, i = 0;
    bool good = true;
    while (good && i < list->count) {
        struct clause_watch w = list->at[i++];
        list->at[kept++] = w;
        if (s->value[w.blocker] > 0)
            continue;
        sat_literal forced = w.blocker;
        struct reason why = {PAIR | gone, NONE};
        if (!(w.clause & PAIR)) {
            if (watch_another(s, w.clause, gone)) {
                kept--;
                continue;
            }
            why.clause = w.clause;
            forced = s->arena[w.clause + HEADER];
            list->at[kept - 1].blocker = forced;
        }
        good = imply(s, forced, why);
    }
    mw_tick(s->run, i + 1);
    while (i < list->count)
        list->at[kept++] = list->at[i++];
    list->count = kept;
    return good;
}

#ifdef MW_COSTLY_ASSERTS
/* Whether each false literal that is watched has beside it, as blocker or as the other watch, one
   that holds on no later level. */
static bool watches_are_sound(const struct sat *s)
{
    for (sat_literal gone = 0; gone < 2 * s->variables; gone++)
        for (uint32_t i = 0; s->value[gone] < 0 && i < s->watches[gone].count; i++) {
            sat_literal blocker = s->watches[gone].at[i].blocker;
            if (s->value[blocker] <= 0 ||
                s->level[variable_of(blocker)] > s->level[variable_of(gone)])
                return false;
        }
    return true;
}
#endif

bool sat_propagate(struct sat *s)
{
    while (s->propagated < s->trail_count) {
        sat_literal literal = s->trail[s->propagated++];
        if (s->theory.follow && !s->theory.follow(s->theory.data, literal))
            return false;
        if (!visit_watches(s, literal ^ 1))
            return false;
    }
    mw_assert_costly(watches_are_sound(s));
    return true;
}

struct reason sat_attach(struct sat *s, const sat_literal *literals, uint32_t count, uint32_t glue)
{
    assert(count >= 2 && literals[0] != literals[1]);
    if (count > 2)
        return store_clause(s, literals, count, glue);
    watch(s, literals[0], PAIR, literals[1]);
    watch(s, literals[1], PAIR, literals[0]);
    return (struct reason){PAIR | literals[1], NONE};
}
