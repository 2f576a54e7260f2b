/*
 * galaxy_picture.c: what a galaxy looks like, as a picture in greys: the brighter, the more stars.
 *
 *      disc        bright within, fading outward as real ones do
 *      ring        a band around nothing, and a core in its middle (as Hoag's object has)
 *      spiral      a core, and arms whose ridges lie at the angle 2 pi turns sqrt(r)
 *      clusters    blobs of all sizes apart from each other: the first at the centre, each further
 *                  one as far from those before as the best of some candidates (Mitchell 1991)
 *
 * Distances are shares of the radius, so that a map twice as wide as high has an ellipse. For round
 * galaxies a table has, for each distance from the centre, how bright the body is, and how bright,
 * how wide and how far turned the arms are. A pixel needs its distance and its angle alone.
 *
 * Arms turn with the root of r: with r itself they would be equally far apart everywhere, and wound
 * tightly around the core; with its logarithm, as in nature, most of the map would be a gap
 * between their ends. Along the circle at r they are 2 pi r / arms apart, and across themselves
 * times the sine of the angle between circle and arm, where
 *
 *      cot = r * d angle / dr = pi turns sqrt(r)
 *
 * WHAT KEEPS LANES IN THE ARMS. Lanes know nothing of arms: short pairs of stars come first, and a
 * long one becomes a lane only where it crosses none of them and finds the angles at its ends free.
 * So gaps must be wider than stars are apart: across a gap, at the least angle of 15 degrees, there
 * is room for one lane in gap / 4, while along its rim there are stars all the way. An arm takes
 * 36 % of the way to the next at each side at most, fading to nothing on its flanks, and narrows to
 * its end; and with fewer stars arms are thinner and wind less. The same holds for the ring around
 * its hole and for blobs.
 *
 * Each galaxy is different: some plane waves, added up, bend the arms, fray the blobs and mottle
 * all. What is FAINT is dark: a star there would be alone.
 */
#include "kit/integer.h"
#include "starlanes.h"

enum { ONE = 1 << 14, TURN = 1 << 16, RADII = 128, WAVES = 4, BLOBS_MOST = 40, CANDIDATES = 40 };

#define PERCENT(n) ((n)*ONE / 100)
#define FAINT PERCENT(10)

/* What holds at one distance from the centre. */
struct galaxy_circle {
    int32_t body;        /* how bright it is all around */
    int32_t arm;         /* how bright on the ridge of an arm */
    int32_t wind, reach; /* of the arms, in 1 / TURN of the way from one to the next */
};

struct galaxy_cluster {
    int32_t x, y, reach;
};

struct galaxy_sketch {
    struct galaxy_circle circle[RADII];
    int32_t arms, phase;
    bool mirrored;
    struct galaxy_cluster blob[BLOBS_MOST];
    int32_t blobs;
    struct galaxy_wave {
        int32_t across, down, phase;
    } wave[WAVES];
};

static int32_t times(int32_t a, int32_t b) { return (int32_t)((int64_t)a * b / ONE); }
static int32_t over(int32_t a, int32_t b)
{
    assert(b > 0);
    return (int32_t)((int64_t)a * ONE / b);
}
static int64_t square(int32_t x, int32_t y) { return (int64_t)x * x + (int64_t)y * y; }
static int32_t length(int32_t x, int32_t y) { return (int32_t)mw_root(square(x, y)); }

/* ---- curves ---------------------------------------------------------------------------------- */

/* 1 up to `from`, 0 from `to` on. */
static int32_t slope(int32_t at, int32_t from, int32_t to)
{
    assert(from < to);
    return over(to - mw_clamp(at, from, to), to - from);
}

/* 1 at 0, and none `reach` away from it. */
static int32_t hill(int32_t off, int32_t reach)
{
    if (off < 0)
        off = -off;
    return off >= reach ? 0 : ONE - times(over(off, reach), over(off, reach));
}

/* The angle of a ray: up to 45 degrees atan t is pi / 4 t + 0.273 t (1 - t), nearly. */
static int32_t turn_of(int32_t x, int32_t y)
{
    int32_t ax = x < 0 ? -x : x, ay = y < 0 ? -y : y;
    if (!(ax | ay))
        return 0;
    int32_t t = over(mw_min(ax, ay), mw_max(ax, ay));
    int32_t turn = times(t, TURN / 8 + times(ONE - t, 2847));
    if (ay > ax)
        turn = TURN / 4 - turn;
    if (x < 0)
        turn = TURN / 2 - turn;
    assert(turn >= 0 && turn <= TURN / 2);
    return y < 0 ? TURN - turn : turn;
}

