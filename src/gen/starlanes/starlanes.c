/*
 * starlanes.c: stars, and lanes between them for ships to fly along.
 *
 * The steps, the order of pairs, the paths to the homes and the rule for further lanes are those
 * that the maker of a space strategy game described in his development log. Ties, exactness, speed
 * and the proofs are ours. A map passes through the files in this order:
 *
 *   starlanes.c          parameters, and the five steps one after the other
 *   star_places.c        1. STARS on a lattice, each shifted within its cell; or placed by the
 *   galaxy_picture.c        picture of a galaxy; or where the client wants them. From here on they
 *                           are numbered in the order of their coordinates, so that the order in
 *                           which they were given cannot matter.
 *   maximum.c            2. MAXIMUM GRAPH: all pairs, from the shortest to the longest: a pair
 *                           becomes a lane if it crosses no lane, runs through no star and keeps
 *                           the least angle from the lanes at its ends.
 *   visibility.c            It finds the pairs that must be tried.
 *   mesh/mesh.c             The triangulation of the stars, and lanes inserted into it.
 *   kept_lanes.c            The order of lanes, and the shortest ways from the centre. From here on
 *                           stars are numbered as by the client.
 *   homes.c              3. HOMES about as far from the centre, by distance and by the ways along
 *   fairness.c              the lanes, and about as far from each other; how fair they are.
 *   kept_lanes.c         4. MINIMUM GRAPH: shortest ways from the star at the centre to the homes;
 *                           then, again and again, the shortest lane to a star outside.
 *                        5. RESULT: the minimum graph and a share of the other lanes: always the
 *                           one whose two stars have the fewest lanes together, the shortest of
 *                           those.
 *
 * A WRONG LANE is found in three files: maximum.c has the rules, the order of trials and the sides
 * that become lanes without a trial; visibility.c decides which pairs are tried; kept_lanes.c which
 * lanes of the maximum graph stay.
 *
 * WHY THE MAXIMUM GRAPH IS CONNECTED. The contract has a last resort: while the graph is not
 * connected, add the shortest lane between two components that crosses none, whatever its angles.
 * There is no code for it, as it is never needed, for all least angles up to 60 degrees.
 *
 * Suppose there were several components. Say that two stars see each other if no lane crosses and
 * no star lies between. Any triangulation that has all lanes among its sides is connected, so some
 * of its sides join two components, and their ends see each other. Of all stars of different
 * components that see each other let u and v be the nearest. They saw each other all the time, so
 * u-v was refused for an angle: one of them, say u, had a lane to w, no longer than u-v and at less
 * than 60 degrees from it. Then v is nearer to w than to u. So all of the triangle u, v, w is
 * nearer to v than u is, but u itself; and nearer to u than v is, but v itself and perhaps w.
 *
 *          u-----------------w      No lane of u lies between u-v and u-w: u-w would be too close.
 *           \ .            /        Turn a ray at v from u towards w. At first it hits u-w. If
 *            \   .       /          nothing else comes before it up to w, then v sees w. Else look
 *             \     z  /            where something first comes before it: that is a star z, as
 *              \     /              lanes do not cross u-w and so must end where they come into
 *               \  /                view. Call it z in either case. It lies in the triangle, v
 *                v                  sees it, and up to there u-w alone was in view: so u sees z.
 *
 * If z is not in the component of v, then v and z are nearer than u and v. If it is, then it is not
 * w, which is in that of u, and u and z are nearer than u and v. Neither can be.
 *
 * COST. n log n for stars in general position, and some 350 bytes a star. Stars on a few thin
 * curves take the square of their number, or more, and 540 bytes (maximum.c).
 */
#include "starlanes.h"
#include "gen/names/names.h"
#include "gen/starlanes/mesh/mesh.h"

enum { STARS_MOST = 200000, SIDE = 1 << 23, DEFAULT_HOMES = 4, STEPS_MOST = 500000000 };
/* Nanoseconds; boxes to a side of a grid; stars whose square does not matter. */
enum { THIN_STEP = 15, BOXES = 256, FEW = 2000 };

