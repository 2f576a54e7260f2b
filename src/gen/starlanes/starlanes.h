/* starlanes.h: what the files of the generator of star lanes share. */
#ifndef MAPWRIGHT_STARLANES_H
#define MAPWRIGHT_STARLANES_H

#include "gen/starlanes/mesh/lanes.h"

/* The cosine's square of an angle in thousandths of a degree up to 60000, rounded to 2^-20. */
int32_t starlanes_cosine(int32_t angle);

/* The maximum graph, without the order of its lanes. `lanes->at` has room for 3 * stars. Stars on
   thin curves are refused, with a problem at `pointer`, where they would pass the budget. */
void starlanes_maximum(struct mw_run *, const struct mw_point *at, int32_t stars, int32_t cosine,
                       const char *pointer, struct lanes *);
/* The same; false when it takes more than so many steps beside those of the triangulation. */
bool starlanes_maximum_within(struct mw_run *, const struct mw_point *at, int32_t stars,
                              int32_t cosine, uint64_t steps, struct lanes *);

/* Steps that stars on thin curves may take beside those of others; 0 where they do not seem to be
   on such. */
uint64_t starlanes_thin_steps(const struct mw_points *);

/* The root of n, above 0 and below 2^49, in 2^-20 of a unit, to the nearest. */
int64_t starlanes_root(int64_t n);

/* The lanes at each star: those of star a are at[first[a]] to at[first[a + 1] - 1]. */
struct touching {
    int32_t *first;
    struct touching_lane {
        int64_t length;     /* in 2^-20 of a unit, to the nearest */
        int32_t star, lane; /* the other star */
    } * at;
    const struct mw_point *place; /* of each star */
};
struct touching starlanes_touching(struct mw_run *, const struct mw_point *at, int32_t stars,
                                   const struct lanes *);

/* The shortest way from the centre to a star, along the maximum graph. */
struct star_way {
    int64_t length; /* the sum of its lanes */
};
struct star_way *starlanes_ways(struct mw_run *, int32_t stars, const struct touching *,
                                int32_t centre);

/* The last lane of the shortest way to a star, which is not the centre: of equally short ways the
   one counts whose last lane comes first in the order of lanes. */
int32_t starlanes_last_lane(const struct touching *, const struct star_way *, int32_t star);

/* Homes for so many players, at most all stars but the centre. `twice` is twice the place from
   which all should be as far. The ways are those of stars by their index, as are the homes. */
void starlanes_homes(struct mw_run *, const struct mw_point *at, const int32_t *index,
                     int32_t stars, const struct star_way *, int32_t centre, struct mw_point twice,
                     int32_t *homes, int32_t count);

/* Adds what it takes to choose so many homes, beside what each star takes. */
void starlanes_homes_forecast(int32_t stars, int32_t count, struct mw_forecast *);

/* Lanes in some order of their own. */
struct listing {
    struct listed {
        int32_t a, b, lane;
    } * at;
    int32_t count;
};

/* The minimum graph: sets keep[i] for its lanes, clears the others, and lists those in the order of
   pairs. */
void starlanes_minimum(struct mw_run *, int32_t stars, const struct lanes *,
                       const struct touching *, const struct star_way *, int32_t centre,
                       const int32_t *homes, int32_t count, bool *keep, struct listing *others);

/* The result graph: sets keep[i] for the share, in thousandths, of the others. They are used up. */
void starlanes_densify(struct mw_run *, int32_t stars, const struct lanes *, struct listing *others,
                       int32_t density, bool *keep);

#endif
