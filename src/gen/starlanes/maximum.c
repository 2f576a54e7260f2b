/*
 * starlanes_maximum.c: the maximum graph, as if all pairs of stars had been tried.
 *
 * All pairs of stars stand in one order: by length, then by the coordinates of their ends. In that
 * order a pair becomes a lane unless a lane crosses it, a star lies on it or a lane is too close
 * at one of its ends. A million million pairs cannot be tried; but nearly all of them need not be,
 * as they lie behind something shorter. So the search goes by sight.
 *
 * It keeps a triangulation of the stars of which every lane is a side (starlanes_mesh.c), a
 * Delaunay triangulation at the beginning. A side that is no lane is UNDECIDED until its own place
 * in the order has come, and OPEN from then on: it will never be a lane. Stars look through open
 * sides, and no farther through undecided ones than these are long (starlanes_sight.c). A lane
 * opens up nothing and hides what is behind it, so the search runs once through the order.
 *
 * Nearly all sides of the beginning become lanes, and most can be told to: the CALM ones, which
 * stay undecided until their place comes and are lanes from then on, without being touched
 * (starlanes_calm.c). What is left to do is to take the next of the other sides, sorted once, and
 * of a queue that holds further pairs and questions, "what does star a see from this place in the
 * order on?", and to try pairs (starlanes_lay.c).
 *
 * WHY IT IS EXACT. What is tried, is tried exactly: crossings by walking through the triangles
 * between the two stars, angles by turning from the pair to its neighbours at both ends until the
 * angle is wide enough. Two things must be shown.
 *
 * First, that each pair that obeys the rules is tried when its place comes. Until then it crosses
 * no lane, and no lane of its stars is too close, as lanes never go. So at any time it is
 *
 *   (1) a side of the beginning: calm, or in the sorted list; or
 *   (2) in the queue; or
 *   (3) one for which a question of its first star waits in the queue, at its place or before,
 * about the triangle by which it leaves that star; or (4) behind undecided sides that come before
 * it, and its first star waits for one of them; or (5) too close to a calm side of its first star,
 * beside it, that comes before it.
 *
 * At the beginning a star that need not look past a side sees nothing there but (4) and (5), as
 * starlanes_calm.c shows; it waits for the side opposite of it without saying so. All others are
 * asked. A question finds each pair that is not behind an undecided side as (2), if it is among the
 * next HELD; the others, and those out of reach for now, are left to a later question (3); and the
 * rest is (4). When an undecided side opens, all who wait there are asked. When triangles change,
 * their stars are asked about the new ones, and all who wait there; what was asked about the old
 * ones is void; and new sides go into the queue. When a calm side is woken its stars are asked what
 * they see beside it; when it is destroyed, so are the triangles beside it. So nobody falls out of
 * the five. When the pair's place comes it cannot be (4) or (5), as all sides before it are
 * decided, nor (3), as all questions up to there have been answered: it is tried. Whether a side is
 * undecided is told from its place alone.
 *
 * Second, that a calm side that is not woken nor destroyed obeys the rules when its place comes.
 * Nothing crosses a side of the mesh. Turn from it to either hand, up to the least angle: at the
 * beginning there is no side at all on the way. A lane that has come there since was laid there,
 * and has woken it.
 *
 * WHY IT ENDS. Places are taken in order. A question at a place is followed, at that star, by one
 * at a later place only: behind the pairs that were found, or beyond the reach, or after the side
 * waited for.
 *
 * COST. On skies without large holes a star in five has to look at the beginning and a few more are
 * asked later; what remains is the triangulation and one sort: n log n in all. Along the rims of
 * large holes stars see each other by the hundreds. There the reach saves the day, and that a
 * question holds only the next few pairs. A ring of n stars costs about n^1.6: each lane dug across
 * the hole makes a fan of triangles anew, and all the stars of the fan look again. Two rows
 * of stars that face each other across a hole cost the square.
 */
#include "search.h"

static void perform(struct search *q, struct task task)
{
    if (task.side < 0) {
        sight_answer(q, task);
        return;
    }
    q->now = task.place;
    lay_pair(q, task.place.a, task.place.b, task.side);
}

/* Performs the tasks before a place. */
static void catch_up(struct search *q, struct place place)
{
    while (q->queue.count && place_before(q->queue.at[0].place, place))
        perform(q, queue_pop(&q->queue));
}

