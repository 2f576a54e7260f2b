/*
 * homes.c: where the players start, as fairly as possible.
 *
 * WHAT IS FAIR. By distance: all homes are about as far from the star at the centre and from the
 * middle of the map, have about as long a way to the centre along the lanes, and are about as far
 * from the nearest other home. By jumps, which players count: about as many stars lie within three
 * jumps of each; about as many are nearer to it than to other homes, its realm; and no two are less
 * than four jumps apart. No home is the star at the centre. If possible none lies on the rim, and
 * they do not crowd. fairness.c computes one penalty for all that.
 *
 * Jumps are counted along the lanes of the result, and the result depends on the homes: the minimum
 * graph holds the shortest ways to them. But another home changes few lanes. So the graph of some
 * homes is used to find better ones; then the graph is made for these, and they are judged in it.
 *
 * THE SEARCH. Stars that are about as far from the centre form a belt. Belts are tried from the
 * outside in, as homes in a wide one are farther apart; then belts that include the rim; and so on.
 * In each, homes begin as far from each other as possible. Each home in turn moves to the site with
 * the least penalty, in the current graph. Then the homes are judged, and moves of one home to a
 * site nearby are tried, the most promising in the current graph first: a move that makes them
 * better, judged in its own graph, is kept. When none is, the next belt is tried. The first homes
 * without fault are taken. Once homes are fair, a quarter of the steps left is spent on getting
 * them off the rim and apart.
 *
 * WHY IT ENDS. Each belt uses up steps, of which there are a given number. Within one, a move is
 * kept only if the penalty falls.
 *
 * COST. Two passes over the hull, and the rest on a sample of the stars: a fifth of a millisecond
 * for 100 stars and 4 homes, up to 100 for 200 and 8 in arms or clusters, where fair homes are
 * rare. Above JUMPS_MOST stars a graph takes too long to be made again and again: there homes are
 * fair by distance alone. More than MANY homes are only spread.
 */
#include "kit/heap.h"
#include "kit/integer.h"
#include "kit/plane.h"
#include "starlanes.h"

enum { JUMPS_MOST = 2000, SWEEPS = 2, TRIES = 16, SITES_LEAST = 200, SITES_PER_HOME = 24 };

/* The outer edges of belts, in 16ths of the stars: which ones are tried, off the rim and on it. */
enum { PARTS = 16, OUTERMOST_PART = 12, INNERMOST_PART = 3 };

/* A belt's inner edge as a share of its outer one, in 1024ths. */
enum { BELT = 755 };

/* The distance wanted between any two homes, times their number, in quarters of the distance from
   the centre to the farthest star: evenly along the rim they would have 16 and more. */
enum { ROOM = 9 };

struct home_search {
    struct home_sites *all;
    int32_t *belt, belt_count; /* the sites where homes begin */
    struct mw_point *places;   /* of these */
    bool rim;                  /* whether homes may be on the rim */
    struct other_homes others;
    struct home_choice now, best;
    struct home_move {
        int64_t penalty; /* in the current graph */
        int32_t home, site;
    } move[TRIES]; /* the most promising, in order */
    int32_t moves;
    struct mw_rng rng;
    uint64_t last_step;
};

static bool has_time(const struct home_search *s) { return mw_steps(s->all->run) < s->last_step; }

/* ---- belts ----------------------------------------------------------------------------------- */

/* The belt within the given distance from the centre; all sites where it has too few. */
static void gather_belt(struct home_search *s, int64_t outer)
{
    s->belt_count = 0;
    for (int32_t i = 0; i < s->all->count; i++) {
        const struct home_site *p = &s->all->at[i];
        if (p->far[FROM_STAR] <= outer && p->far[FROM_STAR] << 10 >= outer * BELT &&
            (s->rim || !p->on_rim))
            s->belt[s->belt_count++] = i;
    }
    if (s->belt_count >= s->now.count)
        return;
    for (s->belt_count = 0; s->belt_count < s->all->count; s->belt_count++)
        s->belt[s->belt_count] = s->belt_count;
}

/* ---- homes that are spread ------------------------------------------------------------------- */

/* Places, in the order of their coordinates, and the squares of their distances to the nearest that
   is taken: now, and as the heap has it. */
struct spread_places {
    const struct mw_point *at;
    int32_t count;
    int64_t *far, *was;
};

