/* starlanes.h: what the files of the generator of star lanes share. */
#ifndef MAPWRIGHT_STARLANES_H
#define MAPWRIGHT_STARLANES_H

#include "lib/gen.h"

/* ---- star_places.c, galaxy_picture.c --------------------------------------------------------- */

enum { ARMS_LEAST = 2, ARMS_MOST = 12 };
enum shape { RECTANGLE, DISC, SPIRAL, RING, CLUSTERS };

/* The parameters. */
struct starlanes {
    int32_t stars;
    struct mw_points positions;
    int32_t width, height, shape, arms, jitter, homeworlds;
    struct mw_ints homes;
    int32_t density, max_lane, min_angle;
    bool graphs;
    int32_t names;
};

/* Places for all stars, all different; width x height has room for them. */
struct mw_point *starlanes_scatter(struct mw_run *, const struct starlanes *);

/* A galaxy in greys, pixel by pixel: 0 where no star may be; the brighter, the more stars. */
enum { SHADES = 256 };
struct grey_picture {
    int32_t columns, rows;
    uint8_t *shade;
};

/* What the galaxy of a seed looks like; the same at whatever resolution `shade` is filled. */
struct galaxy_sketch;
struct galaxy_sketch *starlanes_sketch(struct mw_run *, const struct starlanes *);
void starlanes_paint(const struct galaxy_sketch *, const struct grey_picture *);

/* ---- maximum.c ------------------------------------------------------------------------------- */

/* Lanes by the numbers of their stars, a < b: at first stars are numbered in the order of their
   coordinates, x first, and lanes lie in any order; then stars as by the client, and lanes in the
   order of a, then b. */
struct lanes {
    struct mw_edge *at;
    int32_t *order, count; /* all lanes from the shortest to the longest */
};

/* The square of the cosine of an angle in thousandths of a degree up to 60000, rounded to 2^-20. */
int32_t starlanes_cosine(int32_t angle);

/* The maximum graph, without the order of its lanes. `lanes->at` has room for 3 * stars. Stars on
   thin curves are refused, with a problem at `pointer`, where they would exceed the budget. */
void starlanes_maximum(struct mw_run *, const struct mw_point *at, int32_t stars, int32_t cosine,
                       const char *pointer, struct lanes *);

/* ---- kept_lanes.c ---------------------------------------------------------------------------- */

/* Numbers stars and lanes as the client does, and sets the order. `index` has the number of each
   star that is numbered as in the search, `at` the places of stars by their new numbers. */
void starlanes_sort(struct mw_run *, const struct mw_point *at, const int32_t *index, int32_t stars,
                    struct lanes *);

/* The root of n, above 0 and below 2^49, in 2^-20 of a unit, to the nearest. */
int64_t starlanes_root(int64_t n);

/* The lanes at each star: those of star a are at[first[a]] to at[first[a + 1] - 1], the shortest
   first. */
struct lanes_by_star {
    int32_t *first;
    struct star_lane {
        int64_t length;     /* in 2^-20 of a unit, to the nearest */
        int32_t star, lane; /* the other star */
    } * at;
};

/* Begins to fetch the lanes of a star, of which most have six. */
ALWAYS_INLINE void prefetch_lanes(const struct lanes_by_star *t, int32_t star)
{
    const struct star_lane *first = &t->at[t->first[star]];
    __builtin_prefetch(first);
    __builtin_prefetch(first + 4);
}

/* The maximum graph, and what of it other graphs keep. Stars are numbered as by the client. */
struct star_network {
    int32_t stars, centre;
    struct lanes lanes;
    struct lanes_by_star by_star;
    int64_t *ways;       /* the length of the shortest way from the centre to each star */
    int32_t density;     /* in thousandths */
    int32_t short_lanes; /* so many of the order are within the bound of the result */
    bool *minimum;       /* of each lane: whether the minimum graph has it, */
    bool *result;        /* and the result graph */
    struct lane_list {
        struct listed_lane {
            int32_t a, b, lane;
        } * at;
        int32_t count;
    } others; /* short lanes that the minimum graph does not have, in order */
};

/* Sets by_star, the ways and short_lanes from the maximum graph. `max_lane` is in thousandths of
   the median length; 0: there is no bound. */
void starlanes_network(struct mw_run *, const struct mw_point *at, int32_t max_lane,
                       struct star_network *);

/* Makes the minimum and the result graph for these homes. */
void starlanes_join_homes(struct mw_run *, struct star_network *, const int32_t *homes,
                          int32_t count);

/* ---- fairness.c ------------------------------------------------------------------------------ */

