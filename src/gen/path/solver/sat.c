/*
 * sat.c: satisfiability by conflict-driven clause learning (CDCL).
 *
 * Given clauses (each wants one of its literals to hold), finds values for all variables or proves
 * that there are none. The search decides a value, propagates what follows from it, and learns from
 * every conflict:
 *
 *     decide ──> propagate ──conflict──> back to one literal of the present level
 *       ^            |                              |
 *       |          quiet                            v
 *       +------------+<──── learn the clause, jump back to where it forces a literal
 *
 * PROPAGATION watches two literals of each clause: only when a watched one becomes false is the
 * clause looked at, and nothing has to be undone on the way back. Clauses of two literals live in
 * the watch lists alone. Each watch carries another literal of its clause (the blocker), and where
 * that one holds the clause itself stays untouched in memory. Once propagation is quiet, no clause
 * has a false watch unless a literal of it holds that was set no later.
 *
 * A THEORY may know more about the literals than the clauses. It is called for each that holds, and
 * names others that one or two imply: like clauses of two or three literals that are never stored.
 *
 * LEARNING resolves the conflict with the reasons of its literals, latest first, until one literal
 * of the present level is left (the first unique implication point); literals that follow from
 * others of the clause are dropped. The learnt clause is implied by the clauses given, so no answer
 * is ever lost, and it forces its one literal after the jump back, so no partial assignment is met
 * twice: that is why the search ends. A conflict without any decision proves that there is no
 * answer.
 *
 * ORDER (VSIDS). Variables that take part in conflicts gain activity; the most active one is
 * decided next, and gets the value that it had last (its phase). Activities are integers; the
 * increment grows by a sixteenth with each conflict, so that the past decays (by half with a
 * theory: best for paths under strict), and all are scaled down together before they overflow. Ties
 * go by the variable's number, also among those that became zero. The search restarts without
 * decisions when recent clauses span more levels (their glue, or LBD) than the average of all, and
 * the half of the learnt clauses with the most glue is dropped now and then. No clock, pointer or
 * hash takes part in any of this, so every machine makes the same search.
 *
 * MEMORY. A list that is full moves to a block of twice the size. Learning stops (SAT_UNKNOWN)
 * while there is still room for the rest of the run.
 *
 * COST. One step is one watch looked at. The method is that of Marques-Silva and Sakallah (GRASP),
 * Moskewicz and others (Chaff), Een and Sorensson (MiniSat), Audemard and Simon (Glucose); there is
 * no preprocessing.
 */
#include "sat.h"

#include "kit/heap.h"

enum { WATCHES_FIRST = 8, REDUCE_FIRST = 2000, REDUCE_MORE = 500 };

/* The reason of a literal's value: a clause in the arena, or one or two other literals that are
   false (`also` may be NONE). */
struct reason {
    uint32_t clause; /* or PAIR | literal */
    sat_literal also;
};
static const sat_literal NONE = UINT32_MAX;
static const struct reason NO_REASON = {UINT32_MAX, UINT32_MAX};
static const uint32_t PAIR = UINT32_C(1) << 31;
static const uint32_t DELETED = UINT32_MAX;

struct clause_watch {
    uint32_t clause;
    sat_literal blocker;
};

struct watches {
    struct clause_watch *at;
    uint32_t count, room;
};

/* A clause in the arena: HEADER words, then the literals; the first two are watched. Glue 0: a
   clause that was given, not learnt. */
enum { SIZE, GLUE, HEADER };

struct sat {
    struct mw_run *run;
    struct sat_theory theory;
    uint32_t variables, most; /* present, and the most that fit */
    uint32_t branches;        /* the search decides those before this one */
    bool refuted;             /* a conflict without decisions was met */

    /* by literal */
    int8_t *value; /* 1 holds, -1 does not, 0 open */
    struct watches *watches;

    /* by variable */
    int32_t *level;
    struct reason *reasons;
    uint64_t *activity;
    bool *phase, *seen;

    struct mw_heap heap; /* of variables to branch on, the most active first */
    uint64_t increment;

    bool *first; /* values for the first decision, by variable; NULL: as for others */

    sat_literal *trail; /* what holds, in the order in which it was set */
    uint32_t trail_count, propagated;
    uint32_t *level_start; /* of the trail, for levels from 1 */
    int32_t levels;        /* decisions that stand */

    uint32_t *arena, arena_count, arena_room;
    uint32_t learnt_count, reduce_at;