/* Those of the fields below that the client may have given or left out. */
enum { STARS, POSITIONS, WIDTH, HEIGHT, SHAPE, ARMS, JITTER, HOMEWORLDS };

static const char *const shapes[] = {"rectangle", "disc", "spiral", "ring", "clusters", NULL};
static const struct mw_field fields[] = {
    MW_INT(struct starlanes, stars, 2, STARS_MOST, 100, "How many stars",
           .follows = MW_FOLLOWS(POINTS)),
    MW_POINT_LIST(
        struct starlanes, positions, 2, STARS_MOST, 0, SIDE - 1,
        "Where the stars are, all different; on a few thin curves (a circle, rows) some 10,000 at "
        "most",
        .distinct = true),
    MW_INT(struct starlanes, width, 1, SIDE, 0,
           "Extent of the map across; by default what holds all positions, else 1000, and more for "
           "more than 1000 stars, so that each has the same room",
           .optional = true, .follows = MW_FOLLOWS(POINTS)),
    MW_INT(struct starlanes, height, 1, SIDE, 0,
           "Extent of the map downward; by default as `width`", .optional = true,
           .follows = MW_FOLLOWS(POINTS)),
    MW_CHOICE(struct starlanes, shape, shapes, RECTANGLE,
              "What the stars at random look like; a galaxy fills the extent, as an ellipse"),
    MW_INT(struct starlanes, arms, ARMS_LEAST, ARMS_MOST, 4, "How many arms a `spiral` has"),
    MW_DEC(struct starlanes, jitter, 0, 1000, 800,
           "0 puts the stars on a lattice, 1 anywhere in their cell of it"),
    MW_INT(struct starlanes, homeworlds, 1, STARS_MOST, DEFAULT_HOMES,
           "How many players get a home, fairly: about as far from the centre and from each other, "
           "never the star at the centre",
           .follows = MW_FOLLOWS(POINTS) | MW_FOLLOWS(INTEGERS)),
    MW_LIST(struct starlanes, homes, 1, STARS_MOST, 0, STARS_MOST - 1,
            "Which stars are homes, by index, instead of homes chosen fairly", .distinct = true,
            .role = MW_EMPHASIS),
    MW_DEC(struct starlanes, density, 0, 1000, 500,
           "0 gives the minimum graph, 1 the maximum graph"),
    MW_DEC(
        struct starlanes, max_lane, 0, 100000, 4000,
        "Longest lane beyond the minimum graph, in medians of the lanes of the maximum graph; 0: "
        "no bound"),
    MW_DEC(struct starlanes, min_angle, 0, 60000, 15000,
           "Least angle between two lanes at a star, in degrees"),
    MW_BOOL(struct starlanes, graphs, false, "Give the maximum and the minimum graph as well"),
    MW_NAMES_FIELD(struct starlanes, "stars"),
    MW_END,
};

enum { P_WIDTH, P_HEIGHT, P_CENTER, P_STARS, P_LANES, P_MAXIMUM, P_MINIMUM, P_LONG, P_FAIRNESS };
enum { C_X, C_Y, C_HOMEWORLD, C_NAME };
enum { F_STAR, F_DISTANCE, F_RIVAL, F_REACH, F_REALM };

static const struct mw_column columns[] = {
    MW_COLUMN("x", MW_INTEGER, "To the right", .role = MW_ACROSS),
    MW_COLUMN("y", MW_INTEGER, "Downward", .role = MW_DOWN),
    MW_COLUMN("homeworld", MW_BOOLEAN, "Whether a player begins here", .role = MW_EMPHASIS),
    MW_NAME_COLUMN,
    MW_END_COLUMNS,
};

static const struct mw_column fairness_columns[] = {
    MW_COLUMN("star", MW_INTEGER, "The homeworld, by the index of its star"),
    MW_COLUMN("distance", MW_INTEGER, "From the star at the centre, rounded down"),
    MW_COLUMN("rival", MW_INTEGER, "Jumps to the nearest other homeworld, if there is any",
              .nullable = true),
    MW_COLUMN("reach", MW_INTEGERS, "Other stars within 1, 2, 3, 4 and 5 jumps"),
    MW_COLUMN("realm", MW_INTEGER,
              "Stars nearest to it by jumps; one nearest to several is of the first"),
    MW_END_COLUMNS,
};