/* Searches along the lanes of the result graph as it is then, each from one star. */
struct jump_search {
    struct mw_run *run;
    const struct star_network *net;
    int32_t *jumps;        /* to each star that the last search found */
    int32_t *seen, number; /* the last search that found it, and how many there were */
    int32_t *found, count; /* the stars that the last search found, by rising jumps */
};
struct jump_search starlanes_new_search(struct mw_run *, const struct star_network *);
/* Finds the stars at most `depth` jumps away, and those at most `limit` jumps away: a number of
   each star, by at most 1 more than that of a neighbour; NULL: depth alone counts. */
void starlanes_search(struct jump_search *, int32_t from, const int32_t *limit, int32_t depth);

enum { REACHES = 5 };
/* What players count of each home. */
struct home_fairness {
    int32_t rival;          /* jumps to the nearest other home; MW_NULL: there is none */
    int32_t realm;          /* stars to which it is nearest, or the first of the nearest */
    int32_t reach[REACHES]; /* other stars within 1 to 5 jumps */
};

/* The stars in the order of their coordinates, and the homes. */
struct galaxy {
    const struct mw_point *placed; /* the stars by their numbers for the client */
    struct mw_point *at;
    int32_t *index; /* these numbers */
    int32_t stars, centre;
    struct mw_point twice;      /* twice the place from which all should be equally far */
    bool given;                 /* stars come in an order that must not matter */
    int32_t *homes, home_count; /* as numbered for the client, rising in the end */
    struct home_fairness *fair; /* of each home */
};

/* Sets `fair`. */
void starlanes_fairness(struct mw_run *, const struct star_network *, const struct galaxy *);

/* ---- homes.c, and what of it fairness.c judges ----------------------------------------------- */

enum { MANY = 32 }; /* more homes are only spread */

/* The measures of a star by itself. */
enum { FROM_STAR, FROM_MIDDLE, BY_LANES, MEASURES };

/* A star that may become a home. */
struct home_site {
    struct mw_point at;
    int32_t star;
    bool on_rim;
    int64_t rank;          /* the first of some stars has the least */
    int64_t far[MEASURES]; /* from the centre, in 2^-10 of a unit */
};

/* In the order of their coordinates. */
struct home_sites {
    struct mw_run *run;
    struct home_site *at;
    int32_t count;
    int64_t room;              /* wanted between homes, in 2^-10 of a unit */
    struct star_network *net;  /* NULL: jumps do not count */
    struct jump_search search; /* in the graph of the homes that were judged last */
};

/* Least and greatest of a measure. */
struct home_range {
    int64_t least, most;
};

/* All homes but one, while a site for that one is searched; there is always room for it too. */
struct other_homes {
    int32_t home[MANY], count, on_rim;
    int64_t near[MANY]; /* the square of the distance from each to the nearest of them */
    struct home_range far[MEASURES];
    int32_t rival;  /* least jumps between two */
    int32_t *least; /* jumps from each star to the nearest home, */
    int32_t *owner; /* and of the nearest the number of the first */
    struct home_counts {
        int32_t reach[MANY]; /* stars within REACH jumps of each home */
        int32_t realm[MANY]; /* stars that it owns */
    } counts;
};

/* Homes, by their indices among the sites, and their penalty. */
struct home_choice {
    int32_t *home, count;
    int64_t penalty;
};

/* Penalties below UNFAIR are of homes that are fair, those below CROWDED of such that are off the
   rim and not crowded either. */
enum { CROWDED = 1 << 12 };
#define UNFAIR ((int64_t)CROWDED << 20)

/* Marks the sites on the rim of all stars, which are in the order of their coordinates. */
void starlanes_mark_rim(struct home_sites *, const struct mw_point *at, int32_t stars,
                        struct mw_point middle);

int64_t starlanes_square_between(const struct home_sites *, int32_t a, int32_t b);

/* Sets the others to all homes but number `but`; their arrays are there. */
void starlanes_other_homes(struct home_sites *, const struct home_choice *, int32_t but,
                           struct other_homes *);

/* The penalty of the homes with one more; anything from `most` on is only known to be that much. */
int64_t starlanes_penalty(struct home_sites *, struct other_homes *, int32_t home, int64_t most);

/* Chooses homes, at most all stars but the centre, and makes the graphs for them. */
void starlanes_homes(struct mw_run *, const struct galaxy *, struct star_network *);

/* Adds what choosing so many homes takes. */
void starlanes_homes_forecast(int32_t stars, int32_t count, int32_t easy, struct mw_forecast *);

#endif
