/* check_lattice.c: neighbors, on every kind of lattice. */
#include "kit/lattice.h"
#include "unit/unit.h"

static const struct mw_lattice lattices[] = {
    {1, 1, MW_SQUARE, MW_WRAP_NONE}, {7, 5, MW_SQUARE, MW_WRAP_NONE}, {7, 5, MW_SQUARE, MW_WRAP_X},
    {7, 5, MW_SQUARE, MW_WRAP_XY},   {6, 8, MW_SQUARE, MW_WRAP_XY},   {2, 2, MW_SQUARE, MW_WRAP_XY},
    {1, 9, MW_SQUARE, MW_WRAP_X},    {1, 1, MW_HEX, MW_WRAP_NONE},    {7, 5, MW_HEX, MW_WRAP_NONE},
    {7, 5, MW_HEX, MW_WRAP_X},       {7, 6, MW_HEX, MW_WRAP_XY},      {8, 10, MW_HEX, MW_WRAP_XY},
    {3, 12, MW_HEX, MW_WRAP_XY},     {12, 4, MW_HEX, MW_WRAP_XY},     {2, 2, MW_HEX, MW_WRAP_XY},
    {1, 8, MW_HEX, MW_WRAP_X},       {5, 9, MW_HEX, MW_WRAP_X},       {4, 17, MW_HEX, MW_WRAP_NONE},
    {9, 2, MW_HEX, MW_WRAP_XY},
};

static int32_t cells_of(const struct mw_lattice *l) { return l->width * l->height; }

/* Whoever goes across a side comes back across the opposite one. */
TEST(opposite_sides_lead_back, .end = COUNT(lattices))
{
    const struct mw_lattice *l = &lattices[_i];
    int n = mw_sides(l);
    for (int32_t c = 0; c < cells_of(l); c++)
        for (int s = 0; s < n; s++) {
            int32_t other = mw_neighbour(l, c, s);
            ck_assert_int_lt(other, cells_of(l));
            if (other >= 0)
                ck_assert_int_eq(mw_neighbour(l, other, (s + n / 2) % n), c);
        }
}

/* A cell has a neighbour across each side, but where the map ends. */
TEST(the_map_ends_where_it_does_not_wrap, .end = COUNT(lattices))
{
    const struct mw_lattice *l = &lattices[_i];
    for (int32_t c = 0; c < cells_of(l); c++) {
        int32_t x = c % l->width, y = c / l->width;
        bool inside = (x > 0 && x < l->width - 1) || l->wrap != MW_WRAP_NONE;
        inside = inside && ((y > 0 && y < l->height - 1) || l->wrap == MW_WRAP_XY);
        for (int s = 0; inside && s < mw_sides(l); s++)
            ck_assert_int_ge(mw_neighbour(l, c, s), 0);
    }
}

/* Going round the sides turns by one step: what lies across two sides in turn is adjacent, on
   hexagons. */
TEST(sides_go_round, .end = COUNT(lattices))
{
    const struct mw_lattice *l = &lattices[_i];
    for (int32_t c = 0; l->tiling == MW_HEX && c < cells_of(l); c++)
        for (int s = 0; s < 6; s++) {
            int32_t a = mw_neighbour(l, c, s), b = mw_neighbour(l, c, (s + 1) % 6);
            if (a >= 0 && b >= 0)
                ck_assert_int_eq(mw_neighbour(l, a, (s + 2) % 6), b);
        }
}

/* The picture: middles of hexagons lie at (2x + odd, 2y) on a plane where all neighbours are
   near. */
TEST(sides_point_where_they_say, .end = COUNT(lattices))
{
    static const int dx[2][6] = {{2, 1, -1, -2, -1, 1}, {2, 0, -2, 0, 0, 0}};
    static const int dy[2][6] = {{0, 1, 1, 0, -1, -1}, {0, 1, 0, -1, 0, 0}};
    const struct mw_lattice *l = &lattices[_i];
    bool square = l->tiling == MW_SQUARE;
    for (int32_t c = 0; l->wrap == MW_WRAP_NONE && c < cells_of(l); c++)
        for (int s = 0; s < mw_sides(l); s++) {
            int32_t other = mw_neighbour(l, c, s);
            if (other < 0)
                continue;
            int32_t y0 = c / l->width, y1 = other / l->width;
            int32_t x0 = 2 * (c % l->width) + (square ? 0 : y0 & 1);
            int32_t x1 = 2 * (other % l->width) + (square ? 0 : y1 & 1);
            ck_assert_int_eq(x1 - x0, dx[square][s]);
            ck_assert_int_eq(y1 - y0, dy[square][s]);
        }
}
