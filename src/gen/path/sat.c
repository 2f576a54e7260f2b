/*
 * sat.c: satisfiability by conflict-driven clause learning (CDCL).
 *
 * Given clauses (each wants one of its literals to hold), finds values for all variables or proves
 * that there are none. The search guesses a value, follows what it forces, and learns from every
 * clash:
 *
 *     guess ──> propagate ──clash──> resolve the clash back to one literal of the latest level
 *       ^           |                            |
 *       |         quiet                          v
 *       +-----------+<──── learn the clause, go back to where it forces something
 *
 * PROPAGATION keeps two watched literals in each clause: only when a watched one becomes false is
 * the clause looked at, and nothing has to be undone on the way back. Clauses of two literals live
 * in the watch lists alone. Each watch carries another literal of its clause (the «blocker»), and
 * where that one holds the clause itself stays untouched in memory.
 *
 * LEARNING resolves the clash with the reasons of its literals, latest first, until one literal of
 * the present level is left (the first unique implication point); literals that follow from others
 * of the clause are dropped. The learned clause is implied by the clauses given, so no answer is
 * ever lost, and it forces its one literal after the jump back, so no partial assignment is met
 * twice: that is why the search ends. A clash without any guess proves that there is no answer.
 *
 * ORDER. Variables that take part in clashes gain activity; the most active one is guessed next (a
 * heap), and gets the value that it had last. Activities are integers; the gain grows by a
 * sixteenth with each clash, which fades the past, and all are scaled down together before they
 * overflow. Ties go by the variable's number. The search starts over from no guesses when recent
 * clauses link more levels (have more «glue») than all did on average, and the half of the learned
 * clauses with the most glue is thrown away now and then. No clock, pointer or hash takes part in
 * any of this, so that every machine makes the same search.
 *
 * MEMORY comes from the run in blocks of powers of two; a list that outgrows its block leaves it to
 * the next list of that size. Learning stops (SAT_UNKNOWN) while there is still room for the rest
 * of the run.
 *
 * COST. One step is one watch looked at. The method is that of Marques-Silva and Sakallah (GRASP),
 * Moskewicz and others (Chaff), Een and Sorensson (MiniSat), Audemard and Simon (Glucose); it has
 * no preprocessing.
 */
#include "sat.h"

enum { CLASSES = 32, GLUE_TO_KEEP = 2, REDUCE_FIRST = 2000, REDUCE_MORE = 500, RESTART_AFTER = 20 };

/* Where a literal's value comes from: a clause in the arena, or the other literal of a clause of
 * two. */
typedef uint32_t reason;
static const reason NO_REASON = UINT32_MAX;
static const reason PAIR = UINT32_C(1) << 31;
static const uint32_t DELETED = UINT32_MAX;

struct watch {
    reason clause;
    sat_literal blocker;
};

struct watches {
    struct watch *at;
    uint32_t count;
    int size_class;
};

/* A clause in the arena: HEADER words, then the literals; the first two are watched. Glue 0: a
   clause that was given, not learned. */
enum { SIZE, GLUE, HEADER };

struct sat {
    struct mw_run *run;
    uint32_t variables;
    bool refuted; /* a clash without guesses was met */

    /* by literal */
    int8_t *value; /* 1 holds, -1 does not, 0 open */
    struct watches *watches;

    /* by variable */
    int32_t *level;
    reason *reasons;
    uint64_t *activity;
    int32_t *place; /* in the heap, -1 when not there */
    bool *phase, *branch, *seen;

    uint32_t *heap, heap_count;
    uint64_t gain;

    sat_literal *trail;
    uint32_t trail_count, head;
    uint32_t *level_start;
    int32_t levels;

    uint32_t *arena, arena_count;
    int arena_class;
    uint32_t learned_count, reduce_at;

    sat_literal *clause, *stack; /* scratch of learning */
    uint32_t *marked;
    uint32_t clause_count, marked_count;
    uint64_t *level_stamp, stamp;
    sat_literal clash; /* with the reason that propagate returned */

    uint64_t clashes, all_glue, recent_glue; /* the last is a moving average, in 1/65536 */
    uint32_t since_restart;

    void *free_blocks[CLASSES];
};