/* Nearly the sine: parabolas. */
static int32_t sine_of(int32_t turn)
{
    int32_t half = turn & (TURN / 2 - 1), height = half * (TURN / 2 - half) / ONE;
    return turn & TURN / 2 ? -height : height;
}

/* Some -1/2 to 1/2, smooth, and nowhere the same. */
static int32_t ripple(const struct galaxy_sketch *s, int32_t x, int32_t y)
{
    int32_t sum = 0;
    for (const struct galaxy_wave *w = s->wave; w < s->wave + WAVES; w++)
        sum += sine_of(times(w->across, x) + times(w->down, y) + w->phase);
    return sum / WAVES;
}

/* ---- round galaxies -------------------------------------------------------------------------- */

static struct galaxy_circle disc_circle(int32_t r)
{
    int32_t fall = over(ONE, ONE + 4 * times(r, r));
    return (struct galaxy_circle){.body = times(fall, slope(r, PERCENT(92), ONE))};
}

static struct galaxy_circle ring_circle(int32_t r)
{
    int32_t heart = slope(r, PERCENT(10), PERCENT(18));
    return (struct galaxy_circle){.body = mw_max(heart, hill(r - PERCENT(77), PERCENT(23)))};
}

/* The whole part of the logarithm to base 2, in ONEs, with straight lines in between. */
static int32_t logarithm(int32_t n)
{
    int32_t whole = 31 - __builtin_clz((uint32_t)n);
    return whole * ONE + over(n - (1 << whole), 1 << whole);
}

static struct galaxy_circle spiral_circle(int32_t r, int32_t arms, int32_t stars)
{
    int32_t size = logarithm(stars), root = (int32_t)mw_root((int64_t)r * ONE);
    int32_t turns = times(mw_min(4 * ONE / arms, PERCENT(150)),
                          mw_min(PERCENT(35) + times(size, PERCENT(6)), PERCENT(110)));
    int32_t cot = times(PERCENT(314), times(turns, root));
    int32_t sine = over(ONE, length(ONE, cot));
    int32_t apart = mw_max(times(times(PERCENT(628) / arms, r), sine), 1);
    int32_t reach = PERCENT(2) + times(size, ONE / 90);
    reach = times(reach, PERCENT(20) + times(PERCENT(80), slope(r, PERCENT(55), PERCENT(104))));
    return (struct galaxy_circle){
        .body = slope(r, PERCENT(8), PERCENT(22)),
        .arm = over(ONE, ONE + r),
        .wind = times(arms * turns, root) * (TURN / ONE),
        .reach = mw_min(over(reach, apart), PERCENT(36)) * (TURN / ONE),
    };
}

static struct galaxy_circle circle_at(const struct starlanes *p, int32_t r)
{
    if (p->shape == DISC)
        return disc_circle(r);
    return p->shape == RING ? ring_circle(r) : spiral_circle(r, p->arms, p->stars);
}

static int32_t shade_round(const struct galaxy_sketch *s, int32_t x, int32_t y)
{
    int32_t near = length(x, y) / (ONE / RADII);
    if (near >= RADII)
        return 0;
    struct galaxy_circle c = s->circle[near];
    int32_t wavy = ripple(s, x, y), mottled = PERCENT(80) + times(wavy, PERCENT(40));
    if (!c.arm)
        return times(c.body, mottled);
    int32_t phase = s->arms * turn_of(s->mirrored ? -x : x, y) - c.wind + s->phase;
    int32_t off = ((phase + wavy * (TURN / ONE) / 9) & (TURN - 1)) - TURN / 2;
    int32_t soft = hill(off, c.reach);
    return times(mw_max(c.body, times(c.arm, times(soft, soft))), mottled);
}

/* ---- clusters -------------------------------------------------------------------------------- */