/* Updates the places that are nearer to place a than to any that is taken. */
static void take_place(struct mw_run *run, const struct spread_places *s, int32_t a)
{
    int64_t most = s->far[a];
    for (int step = -1; step <= 1; step += 2) {
        int32_t i = step < 0 ? a : a + 1;
        for (; i >= 0 && i < s->count; i += step) {
            struct ray ray = ray_to(s->at[a], s->at[i]);
            if (ray.x * ray.x > most)
                break;
            s->far[i] = mw_min64(s->far[i], square(ray));
        }
        mw_tick(run, (uint64_t)(step < 0 ? a - i : i - a));
    }
}

/* Whether place a was farther from all that are taken than place b, as the heap has it. */
static bool was_farther(const void *distances, int32_t a, int32_t b)
{
    const int64_t *was = distances;
    return was[a] > was[b] || (was[a] == was[b] && a < b);
}

/*
 * Farthest-point traversal (Gonzalez 1985) from a first place on: each is the farthest from those
 * before. The heap has the farthest on top, by a distance that may be outdated and then is too
 * large, as places are only taken: the top is corrected first.
 */
static void spread(struct mw_run *run, const struct mw_point *at, int32_t places, int32_t first,
                   int32_t *chosen, int32_t count)
{
    assert(count < places && first < places);
    char *mark = mw_mark(run);
    struct spread_places s = {at, places, MW_NEW(run, int64_t, places),
                              MW_NEW(run, int64_t, places)};
    struct mw_heap heap = {.at = MW_NEW(run, int32_t, places), .count = places};
    for (int32_t i = 0; i < places; i++) {
        s.far[i] = s.was[i] = square(ray_to(at[first], at[i]));
        heap.at[i] = i;
    }
    mw_tick(run, 4 * (uint64_t)places);
    mw_heap_build(&heap, was_farther, s.was);
    for (int32_t found = 0; found < count; mw_tick(run, 8)) {
        int32_t a = heap.at[0];
        if (s.was[a] == s.far[a]) {
            assert(s.far[a] > 0); /* it is not taken */
            chosen[found++] = a;
            take_place(run, &s, a);
        }
        s.was[a] = s.far[a];
        mw_heap_sift_down(&heap, 0, was_farther, s.was);
    }
    mw_rewind(run, mark);
}

/* Homes begin far from each other, from any site of the belt on. */
static void begin_in_belt(struct home_search *s)
{
    struct home_choice *c = &s->now;
    assert(s->belt_count >= c->count);
    for (int32_t i = 0; i < s->belt_count; i++)
        s->places[i] = s->all->at[s->belt[i]].at;
    c->home[0] = (int32_t)mw_below(&s->rng, (uint32_t)s->belt_count);
    spread(s->all->run, s->places, s->belt_count, c->home[0], c->home + 1, c->count - 1);
    for (int32_t i = 0; i < c->count; i++)
        c->home[i] = s->belt[c->home[i]];
}

/* ---- judging --------------------------------------------------------------------------------- */

/* Computes the penalty in the current graph. */
static void weigh(struct home_search *s)
{
    struct home_choice *c = &s->now;
    starlanes_other_homes(s->all, c, 0, &s->others);
    c->penalty = starlanes_penalty(s->all, &s->others, c->home[0], INT64_MAX);
}

/* Makes the graph for the homes. */
static void make_graph(struct home_search *s)
{
    struct home_sites *p = s->all;
    int32_t star[MANY];
    for (int32_t i = 0; i < s->now.count; i++)
        star[i] = p->at[s->now.home[i]].star;
    starlanes_join_homes(p->run, p->net, star, s->now.count);
}

/* Computes the penalty in the graph for the homes, and keeps them if they are the best so far. */
static void judge(struct home_search *s)
{
    struct home_choice *c = &s->now;
    if (s->all->net)
        make_graph(s);
    weigh(s);
    if (c->penalty >= s->best.penalty)
        return;
    uint64_t now = mw_steps(s->all->run);
    if (c->penalty < UNFAIR && s->best.penalty >= UNFAIR && now < s->last_step)
        s->last_step = now + (s->last_step - now) / 4;
    s->best.penalty = c->penalty;
    memcpy(s->best.home, c->home, (size_t)c->count * sizeof *c->home);
}

