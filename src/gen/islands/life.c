/*
 * life.c: «Day & Night» on packed bits, and its components.
 *
 * A cell lives on with 3, 4, 6, 7 or 8 living neighbours and is born with 3, 6, 7 or 8: land and
 * air behave alike, and after some rounds both lie in lakes with smooth coasts (rule by Nathan
 * Thompson, 1997).
 *
 * 64 cells are counted at once, by adders of single bits. Each row gives two sums of two bits a
 * cell, which serve three rows:
 *
 *     left + right          of the row itself
 *     left + own + right    for the rows above and below
 *
 * Three of these make the number of neighbours, four bits; the rule is a formula of those and the
 * cell:
 *
 *     n = 3, 6 or 7:  n1 (n0 or n2)       n = 8:  n3       n = 4:  n2 and neither n1 nor n0
 *
 * A band of rows is done at a time, so that the sums stay near the processor; the last two rows'
 * sums are carried over, so the plane is changed in place. The loops run over all words of a band,
 * the zeros between rows included, which are set right afterwards: that makes them plain enough for
 * a compiler to do four words or eight at once, on narrow maps too.
 */
#include "life.h"

enum { BAND = 512 }; /* words of a band, at least one row */

/* Compiled also for wider registers and counting of bits, where the loader can choose; the results
   are the same. */
#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(MW_ONE_TARGET)
#define WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDE
#endif

