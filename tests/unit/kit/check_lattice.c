/* check_lattice.c: neighbors, on every kind of lattice. */
#include "kit/lattice.h"
#include "unit/unit.h"

static const struct mw_lattice lattices[] = {
    {1, 1, MW_SQUARE, MW_WRAP_NONE}, {7, 5, MW_SQUARE, MW_WRAP_NONE}, {7, 5, MW_SQUARE, MW_WRAP_X},
    {6, 8, MW_SQUARE, MW_WRAP_XY},   {2, 2, MW_SQUARE, MW_WRAP_XY},   {1, 9, MW_SQUARE, MW_WRAP_X},
    {1, 1, MW_HEX, MW_WRAP_NONE},    {7, 5, MW_HEX, MW_WRAP_NONE},    {7, 5, MW_HEX, MW_WRAP_X},
    {7, 6, MW_HEX, MW_WRAP_XY},      {12, 4, MW_HEX, MW_WRAP_XY},     {2, 2, MW_HEX, MW_WRAP_XY},
    {1, 8, MW_HEX, MW_WRAP_X},       {4, 17, MW_HEX, MW_WRAP_NONE},   {9, 2, MW_HEX, MW_WRAP_XY},
};

/* Modulo n where that axis wraps; -1 outside of the map. */
static int wrapped(int i, int n, bool wraps) { return wraps ? (i + n) % n : i < n ? i : -1; }

/* Centres of hexagons lie at (2x + odd, 2y) on a plane. */
TEST(sides_point_where_they_say_and_lead_back, .end = COUNT(lattices))
{
    static const int dx[2][6] = {{2, 1, -1, -2, -1, 1}, {2, 0, -2, 0}};
    static const int dy[2][6] = {{0, 1, 1, 0, -1, -1}, {0, 1, 0, -1}};
    const struct mw_lattice *l = &lattices[_i];
    bool square = l->tiling == MW_SQUARE;
    for (int32_t c = 0; c < l->width * l->height; c++)
        for (int s = 0, n = mw_sides(l); s < n; s++) {
            int y = c / l->width, to = y + dy[square][s];
            int twice = 2 * (c % l->width) + (square ? 0 : y & 1) + dx[square][s];
            int x = wrapped((twice - (square ? 0 : to & 1)) / 2, l->width, l->wrap != MW_WRAP_NONE);
            x = twice - (square ? 0 : to & 1) < 0 && l->wrap == MW_WRAP_NONE ? -1 : x;
            to = wrapped(to, l->height, l->wrap == MW_WRAP_XY);
            int32_t other = mw_neighbour(l, c, s);
            ck_assert_int_eq(other, x < 0 || to < 0 ? -1 : to * l->width + x);
            ck_assert(other < 0 || mw_neighbour(l, other, (s + n / 2) % n) == c);
        }
}
