/* boundary.cpp - absorbing margin of a line
 * The margin is damped twice per shot, after each leg.  The factor falls off
 * with the square of the distance to the interior.
 */
#include "rtm.h"

double rtm_taper_factor(int i, int width) {
    double d = (double)(width - i) / width;
    return 1.0 - 0.2 * d * d;
}

void stage_boundary(struct rtm_slot *s, struct rtm_shot *) {
    void *args[] = { &s->p, &s->q, &rtmenv_.nx, &rtmenv_.width };
    DRV(cuLaunchKernel(rtmenv_.fn[K_TAPER], 1, 1, 1, 64, 1, 1,
                       0, s->stream, args, nullptr));
}