    sat_literal *clause, *stack; /* scratch of learning */
    uint32_t *marked;
    uint32_t clause_count, marked_count;
    uint64_t *level_stamp, stamp;
    sat_literal conflict; /* false, but implied */
    struct reason why;    /* by this */

    uint64_t conflicts, all_glue, recent_glue; /* the last is a moving average, in 1/65536 */
    uint32_t since_restart;
};

static inline bool is_none(struct reason r) { return r.clause == NO_REASON.clause; }
static inline uint32_t variable_of(sat_literal literal) { return literal >> 1; }

/* What the run may have in use before a search stops learning. */
#define SAT_MEMORY ((size_t)1 << 30)

/* ---- memory ---------------------------------------------------------------------------------- */

/* The same bytes in a larger block; the old one is lost. */
static void *enlarge(struct sat *s, const void *block, size_t used, size_t size)
{
    void *larger = mw_alloc(s->run, size, 1);
    if (used)
        memcpy(larger, block, used);
    return larger;
}

static void watch(struct sat *s, sat_literal literal, uint32_t clause, sat_literal blocker)
{
    struct watches *list = &s->watches[literal];
    size_t size = sizeof *list->at;
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : WATCHES_FIRST;
        list->at = enlarge(s, list->at, list->count * size, list->room * size);
    }
    list->at[list->count++] = (struct clause_watch){clause, blocker};
}

/* Whether the next clause surely fits, and leaves as much again to the rest of the run. */
static bool has_room(const struct sat *s)
{
    size_t arena = s->arena_room * sizeof *s->arena;
    return s->arena_room < PAIR / 4 && mw_left(s->run, SAT_MEMORY) / 8 > arena;
}