static void fetch(const struct mesh *m, int32_t triangle)
{
    __builtin_prefetch(&m->triangle[triangle]);
}

static void fetch_ahead(const struct mesh *m, const struct pairs *pairs, int32_t i)
{
    if (i + 32 >= pairs->count)
        return;
    fetch(m, pairs->at[i + 32].side >> 2);
    int32_t s = pairs->at[i + 16].side, t = side_twin(m, s);
    fetch(m, t >> 2);
    for (int k = 0; k < 3; k++)
        __builtin_prefetch(&m->at[m->triangle[s >> 2].star[k]]);
    __builtin_prefetch(&m->at[side_apex(m, side_twin(m, pairs->at[i + 8].side))]);
}

static void search_all(struct search *q, const struct pairs *pairs)
{
    struct mesh *m = &q->mesh;
    calm_look(q);
    for (int32_t i = 0; i < pairs->count; i++) {
        struct pair p = pairs->at[i];
        mw_tick(q->run, 8);
        fetch_ahead(m, pairs, i);
        struct place place = {square(star_ray(m, p.a, p.b)), p.a, p.b};
        catch_up(q, place);
        q->now = place;
        lay_pair(q, p.a, p.b, p.side);
    }
    catch_up(q, (struct place){NEVER, 0, 0});
}

static void new_search(struct mw_run *run, struct search *q, int32_t stars)
{
    q->asked = MW_NEW0(run, struct asked, stars);
    q->stack = MW_NEW(run, struct portal, stars);
    q->waiting_room = 3 * stars;
    q->waiting = MW_NEW(run, struct waiting, q->waiting_room);
    q->queue_room = (HELD + 2) * stars + 64;
    q->queue.at = MW_NEW(run, struct task, q->queue_room);
}

/* All stars on one line: each is joined with the next. */
static void join_line(struct mw_run *run, const struct mw_point *at, int32_t stars,
                      struct lanes *lanes)
{
    uint64_t *square_of = MW_NEW(run, uint64_t, stars);
    int32_t *first = MW_NEW(run, int32_t, stars);
    for (int32_t i = 0; i < stars - 1; i++) {
        square_of[i] = (uint64_t)square(ray_to(at[i], at[i + 1]));
        first[i] = i;
    }
    mw_sort(run, square_of, first, stars - 1);
    for (int32_t i = 0; i < stars - 1; i++)
        lanes->at[i] = (struct mw_edge){first[i], first[i] + 1};
    lanes->count = stars - 1;
}

/* Writes down a side; whether it is a lane, and runs out of its earlier star. Without branches, as
 * nothing foretells the answer. */
static bool add_lane(const struct mesh *m, int32_t s, struct place *place)
{
    int32_t a = side_from(m, s), b = side_to(m, s), end = b == m->stars ? a : b;
    *place = (struct place){square(star_ray(m, a == m->stars ? end : a, end)), a, b};
    return (a < b) & ((m->triangle[s >> 2].lanes >> (s & 3) & (1 | CALM)) != 0);
}

static void collect_lanes(struct mw_run *run, const struct mesh *m, struct lanes *lanes)
{
    int64_t room = 3 * (int64_t)m->stars + 1;
    struct place *at = MW_NEW(run, struct place, room), *spare = MW_NEW(run, struct place, room);
    int32_t count = 0;
    mw_tick(run, 4 * (uint64_t)m->triangles);
    for (int32_t t = 0; t < m->triangles; t++)
        for (int32_t s = 4 * t; s < 4 * t + 3; s++)
            count += add_lane(m, s, &at[count]);
    starlanes_sort(run, at, spare, count);
    for (int32_t i = 0; i < count; i++)
        lanes->at[i] = (struct mw_edge){at[i].a, at[i].b};
    lanes->count = count;
}

void starlanes_maximum(struct mw_run *run, const struct mw_point *at, int32_t stars, int32_t cosine,
                       struct lanes *lanes)
{
    char *mark = mw_mark(run);
    struct search q = {.run = run, .angle = least_angle(cosine)};
    if (mesh_build(run, &q.mesh, at, stars)) {
        char *search = mw_mark(run);
        struct pairs pairs = calm_list(&q);
        new_search(run, &q, stars);
        search_all(&q, &pairs);
        mw_rewind(run, search);
        collect_lanes(run, &q.mesh, lanes);
    } else {
        join_line(run, at, stars, lanes);
    }
    mw_rewind(run, mark);
}