void plane_new(struct mw_run *run, struct plane *p, int32_t width, int32_t height)
{
    *p = (struct plane){width, height, (width + 63) / 64, (width + 63) / 64 + 1, NULL};
    int64_t words = (int64_t)height * p->stride;
    p->at = MW_NEW(run, uint64_t, words + 2) + 1;
    p->at[-1] = p->at[words] = 0;
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

/* Sums of a band: of left and right (2 bits), and with the cell itself (2 bits). */
struct sums {
    uint64_t *pair0, *pair1, *three0, *three1;
};

WIDE static void add_rows(const uint64_t *restrict row, const struct sums *s, int64_t n)
{
    uint64_t *restrict pair0 = s->pair0, *restrict pair1 = s->pair1;
    uint64_t *restrict three0 = s->three0, *restrict three1 = s->three1;
    for (int64_t i = 0; i < n; i++) {
        uint64_t own = row[i], left = own << 1 | row[i - 1] >> 63,
                 right = own >> 1 | row[i + 1] << 63;
        uint64_t odd = left ^ right, both = left & right;
        pair0[i] = odd;
        pair1[i] = both;
        three0[i] = odd ^ own;
        three1[i] = both | (odd & own);
    }
}

/* Sums stand for the row above at i, the row itself at i + stride, below at i + 2 * stride. */
WIDE static void apply_rule(uint64_t *restrict row, const struct sums *s, int64_t stride, int64_t n)
{
    const uint64_t *restrict up0 = s->three0, *restrict up1 = s->three1;
    const uint64_t *restrict down0 = s->three0 + 2 * stride, *restrict down1 =
                                                                 s->three1 + 2 * stride;
    const uint64_t *restrict own0 = s->pair0 + stride, *restrict own1 = s->pair1 + stride;
    for (int64_t i = 0; i < n; i++) {
        uint64_t x = up0[i] ^ down0[i], n0 = x ^ own0[i],
                 carry = (up0[i] & down0[i]) | (x & own0[i]);
        uint64_t y = up1[i] ^ down1[i], z = own1[i] ^ carry, n1 = y ^ z;
        uint64_t a = up1[i] & down1[i], b = own1[i] & carry, c = y & z;
        uint64_t n2 = a ^ b ^ c, n3 = a & b;
        row[i] = (n1 & (n0 | n2)) | n3 | (row[i] & n2 & ~n1 & ~n0);
    }
}

static struct sums sums_from(const struct sums *s, int64_t word)
{
    return (struct sums){s->pair0 + word, s->pair1 + word, s->three0 + word, s->three1 + word};
}

static void clear_sums(const struct sums *s, int64_t words)
{
    memset(s->pair0, 0, (size_t)words * sizeof *s->pair0);
    memset(s->pair1, 0, (size_t)words * sizeof *s->pair1);
    memset(s->three0, 0, (size_t)words * sizeof *s->three0);
    memset(s->three1, 0, (size_t)words * sizeof *s->three1);
}

static void carry_over(const struct sums *s, int64_t from, int64_t words)
{
    memmove(s->pair0, s->pair0 + from, (size_t)words * sizeof *s->pair0);
    memmove(s->pair1, s->pair1 + from, (size_t)words * sizeof *s->pair1);
    memmove(s->three0, s->three0 + from, (size_t)words * sizeof *s->three0);
    memmove(s->three1, s->three1 + from, (size_t)words * sizeof *s->three1);
}

static void set_zeros(const struct plane *p, int32_t y, int32_t rows)
{
    for (uint64_t mask = last_mask(p); rows-- > 0; y++) {
        uint64_t *end = plane_row(p, y) + p->words;
        end[-1] &= mask;
        end[0] = 0;
    }
}

/* One round. Sums of rows y - 1 and y stand at the front, those of the band's other rows follow. */
static void step(const struct plane *p, const struct sums *s, int32_t band)
{
    int64_t stride = p->stride;
    struct sums second = sums_from(s, stride), rest = sums_from(s, 2 * stride);
    clear_sums(s, stride);
    add_rows(plane_row(p, 0), &second, stride);
    for (int32_t y = 0; y < p->height; y += band) {
        int32_t rows = p->height - y < band ? p->height - y : band;
        int32_t below = p->height - y - 1 < rows ? p->height - y - 1 : rows;
        add_rows(plane_row(p, y + 1), &rest, below * stride);
        if (below < rows) {
            struct sums outside = sums_from(&rest, below * stride);
            clear_sums(&outside, stride);
        }
        apply_rule(plane_row(p, y), s, stride, rows * stride);
        set_zeros(p, y, rows);
        carry_over(s, rows * stride, 2 * stride);
    }
}

void life_run(struct mw_run *run, struct plane *p, int32_t rounds)
{
    char *mark = mw_mark(run);
    int32_t band = BAND / p->stride > 1 ? BAND / p->stride : 1;
    band = band < p->height ? band : p->height;
    size_t words = ((size_t)band + 2) * (size_t)p->stride;
    struct sums s = {MW_NEW(run, uint64_t, words), MW_NEW(run, uint64_t, words),
                     MW_NEW(run, uint64_t, words), MW_NEW(run, uint64_t, words)};
    for (int32_t i = 0; i < rounds; i++) {
        step(p, &s, band);
        mw_tick(run, (uint64_t)p->height * (uint64_t)p->stride);
    }
    mw_rewind(run, mark);
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* Cells that begin a run. */
static inline uint64_t beginnings(const uint64_t *row, int32_t i)
{
    return row[i] & ~(row[i] << 1 | row[i - 1] >> 63);
}

static int32_t count_bits(uint64_t bits)
{
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int32_t)(bits * UINT64_C(0x0101010101010101) >> 56);
}

WIDE static int32_t count_runs(const struct plane *p)
{
    int32_t count = 0;
    for (int32_t y = 0; y < p->height; y++) {
        const uint64_t *row = plane_row(p, y);
        for (int32_t i = 0; i < p->words; i++)
            count += count_bits(beginnings(row, i));
    }
    return count;
}

/* The runs of a row: the k-th beginning and k-th end belong together. Each is yet its own root. */
WIDE static int32_t list_runs(const uint64_t *row, int32_t words, int32_t first,
                              struct life_run *runs)
{
    int32_t begun = first, ended = first;
    for (int32_t i = 0; i <= words; i++) {
        int32_t x = i * 64;
        uint64_t before = row[i] << 1 | row[i - 1] >> 63, own = i < words ? row[i] : 0;
        for (uint64_t b = own & ~before; b; b &= b - 1, begun++) {
            runs[begun].from = (uint16_t)(x + __builtin_ctzll(b));
            runs[begun].root = begun;
        }
        for (uint64_t e = before & ~own; e; e &= e - 1)
            runs[ended++].to = (uint16_t)(x + __builtin_ctzll(e));
    }
    return begun;
}

static int32_t root_of(struct life_run *runs, int32_t r)
{
    while (runs[r].root != r)
        r = runs[r].root = runs[runs[r].root].root;
    return r;
}

static void join_runs(struct life_run *runs, int32_t a, int32_t b)
{
    a = root_of(runs, a);
    b = root_of(runs, b);
    runs[a > b ? a : b].root = a < b ? a : b;
}

/*
 * Joins the runs of a row with those above that they touch. A stretch of cells that are set in both
 * rows is one touch, of the runs that have last begun where it begins: counting beginnings finds
 * them without comparing any ends.
 */
WIDE static void join_rows(const uint64_t *row, const uint64_t *up, int32_t words,
                           struct life_run *runs, int32_t first, int32_t first_up)
{
    int32_t own = first - 1, above = first_up - 1; /* the last runs begun */
    uint64_t before = 0;
    for (int32_t i = 0; i < words; i++) {
        uint64_t both = row[i] & up[i], begun = beginnings(row, i), begun_up = beginnings(up, i);
        for (uint64_t touch = both & ~(both << 1 | before >> 63); touch; touch &= touch - 1) {
            uint64_t so_far = touch ^ (touch - 1); /* up to the lowest bit set */
            join_runs(runs, own + count_bits(begun & so_far),
                      above + count_bits(begun_up & so_far));
        }
        own += count_bits(begun);
        above += count_bits(begun_up);
        before = both;
    }
}

void life_label(struct mw_run *run, const struct plane *p, struct components *c)
{
    c->count = count_runs(p);
    c->runs = MW_NEW(run, struct life_run, c->count + 1);
    c->size = MW_NEW(run, int32_t, c->count + 1);
    c->first = MW_NEW(run, int32_t, p->height + 1);
    c->first[0] = 0;
    for (int32_t y = 0; y < p->height; y++) {
        const uint64_t *row = plane_row(p, y);
        c->first[y + 1] = list_runs(row, p->words, c->first[y], c->runs);
        if (y)
            join_rows(row, row - p->stride, p->words, c->runs, c->first[y], c->first[y - 1]);
    }
    for (int32_t r = 0; r < c->count; r++) {
        struct life_run *at = &c->runs[r];
        at->root = c->runs[at->root].root; /* roots come first and are settled */
        c->size[r] = 0;
        c->size[at->root] += at->to - at->from;
    }
    mw_tick(run, (uint64_t)p->height * (uint64_t)p->stride + (uint64_t)c->count * 4);
}
