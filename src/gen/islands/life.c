/*
 * life.c: «Day & Night» on packed bits, and its components.
 *
 * A cell lives on with 3, 4, 6, 7 or 8 living neighbours and is born with 3, 6, 7 or 8: land and
 * air behave alike, and after some rounds both lie in lakes with smooth coasts (rule by Nathan
 * Thompson, 1997).
 *
 * 64 cells are counted at once, by adders of single bits. The rows above and below each add left,
 * own and right, the row itself left and right: three sums of two bits. Added up they make the
 * number of neighbours in four bits, and the rule is a formula of those and the cell:
 *
 *     n = 3, 6 or 7:  n1 (n0 or n2)       n = 8:  n3       n = 4:  n2 and neither n1 nor n0
 *
 * A round writes a second plane. Its loop runs over all words, the zeros between rows included,
 * which are set right afterwards: so a compiler does four words or eight at once, on narrow maps
 * too. (To keep the sums of a row for the rows above and below costs more than to add again.)
 */
#include "life.h"
#include "kit/integer.h"

/* Compiled also for wider registers and counting of bits, where the loader can choose; the
   results are the same. */
#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(MW_ONE_TARGET)
#define WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDE
#endif

void plane_new(struct mw_run *run, struct plane *p, int32_t width, int32_t height)
{
    assert(width > 0 && width <= UINT16_MAX && height > 0); /* runs have 16 bits a column */
    *p = (struct plane){width, height, (width + 63) / 64, (width + 63) / 64 + 1, NULL};
    int64_t words = (int64_t)height * p->stride;
    int32_t margin = p->stride + 1;
    p->at = MW_NEW(run, uint64_t, words + 2 * margin) + margin;
    memset(p->at - margin, 0, (size_t)margin * sizeof *p->at);
    memset(p->at + words, 0, (size_t)margin * sizeof *p->at);
}

/* The bits of a row's last word that are cells. */
static uint64_t last_mask(const struct plane *p)
{
    return p->width % 64 ? (UINT64_C(1) << p->width % 64) - 1 : ~UINT64_C(0);
}

/*
 * 64 throws. Each lane draws the binary digits of a number below 1 until one differs from the
 * chance's: a lane is below it where the digit drawn is 0 and the chance's is 1. Half of the lanes
 * are settled with each word, so a word of throws takes seven or eight.
 */
static uint64_t throw_all(struct mw_rng *rng, int32_t thousandths)
{
    uint64_t below = 0, open = ~UINT64_C(0);
    if (thousandths >= 1000)
        return open;
    for (int32_t rest = thousandths; open && rest; rest %= 1000) {
        uint64_t digits = mw_next(rng);
        rest *= 2;
        below |= rest >= 1000 ? open & ~digits : 0;
        open &= rest >= 1000 ? digits : ~digits;
    }
    return below;
}

void plane_scatter(struct mw_run *run, struct plane *p, struct mw_rng *rng, int32_t thousandths)
{
    for (int32_t y = 0; y < p->height; y++) {
        uint64_t *row = plane_row(p, y);
        for (int32_t i = 0; i < p->words; i++)
            row[i] = throw_all(rng, thousandths);
        row[p->words - 1] &= last_mask(p);
        row[p->words] = 0;
        mw_tick(run, (uint64_t)p->words * 8);
    }
}

/* ---- the automaton --------------------------------------------------------------------------- */

/* Sums of 64 cells at once, a bit of each in a word: ones and twos. */
struct bit_sum {
    uint64_t ones, twos;
};

static inline uint64_t left_of(const uint64_t *at) { return at[0] << 1 | at[-1] >> 63; }
static inline uint64_t right_of(const uint64_t *at) { return at[0] >> 1 | at[1] << 63; }

static inline struct bit_sum add_three(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t odd = a ^ b;
    return (struct bit_sum){odd ^ c, (a & b) | (odd & c)};
}

static inline struct bit_sum add_row(const uint64_t *at)
{
    return add_three(left_of(at), *at, right_of(at));
}

/* One round, for all words from the first row's to the last one's. */
WIDE static void step(const uint64_t *restrict from, uint64_t *restrict to, int64_t stride,
                      int64_t words)
{
    for (int64_t i = 0; i < words; i++) {
        const uint64_t *at = from + i;
        struct bit_sum up = add_row(at - stride), down = add_row(at + stride);
        struct bit_sum own = {left_of(at) ^ right_of(at), left_of(at) & right_of(at)};
        struct bit_sum ones = add_three(up.ones, down.ones, own.ones);
        struct bit_sum twos = add_three(up.twos, down.twos, own.twos);
        uint64_t n0 = ones.ones, n1 = twos.ones ^ ones.twos, carry = twos.ones & ones.twos;
        uint64_t n2 = twos.twos ^ carry, n3 = twos.twos & carry;
        to[i] = (n1 & (n0 | n2)) | n3 | (*at & n2 & ~n1 & ~n0);
    }
}

static void clear_margins(const struct plane *p)
{
    for (int32_t y = 0; y < p->height; y++) {
        uint64_t *end = plane_row(p, y) + p->words;
        end[-1] &= last_mask(p);
        end[0] = 0;
    }
}