static const struct mw_part parts[] = {
    MW_VALUE_PART("width", MW_INTEGER, "Extent of the map across"),
    MW_VALUE_PART("height", MW_INTEGER, "Extent of the map downward"),
    MW_VALUE_PART("center", MW_INTEGER, "The star nearest to the centre", .role = MW_MARK),
    MW_TABLE_PART("stars", columns, "The stars, by index from 0"),
    MW_EDGES_PART("lanes", "stars", "The result graph"),
    MW_EDGES_PART("maximum", "stars", "The maximum graph, which holds all lanes", .optional = true),
    MW_EDGES_PART("minimum", "stars", "The minimum graph, a tree of lanes through all stars",
                  .role = MW_BACKBONE, .optional = true),
    MW_EDGES_PART("long", "stars",
                  "Lanes longer than `max_lane`, which the minimum graph needs; drawn dashed",
                  .role = MW_DASHED, .optional = true),
    MW_TABLE_PART("fairness", fairness_columns,
                  "What each homeworld has, by the index of its star"),
    MW_END_PARTS,
};

/* ---- parameters ------------------------------------------------------------------------------ */

static bool is_given(mw_given given, int field) { return given >> field & 1; }

/* Fills `order` with the indices of the stars in the order of their coordinates, x first. */
static void sort_stars(struct mw_run *run, const struct mw_point *at, int32_t stars, int32_t *order)
{
    char *mark = mw_mark(run);
    uint64_t *keys = MW_NEW(run, uint64_t, stars);
    int32_t height = 0;
    for (int32_t i = 0; i < stars; i++)
        height = mw_max(height, at[i].y + 1);
    for (int32_t i = 0; i < stars; i++) {
        keys[i] = (uint64_t)((int64_t)at[i].x * height + at[i].y);
        order[i] = i;
    }
    mw_tick(run, 2 * (uint64_t)stars);
    mw_sort(run, keys, order, stars);
    mw_rewind(run, mark);
}

static void check_different(struct mw_run *run, const struct mw_points *points)
{
    char *mark = mw_mark(run);
    int32_t *order = MW_NEW(run, int32_t, points->count);
    sort_stars(run, points->at, points->count, order);
    for (int32_t i = 1; i < points->count; i++) {
        struct mw_point a = points->at[order[i - 1]], b = points->at[order[i]];
        if (a.x != b.x || a.y != b.y)
            continue;
        mw_add_problem_at(run, MW_BAD_PARAM, "/positions", order[i],
                          "must differ from all others, but star %d is at [%d, %d] as well",
                          (int)order[i - 1], (int)a.x, (int)a.y);
    }
    mw_rewind(run, mark);
}

static void fit_extent(struct mw_run *run, const char *pointer, bool given, int32_t *extent,
                       int32_t most)
{
    if (!given)
        *extent = most + 1;
    else if (*extent <= most)
        mw_add_problem(run, MW_NO_RESULT, pointer, "must be at least %d to hold all positions",
                       (int)most + 1);
}

static void check_positions(struct mw_run *run, struct starlanes *p, mw_given given)
{
    if (!is_given(given, STARS))
        p->stars = p->positions.count;
    else if (p->stars != p->positions.count)
        mw_add_problem(run, MW_NO_RESULT, "/stars", "must be %d, as there are that many positions",
                       (int)p->positions.count);
    struct mw_point least, most;
    mesh_extent(p->positions.at, p->positions.count, &least, &most);
    fit_extent(run, "/width", is_given(given, WIDTH), &p->width, most.x);
    fit_extent(run, "/height", is_given(given, HEIGHT), &p->height, most.y);
    check_different(run, &p->positions);
}

