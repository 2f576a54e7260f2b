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
 * and no farther than LOOKS stars, as one may stop anywhere. Turns are told within half a turn: the
 * eye stops at a star at a right angle to the lane.
 */
#include "horizon.h"

enum { LOOKS = 16 };

/* The farthest that the eye gets to the left from the right lane (side 1), or to the right from the
   left one. */
static struct ray eye_along(struct mw_run *run, const struct rims *r, int32_t corner, int side,
                            int64_t far)
{
    const struct corner *c = &r->corner[corner];
    struct mw_point at = r->at[c->star];
    int32_t star = side ? c->right : c->left;
    struct ray lane = ray_to(at, r->at[star]), farthest = lane;
    for (int i = 0; i < LOOKS; i++) {
        mw_tick(run, 1);
        corner = rim_beside(r, corner, side);
        if (corner < 0 || r->corner[corner].star != star)
            break;
        star = side ? r->corner[corner].right : r->corner[corner].left;
        struct ray ray = ray_to(at, r->at[star]);
        if (square(ray) >= far || dot(lane, ray) <= 0)
            break;
        if (side ? cross(farthest, ray) > 0 : cross(ray, farthest) > 0)
            farthest = ray;
    }
    return farthest;
}

void horizon_narrow(struct mw_run *run, struct rims *r, int32_t corner, int64_t far)
{
    if (r->corner[corner].right >= 0)
        rim_narrow(r, corner, eye_along(run, r, corner, 1, far), eye_along(run, r, corner, 0, far));
}