static struct reason store_clause(struct sat *s, const sat_literal *literals, uint32_t count,
                                  uint32_t glue)
{
    if (s->arena_count + HEADER + count > s->arena_room) {
        s->arena_room = 2 * s->arena_room + HEADER + count;
        s->arena = enlarge(s, s->arena, s->arena_count * sizeof *s->arena,
                           s->arena_room * sizeof *s->arena);
    }
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

static bool is_more_active(const void *sat, int32_t a, int32_t b)
{
    const uint64_t *activity = ((const struct sat *)sat)->activity;
    return activity[a] > activity[b] || (activity[a] == activity[b] && a < b);
}

static void insert_in_heap(struct sat *s, uint32_t variable)
{
    if (variable < s->branches && s->heap.place[variable] < 0)
        mw_heap_push(&s->heap, (int32_t)variable, is_more_active, s);
}

static void bump(struct sat *s, uint32_t variable)
{
    s->activity[variable] += s->increment;
    if (s->heap.place[variable] >= 0)
        mw_heap_sift_up(&s->heap, s->heap.place[variable], is_more_active, s);
}

/* Scaling down keeps the order, but for ties; so the heap is put in order again. */
static void decay(struct sat *s)
{
    s->increment += s->increment >> (s->theory.follow ? 1 : 4);
    if (s->increment < (uint64_t)1 << 54)
        return;
    for (uint32_t v = 0; v < s->variables; v++)
        s->activity[v] >>= 44;
    s->increment >>= 44;
    mw_heap_build(&s->heap, is_more_active, s);
}

/* ---- assignments ----------------------------------------------------------------------------- */

static void assign(struct sat *s, sat_literal literal, struct reason why)
{
    uint32_t variable = variable_of(literal);
    assert(!s->value[literal] && !s->value[literal ^ 1] && s->trail_count < s->variables);
    s->value[literal] = 1;
    s->value[literal ^ 1] = -1;
    s->level[variable] = s->levels;
    s->reasons[variable] = why;
    s->trail[s->trail_count++] = literal;
}

/* Takes back all that was set since there were more than so many decisions. */
static void backtrack(struct sat *s, int32_t level)
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
        insert_in_heap(s, variable_of(literal));
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
        assign(s, literal, why);
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

/* All that follows from the trail; false where that is a conflict. */
static bool propagate(struct sat *s)
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

/* Watches a clause, whose first two literals are the ones that may be watched. Two literals live in
   the watch lists, more in the arena. The reason that the clause is for its first one. */
static struct reason attach(struct sat *s, const sat_literal *literals, uint32_t count,
                            uint32_t glue)
{
    assert(count >= 2 && literals[0] != literals[1]);
    if (count > 2)
        return store_clause(s, literals, count, glue);
    watch(s, literals[0], PAIR, literals[1]);
    watch(s, literals[1], PAIR, literals[0]);
    return (struct reason){PAIR | literals[1], NONE};
}

enum { GLUE_TO_KEEP = 2 };

/* ---- learning -------------------------------------------------------------------------------- */

/* The literals of a clause beside the one that it forces, or should: their number, and where they
   are. All are false. */
static uint32_t antecedents(const struct sat *s, struct reason why, sat_literal *room,
                            const sat_literal **at)
{
    assert(!is_none(why));
    if (why.clause & PAIR) {
        room[0] = why.clause & ~PAIR;
        room[1] = why.also;
        *at = room;
        return why.also == NONE ? 1 : 2;
    }
    assert(why.clause < s->arena_count && s->arena[why.clause + SIZE] > 2);
    *at = s->arena + why.clause + HEADER + 1;
    return s->arena[why.clause + SIZE] - 1;
}

/* Takes a false literal into the clause to be learnt; true when it is one of the present level. */
static bool resolve_literal(struct sat *s, sat_literal literal)
{
    uint32_t variable = variable_of(literal);
    assert(s->value[literal] < 0 && s->level[variable] <= s->levels);
    if (s->seen[variable] || !s->level[variable])
        return false;
    s->seen[variable] = true;
    if (variable < s->branches)
        bump(s, variable);
    if (s->level[variable] == s->levels)
        return true;
    assert(s->clause_count < 2 * s->most);
    s->clause[s->clause_count++] = literal;
    return false;
}

/* Resolves the conflict until one literal of the present level is left; it becomes clause[0]. */
static void resolve(struct sat *s)
{
    struct reason why = s->why;
    sat_literal literal = s->conflict;
    uint32_t open = 0, at = s->trail_count;
    s->clause_count = 1;
    open += resolve_literal(s, literal); /* false as well: it is in conflict */
    for (;;) {
        sat_literal room[2];
        const sat_literal *list;
        uint32_t count = antecedents(s, why, room, &list);
        mw_tick(s->run, count);
        for (uint32_t i = 0; i < count; i++)
            open += resolve_literal(s, list[i]);
        assert(open > 0 && at > s->level_start[s->levels - 1]);
        do
            literal = s->trail[--at];
        while (!s->seen[variable_of(literal)] && at);
        assert(s->seen[variable_of(literal)]); /* the open literals stand on the trail */
        if (!--open || !at)
            break;
        s->seen[variable_of(literal)] = false;
        why = s->reasons[variable_of(literal)];
    }
    s->seen[variable_of(literal)] = false;
    s->clause[0] = literal ^ 1;
}

/* Whether a literal of the clause follows from the others: every way back from it, reason by
   reason, comes to literals of the clause. `seen` marks those and all that were found to follow;
   `marked` lists them. A level without a literal in the clause cannot lead there. */
static bool is_redundant(struct sat *s, sat_literal literal)
{
    uint32_t depth = 0, first = s->marked_count;
    s->stack[depth++] = literal;
    while (depth) {
        sat_literal at = s->stack[--depth], room[2];
        const sat_literal *list;
        uint32_t count = antecedents(s, s->reasons[variable_of(at)], room, &list);
        mw_tick(s->run, count);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t v = variable_of(list[i]);
            if (s->seen[v] || !s->level[v])
                continue;
            if (is_none(s->reasons[v]) || s->level_stamp[s->level[v]] != s->stamp) {
                while (s->marked_count > first)
                    s->seen[s->marked[--s->marked_count]] = false;
                return false;
            }
            assert(s->marked_count < s->most && depth < s->most);
            s->seen[v] = true;
            s->marked[s->marked_count++] = v;
            s->stack[depth++] = list[i];
        }
    }
    return true;
}

/* Drops the literals that follow from the rest, and clears all marks. */
static void minimize(struct sat *s)
{
    s->stamp++;
    s->marked_count = 0;
    for (uint32_t i = 1; i < s->clause_count; i++) {
        uint32_t v = variable_of(s->clause[i]);
        s->level_stamp[s->level[v]] = s->stamp;
        s->marked[s->marked_count++] = v;
    }
    uint32_t kept = 1;
    for (uint32_t i = 1; i < s->clause_count; i++) {
        sat_literal literal = s->clause[i];
        if (is_none(s->reasons[variable_of(literal)]) || !is_redundant(s, literal))
            s->clause[kept++] = literal;
    }
    s->clause_count = kept;
    while (s->marked_count)
        s->seen[s->marked[--s->marked_count]] = false;
}