static uint32_t variable_of(sat_literal literal) { return literal >> 1; }

/* ---- memory ---------------------------------------------------------------------------------- */

static void *take_block(struct sat *s, int size_class)
{
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
    void *larger = take_block(s, *size_class + 1);
    memcpy(larger, block, (size_t)1 << *size_class);
    give_block(s, block, *size_class);
    ++*size_class;
    return larger;
}

static void watch(struct sat *s, sat_literal literal, reason clause, sat_literal blocker)
{
    struct watches *list = &s->watches[literal];
    if (!list->at) {
        list->size_class = 6;
        list->at = take_block(s, list->size_class);
    } else if ((list->count + 1) * sizeof *list->at > (size_t)1 << list->size_class) {
        list->at = grow_block(s, list->at, &list->size_class);
    }
    list->at[list->count++] = (struct watch){clause, blocker};
}

/* Whether the next clause surely fits, and leaves as much again to the rest of the run. */
static bool has_room(const struct sat *s)
{
    return s->arena_class < CLASSES - 2 && mw_left(s->run, SAT_MEMORY) / 8 > (size_t)1
                                                                                 << s->arena_class;
}

static reason store(struct sat *s, const sat_literal *literals, uint32_t count, uint32_t glue)
{
    while ((s->arena_count + HEADER + count) * sizeof *s->arena > (size_t)1 << s->arena_class)
        s->arena = grow_block(s, s->arena, &s->arena_class);
    reason clause = s->arena_count;
    uint32_t *at = s->arena + clause;
    at[SIZE] = count;
    at[GLUE] = glue;
    memmove(at + HEADER, literals, count * sizeof *literals); /* reduce moves clauses down */
    s->arena_count += HEADER + count;
    s->learned_count += glue > 0;
    watch(s, at[HEADER], clause, at[HEADER + 1]);
    watch(s, at[HEADER + 1], clause, at[HEADER]);
    return clause;
}

/* ---- the heap of variables to branch on, most active first ----------------------------------- */

static bool before(const struct sat *s, uint32_t a, uint32_t b)
{
    return s->activity[a] > s->activity[b] || (s->activity[a] == s->activity[b] && a < b);
}

static void put_at(struct sat *s, uint32_t place, uint32_t variable)
{
    s->heap[place] = variable;
    s->place[variable] = (int32_t)place;
}