static void check_homes(struct mw_run *run, struct starlanes *p, mw_given given)
{
    if (!is_given(given, HOMEWORLDS))
        p->homeworlds = p->homes.count;
    else if (p->homeworlds != p->homes.count)
        mw_add_problem(run, MW_NO_RESULT, "/homeworlds", "must be %d, as there are that many homes",
                       (int)p->homes.count);
    char *mark = mw_mark(run);
    int32_t *first = MW_NEW(run, int32_t, p->stars);
    memset(first, 0xff, (size_t)p->stars * sizeof *first);
    for (int32_t i = 0; i < p->homes.count; i++) {
        int32_t star = p->homes.at[i];
        if (star >= p->stars)
            mw_add_problem_at(run, MW_NO_RESULT, "/homes", i,
                              "must be the index of a star, 0 to %d", (int)p->stars - 1);
        else if (first[star] >= 0)
            mw_add_problem_at(run, MW_BAD_PARAM, "/homes", i,
                              "must differ from all others, but home %d is star %d too",
                              (int)first[star], (int)star);
        else
            first[star] = i;
    }
    mw_rewind(run, mark);
}

static void check(struct mw_run *run, void *params, mw_given given)
{
    struct starlanes *p = params;
    /* by default each star has as much room as 1000 have on a square of 1000 x 1000 */
    int32_t side = (int32_t)mw_root((int64_t)mw_max(p->stars, 1000) * 1000);
    if (!p->positions.count && !p->width)
        p->width = side;
    if (!p->positions.count && !p->height)
        p->height = side;
    if (p->positions.count)
        check_positions(run, p, given);
    else if ((int64_t)p->width * p->height < p->stars)
        mw_add_problem(run, MW_NO_RESULT, "/stars",
                       "must be at most %d, as %d x %d has no more places",
                       (int)(p->width * p->height), (int)p->width, (int)p->height);
    if (p->homes.count)
        check_homes(run, p, given);
    else if (!is_given(given, HOMEWORLDS))
        p->homeworlds = mw_min(p->homeworlds, p->stars - 1);
    else if (p->homeworlds >= p->stars)
        mw_add_problem(run, MW_NO_RESULT, "/homeworlds",
                       "must be at most %d, as the star at the centre is nobody's home",
                       (int)p->stars - 1);
}

/*
 * cos^2 a = (1 + cos 2a) / 2, and with z = (2a)^2
 *
 *     cos 2a = 1 - z / (1 * 2) * (1 - z / (3 * 4) * (1 - z / (5 * 6) * (...)))
 *
 * in units of 2^-60: from the innermost bracket outward all but the last lie between 0 and 1. The
 * error stays below 2^-54, that of the result below 2^-34. None of the 60001 angles comes nearer
 * than 2^-19 to the middle between two results, but for the two that are exact, so all are rounded
 * as they should be.
 */
int32_t starlanes_cosine(int32_t angle)
{
    assert(angle >= 0 && angle <= 60000);
    const uint64_t one = UINT64_C(1) << 60,
                   step = UINT64_C(160978210179492); /* pi / 90000 * 2^62 */
    uint64_t z = wide_product((uint64_t)angle * step, (uint64_t)angle * step).high, y = one;
    for (uint64_t k = 12; k > 0; k--)
        y = one - (wide_product(z, y).high << 4) / ((2 * k - 1) * (2 * k));
    return (int32_t)((one + y + (one >> 20)) >> 41);
}

/* ---- the galaxy ------------------------------------------------------------------------------ */

static void place_stars(struct mw_run *run, const struct starlanes *p, struct galaxy *g)
{
    g->stars = p->stars;
    g->given = p->positions.count > 0;
    g->placed = g->given ? p->positions.at : starlanes_scatter(run, p);
    g->at = MW_NEW(run, struct mw_point, g->stars);
    g->index = MW_NEW(run, int32_t, g->stars);
    sort_stars(run, g->placed, g->stars, g->index);
    for (int32_t i = 0; i < g->stars; i++)
        g->at[i] = g->placed[g->index[i]];
}

