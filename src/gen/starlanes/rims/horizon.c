/*
 * horizon.c: in which directions a corner may see anything at all that is still to come.
 *
 * A star in a dent of a rim has a wide corner, and sees little past the neighbours to its left and
 * right. Look from a corner along its right lane, and let the eye go from star to star along the
 * rim, as long as they are nearer than all that is still to come. As each lane leads from where the
 * one before ends, the eye leaves out no direction between the first it looked in and the farthest
 * to the left; so in each of them there is a lane on the way, and nearer, for ever. The same from
 * the left lane to the right.
 *
 * On smooth rims hardly any corner needs it, on rough ones some do, which would ask for hundreds of
 * stars along the rim, one after the other. So a corner looks when something was in the way of it,
 * and no farther than LOOKS stars, as one may stop anywhere; and again when what is to come is as
 * far, squared, as the next power of two. Turns are told within half a turn: the eye stops at a
 * star at a right angle to the lane.
 *
 * Arcs are rounded, and stars may lie in a row to the unit. So the stars that hide most are kept:
 * what lies exactly behind one of them is not tried, star by star, to the end of the row.
 */
#include "horizon.h"

enum { LOOKS = 64 };

/* The star that the eye gets to from the left lane (side 0), or from the right one. */
static int32_t eye_along(struct mw_run *run, const struct rims *r, int32_t corner, int side,
                         int64_t far)
{
    const struct corner *c = &r->corner[corner];
    struct mw_point at = r->at[c->star];
    int32_t star = side ? c->right : c->left, sight = star;
    struct ray lane = ray_to(at, r->at[star]), farthest = lane;
    for (int i = 0; i < LOOKS; i++) {
        mw_tick(run, 1);
        corner = r->corner[corner].neighbour[side];
        assert(r->corner[corner].star == star);
        star = side ? r->corner[corner].right : r->corner[corner].left;
        struct ray ray = ray_to(at, r->at[star]);
        if (square(ray) >= far || dot(lane, ray) <= 0)
            break;
        if (side ? cross(farthest, ray) > 0 : cross(ray, farthest) > 0) {
            farthest = ray;
            sight = star;
        }
    }
    return sight;
}

bool horizon_narrow(struct mw_run *run, struct rims *r, int32_t corner, int64_t far)
{
    struct corner *c = &r->corner[corner];
    int32_t sight[2], looked = 64 - __builtin_clzll((uint64_t)far | 1);
    if (c->right < 0 || looked == c->looked)
        return false;
    c->looked = looked;
    for (int side = 0; side < 2; side++)
        sight[side] = eye_along(run, r, corner, side, far);
    rim_narrow(r, corner, sight);
    return true;
}