/* ---- moves ----------------------------------------------------------------------------------- */

static bool is_home(const struct home_choice *c, int32_t site)
{
    int32_t i = 0;
    while (i < c->count && c->home[i] != site)
        i++;
    return i < c->count;
}

static bool is_free(const struct home_search *s, int32_t site)
{
    return !is_home(&s->now, site) && (s->rim || !s->all->at[site].on_rim);
}

/* Moves home i to the site with the least penalty in the current graph; whether it moved. */
static bool move_home(struct home_search *s, int32_t i)
{
    struct home_choice *c = &s->now;
    int32_t best = c->home[i];
    starlanes_other_homes(s->all, c, i, &s->others);
    mw_tick(s->all->run, (uint64_t)s->all->count);
    for (int32_t k = 0; k < s->all->count; k++) {
        int64_t penalty =
            is_free(s, k) ? starlanes_penalty(s->all, &s->others, k, c->penalty) : INT64_MAX;
        if (penalty >= c->penalty)
            continue;
        c->penalty = penalty;
        best = k;
    }
    bool moved = best != c->home[i];
    c->home[i] = best;
    return moved;
}

/* Moves homes while that helps. */
static void sweep(struct home_search *s)
{
    bool moved = true;
    for (int round = 0; round < SWEEPS && moved && has_time(s); round++) {
        moved = false;
        for (int32_t i = 0; i < s->now.count; i++)
            moved |= move_home(s, i);
    }
}

static void keep_move(struct home_search *s, struct home_move move)
{
    int32_t i = s->moves < TRIES ? s->moves++ : TRIES - 1;
    for (; i > 0 && move.penalty < s->move[i - 1].penalty; i--)
        s->move[i] = s->move[i - 1];
    s->move[i] = move;
}

/* Lists promising moves of home i: to sites no farther than two homes should be apart. */
static void list_moves(struct home_search *s, int32_t i)
{
    int64_t room = s->all->room >> 10;
    starlanes_other_homes(s->all, &s->now, i, &s->others);
    mw_tick(s->all->run, (uint64_t)s->all->count);
    for (int32_t k = 0; k < s->all->count; k++) {
        if (!is_free(s, k) || starlanes_square_between(s->all, k, s->now.home[i]) > room * room)
            continue;
        int64_t most = s->moves == TRIES ? s->move[TRIES - 1].penalty : s->now.penalty,
                penalty = starlanes_penalty(s->all, &s->others, k, most);
        if (penalty < most)
            keep_move(s, (struct home_move){penalty, i, k});
    }
}

/* Judges promising moves and keeps those that make homes better; whether there are any. */
static bool climb(struct home_search *s)
{
    struct home_choice *c = &s->now;
    int64_t before = c->penalty, least = before;
    s->moves = 0;
    for (int32_t i = 0; i < c->count; i++)
        list_moves(s, i);
    for (int32_t m = 0; m < s->moves && least >= CROWDED && has_time(s); m++) {
        int32_t *home = &c->home[s->move[m].home], old = *home;
        if (is_home(c, s->move[m].site))
            continue;
        *home = s->move[m].site;
        judge(s);
        if (c->penalty >= least)
            *home = old;
        least = mw_min64(least, c->penalty);
    }
    c->penalty = least;
    return least < before;
}

/* ---- few homes ------------------------------------------------------------------------------- */

/* Whether the search is over, as homes are good enough or steps are used up. */
static bool try_belt(struct home_search *s)
{
    begin_in_belt(s);
    if (s->best.penalty == INT64_MAX)
        judge(s);
    else
        weigh(s);
    sweep(s);
    judge(s);
    while (s->best.penalty >= CROWDED && has_time(s) && climb(s))
        ;
    return s->best.penalty < CROWDED || !has_time(s);
}

/* `order` has the distances of all sites from the centre, the least first. */
static void try_belts(struct home_search *s, const uint64_t *order)
{
    int64_t last = s->all->count - 1;
    bool found = false;
    for (int part = OUTERMOST_PART; !found; part--) {
        gather_belt(s, (int64_t)order[last * part / PARTS]);
        found = try_belt(s);
        if (part > INNERMOST_PART)
            continue;
        s->rim = !s->rim;
        part = 1 + (s->rim ? PARTS : OUTERMOST_PART);
    }
}

