/*
 * line.h: the line that holds all of some points, if one does; exact.
 *
 * Of stars in line each sees the next ones alone, so that of two such lines, one behind the other,
 * only the ends that face each other can be joined; and a way leaves a line aside if both its ends
 * lie on one side.
 */
#ifndef MAPWRIGHT_STARLANES_LINE_H
#define MAPWRIGHT_STARLANES_LINE_H

#include "kit/plane.h"

#include <string.h>

enum { SEVERAL = -1, NOTHING = -2 };

/* The first and the last point, which may be the same. */
struct line {
    struct end {
        struct mw_point at;
        int32_t leaf; /* where that is; SEVERAL: no line holds all; NOTHING: there are no points */
    } end[2];
};

static const struct line no_line = {{{{0, 0}, NOTHING}, {{0, 0}, NOTHING}}};
static const struct line several_lines = {{{{0, 0}, SEVERAL}, {{0, 0}, SEVERAL}}};

static inline bool line_is_one(const struct line *l) { return l->end[0].leaf >= 0; }
static inline bool line_may_be(const struct line *l) { return l->end[0].leaf != SEVERAL; }

/* Whether it was another one. */
static inline bool line_set(struct line *l, const struct line *new)
{
    bool other =
        line_may_be(l) != line_may_be(new) || (line_may_be(l) && memcmp(l, new, sizeof *l) != 0);
    if (other)
        *l = *new;
    return other;
}

/* A point more. An end with two leaves is none, as one of them may see what the other does not. */
static inline void line_add(struct line *l, struct end new)
{
    struct end *end = l->end;
    if (end[0].leaf == SEVERAL)
        return;
    if (end[0].leaf == NOTHING) {
        end[0] = end[1] = new;
        return;
    }
    struct ray line = ray_to(end[0].at, end[1].at), ray = ray_to(end[0].at, new.at);
    int64_t along = dot(line, ray), whole = square(line), length = square(ray);
    bool first = length == 0 && new.leaf != end[0].leaf,
         last = length == whole &&along == whole &&new.leaf != end[1].leaf;
    if (cross(line, ray) != 0 || first || last)
        *l = several_lines;
    else if (along < 0)
        end[0] = new;
    else if (length > whole)
        end[1] = new;
}

/* Makes it the line of two others; whether it was another one. */
static inline bool line_unite(struct line *l, const struct line *a, const struct line *b)
{
    if (!line_may_be(a) || !line_may_be(b))
        return line_set(l, line_may_be(a) ? b : a);
    struct line line = a->end[0].leaf == NOTHING ? *b : *a;
    for (int i = 0; i < 2 && line_is_one(b); i++)
        line_add(&line, b->end[i]);
    return line_set(l, &line);
}

/* Whether all of it lies on one side of the way from a to b. */
static inline bool line_is_aside(const struct line *l, struct mw_point a, struct mw_point b)
{
    int64_t one = turn(a, b, l->end[0].at), other = turn(a, b, l->end[1].at);
    return line_is_one(l) && ((one > 0 && other > 0) || (one < 0 && other < 0));
}

/* Whether two lines are parts of one, and share nothing; then `ends` are those that face each
   other. */
static inline bool lines_follow(const struct line *a, const struct line *b, int32_t ends[2])
{
    struct mw_point from = a->end[0].at;
    struct ray whole = ray_to(from, b->end[0].at), own = ray_to(from, a->end[1].at),
               there = ray_to(from, b->end[1].at);
    int64_t near = dot(whole, own), far = square(whole), other = dot(whole, there);
    if (cross(whole, own) != 0 || cross(whole, there) != 0)
        return false;
    ends[0] = a->end[near > 0].leaf;
    ends[1] = b->end[other < far].leaf;
    return (near > 0 ? near : 0) < (other < far ? other : far);
}

#endif