void life_run(struct mw_run *run, struct plane *p, int32_t rounds)
{
    char *mark = mw_mark(run);
    struct plane next;
    size_t words = (size_t)p->height * (size_t)p->stride;
    plane_new(run, &next, p->width, p->height);
    for (int32_t i = 0; i < rounds; i++) {
        step(p->at, next.at, p->stride, (int64_t)words);
        struct plane before = *p;
        *p = next;
        next = before;
        clear_margins(p);
        mw_tick(run, words);
    }
    if (rounds % 2) { /* what came last stands in the scratch */
        memcpy(next.at, p->at, words * sizeof *p->at);
        *p = next;
    }
    mw_rewind(run, mark);
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* Cells that begin a run. */
static inline uint64_t beginnings(const uint64_t *row, int32_t i)
{
    return row[i] & ~(row[i] << 1 | row[i - 1] >> 63);
}

WIDE static int32_t count_runs(const struct plane *p)
{
    int32_t count = 0;
    for (int32_t y = 0; y < p->height; y++) {
        const uint64_t *row = plane_row(p, y);
        for (int32_t i = 0; i < p->words; i++)
            count += mw_count_bits(beginnings(row, i));
    }
    return count;
}

enum { AT_ONCE = 12 }; /* columns that are written without asking whether there are so many */

/*
 * The runs of a row, where cells change: a run's first cell and the one past its last stand side by
 * side. Each is yet its own root. Most words have a dozen changes or fewer, and how many would be
 * guessed wrong: so a dozen is always written, of which those too many are written over (Langdale,
 * Lemire 2019).
 */
WIDE static int32_t list_runs(const uint64_t *row, int32_t words, int32_t first,
                              const struct components *c)
{
    uint16_t *start = (uint16_t *)(void *)(c->runs + first), *end = start;
    for (int32_t i = 0; i <= words; i++) {
        uint64_t own = i < words ? row[i] : 0;
        uint64_t changes = own ^ (own << 1 | row[i - 1] >> 63);
        int32_t count = mw_count_bits(changes);
        for (int32_t done = 0; done < count; done += AT_ONCE)
            for (int32_t k = 0; k < AT_ONCE; k++, changes &= changes - 1)
                end[done + k] = (uint16_t)(i * 64 + __builtin_ctzll(changes | UINT64_C(1) << 63));
        end += count;
    }
    int32_t begun = first + (int32_t)((end - start) / 2);
    for (int32_t r = first; r < begun; r++)
        c->root[r] = r;
    return begun;
}

/* The root of a run: two steps away at most, as a rule, so that two are taken without asking. */
static inline int32_t root_of(int32_t *root, int32_t run)
{
    int32_t top = root[root[run]];
    while (root[top] < top) /* roots come first: so this ends */
        top = root[top] = root[root[top]];
    assert(root[top] == top);
    return root[run] = top;
}

/*
 * Joins the runs of a row with those above that they touch. A stretch of cells that are set in both
 * rows is one touch, of the runs that have last begun where it begins: counting beginnings finds
 * them without comparing any ends. A run of this row is its own root until it is joined, under the
 * smaller root; whether two are joined already is not asked: that would be guessed wrong.
 */
WIDE static void join_rows(const uint64_t *row, const uint64_t *up, int32_t words, int32_t *root,
                           int32_t first, int32_t first_up)
{
    int32_t own = first - 1, above = first_up - 1; /* the last runs begun */
    int32_t joined = -1, top = -1;                 /* the last run joined, and its root */
    uint64_t before = 0;
    for (int32_t i = 0; i < words; i++) {
        uint64_t both = row[i] & up[i], begun = beginnings(row, i), begun_up = beginnings(up, i);
        for (uint64_t touch = both & ~(both << 1 | before >> 63); touch; touch &= touch - 1) {
            uint64_t so_far = touch ^ (touch - 1); /* up to the lowest bit set */
            int32_t run = own + mw_count_bits(begun & so_far);
            int32_t a = run == joined ? top : run;
            int32_t b = root_of(root, above + mw_count_bits(begun_up & so_far));
            joined = run;
            top = mw_min(a, b);
            root[mw_max(a, b)] = top;
        }
        own += mw_count_bits(begun);
        above += mw_count_bits(begun_up);
        before = both;
    }
}

/* Roots come first and are settled. (Told apart by `restrict`, this takes a third less.) */
static void settle(const struct life_run *restrict runs, int32_t *restrict root,
                   int32_t *restrict size, int32_t count)
{
    for (int32_t r = 0; r < count; r++) {
        int32_t top = root[r] = root[root[r]];
        assert(runs[r].from < runs[r].to && top <= r && root[top] == top);
        size[r] = 0;
        size[top] += runs[r].to - runs[r].from;
    }
}

void life_label(struct mw_run *run, const struct plane *p, struct components *c)
{
    c->count = count_runs(p);
    c->runs = MW_NEW(run, struct life_run, c->count + AT_ONCE);
    c->root = MW_NEW(run, int32_t, c->count + 1);
    c->size = MW_NEW(run, int32_t, c->count + 1);
    c->first = MW_NEW(run, int32_t, p->height + 1);
    c->first[0] = 0;
    for (int32_t y = 0; y < p->height; y++) {
        const uint64_t *row = plane_row(p, y);
        c->first[y + 1] = list_runs(row, p->words, c->first[y], c);
        if (y)
            join_rows(row, row - p->stride, p->words, c->root, c->first[y], c->first[y - 1]);
    }
    assert(c->first[p->height] == c->count);
    settle(c->runs, c->root, c->size, c->count);
    mw_tick(run, (uint64_t)p->height * (uint64_t)p->stride + (uint64_t)c->count * 4);
}
