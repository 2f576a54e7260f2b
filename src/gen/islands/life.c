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
#include "islands.h"
#include "kit/dsf.h"

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
MW_WIDE static void step(const uint64_t *restrict from, uint64_t *restrict to, int64_t stride,
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

/* Of 64 cells, those where a run begins, or is over. */
static inline uint64_t changes(const uint64_t *row, int32_t i)
{
    return row[i] ^ (row[i] << 1 | row[i - 1] >> 63);
}

/* Lists the runs of a row, of which there are at most width / 2 + 1; how many. */
static int32_t list_runs(const struct plane *p, int32_t y, struct plane_run *runs)
{
    const uint64_t *row = plane_row(p, y);
    uint16_t *begin = &runs->from, *end = begin; /* the ends of runs stand one behind the other */
    for (int32_t i = 0; i <= p->words; i++)      /* a word of zeros ends the row */
        for (uint64_t left = changes(row, i); left; left &= left - 1)
            *end++ = (uint16_t)(i * 64 + __builtin_ctzll(left));
    return (int32_t)(end - begin) / 2;
}

/* Joins the runs of row y with those above that they touch. Both stand from left to right. The root
   of a component is its first run. */
static void join_rows(const struct components *c, int32_t y, int32_t *root)
{
    const struct plane_run *runs = c->runs;
    int32_t above = c->first[y - 1], end = c->first[y];
    for (int32_t r = end; r < c->first[y + 1]; r++) {
        int32_t top = r;
        for (; above < end && runs[above].from < runs[r].to; above++) {
            if (runs[above].to <= runs[r].from)
                continue;
            int32_t other = mw_dsf_find(root, above);
            root[mw_max(top, other)] = mw_min(top, other);
            top = mw_min(top, other);
        }
        root[r] = top;
        above -= top < r && runs[above - 1].to > runs[r].to; /* it may touch the next run, too */
    }
}

void life_label(struct mw_run *run, const struct plane *p, struct components *c)
{
    c->first = MW_NEW(run, int32_t, p->height + 1);
    c->runs = MW_NEW(run, struct plane_run, (int64_t)p->height * (p->width / 2 + 1));
    c->first[0] = 0;
    for (int32_t y = 0; y < p->height; y++)
        c->first[y + 1] = c->first[y] + list_runs(p, y, c->runs + c->first[y]);
    int32_t runs = c->first[p->height], *root = c->label = MW_NEW(run, int32_t, runs + 1);
    c->size = MW_NEW0(run, int32_t, runs + 1);
    c->count = 0;
    for (int32_t r = 0; r < runs; r++)
        root[r] = r;
    for (int32_t y = 1; y < p->height; y++)
        join_rows(c, y, root);
    for (int32_t r = 0; r < runs; r++) {
        int32_t top = root[r]; /* or a run between, which has its label by now, as it comes first */
        assert(c->runs[r].from < c->runs[r].to && top <= r);
        c->label[r] = top == r ? ++c->count : c->label[top];
        c->size[c->label[r]] += c->runs[r].to - c->runs[r].from;
    }
    mw_tick(run, (uint64_t)p->height * (uint64_t)p->stride + (uint64_t)runs * 4);
}