static void sift_up(struct sat *s, uint32_t place)
{
    uint32_t variable = s->heap[place];
    while (place && before(s, variable, s->heap[(place - 1) / 2])) {
        put_at(s, place, s->heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    put_at(s, place, variable);
}

static void sift_down(struct sat *s, uint32_t place)
{
    uint32_t variable = s->heap[place];
    for (uint32_t child; (child = 2 * place + 1) < s->heap_count; place = child) {
        if (child + 1 < s->heap_count && before(s, s->heap[child + 1], s->heap[child]))
            child++;
        if (!before(s, s->heap[child], variable))
            break;
        put_at(s, place, s->heap[child]);
    }
    put_at(s, place, variable);
}

static void heap_insert(struct sat *s, uint32_t variable)
{
    if (!s->branch[variable] || s->place[variable] >= 0)
        return;
    put_at(s, s->heap_count++, variable);
    sift_up(s, s->heap_count - 1);
}

static uint32_t heap_take(struct sat *s)
{
    uint32_t variable = s->heap[0];
    s->place[variable] = -1;
    if (--s->heap_count) {
        put_at(s, 0, s->heap[s->heap_count]);
        sift_down(s, 0);
    }
    return variable;
}

static void bump(struct sat *s, uint32_t variable)
{
    s->activity[variable] += s->gain;
    if (s->place[variable] >= 0)
        sift_up(s, (uint32_t)s->place[variable]);
}

/* Halving keeps the order, but for ties; so the heap is put in order again. */
static void fade(struct sat *s)
{
    s->gain += s->gain >> 4;
    if (s->gain < (uint64_t)1 << 54)
        return;
    for (uint32_t v = 0; v < s->variables; v++)
        s->activity[v] >>= 44;
    s->gain >>= 44;
    for (uint32_t i = s->heap_count; i-- > 0;)
        sift_down(s, i);
}

/* ---- assignments ----------------------------------------------------------------------------- */

static void assign(struct sat *s, sat_literal literal, reason why)
{
    uint32_t variable = variable_of(literal);
    s->value[literal] = 1;
    s->value[literal ^ 1] = -1;
    s->level[variable] = s->levels;
    s->reasons[variable] = why;
    s->trail[s->trail_count++] = literal;
}

static void go_back(struct sat *s, int32_t level)
{
    if (s->levels <= level)
        return;
    uint32_t keep = s->level_start[level];
    while (s->trail_count > keep) {
        sat_literal literal = s->trail[--s->trail_count];
        s->value[literal] = s->value[literal ^ 1] = 0;
        s->phase[variable_of(literal)] = !(literal & 1);
        heap_insert(s, variable_of(literal));
    }
    s->head = keep;
    s->levels = level;
}

/* A clause that watched `gone`, now false: true where it found another literal to watch. */
static bool watch_another(struct sat *s, uint32_t *clause, sat_literal gone, reason name)
{
    sat_literal *literals = clause + HEADER;
    if (literals[0] == gone) {
        literals[0] = literals[1];
        literals[1] = gone;
    }
    if (s->value[literals[0]] > 0)
        return false;
    for (uint32_t i = 2; i < clause[SIZE]; i++)
        if (s->value[literals[i]] >= 0) {
            literals[1] = literals[i];
            literals[i] = gone;
            watch(s, literals[1], name, literals[0]);
            return true;
        }
    return false;
}

/* Follows what the literal on the trail, whose opposite is `gone`, forces; the clause that
   clashed. */
static reason follow(struct sat *s, sat_literal gone)
{
    struct watches *list = &s->watches[gone];
    uint32_t kept = 0, i = 0;
    reason clashed = NO_REASON;
    while (i < list->count) {
        struct watch w = list->at[i++];
        list->at[kept++] = w;
        if (s->value[w.blocker] > 0)
            continue;
        sat_literal forced = w.blocker;
        reason why = PAIR | gone;
        if (!(w.clause & PAIR)) {
            if (watch_another(s, s->arena + w.clause, gone, w.clause)) {
                kept--;
                continue;
            }
            why = w.clause;
            forced = s->arena[w.clause + HEADER];
            list->at[kept - 1].blocker = forced;
        }
        if (s->value[forced] > 0)
            continue;
        if (s->value[forced] < 0) {
            clashed = why;
            s->clash = forced;
            break;
        }
        assign(s, forced, why);
    }
    mw_tick(s->run, i + 1);
    while (i < list->count)
        list->at[kept++] = list->at[i++];
    list->count = kept;
    return clashed;
}

static reason propagate(struct sat *s)
{
    while (s->head < s->trail_count) {
        reason clashed = follow(s, s->trail[s->head++] ^ 1);
        if (clashed != NO_REASON)
            return clashed;
    }
    return NO_REASON;
}

/* ---- learning -------------------------------------------------------------------------------- */

/* The other literals of the clause that made `literal` hold or clash: their number, and where they
 * are. */
static uint32_t others(const struct sat *s, reason why, sat_literal literal, sat_literal *room,
                       const sat_literal **at)
{
    if (why & PAIR) {
        *room = why & ~PAIR;
        *at = room;
        return 1;
    }
    const uint32_t *clause = s->arena + why;
    *at = clause + HEADER + (clause[HEADER] == literal);
    return clause[SIZE] - (clause[HEADER] == literal);
}

/* Takes a false literal into the clause to be learned; true when it is one of the present level. */
static bool take_in(struct sat *s, sat_literal literal)
{
    uint32_t variable = variable_of(literal);
    if (s->seen[variable] || !s->level[variable])
        return false;
    s->seen[variable] = true;
    if (s->branch[variable])
        bump(s, variable);
    if (s->level[variable] == s->levels)
        return true;
    s->clause[s->clause_count++] = literal;
    return false;
}

/* Resolves the clash until one literal of the present level is left; it becomes clause[0]. */
static void resolve(struct sat *s, reason why, sat_literal literal)
{
    uint32_t open = 0, at = s->trail_count;
    s->clause_count = 1;
    /* the clashing literal is false itself, and belongs to the clause */
    open += take_in(s, literal);
    for (;;) {
        sat_literal room;
        const sat_literal *list;
        uint32_t count = others(s, why, literal, &room, &list);
        mw_tick(s->run, count);
        for (uint32_t i = 0; i < count; i++)
            open += take_in(s, list[i]);
        do
            literal = s->trail[--at];
        while (!s->seen[variable_of(literal)]);
        if (!--open)
            break;
        s->seen[variable_of(literal)] = false;
        why = s->reasons[variable_of(literal)];
    }
    s->seen[variable_of(literal)] = false;
    s->clause[0] = literal ^ 1;
}

/* Whether a literal of the clause follows from the others: every way back from it, reason by
   reason, comes to literals of the clause. `seen` marks those and all that were found to follow;
   `marked` lists them. Levels that are not in the clause cannot lead there. */
static bool follows(struct sat *s, sat_literal literal)
{
    uint32_t depth = 0, first = s->marked_count;
    s->stack[depth++] = literal;
    while (depth) {
        sat_literal at = s->stack[--depth], room;
        const sat_literal *list;
        uint32_t count = others(s, s->reasons[variable_of(at)], at ^ 1, &room, &list);
        mw_tick(s->run, count);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t v = variable_of(list[i]);
            if (s->seen[v] || !s->level[v])
                continue;
            if (s->reasons[v] == NO_REASON || s->level_stamp[s->level[v]] != s->stamp) {
                while (s->marked_count > first)
                    s->seen[s->marked[--s->marked_count]] = false;
                return false;
            }
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
        if (s->reasons[variable_of(literal)] == NO_REASON || !follows(s, literal))
            s->clause[kept++] = literal;
    }
    s->clause_count = kept;
    while (s->marked_count)
        s->seen[s->marked[--s->marked_count]] = false;
}

/* The number of levels in the learned clause. Brings a literal of the latest but one to
   clause[1]. */
static uint32_t glue_of_clause(struct sat *s)
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

/* A clause of two lives in the watch lists, a longer one in the arena: the reason for its first
 * literal. */
static reason enter(struct sat *s, const sat_literal *literals, uint32_t count, uint32_t glue)
{
    if (count > 2)
        return store(s, literals, count, glue);
    watch(s, literals[0], PAIR, literals[1]);
    watch(s, literals[1], PAIR, literals[0]);
    return PAIR | literals[1];
}

static void learn(struct sat *s, reason why)
{
    resolve(s, why, s->clash);
    minimize(s);
    uint32_t glue = glue_of_clause(s);
    if (s->clause_count == 1) {
        go_back(s, 0);
        assign(s, s->clause[0], NO_REASON);
    } else {
        go_back(s, s->level[variable_of(s->clause[1])]);
        assign(s, s->clause[0], enter(s, s->clause, s->clause_count, glue));
    }
    fade(s);
    s->clashes++;
    s->all_glue += glue;
    s->recent_glue += ((uint64_t)glue << 16) / 32 - s->recent_glue / 32;
    s->since_restart++;
}

/* ---- forgetting ------------------------------------------------------------------------------ */

/* Marks the half of the learned clauses with the most glue (then the longest) as deleted: size 0
 * left over. */
static void condemn(struct sat *s)
{
    char *mark = mw_mark(s->run);
    uint64_t *keys = MW_NEW(s->run, uint64_t, s->learned_count + 1);
    int32_t *clauses = MW_NEW(s->run, int32_t, s->learned_count + 1);
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

/* Without guesses: what of a clause is still open, in place; 0 where it holds already. */
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

static void unwatch_arena(struct sat *s)
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

/* Throws half of what was learned away, strips the rest of literals that are settled, closes the
 * gaps. */
static void reduce(struct sat *s)
{
    go_back(s, 0);
    condemn(s);
    unwatch_arena(s);
    uint32_t end = s->arena_count;
    s->arena_count = s->learned_count = 0;
    mw_tick(s->run, end);
    for (uint32_t at = 0, size; at < end; at += HEADER + size) {
        size = s->arena[at + SIZE];
        uint32_t glue = s->arena[at + GLUE];
        uint32_t open = glue == DELETED ? 0 : strip(s, s->arena + at + HEADER, size);
        if (open)
            enter(s, s->arena + at + HEADER, open, glue);
    }
    s->reduce_at = s->learned_count + s->reduce_at / 2 + REDUCE_MORE;
}

/* ---- the search ------------------------------------------------------------------------------ */

static bool should_restart(const struct sat *s)
{
    return s->since_restart >= RESTART_AFTER &&
           s->recent_glue / 5 * 4 > (s->all_glue << 16) / s->clashes;
}

static void restart(struct sat *s)
{
    go_back(s, 0);
    s->since_restart = 0;
    s->recent_glue = (s->all_glue << 16) / s->clashes;
}

/* Guesses the value of the most active open variable; false where none is open. */
static bool guess(struct sat *s)
{
    uint32_t variable;
    do {
        if (!s->heap_count)
            return false;
        variable = heap_take(s);
    } while (s->value[2 * variable]);
    s->level_start[s->levels++] = s->trail_count;
    assign(s, 2 * variable + !s->phase[variable], NO_REASON);
    return true;
}

enum sat_answer sat_solve(struct sat *s, uint64_t steps)
{
    uint64_t start = mw_steps(s->run);
    go_back(s, 0);
    while (!s->refuted) {
        reason why = propagate(s);
        if (why != NO_REASON) {
            s->refuted = !s->levels;
            if (s->refuted)
                break;
            learn(s, why);
            if (!has_room(s) || mw_steps(s->run) - start > steps) {
                go_back(s, 0);
                return SAT_UNKNOWN;
            }
        } else if (s->learned_count >= s->reduce_at) {
            reduce(s);
        } else if (should_restart(s)) {
            restart(s);
        } else if (!guess(s)) {
            return SAT_YES;
        }
    }
    return SAT_NO;
}

bool sat_holds(const struct sat *s, sat_literal literal) { return s->value[literal] > 0; }

/* ---- setting up ------------------------------------------------------------------------------ */

void sat_add(struct sat *s, const sat_literal *literals, uint32_t count)
{
    go_back(s, 0);
    mw_tick(s->run, count + 1);
    uint32_t open = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (s->value[literals[i]] > 0)
            return;
        if (!s->value[literals[i]])
            s->clause[open++] = literals[i];
    }
    if (open > 1)
        enter(s, s->clause, open, 0);
    else if (open)
        assign(s, s->clause[0], NO_REASON);
    else
        s->refuted = true;
}

void sat_prefer(struct sat *s, sat_literal literal)
{
    go_back(s, 0); /* which would remember the value of the moment instead */
    s->phase[variable_of(literal)] = !(literal & 1);
}

void sat_branch_on(struct sat *s, uint32_t variable, bool phase)
{
    s->branch[variable] = true;
    s->phase[variable] = phase;
    if (!s->value[2 * variable])
        heap_insert(s, variable);
}

struct sat *sat_new(struct mw_run *run, uint32_t variables)
{
    struct sat *s = MW_NEW0(run, struct sat, 1);
    s->run = run;
    s->variables = variables;
    s->value = MW_NEW0(run, int8_t, 2 * variables);
    s->watches = MW_NEW0(run, struct watches, 2 * variables);
    s->level = MW_NEW0(run, int32_t, variables);
    s->reasons = MW_NEW(run, reason, variables);
    s->activity = MW_NEW0(run, uint64_t, variables);
    s->place = MW_NEW(run, int32_t, variables);
    memset(s->place, 0xff, variables * sizeof *s->place);
    s->phase = MW_NEW0(run, bool, variables);
    s->branch = MW_NEW0(run, bool, variables);
    s->seen = MW_NEW0(run, bool, variables);
    s->heap = MW_NEW(run, uint32_t, variables);
    s->trail = MW_NEW(run, sat_literal, variables);
    s->level_start = MW_NEW(run, uint32_t, variables);
    s->clause = MW_NEW(run, sat_literal, 2 * variables);
    s->stack = MW_NEW(run, sat_literal, variables);
    s->marked = MW_NEW(run, uint32_t, variables);
    s->level_stamp = MW_NEW0(run, uint64_t, variables + 1);
    s->arena_class = 16;
    s->arena = take_block(s, s->arena_class);
    s->gain = 1 << 10;
    s->reduce_at = REDUCE_FIRST;
    return s;
}