/* Sets the star at the centre, which is twice as far from the origin so that it is an integer. */
static void find_centre(const struct starlanes *p, struct galaxy *g)
{
    struct mw_point low = {0, 0}, high = {p->width, p->height};
    int64_t least = INT64_MAX;
    if (g->given)
        mesh_extent(g->at, g->stars, &low, &high);
    g->twice = (struct mw_point){low.x + high.x, low.y + high.y};
    for (int32_t i = 0; i < g->stars; i++) {
        int64_t far = square(ray_to((struct mw_point){2 * g->at[i].x, 2 * g->at[i].y}, g->twice));
        g->centre = far < least ? i : g->centre;
        least = mw_min64(least, far);
    }
    assert(least < INT64_MAX);
}

static void sort_homes(struct mw_run *run, struct galaxy *g)
{
    char *mark = mw_mark(run);
    uint64_t *keys = MW_NEW(run, uint64_t, g->home_count);
    for (int32_t i = 0; i < g->home_count; i++)
        keys[i] = (uint64_t)g->homes[i];
    mw_sort(run, keys, g->homes, g->home_count);
    for (int32_t i = 1; i < g->home_count; i++)
        assert(g->homes[i - 1] < g->homes[i]); /* all different */
    mw_rewind(run, mark);
}

/* Chooses the homes and makes the graphs for them. */
static void choose_homes(struct mw_run *run, const struct starlanes *p, struct galaxy *g,
                         struct star_network *net)
{
    if (p->homes.count) {
        memcpy(g->homes, p->homes.at, (size_t)g->home_count * sizeof *g->homes);
        starlanes_join_homes(run, net, g->homes, g->home_count);
    } else {
        starlanes_homes(run, g, net);
    }
    sort_homes(run, g);
    starlanes_fairness(run, net, g);
}

/* ---- the result ------------------------------------------------------------------------------ */

static void show_stars(struct mw_run *run, struct mw_map *map, const struct galaxy *g)
{
    mw_set_int(map, P_CENTER, g->index[g->centre]);
    mw_add_table(run, map, P_STARS, g->stars);
    int32_t *x = mw_int_column(map, P_STARS, C_X), *y = mw_int_column(map, P_STARS, C_Y);
    for (int32_t i = 0; i < g->stars; i++) {
        x[i] = g->placed[i].x;
        y[i] = g->placed[i].y;
    }
    int32_t *is_home = mw_int_column(map, P_STARS, C_HOMEWORLD);
    for (int32_t k = 0; k < g->home_count; k++)
        is_home[g->homes[k]] = 1;
}

/* The lanes that are kept, or all. */
static void show_lanes(struct mw_run *run, struct mw_map *map, int part, const struct lanes *lanes,
                       const bool *keep)
{
    int32_t count = 0;
    for (int32_t i = 0; i < lanes->count; i++)
        count += !keep || keep[i];
    struct mw_edge *edge = mw_add_edges(run, map, part, count), *end = edge + count;
    mw_tick(run, (uint64_t)lanes->count);
    for (int32_t i = 0; edge < end; i++) {
        *edge = lanes->at[i];
        edge += !keep || keep[i];
    }
}

static void show_graphs(struct mw_run *run, struct mw_map *map, bool all,
                        const struct star_network *net)
{
    const struct lanes *lanes = &net->lanes;
    show_lanes(run, map, P_LANES, lanes, net->result);
    if (all)
        show_lanes(run, map, P_MAXIMUM, lanes, NULL);
    show_lanes(run, map, P_MINIMUM, lanes, net->minimum);
    bool *is_long = MW_NEW0(run, bool, net->lanes.count); /* and in the minimum graph */
    for (int32_t i = net->short_lanes; i < net->lanes.count; i++)
        is_long[net->lanes.order[i]] = net->minimum[net->lanes.order[i]];
    show_lanes(run, map, P_LONG, lanes, is_long);
    map->slots[P_MINIMUM].present = map->slots[P_LONG].present = all; /* drawn in any case */
}