/* How far a place is from all blobs but one; the rim counts as a blob beyond it. */
static int32_t room_around(const struct galaxy_sketch *s, int32_t x, int32_t y, int32_t but)
{
    int32_t rim = 2 * (ONE - length(x, y));
    int64_t near = INT64_MAX;
    for (int32_t i = 0; i < s->blobs; i++)
        if (i != but)
            near = mw_min64(near, square(x - s->blob[i].x, y - s->blob[i].y));
    return (int32_t)mw_min64(rim, mw_root(near));
}

static struct galaxy_cluster place_blob(const struct galaxy_sketch *s, struct mw_rng *rng)
{
    struct galaxy_cluster best = {0, 0, -1};
    for (int i = 0; i < CANDIDATES; i++) {
        int32_t x = mw_between(rng, -ONE, ONE), y = mw_between(rng, -ONE, ONE);
        int32_t room = room_around(s, x, y, -1);
        if (room > best.reach)
            best = (struct galaxy_cluster){x, y, room};
    }
    return best;
}

static void place_blobs(struct galaxy_sketch *s, struct mw_rng *rng, int32_t stars)
{
    int32_t wanted = mw_clamp(2 * logarithm(stars) / ONE - 4, 3, BLOBS_MOST);
    s->blob[s->blobs++] = (struct galaxy_cluster){0, 0, 0};
    while (s->blobs < wanted)
        s->blob[s->blobs++] = place_blob(s, rng);
    for (int32_t i = 0; i < s->blobs; i++) {
        struct galaxy_cluster *b = &s->blob[i];
        b->reach = times(room_around(s, b->x, b->y, i), mw_between(rng, PERCENT(27), PERCENT(39)));
        b->reach = mw_max(b->reach, PERCENT(3));
    }
}

static int32_t shade_blobs(const struct galaxy_sketch *s, int32_t x, int32_t y)
{
    int32_t frayed = ONE + times(ripple(s, 5 * x, 5 * y), PERCENT(45)), most = 0;
    for (const struct galaxy_cluster *b = s->blob; b < s->blob + s->blobs; b++) {
        int32_t reach = times(b->reach, frayed);
        int64_t off = square(x - b->x, y - b->y), all = square(reach, 0);
        if (off < all)
            most = mw_max(most, ONE - (int32_t)(off * ONE / all));
    }
    return mw_min(most + most / 2, ONE);
}

/* ---- the picture ----------------------------------------------------------------------------- */

static void start_sketch(struct galaxy_sketch *s, struct mw_rng *rng)
{
    s->phase = mw_between(rng, 0, TURN - 1);
    s->mirrored = mw_chance(rng, 500);
    for (struct galaxy_wave *w = s->wave; w < s->wave + WAVES; w++) {
        w->across = mw_between(rng, -5 * TURN / 2, 5 * TURN / 2);
        w->down = mw_between(rng, -5 * TURN / 2, 5 * TURN / 2);
        w->phase = mw_between(rng, 0, TURN - 1);
    }
}

struct galaxy_sketch *starlanes_sketch(struct mw_run *run, const struct starlanes *p)
{
    struct galaxy_sketch *s = MW_NEW0(run, struct galaxy_sketch, 1);
    struct mw_rng rng = mw_stream(run, "galaxy");
    assert(p->shape != RECTANGLE && p->arms > 0);
    s->arms = p->arms;
    start_sketch(s, &rng);
    if (p->shape == CLUSTERS)
        place_blobs(s, &rng, p->stars);
    for (int32_t i = 0; i < RADII && p->shape != CLUSTERS; i++)
        s->circle[i] = circle_at(p, ONE * (2 * i + 1) / (2 * RADII));
    return s;
}

void starlanes_paint(const struct galaxy_sketch *s, const struct grey_picture *to)
{
    uint8_t *shade = to->shade;
    for (int32_t j = 0; j < to->rows; j++)
        for (int32_t i = 0; i < to->columns; i++) {
            int32_t x = over(2 * i + 1 - to->columns, to->columns);
            int32_t y = over(2 * j + 1 - to->rows, to->rows);
            int32_t grey = s->blobs ? shade_blobs(s, x, y) : shade_round(s, x, y);
            grey = grey < FAINT ? 0 : mw_min(grey, ONE);
            assert(grey >= 0);
            *shade++ = (uint8_t)(grey * (SHADES - 1) / ONE);
        }
}
