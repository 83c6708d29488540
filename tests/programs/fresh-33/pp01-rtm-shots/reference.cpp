/* reference.cpp - the same survey on the host */
#include "rtm.h"
#include <cmath>
#include <vector>

static void leg(std::vector<double> &p, std::vector<double> &q, const double *vel) {
    std::vector<double> *cur = &p, *old = &q;
    for (int it = 0; it < RTM_NT; ++it) {
        for (int i = 1; i < RTM_NX - 1; ++i)
            (*old)[i] = 2.0 * (*cur)[i] - (*old)[i]
                      + vel[i] * ((*cur)[i - 1] - 2.0 * (*cur)[i] + (*cur)[i + 1]);
        std::swap(cur, old);
    }
    for (int i = 0; i < RTM_WIDTH; ++i) {
        double f = rtm_taper_factor(i, RTM_WIDTH);
        p[i] *= f; p[RTM_NX - 1 - i] *= f;
        q[i] *= f; q[RTM_NX - 1 - i] *= f;
    }
}

static bool differs(double a, double b) {
    return !(std::fabs(a - b) <= 1e-8 * (1.0 + std::fabs(b)));
}

long rtm_verify(const struct rtm_shot *shots, const double *vel, const double *image) {
    long bad = 0;
    std::vector<double> sum(RTM_NX, 0.0);
    for (int k = 0; k < RTM_SHOTS; ++k) {
        std::vector<double> p(shots[k].wavelet, shots[k].wavelet + RTM_NX);
        std::vector<double> q = p;
        leg(p, q, vel);
        leg(p, q, vel);
        for (int i = 0; i < RTM_NX; ++i) {
            bad += differs(shots[k].gather[i], p[i]);
            sum[i] += p[i] * p[i];
        }
    }
    for (int i = 0; i < RTM_NX; ++i)
        bad += differs(image[i], sum[i]);
    return bad;
}