static void show_fairness(struct mw_run *run, struct mw_map *map, const struct galaxy *g)
{
    int32_t count = g->home_count;
    mw_add_table(run, map, P_FAIRNESS, count);
    int32_t *reaches = MW_NEW(run, int32_t, REACHES * (int64_t)count);
    struct mw_point centre = g->at[g->centre];
    for (int32_t k = 0; k < count; k++) {
        const struct home_fairness *fair = &g->fair[k];
        int32_t star = g->homes[k];
        mw_int_column(map, P_FAIRNESS, F_STAR)[k] = star;
        mw_int_column(map, P_FAIRNESS, F_DISTANCE)[k] =
            (int32_t)mw_root(square(ray_to(centre, g->placed[star])));
        mw_int_column(map, P_FAIRNESS, F_RIVAL)[k] = fair->rival;
        mw_int_column(map, P_FAIRNESS, F_REALM)[k] = fair->realm;
        memcpy(reaches + REACHES * k, fair->reach, sizeof fair->reach);
        mw_ints_column(map, P_FAIRNESS, F_REACH)[k] =
            (struct mw_ints){reaches + REACHES * k, REACHES};
    }
}

/* The maximum graph, its stars numbered by the client's indices. */
static void make_lanes(struct mw_run *run, const struct starlanes *p, const struct galaxy *g,
                       struct lanes *lanes)
{
    lanes->at = MW_NEW(run, struct mw_edge, 3 * (int64_t)g->stars);
    starlanes_maximum(run, g->at, g->stars, starlanes_cosine(p->min_angle),
                      g->given ? "/positions" : "/stars", lanes);
    assert(lanes->count >= g->stars - 1 && lanes->count < 3 * g->stars); /* one piece, planar */
    starlanes_sort(run, g->placed, g->index, g->stars, lanes);
}

static void make(struct mw_run *run, const void *params, struct mw_map *map)
{
    const struct starlanes *p = params;
    struct galaxy g;
    place_stars(run, p, &g);
    find_centre(p, &g);
    g.home_count = p->homeworlds;
    g.homes = MW_NEW(run, int32_t, g.home_count);
    g.fair = MW_NEW(run, struct home_fairness, g.home_count);
    mw_set_int(map, P_WIDTH, p->width);
    mw_set_int(map, P_HEIGHT, p->height);

    struct star_network net = {g.stars, g.index[g.centre], .density = p->density};
    make_lanes(run, p, &g, &net.lanes);
    net.minimum = MW_NEW(run, bool, net.lanes.count);
    net.result = MW_NEW(run, bool, net.lanes.count);
    char *mark = mw_mark(run);
    net.others.at = MW_NEW(run, struct listed_lane, net.lanes.count);
    starlanes_network(run, g.placed, p->max_lane, &net);
    choose_homes(run, p, &g, &net);
    mw_rewind(run, mark);
    show_stars(run, map, &g);
    mw_name_rows(run, p->names, mw_string_column(map, P_STARS, C_NAME), g.stars);
    show_graphs(run, map, p->graphs, &net);
    show_fairness(run, map, &g);
}

/* ---- what it will take ----------------------------------------------------------------------- */

/* Whether stars may lie on thin curves, or nearly in a row; of few stars it does not matter. */
static bool may_be_thin(const struct starlanes *p)
{
    int64_t most = mw_max(p->width, p->height), least = mw_min(p->width, p->height);
    return p->stars < 1000 || p->positions.count || p->shape != RECTANGLE ||
           least * p->stars < most;
}

/* How many boxes of a grid with so many to a side of the square around all stars hold one. */
static int32_t count_boxes(const struct mw_points *points, struct mw_point low, int32_t extent,
                           int32_t side)
{
    uint8_t taken[BOXES * BOXES / 8] = {0};
    int32_t count = 0;
    assert(extent > 0 && side <= BOXES);
    for (int32_t i = 0; i < points->count; i++) {
        int64_t x = points->at[i].x - low.x, y = points->at[i].y - low.y;
        int64_t box = y * side / extent * side + x * side / extent;
        assert(box >= 0 && box < side * side);
        count += !(taken[box / 8] >> box % 8 & 1);
        taken[box / 8] |= (uint8_t)(1 << box % 8);
    }
    return count;
}

