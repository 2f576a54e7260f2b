/* homes.h: what choosing homes (homes.c) and telling how fair they are (home_penalty.c) share. */
#ifndef MAPWRIGHT_HOMES_H
#define MAPWRIGHT_HOMES_H

#include "starlanes.h"

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
    int32_t rival;     /* least jumps between two */
    int32_t *least;    /* jumps from each star to the nearest home, */
    uint32_t *nearest; /* and which homes are as near, a bit each */
    struct home_counts {
        int32_t reach[MANY]; /* stars within REACH jumps of each home */
        int32_t near[MANY];  /* stars to which no home is nearer, */
        int32_t realm[MANY]; /* and of these the ones where it is the first of the nearest */
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

#endif