/* The number of levels in the learnt clause. Brings a literal of the latest but one to
   clause[1]. */
static uint32_t measure_glue(struct sat *s)
{
    uint32_t glue = 1;
    s->stamp++;
    for (uint32_t i = 1; i < s->clause_count; i++) {
        sat_literal literal = s->clause[i];
        int32_t level = s->level[variable_of(literal)];
        glue += s->level_stamp[level] != s->stamp;
        s->level_stamp[level] = s->stamp;
        if (level > s->level[variable_of(s->clause[1])]) {
            s->clause[i] = s->clause[1];
            s->clause[1] = literal;
        }
    }
    return glue;
}

/* Learns from the conflict, and goes back to where that forces a literal. */
static void learn(struct sat *s)
{
    resolve(s);
    minimize(s);
    uint32_t glue = measure_glue(s);
    assert(glue <= s->clause_count && s->level[variable_of(s->clause[0])] == s->levels);
    if (s->clause_count == 1) {
        backtrack(s, 0);
        assign(s, s->clause[0], NO_REASON);
    } else {
        backtrack(s, s->level[variable_of(s->clause[1])]);
        assign(s, s->clause[0], attach(s, s->clause, s->clause_count, glue));
    }
    decay(s);
    s->conflicts++;
    s->all_glue += glue;
    s->recent_glue += ((uint64_t)glue << 16) / 32 - s->recent_glue / 32;
    s->since_restart++;
}

/* ---- dropping clauses ------------------------------------------------------------------------ */

/* Marks the half of the learnt clauses with the most glue (then the longest) as deleted. */
static void mark_worst(struct sat *s)
{
    char *mark = mw_mark(s->run);
    uint64_t *keys = MW_NEW(s->run, uint64_t, s->learnt_count + 1);
    int32_t *clauses = MW_NEW(s->run, int32_t, s->learnt_count + 1);
    int32_t count = 0;
    for (uint32_t at = 0; at < s->arena_count; at += HEADER + s->arena[at + SIZE]) {
        if (s->arena[at + GLUE] <= GLUE_TO_KEEP)
            continue;
        keys[count] = (uint64_t)s->arena[at + GLUE] << 32 | s->arena[at + SIZE];
        clauses[count++] = (int32_t)at;
    }
    mw_sort(s->run, keys, clauses, count);
    for (int32_t i = count / 2; i < count; i++)
        s->arena[clauses[i] + GLUE] = DELETED;
    mw_rewind(s->run, mark);
}

/* Without decisions: keeps the open literals of a clause, in place; their number, 0 where it
   holds. */
static uint32_t strip(const struct sat *s, sat_literal *literals, uint32_t count)
{
    uint32_t open = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (s->value[literals[i]] > 0)
            return 0;
        if (!s->value[literals[i]])
            literals[open++] = literals[i];
    }
    return open;
}

static void detach_arena(struct sat *s)
{
    for (uint32_t literal = 0; literal < 2 * s->variables; literal++) {
        struct watches *list = &s->watches[literal];
        uint32_t kept = 0;
        for (uint32_t i = 0; i < list->count; i++)
            if (list->at[i].clause & PAIR)
                list->at[kept++] = list->at[i];
        mw_tick(s->run, list->count + 1);
        list->count = kept;
    }
}

/* Drops half of the learnt clauses, strips settled literals from the rest, and closes the gaps in
   the arena. No reason is lost: without decisions none is needed. */
static void reduce(struct sat *s)
{
    backtrack(s, 0);
    mark_worst(s);
    detach_arena(s);
    uint32_t end = s->arena_count;
    s->arena_count = s->learnt_count = 0;
    mw_tick(s->run, end);
    for (uint32_t at = 0, size; at < end; at += HEADER + size) {
        size = s->arena[at + SIZE];
        uint32_t glue = s->arena[at + GLUE];
        uint32_t open = glue == DELETED ? 0 : strip(s, s->arena + at + HEADER, size);
        assert(open != 1); /* it would have been propagated */
        if (open)
            attach(s, s->arena + at + HEADER, open, glue);
    }
    s->reduce_at = s->learnt_count + s->reduce_at / 2 + REDUCE_MORE;
}

enum { RESTART_AFTER = 20 };

/* ---- the search ------------------------------------------------------------------------------ */

static bool should_restart(const struct sat *s)
{
    return s->since_restart >= RESTART_AFTER &&
           s->recent_glue / 5 * 4 > (s->all_glue << 16) / s->conflicts;
}

