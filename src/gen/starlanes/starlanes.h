/* starlanes.h: what the files of the generator of star lanes share. */
#ifndef MAPWRIGHT_STARLANES_H
#define MAPWRIGHT_STARLANES_H

#include "lib/gen.h"

/* ---- star_places.c, galaxy_picture.c --------------------------------------------------------- */

enum { ARMS_LEAST = 2, ARMS_MOST = 12 };
enum shape { RECTANGLE, DISC, SPIRAL, RING, CLUSTERS };

/* Stars at random: how many, within what extent, and in which shape. */
struct scatter {
    int32_t stars, width, height, jitter;
    int32_t shape, arms;
};

/* Places for all stars, all different; width x height has room for them. */
struct mw_point *starlanes_scatter(struct mw_run *, const struct scatter *);

/* A galaxy in greys, pixel by pixel: 0 where no star may be; the brighter, the more stars. */
enum { SHADES = 256 };
struct grey_picture {
    int32_t columns, rows;
    uint8_t *shade;
};

/* What the galaxy of a seed looks like; the same at whatever resolution it is painted. */
struct galaxy_sketch;
struct galaxy_sketch *starlanes_sketch(struct mw_run *, const struct scatter *);
/* Fills `shade`. */
void starlanes_paint(struct galaxy_sketch *, const struct grey_picture *);

/* ---- maximum.c, thin_curves.c ---------------------------------------------------------------- */

/* Lanes by the numbers of their stars. Until starlanes.c renumbers them as the client does, stars
   are numbered in the order of their coordinates, x first, and a < b. Lanes lie as triangles did,
   so that neighbours on the map are neighbours in memory; `order` lists them from the shortest to
   the longest. */
struct lanes {
    struct mw_edge *at;
    int32_t *order, count;
};

/* The square of the cosine of an angle in thousandths of a degree up to 60000, rounded to 2^-20. */
int32_t starlanes_cosine(int32_t angle);

/* The maximum graph, without the order of its lanes. `lanes->at` has room for 3 * stars. Stars on
   thin curves are refused, with a problem at `pointer`, where they would exceed the budget. */
void starlanes_maximum(struct mw_run *, const struct mw_point *at, int32_t stars, int32_t cosine,
                       const char *pointer, struct lanes *);
/* The same; false when it takes more than so many steps beside those of the triangulation. */
bool starlanes_maximum_within(struct mw_run *, const struct mw_point *at, int32_t stars,
                              int32_t cosine, uint64_t steps, struct lanes *);

/* Steps that stars on thin curves may take beside those of others; 0 where they do not seem to be
   on such. */
uint64_t starlanes_thin_steps(const struct mw_points *);

/* ---- kept_lanes.c ---------------------------------------------------------------------------- */

/* The order of lanes whose stars are numbered as in the search. */
int32_t *starlanes_order(struct mw_run *, const struct mw_point *at, const struct lanes *);

/* The root of n, above 0 and below 2^49, in 2^-20 of a unit, to the nearest. */
int64_t starlanes_root(int64_t n);

/* The lanes at each star: those of star a are at[first[a]] to at[first[a + 1] - 1]. */
struct lanes_by_star {
    int32_t *first;
    struct star_lane {
        int64_t length;     /* in 2^-20 of a unit, to the nearest */
        int32_t star, lane; /* the other star */
    } * at;
    const struct mw_point *place; /* of each star */
};
struct lanes_by_star starlanes_by_star(struct mw_run *, const struct mw_point *at, int32_t stars,
                                       const struct lanes *);

/* The lengths of the shortest ways from the centre to all stars, along the maximum graph. */
int64_t *starlanes_ways(struct mw_run *, int32_t stars, const struct lanes_by_star *,
                        int32_t centre);

/* The last lane of the shortest way to a star, which is not the centre: of equally short ways the
   one counts whose last lane comes first in the order of lanes. */
int32_t starlanes_last_lane(const struct lanes_by_star *, const int64_t *ways, int32_t star);

/* Lanes in an order of their own. */
struct lane_list {
    struct listed_lane {
        int32_t a, b, lane;
    } * at;
    int32_t count;
};

/* The minimum graph: sets keep[i] for its lanes, clears the others, and lists those in the order of
   lanes. */
void starlanes_minimum(struct mw_run *, int32_t stars, const struct lanes *,
                       const struct lanes_by_star *, const int64_t *ways, int32_t centre,
                       const int32_t *homes, int32_t count, bool *keep, struct lane_list *others);

/* The result graph: sets keep[i] for the share, in thousandths, of the others. Uses them up. */
void starlanes_densify(struct mw_run *, int32_t stars, const struct lanes *,
                       struct lane_list *others, int32_t density, bool *keep);

/* ---- homes.c --------------------------------------------------------------------------------- */

/* Homes for so many players, at most all stars but the centre. `twice` is twice the place from
   which all should be equally far. Ways and homes use the index of the client. */
void starlanes_homes(struct mw_run *, const struct mw_point *at, const int32_t *index,
                     int32_t stars, const int64_t *ways, int32_t centre, struct mw_point twice,
                     int32_t *homes, int32_t count);

/* Adds what choosing so many homes takes. */
void starlanes_homes_forecast(int32_t stars, int32_t count, struct mw_forecast *);

#endif
