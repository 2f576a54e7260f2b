/*
 * mesh.h: a triangulation of the stars that knows which of its sides are lanes.
 *
 * Stars are numbered in the order of their coordinates, x first. Triangle t has the sides 8t, 8t +
 * 1 and 8t + 2, which go round it to the left (x to the right, y up); side s runs from its origin
 * to the origin of the next, and its twin runs back, in the triangle on the other side. Beyond the
 * hull lie triangles too: their third star is the one at infinity, numbered `stars`. So every side
 * has a twin.
 */
#ifndef MAPWRIGHT_STARLANES_MESH_H
#define MAPWRIGHT_STARLANES_MESH_H

#include "kit/integer.h"
#include "kit/plane.h"
#include "lib/gen.h"

/* The bits of a side, shifted by its number: whether it is a lane, and two of the search's. It
   keeps them when triangles beside it are made anew; a side made anew has none. */
enum { LANE = 1 << 0, SIDE_BITS = LANE | 1 << 4 | 1 << 8 };

enum { AHEAD = 8 }; /* from the triangle or star at hand to the one that is fetched */

struct triangle {
    int32_t star[3];
    uint32_t lanes; /* the bits of its sides */
    int32_t twin[3];
    int32_t note; /* the search's own; stays when the triangle is made anew */
};

struct mesh {
    const struct mw_point *at; /* of each star */
    union {
        struct triangle *triangle;
        int32_t *number; /* its stars and twins: by side, and by side + 4 */
    };
    int32_t *out; /* a side out of each star */
    int32_t stars, triangles;
    double doubt; /* a circle's determinant is certain beyond it */
};

static inline int32_t side_next(int32_t s)
{
    assert(s >= 0 && (s & 3) < 3);
    return (s & 3) == 2 ? s - 2 : s + 1;
}
static inline int32_t side_prev(int32_t s)
{
    assert(s >= 0 && (s & 3) < 3);
    return (s & 3) == 0 ? s + 2 : s - 1;
}
static inline int32_t side_twin(const struct mesh *m, int32_t s) { return m->number[s + 4]; }
static inline int32_t side_from(const struct mesh *m, int32_t s) { return m->number[s]; }
static inline int32_t side_to(const struct mesh *m, int32_t s)
{
    return side_from(m, side_next(s));
}
/* The star of the triangle that is not on the side. */
static inline int32_t side_apex(const struct mesh *m, int32_t s)
{
    return side_from(m, side_prev(s));
}
static inline bool side_is_lane(const struct mesh *m, int32_t s)
{
    return m->triangle[s >> 3].lanes >> (s & 3) & 1;
}
/* The side on the hull of a triangle that lies beyond it, or -1. */
static inline int32_t mesh_hull_side(const struct mesh *m, int32_t t)
{
    const int32_t *star = m->triangle[t].star;
    for (int i = 0; i < 3; i++)
        if (star[i] == m->stars)
            return 8 * t + (i + 1) % 3;
    return -1;
}
/* The next side out of the same star, to the left and to the right. */
static inline int32_t side_left(const struct mesh *m, int32_t s)
{
    return side_twin(m, side_prev(s));
}
static inline int32_t side_right(const struct mesh *m, int32_t s)
{
    return side_next(side_twin(m, s));
}

static inline int32_t side_turned(const struct mesh *m, int32_t s, bool left)
{
    return left ? side_left(m, s) : side_right(m, s);
}

static inline struct ray star_ray(const struct mesh *m, int32_t a, int32_t b)
{
    return ray_to(m->at[a], m->at[b]);
}

/* A star or a direction as another star sees it, in doubles, which hold stars exactly. */
struct star_offset {
    double x, y, square;
};

static inline struct star_offset offset_of(struct ray ray)
{
    double x = (double)ray.x, y = (double)ray.y;
    return (struct star_offset){x, y, x * x + y * y};
}

/* The way from a to b has crossed side s, which runs to the left as seen from a: the next side that
   it crosses, or where it has come to b, the side out of b on its left. */
static inline int32_t side_across(const struct mesh *m, int32_t a, int32_t b, int32_t s)
{
    int32_t t = side_twin(m, s), z = side_apex(m, t);
    assert(z != m->stars);
    return turn(m->at[a], m->at[b], m->at[z]) > 0 ? side_next(t) : side_prev(t);
}

/* Prefetches the neighbours of triangle t, which may lie far off in memory. */
ALWAYS_INLINE void mesh_prefetch(const struct mesh *m, int32_t t)
{
    for (int k = 0; k < 3 && t < m->triangles; k++) {
        __builtin_prefetch(&m->triangle[m->triangle[t].twin[k] >> 3]);
        __builtin_prefetch(&m->at[m->triangle[t].star[k]]);
    }
}

/* The least and the greatest coordinates. */
void mesh_extent(const struct mw_point *at, int32_t stars, struct mw_point *low,
                 struct mw_point *high);

/* The Delaunay triangulation of the stars, without lanes; false when all lie on one line. */
bool mesh_build(struct mw_run *, struct mesh *, const struct mw_point *at, int32_t stars);

/* The side from a to b, or the side out of a that has b in the triangle to its left or beyond that;
   the search begins at `guess`, which may be out of date. No star lies between a and b. */
int32_t mesh_toward(struct mw_run *, const struct mesh *, int32_t a, int32_t b, int32_t guess);

/* Makes a lane from a to b, and returns its side out of a; the search for it begins at `guess`. No
   lane crosses it, no star lies on it. Only triangles through which it leads are made anew. */
int32_t mesh_insert(struct mw_run *, struct mesh *, int32_t a, int32_t b, int32_t guess);

#endif