static uint64_t *order_distances(struct mw_run *run, const struct home_sites *p)
{
    uint64_t *order = MW_NEW(run, uint64_t, p->count);
    for (int32_t i = 0; i < p->count; i++)
        order[i] = (uint64_t)p->at[i].far[FROM_STAR];
    mw_sort(run, order, NULL, p->count);
    return order;
}

/* Steps that the search may take. */
static uint64_t steps_for(int32_t stars, int32_t count)
{
    return 24000 * (uint64_t)mw_min(count, 12) * (uint64_t)mw_clamp(stars, 50, 250);
}

static void choose_homes(struct home_sites *p, int32_t stars, int32_t *homes, int32_t count)
{
    struct mw_run *run = p->run;
    struct home_search s = {
        .all = p,
        .belt = MW_NEW(run, int32_t, p->count),
        .places = MW_NEW(run, struct mw_point, p->count),
        .others = {.least = MW_NEW(run, int32_t, stars), .owner = MW_NEW(run, int32_t, stars)},
        .now = {MW_NEW(run, int32_t, count), count, 0},
        .best = {homes, count, INT64_MAX},
        .rng = mw_stream(run, "homes"),
        .last_step = mw_steps(run) + steps_for(stars, count),
    };
    const uint64_t *order = order_distances(run, p);
    p->room = ROOM * (int64_t)order[p->count - 1] / (4 * count);
    try_belts(&s, order);
    for (int32_t i = 0; i < count; i++)
        homes[i] = p->at[homes[i]].star;
}

/* A sample of all stars but the centre, large enough for so many homes. */
static struct home_sites list_sites(struct mw_run *run, const struct galaxy *g,
                                    const struct star_network *net)
{
    int32_t some = mw_min(g->stars, SITES_LEAST + SITES_PER_HOME * g->home_count);
    struct home_sites p = {.run = run, .at = MW_NEW(run, struct home_site, some)};
    for (int32_t k = 0; k < some; k++) {
        int32_t i = (int32_t)((int64_t)g->stars * k / some);
        if (i == g->centre)
            continue;
        struct mw_point at = g->at[i];
        struct ray off = ray_to(g->twice, (struct mw_point){2 * at.x, 2 * at.y});
        p.at[p.count++] = (struct home_site){
            .at = at,
            .star = g->index[i],
            .rank = g->given ? (int64_t)at.y << 32 | at.x : g->index[i],
            .far = {starlanes_root(square(ray_to(at, g->at[g->centre]))) >> 10,
                    starlanes_root(square(off)) >> 11, net->ways[g->index[i]] >> 10},
        };
    }
    assert(p.count >= g->home_count);
    return p;
}

static void find_few(struct mw_run *run, const struct galaxy *g, struct star_network *net)
{
    struct home_sites p = list_sites(run, g, net);
    starlanes_mark_rim(&p, g->at, g->stars, (struct mw_point){g->twice.x / 2, g->twice.y / 2});
    if (g->stars <= JUMPS_MOST) {
        p.net = net;
        p.search = starlanes_new_search(run, net);
    }
    choose_homes(&p, mw_min(g->stars, JUMPS_MOST), g->homes, g->home_count);
}

void starlanes_homes(struct mw_run *run, const struct galaxy *g, struct star_network *net)
{
    int32_t *homes = g->homes, count = g->home_count;
    assert(count > 0 && count < g->stars);
    char *mark = mw_mark(run);
    if (count <= MANY) {
        find_few(run, g, net);
    } else {
        spread(run, g->at, g->stars, g->centre, homes, count);
        for (int32_t i = 0; i < count; i++)
            homes[i] = g->index[homes[i]];
    }
    mw_rewind(run, mark);
    starlanes_join_homes(run, net, homes, count);
}

/* Where fair homes are rare all steps are taken as a rule, else a fiftieth: where there are many
   homes for the shape, or few stars for each. */
void starlanes_homes_forecast(int32_t stars, int32_t count, int32_t easy, struct mw_forecast *f)
{
    uint64_t steps = count > MANY ? 0 : steps_for(stars, count);
    bool hard = stars <= JUMPS_MOST && (stars < 12 * count || count > easy);
    f->steps += hard ? steps : steps / 50;
    f->nanoseconds += hard ? 3 * steps : steps / 10;
}
