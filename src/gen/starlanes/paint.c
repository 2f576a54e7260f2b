/* paint.c: what a galaxy looks like, as a picture in greys. */
#include "kit/integer.h"
#include "scatter.h"

enum { ONE = 1 << 14, TURN = 1 << 16, RADII = 128, CLUSTERS_MOST = 40 };

struct rim {
    int32_t body, wind, half, arm;
};

struct galaxy_look {
    struct rim at[RADII + 2];
    int32_t arms, phase;
    struct blob {
        int32_t x, y, reach;
    } blob[CLUSTERS_MOST];
    int32_t blobs;
};

/* The angle of a ray from the centre: atan t is nearly t (pi / 4 + 0.273 (1 - t)). */
static int32_t turn_of(int32_t x, int32_t y)
{
    int64_t ax = x < 0 ? -x : x, ay = y < 0 ? -y : y, most = ax > ay ? ax : ay;
    if (!most)
        return 0;
    int64_t t = (ax < ay ? ax : ay) * ONE / most;
    int32_t turn = (int32_t)(t * (TURN / 8 + 2847 * (ONE - t) / ONE) / ONE);
    if (ay > ax)
        turn = TURN / 4 - turn;
    if (x < 0)
        turn = TURN / 2 - turn;
    return y < 0 ? TURN - turn : turn;
}

/* A hill of height 1 around `middle`, nothing `reach` away from it. */
static int32_t hill(int32_t at, int32_t middle, int32_t reach)
{
    int64_t off = (int64_t)(at > middle ? at - middle : middle - at) * ONE / reach;
    return off >= ONE ? 0 : (int32_t)(ONE - off * off / ONE);
}

/* 1 up to `from`, 0 beyond `to`. */
static int32_t slope(int32_t at, int32_t from, int32_t to)
{
    return (int32_t)((int64_t)(to - mw_clamp(at, from, to)) * ONE / (to - from));
}

#define Q(percent) ((percent)*ONE / 100)

static void rule_disc(struct rim *r, int32_t far)
{
    int64_t fall = (int64_t)ONE * ONE / (ONE + 3 * ((int64_t)far * far / ONE));
    r->body = (int32_t)(fall * slope(far, Q(92), Q(100)) / ONE);
}

static void rule_ring(struct rim *r, int32_t far)
{
    r->body = mw_max(hill(far, Q(77), Q(23)), slope(far, Q(12), Q(20)));
}

static void rule_spiral(struct rim *r, int32_t far, int32_t arms)
{
    int64_t root = mw_root((int64_t)far * ONE); /* of the radius */
    int64_t turns = mw_min(4 * ONE / arms, 3 * ONE / 2);
    r->body = slope(far, Q(8), Q(20));
    r->wind = (int32_t)(turns * root / ONE * TURN / ONE);
    /* across an arm: 2 pi r / arms * sin(pitch); tan(pitch) = 1 / (pi turns root r) */
    int64_t cot = 314 * turns / 100 * root / ONE;
    int64_t sine = ONE * (int64_t)ONE / mw_root(ONE * (int64_t)ONE + cot * cot);
    int64_t apart = 628 * (int64_t)far / 100 / arms * sine / ONE;
    int64_t width = Q(7) - 3 * far / 100;
    width = width * slope(far, Q(70), Q(104)) / ONE + Q(1);
    r->half = (int32_t)mw_min64(TURN / 2, width * TURN / mw_max64(apart, 1));
    r->arm = (int32_t)((int64_t)ONE * ONE / (ONE + far)) * (far < Q(100));
}

static int32_t shade_round(const struct galaxy_look *g, int32_t x, int32_t y)
{
    int32_t far = (int32_t)mw_root((int64_t)x * x + (int64_t)y * y);
    int32_t i = far * RADII / ONE;
    if (i > RADII)
        return 0;
    const struct rim *r = &g->at[i];
    if (!r->arm)
        return r->body;
    int32_t phase = (g->arms * turn_of(x, y) - g->arms * r->wind + g->phase) & (TURN - 1);
    return mw_max(r->body, (int32_t)((int64_t)hill(phase, TURN / 2, r->half) * r->arm / ONE));
}