/* Decides the value of the most active open variable; false where none is open. */
static bool decide(struct sat *s)
{
    sat_literal literal;
    do {
        if (!s->heap.count)
            return false;
        uint32_t variable = (uint32_t)mw_heap_pop(&s->heap, is_more_active, s);
        bool holds = !s->levels && s->first ? s->first[variable] : s->phase[variable];
        literal = 2 * variable + !holds;
    } while (s->value[literal]);
    assert(s->levels >= 0 && (uint32_t)s->levels < s->most);
    s->level_start[s->levels++] = s->trail_count;
    assign(s, literal, NO_REASON);
    return true;
}

enum sat_answer sat_solve(struct sat *s, uint64_t steps)
{
    uint64_t start = mw_steps(s->run);
    backtrack(s, 0);
    while (!s->refuted) {
        bool quiet = propagate(s);
        if (!quiet && !s->levels) {
            s->refuted = true;
        } else if (!quiet) {
            learn(s);
            if (!has_room(s) || mw_steps(s->run) - start > steps) {
                backtrack(s, 0);
                return SAT_UNKNOWN;
            }
        } else if (s->learnt_count >= s->reduce_at) {
            reduce(s);
        } else if (should_restart(s)) {
            backtrack(s, 0);
            s->since_restart = 0;
            s->recent_glue = (s->all_glue << 16) / s->conflicts;
        } else if (!decide(s)) {
            return SAT_SATISFIABLE;
        }
    }
    return SAT_UNSATISFIABLE;
}

const int8_t *sat_values(const struct sat *s) { return s->value; }

/* ---- setting up ------------------------------------------------------------------------------ */

void sat_add(struct sat *s, const sat_literal *literals, uint32_t count)
{
    backtrack(s, 0);
    mw_tick(s->run, count + 1);
    uint32_t open = 0;
    for (uint32_t i = 0; i < count; i++) {
        assert(variable_of(literals[i]) < s->variables && open < 2 * s->variables);
        if (s->value[literals[i]] > 0)
            return;
        if (!s->value[literals[i]])
            s->clause[open++] = literals[i];
    }
    if (open > 1)
        attach(s, s->clause, open, 0);
    else if (open)
        assign(s, s->clause[0], NO_REASON);
    else
        s->refuted = true;
}

void sat_prefer(struct sat *s, sat_literal literal)
{
    if (!s->first)
        s->first = MW_NEW0(s->run, bool, s->most);
    s->first[variable_of(literal)] = !(literal & 1);
}

uint32_t sat_variable(struct sat *s)
{
    assert(s->variables < s->most);
    uint32_t v = s->variables++;
    s->value[2 * v] = s->value[2 * v + 1] = 0;
    s->watches[2 * v] = s->watches[2 * v + 1] = (struct watches){0};
    s->activity[v] = s->level_stamp[v + 1] = 0;
    s->heap.place[v] = -1;
    insert_in_heap(s, v);
    s->phase[v] = s->seen[v] = false;
    return v;
}

struct sat *sat_new(struct mw_run *run, uint32_t branches, uint32_t variables, uint32_t most,
                    struct sat_theory theory)
{
    assert(variables > 0 && branches <= variables && variables <= most);
    assert(most < UINT32_C(1) << 30); /* a literal leaves the PAIR bit */
    struct sat *s = MW_NEW0(run, struct sat, 1);
    s->run = run;
    s->theory = theory;
    s->most = most;
    s->branches = branches;
    s->value = MW_NEW(run, int8_t, 2 * most);
    s->watches = MW_NEW(run, struct watches, 2 * most);
    s->level = MW_NEW(run, int32_t, most);
    s->reasons = MW_NEW(run, struct reason, most);
    s->activity = MW_NEW(run, uint64_t, most);
    s->heap.place = MW_NEW(run, int32_t, most);
    s->phase = MW_NEW(run, bool, most);
    s->seen = MW_NEW(run, bool, most);
    s->heap.at = MW_NEW(run, int32_t, branches);
    s->trail = MW_NEW(run, sat_literal, most);
    s->level_start = MW_NEW(run, uint32_t, most);
    s->clause = MW_NEW(run, sat_literal, 2 * most);
    s->stack = MW_NEW(run, sat_literal, most);
    s->marked = MW_NEW(run, uint32_t, most);
    s->level_stamp = MW_NEW(run, uint64_t, most + 1);
    while (s->variables < variables)
        sat_variable(s);
    s->increment = 1 << 10;
    s->reduce_at = REDUCE_FIRST;
    return s;
}
