/* reference.cpp - the same cycles on the host */
#include "mg.h"
#include <vector>

typedef std::vector<double> vec;

static double lap(const vec &u, int i) {
    int n = (int)u.size();
    return 2.0 * u[i] - (i > 0 ? u[i - 1] : 0.0) - (i < n - 1 ? u[i + 1] : 0.0);
}

static void smooth(vec &u, const vec &f, const struct mg_coef &c, int pairs) {
    vec t(u.size());
    for (int k = 0; k < 2 * pairs; ++k) {
        for (size_t i = 0; i < u.size(); ++i)
            t[i] = u[i] + c.relax * (f[i] - c.h2inv * lap(u, (int)i));
        u.swap(t);
    }
}

static void cycle(vec &u, const vec &f, int left) {
    struct mg_coef c;
    mg_coef_eval(&c, (int)u.size());
    if (left == 1) {
        smooth(u, f, c, MG_BOTTOM);
        return;
    }
    smooth(u, f, c, MG_SWEEPS);
    int nc = ((int)u.size() - 1) / 2;
    vec r(u.size()), fc(nc), uc(nc, 0.0);
    for (size_t i = 0; i < u.size(); ++i)
        r[i] = f[i] - c.h2inv * lap(u, (int)i);
    for (int i = 0; i < nc; ++i)
        fc[i] = c.scale * (r[2 * i] + 2.0 * r[2 * i + 1] + r[2 * i + 2]);
    cycle(uc, fc, left - 1);
    for (int i = 0; i <= nc; ++i) {
        u[2 * i] += 0.5 * ((i > 0 ? uc[i - 1] : 0.0) + (i < nc ? uc[i] : 0.0));
        if (i < nc)
            u[2 * i + 1] += uc[i];
    }
    smooth(u, f, c, MG_SWEEPS);
}

void mg_reference(double *u, const double *f, int nlev, int nfine, int cycles) {
    vec uu(u, u + nfine), ff(f, f + nfine);
    for (int k = 0; k < cycles; ++k)
        cycle(uu, ff, nlev);
    for (int i = 0; i < nfine; ++i)
        u[i] = uu[i];
}