/* Steps that stars on thin curves may take beside those of others; 0 where they do not seem to be
   on such. On curves twice as fine a grid has twice as many boxes with stars, on areas four. */
static uint64_t thin_steps(const struct mw_points *points)
{
    struct mw_point low, high;
    if (points->count < FEW)
        return 0;
    mesh_extent(points->at, points->count, &low, &high);
    if (low.x == high.x || low.y == high.y)
        return 0;
    int32_t extent = mw_max(high.x - low.x, high.y - low.y) + 1,
            fine = count_boxes(points, low, extent, BOXES),
            coarse = count_boxes(points, low, extent, BOXES / 2);
    uint64_t n = (uint64_t)points->count;
    return 4 * (int64_t)fine < points->count && 2 * fine < 5 * coarse ? n * n / 4 : 0;
}

/* So many homes fair places are usually found for soon: on an even map, one with arms or clusters,
   and a narrow one, where few are as far from the centre as others. */
static int32_t easy_homes(const struct starlanes *p)
{
    if (mw_max(p->width, p->height) / 3 > mw_min(p->width, p->height))
        return 2;
    return p->positions.count || p->shape == SPIRAL || p->shape == CLUSTERS ? 4 : 8;
}

/* n log n; a graph on the plane has three lanes a star at most. */
static void forecast(const void *params, struct mw_forecast *f)
{
    struct starlanes known = *(const struct starlanes *)params, *p = &known;
    /* as `check` completes them, if it has not yet */
    p->stars = p->positions.count ? p->positions.count : p->stars;
    p->homeworlds = p->homes.count ? p->homes.count : mw_min(p->homeworlds, p->stars - 1);
    uint64_t n = (uint64_t)p->stars, log = 0;
    while (n >> log)
        log++;
    f->nodes = n;
    f->rows = n + (uint64_t)p->homeworlds;
    f->items = REACHES * (uint64_t)p->homeworlds;
    f->plan = (struct mw_lattice){p->width, p->height, MW_SQUARE, MW_WRAP_NONE};
    f->edges = p->graphs ? 7 * n : (uint64_t)(p->density + 1000) * 3 * n / 2000;
    bool painted = p->shape != RECTANGLE && !p->positions.count;
    f->steps = 400 + 12 * n * (3 + log) + (painted ? 10000 + 50 * n : 0);
    f->nanoseconds = 1500 * n + (painted ? 30000 + 200 * n : 0);
    uint64_t thin = p->positions.at ? thin_steps(&p->positions) : 0;
    if (thin > STEPS_MOST)
        thin = STEPS_MOST;
    f->steps += thin;
    f->nanoseconds += THIN_STEP * thin;
    if (!p->homes.count)
        starlanes_homes_forecast(p->stars, p->homeworlds, easy_homes(p), f);
    f->kept = 2048 + (180 + MW_NAME_BYTES) * n;
    f->bytes = 8192 + (may_be_thin(p) ? 540 : 353) * n + MW_NAME_BYTES * n;
}

const struct mw_generator mw_starlanes = {
    .name = "starlanes",
    .version = 5,
    .summary = MW_PROSE("stars and the lanes between them, from sparse to dense"),
    .about = MW_PROSE(
        "Stars on a jittered lattice, in the likeness of a galaxy, or where the client wants them, "
        "and lanes that never cross, never run through a star and never meet at a narrow angle. "
        "The maximum graph has all lanes that the short ones leave room for; the minimum graph is "
        "a tree of shortest ways from the centre to the homes, with all other stars tied in; "
        "density leads from one to the other. Exact at any scale: it is the graph that trying all "
        "pairs would give. In a galaxy lanes keep to its arms, ring or clusters, as few long ones "
        "find room between the short."),
    .fields = fields,
    .parts = parts,
    .params_size = sizeof(struct starlanes),
    .steps = STEPS_MOST,
    .check = check,
    .forecast = forecast,
    .make = make,
};