static int32_t shade_blobs(const struct galaxy_look *g, int32_t x, int32_t y)
{
    int32_t most = 0;
    for (int32_t i = 0; i < g->blobs; i++) {
        const struct blob *b = &g->blob[i];
        int64_t dx = x - b->x, dy = y - b->y, d = dx * dx + dy * dy,
                all = (int64_t)b->reach * b->reach;
        if (d < all)
            most = mw_max(most, (int32_t)((all - d) * ONE / all));
    }
    return most;
}

static void throw_blobs(struct galaxy_look *g, struct mw_rng *rng, int32_t stars)
{
    int32_t log = 0;
    while (stars >> (log + 1))
        log++;
    int32_t wanted = mw_clamp(2 * log - 4, 3, CLUSTERS_MOST);
    g->blob[0] = (struct blob){0, 0, 0};
    g->blobs = 1;
    for (; g->blobs < wanted; g->blobs++) {
        int64_t best = -1;
        for (int tries = 0; tries < 40; tries++) {
            int32_t x = mw_between(rng, -ONE, ONE), y = mw_between(rng, -ONE, ONE);
            int64_t d = (int64_t)mw_root((int64_t)x * x + (int64_t)y * y), near = ONE - d;
            if (d > ONE)
                continue;
            near = 2 * near;
            for (int32_t i = 0; i < g->blobs; i++) {
                int64_t dx = x - g->blob[i].x, dy = y - g->blob[i].y;
                near = mw_min64(near, mw_root(dx * dx + dy * dy));
            }
            if (near > best) {
                best = near;
                g->blob[g->blobs] = (struct blob){x, y, 0};
            }
        }
    }
    for (int32_t i = 0; i < g->blobs; i++) {
        struct blob *b = &g->blob[i];
        int64_t near = 2 * (ONE - mw_root((int64_t)b->x * b->x + (int64_t)b->y * b->y));
        for (int32_t k = 0; k < g->blobs; k++) {
            int64_t dx = b->x - g->blob[k].x, dy = b->y - g->blob[k].y;
            if (k != i)
                near = mw_min64(near, mw_root(dx * dx + dy * dy));
        }
        b->reach = (int32_t)(near * mw_between(rng, 300, 400) / 1000);
    }
}

void starlanes_paint(struct mw_run *run, const struct scatter *p, struct picture *picture)
{
    struct galaxy_look *g = MW_NEW0(run, struct galaxy_look, 1);
    struct mw_rng rng = mw_stream(run, "galaxy");
    g->arms = p->arms;
    g->phase = mw_between(&rng, 0, TURN - 1);
    if (p->shape == CLUSTERS)
        throw_blobs(g, &rng, p->stars);
    for (int32_t i = 0; i <= RADII; i++) {
        int32_t far = (int32_t)((int64_t)ONE * (2 * i + 1) / (2 * RADII));
        switch (p->shape) {
        case DISC: rule_disc(&g->at[i], far); break;
        case RING: rule_ring(&g->at[i], far); break;
        case SPIRAL: rule_spiral(&g->at[i], far, p->arms); break;
        }
    }
    for (int32_t j = 0; j < picture->rows; j++)
        for (int32_t i = 0; i < picture->columns; i++) {
            int32_t x = (int32_t)((int64_t)ONE * (2 * i + 1 - picture->columns) / picture->columns);
            int32_t y = (int32_t)((int64_t)ONE * (2 * j + 1 - picture->rows) / picture->rows);
            int32_t shade = p->shape == CLUSTERS ? shade_blobs(g, x, y) : shade_round(g, x, y);
            picture->shade[j * picture->columns + i] = (uint8_t)(shade * (DENSEST - 1) / ONE);
        }
}
