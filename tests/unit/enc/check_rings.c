/* check_rings.c: the areas of labels as polygons. */
#include "enc/rings.h"
#include "unit/unit.h"

#include <stdio.h>

/* Cells of 3 or 4 rows; and the rings, each with its label, `o` for a hole, and corners by the
   numbers of rows and columns of squares. */
static const struct {
    int32_t width, height;
    const char *cells, *rings;
} rows[] = {
    {1, 1, "1", "1: 0,1 1,1 1,0 0,0"},
    {2, 1, "11", "1: 0,1 2,1 2,0 0,0"},
    {2, 2, "1.11", "1: 0,2 2,2 2,1 1,1 1,0 0,0"},
    /* two labels, and one that is in two pieces, which meet at a corner alone */
    {2, 2, "1221",
     "1: 0,1 1,1 1,0 0,0\n1: 1,2 2,2 2,1 1,1\n2: 1,1 2,1 2,0 1,0\n2: 0,2 1,2 1,1 0,1"},
    {3, 3, "1111.1111", "1: 0,3 3,3 3,0 0,0\n1 o: 2,1 2,2 1,2 1,1"},
    /* a hole that meets the outside at a corner, and two holes that meet at one */
    {3, 3, "11.1.1111", "1: 0,3 3,3 3,1 2,1 2,0 0,0\n1 o: 2,1 2,2 1,2 1,1"},
    {4, 4, "11111.1111.11111", "1: 0,4 4,4 4,0 0,0\n1 o: 3,2 3,3 2,3 2,2\n1 o: 2,1 2,2 1,2 1,1"},
};

/* From the least corner by rows on, as where a ring begins says nothing. */
static void tell_ring(char *to, const struct label_rings *rings, const struct ring *ring)
{
    const struct mw_point *at = rings->corners + ring->start;
    int32_t first = 0;
    for (int32_t i = 1; i < ring->count; i++)
        if (at[i].y < at[first].y || (at[i].y == at[first].y && at[i].x < at[first].x))
            first = i;
    to += sprintf(to, "%d%s:", ring->label, ring->hole ? " o" : "");
    for (int32_t i = 1; i <= ring->count; i++) {
        struct mw_point corner = at[(first + i) % ring->count];
        to += sprintf(to, " %d,%d", corner.x / 12, corner.y / 12);
    }
}

TEST(areas_fall_into_rings, .end = COUNT(rows))
{
    int32_t cells[16];
    char told[500] = "", wanted[500] = "";
    for (int i = 0; rows[_i].cells[i]; i++)
        cells[i] = rows[_i].cells[i] == '.' ? 0 : rows[_i].cells[i] - '0';
    struct mw_cells grid = {{rows[_i].width, rows[_i].height, MW_SQUARE, MW_WRAP_NONE}, cells};
    struct label_rings rings = rings_of(unit_open(), &grid);
    for (int32_t i = 0; i < rings.count; i++) {
        if (i)
            strcat(told, "\n");
        tell_ring(told + strlen(told), &rings, &rings.list[i]);
    }
    strcpy(wanted, rows[_i].rings);
    ck_assert_str_eq(told, wanted);
}
