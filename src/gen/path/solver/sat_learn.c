/*
 * sat_learn.c: learning clauses from conflicts, and dropping them again.
 */
#include "sat_core.h"

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
    if (s->branch[variable])
        sat_bump(s, variable);
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

void sat_learn(struct sat *s)
{
    resolve(s);
    minimize(s);
    uint32_t glue = measure_glue(s);
    assert(glue <= s->clause_count && s->level[variable_of(s->clause[0])] == s->levels);
    if (s->clause_count == 1) {
        sat_backtrack(s, 0);
        sat_assign(s, s->clause[0], NO_REASON);
    } else {
        sat_backtrack(s, s->level[variable_of(s->clause[1])]);
        sat_assign(s, s->clause[0], sat_attach(s, s->clause, s->clause_count, glue));
    }
    sat_decay(s);
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

void sat_reduce(struct sat *s)
{
    sat_backtrack(s, 0);
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
            sat_attach(s, s->arena + at + HEADER, open, glue);
    }
    s->reduce_at = s->learnt_count + s->reduce_at / 2 + REDUCE_MORE;
}
