/*
 * check_sat.c: the search for satisfying values, against truth tables, and against what is known.
 *
 * Random clauses of three literals are hardest at some 4.3 clauses a variable (Mitchell, Selman,
 * Levesque 1992): half of the formulas have an answer there.
 */
#include "gen/path/solver/sat.h"
#include "unit/unit.h"

enum { MOST_CLAUSES = 1000, SIZE = 3, TABLE = 14 };

static _Alignas(64) char block[(size_t)1 << 30]; /* pages that nobody touches cost nothing */

static struct mw_run *open_run(void)
{
    return mw_open(&(struct mw_limits){.memory = block, .size = sizeof block});
}

struct formula {
    uint32_t variables;
    int clauses;
    sat_literal at[MOST_CLAUSES][SIZE];
};

/* Three different variables a clause, each denied or not. */
static void draw_formula(struct formula *f, uint32_t variables, int clauses, struct mw_rng *rng)
{
    f->variables = variables;
    f->clauses = clauses;
    for (int i = 0; i < clauses; i++)
        for (int k = 0; k < SIZE; k++) {
            bool again;
            do {
                f->at[i][k] = mw_below(rng, 2 * variables);
                again = false;
                for (int j = 0; j < k; j++)
                    again |= f->at[i][j] >> 1 == f->at[i][k] >> 1;
            } while (again);
        }
}

/* Whether all clauses hold, where bit v of `values` is the value of variable v. */
static bool table_holds(const struct formula *f, uint32_t values)
{
    for (int i = 0; i < f->clauses; i++) {
        bool holds = false;
        for (int k = 0; k < SIZE; k++)
            holds |= (values >> (f->at[i][k] >> 1) & 1) != (f->at[i][k] & 1);
        if (!holds)
            return false;
    }
    return true;
}

static int table_count(const struct formula *f)
{
    int count = 0;
    for (uint32_t values = 0; values < 1u << f->variables; values++)
        count += table_holds(f, values);
    return count;
}

static struct sat *begin(struct mw_run *run, uint32_t variables)
{
    return sat_new(run, variables, variables, variables, (struct sat_theory){0});
}

static struct sat *begin_with(struct mw_run *run, const struct formula *f)
{
    struct sat *sat = begin(run, f->variables);
    for (int i = 0; i < f->clauses; i++)
        sat_add(sat, f->at[i], SIZE);
    return sat;
}

/* Once satisfied: whether the literal holds. */
static bool holds(const struct sat *sat, sat_literal literal)
{
    return sat_values(sat)[literal] > 0;
}

static void check_answer(const struct sat *sat, const struct formula *f)
{
    for (uint32_t v = 0; v < f->variables; v++)
        ck_assert_int_ne(holds(sat, 2 * v), holds(sat, 2 * v + 1));
    for (int i = 0; i < f->clauses; i++)
        ck_assert(holds(sat, f->at[i][0]) || holds(sat, f->at[i][1]) || holds(sat, f->at[i][2]));
}

/* Knows each other clause of a formula, and what it was told. */
struct teacher {
    const struct formula *formula;
    struct sat *sat;
    sat_literal told[TABLE];
    int count;
};

static bool was_denied(const struct teacher *t, sat_literal literal)
{
    for (int i = 0; i < t->count; i++)
        if (t->told[i] == (literal ^ 1))
            return true;
    return false;
}

/* Where two literals are denied, the third is implied. */
static bool teach(void *data, sat_literal literal)
{
    struct teacher *t = data;
    t->told[t->count++] = literal;
    for (int i = 0; i < t->formula->clauses; i += 2)
        for (int k = 0; k < SIZE; k++) {
            const sat_literal *at = t->formula->at[i];
            sat_literal a = at[(k + 1) % SIZE], b = at[(k + 2) % SIZE];
            if (was_denied(t, a) && was_denied(t, b) && !sat_imply(t->sat, at[k], a ^ 1, b ^ 1))
                return false;
        }
    return true;
}

static void unteach(void *data, sat_literal literal)
{
    struct teacher *t = data;
    ck_assert(t->count > 0 && t->told[--t->count] == literal);
}

/* All clauses are given; or each other one, and a theory knows the rest. */
TEST(agrees_with_truth_tables, .end = 20)
{
    struct mw_rng rng = unit_rng((uint64_t)_i);
    struct formula f;
    bool taught = _i % 2;
    int satisfied = 0;
    for (int round = 0; round < 100; round++) {
        uint32_t variables = 3 + mw_below(&rng, TABLE - 2);
        draw_formula(&f, variables, (int)(variables * mw_below(&rng, 70) / 10), &rng);
        struct teacher teacher = {.formula = &f};
        struct sat_theory theory = {&teacher, teach, unteach};
        struct sat *sat = sat_new(open_run(), variables, variables, variables,
                                  taught ? theory : (struct sat_theory){0});
        teacher.sat = sat;
        for (int i = taught; i < f.clauses; i += 1 + taught)
            sat_add(sat, f.at[i], SIZE);
        bool yes = sat_solve(sat, UINT64_MAX) == SAT_SATISFIABLE;
        ck_assert_int_eq(yes, table_count(&f) > 0);
        if (yes)
            check_answer(sat, &f);
        satisfied += yes;
    }
    ck_assert_int_ge(satisfied, 20);
    ck_assert_int_le(satisfied, 90);
}

