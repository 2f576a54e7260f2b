/* check_regions_seats.c: shares, D'Hondt's seats, sizes that fill pieces. */
#include "gen/regions/regions.h"
#include "unit/unit.h"

TEST(shares_add_up_and_follow_weights, .end = 20)
{
    struct mw_rng rng = unit_rng((uint64_t)_i);
    int32_t weight[50], share[50], cells = mw_between(&rng, 0, 1 << 24);
    int64_t total = 0, sum = 0;
    for (int k = 0; k < 50; k++)
        total += weight[k] = mw_between(&rng, 1, 655360);
    regions_share_out(weight, 50, cells, share);
    for (int k = 0; k < 50; k++) {
        sum += share[k];
        int64_t exact = (int64_t)weight[k] * cells / total;
        ck_assert(exact <= share[k] + 1 && share[k] <= exact + 1);
    }
    ck_assert_int_eq(sum, cells);
}

static const struct {
    int32_t count, cells[3], seats[3];
} rows[] = {
    {3, {5, 50, 500}, {1, 1, 1}},    {10, {100, 100, 100}, {4, 3, 3}},
    {10, {10, 20, 70}, {1, 2, 7}},   {7, {340, 280, 160}, {3, 3, 1}},
    {8, {340, 280, 160}, {4, 3, 1}}, {12, {1, 1, 1000}, {1, 1, 10}},
};

static void new_quota(struct mw_run *run, struct country_quota *q, int32_t count)
{
    *q = (struct country_quota){.count = count};
    q->piece = MW_NEW0(run, struct land_piece, 3);
    q->order = MW_NEW(run, int32_t, count);
    for (int32_t i = 0; i < count; i++)
        q->order[i] = i + 1;
    q->low = MW_NEW0(run, int32_t, count + 1);
    q->high = MW_NEW0(run, int32_t, count + 1);
}

TEST(seats_are_those_of_dhondt, .end = COUNT(rows))
{
    struct mw_run *run = unit_open();
    struct mw_rng rng = unit_rng(1);
    struct country_quota q;
    new_quota(run, &q, rows[_i].count);
    for (int i = 0; i < 3; i++)
        q.piece[q.pieces++].cells = rows[_i].cells[i];
    regions_deal_seats(run, &q, &rng);
    regions_set_quotas(run, &q);
    for (int i = 0; i < 3; i++) {
        const struct land_piece *p = &q.piece[i];
        ck_assert_int_eq(p->seats, rows[_i].seats[i]);
        for (int32_t s = 0; s < p->seats; s++) {
            int32_t k = q.order[p->first + s];
            ck_assert_int_eq(q.low[k], p->cells / p->seats);
            ck_assert_int_eq(q.high[k], (p->cells + p->seats - 1) / p->seats);
        }
    }
}

/* Capitals 1 to 4 on the first of three pieces, 5 on the last: they are theirs, whatever is
   fair, or sizes that are given fill the rest. */
TEST(countries_live_where_their_capitals_are, .end = 2)
{
    static const int32_t sizes[] = {2, 3, 1, 4, 30, 15, 5, 12, 8, 20};
    static const int32_t seats[] = {4, 1, 5};
    struct mw_run *run = unit_open();
    struct mw_rng rng = unit_rng(1);
    struct country_quota q;
    int32_t home[] = {0, 0, 0, 0, 2};
    new_quota(run, &q, 10);
    q.pieces = 3;
    q.piece[0].cells = 10, q.piece[1].cells = 20, q.piece[2].cells = 70;
    q.capitals.count = 5;
    q.home = home;
    q.sizes = (struct mw_ints){.at = sizes, .count = _i ? 10 : 0};
    regions_deal_seats(run, &q, &rng);
    int32_t lives[11] = {0}, cells[3] = {0};
    for (int32_t i = 0; i < 3; i++)
        for (int32_t s = 0; s < q.piece[i].seats; s++) {
            lives[q.order[q.piece[i].first + s]] = i + 1;
            cells[i] += sizes[q.order[q.piece[i].first + s] - 1];
        }
    for (int32_t k = 1; k <= 10; k++)
        ck_assert_int_eq(k > 5 ? lives[k] > 0 : lives[k] - 1 - home[k - 1], k > 5);
    for (int32_t i = 0; i < 3; i++) {
        ck_assert(_i || q.piece[i].seats == seats[i]);
        ck_assert(!_i || cells[i] == q.piece[i].cells);
    }
}

TEST(varied_sizes_fill_their_piece)
{
    struct mw_run *run = unit_open();
    run->seed = "7";
    run->generator = "regions";
    struct country_quota q;
    new_quota(run, &q, 40);
    q.variation = 1000;
    q.piece[0] = (struct land_piece){.cells = 1000, .first = 0, .seats = 30};
    q.piece[1] = (struct land_piece){.cells = 10, .first = 30, .seats = 10};
    q.pieces = 2;
    regions_set_quotas(run, &q);
    int32_t sum = 0, least = 1000, most = 0;
    for (int32_t k = 1; k <= 30; k++) {
        ck_assert_int_eq(q.low[k], q.high[k]);
        sum += q.low[k];
        least = q.low[k] < least ? q.low[k] : least;
        most = q.low[k] > most ? q.low[k] : most;
    }
    ck_assert_int_eq(sum, 1000);
    ck_assert(least >= 1 && most > 4 * least);
    for (int32_t k = 31; k <= 40; k++)
        ck_assert_int_eq(q.low[k], 1);
}

TEST(given_sizes_fill_every_piece, .end = 10)
{
    static const int32_t sizes[] = {7, 3, 3, 12, 5, 1, 9, 20};
    struct mw_run *run = unit_open();
    struct mw_rng rng = unit_rng((uint64_t)_i);
    struct country_quota q;
    new_quota(run, &q, 8);
    q.sizes = (struct mw_ints){sizes, 8};
    q.piece[0].cells = 24;
    q.piece[1].cells = 6;
    q.piece[2].cells = 30;
    q.pieces = 3;
    regions_deal_seats(run, &q, &rng);
    regions_set_quotas(run, &q);
    bool met[9] = {false};
    for (int i = 0; i < 3; i++) {
        int32_t sum = 0;
        for (int32_t s = 0; s < q.piece[i].seats; s++) {
            int32_t k = q.order[q.piece[i].first + s];
            ck_assert(!met[k] && q.low[k] == sizes[k - 1] && q.high[k] == sizes[k - 1]);
            met[k] = true;
            sum += sizes[k - 1];
        }
        ck_assert_int_eq(sum, q.piece[i].cells);
    }
}