/* Each answer excluded in turn by a clause: as many as the truth table has, and none after. */
TEST(lists_all_answers, .end = 4)
{
    struct mw_rng rng = unit_rng(2000 + (uint64_t)_i);
    struct formula f;
    for (int round = 0; round < 20; round++) {
        draw_formula(&f, 10, 25 + (int)mw_below(&rng, 15), &rng);
        struct sat *sat = begin_with(open_run(), &f);
        int count = 0;
        for (; sat_solve(sat, UINT64_MAX) == SAT_SATISFIABLE; count++) {
            check_answer(sat, &f);
            sat_literal other[TABLE];
            for (uint32_t v = 0; v < f.variables; v++)
                other[v] = 2 * v + holds(sat, 2 * v);
            sat_add(sat, other, f.variables);
        }
        ck_assert_int_eq(count, table_count(&f));
        sat_add(sat, (sat_literal[]){0, 1}, 2);
        ck_assert_int_eq(sat_solve(sat, UINT64_MAX), SAT_UNSATISFIABLE);
    }
}

/* Pigeons in holes, a hole each: with one hole too few the shortest proof by resolution is
   exponential (Haken 1985), so clauses are learnt, forgotten, and the search restarts. */
static enum sat_answer ask_pigeons(uint32_t pigeons, uint32_t holes)
{
    struct sat *sat = begin(open_run(), pigeons * holes);
    for (uint32_t p = 0; p < pigeons; p++) {
        sat_literal somewhere[20];
        for (uint32_t h = 0; h < holes; h++)
            somewhere[h] = 2 * (p * holes + h);
        sat_add(sat, somewhere, holes);
    }
    for (uint32_t h = 0; h < holes; h++)
        for (uint32_t p = 0; p < pigeons; p++)
            for (uint32_t q = 0; q < p; q++) {
                sat_literal apart[] = {2 * (p * holes + h) + 1, 2 * (q * holes + h) + 1};
                sat_add(sat, apart, 2);
            }
    return sat_solve(sat, UINT64_MAX);
}

TEST(pigeons_want_a_hole_each)
{
    for (uint32_t holes = 1; holes <= 8; holes++) {
        ck_assert_int_eq(ask_pigeons(holes, holes), SAT_SATISFIABLE);
        ck_assert_int_eq(ask_pigeons(holes + 1, holes), SAT_UNSATISFIABLE);
    }
}

/* Too large for a table. In slices of few steps it comes to the same verdict, and an answer is
   one. */
TEST(goes_on_where_its_steps_ended, .end = 6)
{
    struct mw_rng rng = unit_rng(3000 + (uint64_t)_i);
    struct formula f;
    draw_formula(&f, 140, 140 * 43 / 10, &rng);
    enum sat_answer whole = sat_solve(begin_with(open_run(), &f), UINT64_MAX);
    struct mw_run *run = open_run();
    struct sat *sat = begin_with(run, &f);
    enum sat_answer answer = SAT_UNKNOWN;
    int slices = 0;
    for (; answer == SAT_UNKNOWN; slices++) {
        uint64_t start = mw_steps(run);
        answer = sat_solve(sat, 5000);
        ck_assert_uint_le(mw_steps(run) - start, 5000 + 100000); /* and what it had begun */
    }
    ck_assert_int_eq(answer, whole);
    ck_assert_int_gt(slices, 1);
    if (answer == SAT_SATISFIABLE)
        check_answer(sat, &f);
}

/* Where the first decision differs from a known answer, so does the answer, unless there is no
   other. */
TEST(an_answer_differs_where_it_can)
{
    struct mw_rng rng = unit_rng(5000);
    int single = 0, several = 0;
    for (int i = 0; i < 300; i++) {
        struct formula f;
        draw_formula(&f, TABLE, 4 * TABLE + i % TABLE, &rng);
        int count = table_count(&f);
        struct sat *sat = begin_with(open_run(), &f);
        if (!count)
            continue;
        ck_assert_int_eq(sat_solve(sat, UINT64_MAX), SAT_SATISFIABLE);
        bool known[TABLE], differs = false;
        for (uint32_t v = 0; v < TABLE; v++)
            known[v] = holds(sat, 2 * v);
        sat = begin_with(open_run(), &f);
        for (uint32_t v = 0; v < TABLE; v++)
            sat_prefer(sat, 2 * v + known[v]);
        ck_assert_int_eq(sat_solve(sat, UINT64_MAX), SAT_SATISFIABLE);
        for (uint32_t v = 0; v < TABLE; v++)
            differs |= holds(sat, 2 * v) != known[v];
        ck_assert(differs == (count > 1));
        single += count == 1;
        several += count > 1;
    }
    ck_assert_int_gt(single, 10);
    ck_assert_int_gt(several, 10);
}

/* With little memory left it gives up at the first conflict. */
TEST(stops_learning_when_memory_is_short)
{
    struct mw_run *run = open_run();
    struct formula f;
    struct mw_rng rng = unit_rng(5000);
    draw_formula(&f, 140, 140 * 43 / 10, &rng);
    MW_NEW(run, char, sizeof block - (1 << 20));
    struct sat *sat = begin_with(run, &f);
    MW_NEW(run, char, mw_left(run, sizeof block) - (1 << 18));
    ck_assert_int_eq(sat_solve(sat, UINT64_MAX), SAT_UNKNOWN);
}
