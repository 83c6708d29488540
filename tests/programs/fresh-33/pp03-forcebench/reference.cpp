/* reference.cpp - a compact globule and its forces on the host */
#include "bench.h"
#include <cmath>
#include <vector>

void md_positions(double *x) {
    for (int i = 0; i < NATOM; ++i) {
        int ix = i % 8, iy = (i / 8) % 8, iz = i / 64;
        x[3 * i]     = 1.12 * ix + 0.05 * ((i * 7) % 5 - 2);
        x[3 * i + 1] = 1.12 * iy + 0.05 * ((i * 11) % 5 - 2);
        x[3 * i + 2] = 1.12 * iz + 0.05 * ((i * 3) % 5 - 2);
    }
}

static void springs(const double *x, std::vector<double> &f, int reach, double k) {
    for (int i = 0; i < NATOM; ++i)
        for (int d = 0; d < 3; ++d) {
            double s = 0.0;
            if (i >= reach)
                s += x[3 * (i - reach) + d] - x[3 * i + d];
            if (i + reach < NATOM)
                s += x[3 * (i + reach) + d] - x[3 * i + d];
            f[3 * i + d] = k * s;
        }
}

static void pairs(const double *x, std::vector<double> &f) {
    for (int i = 0; i < NATOM; ++i)
        for (int j = 0; j < NATOM; ++j) {
            if (i == j)
                continue;
            double d[3], r2 = 0.0;
            for (int c = 0; c < 3; ++c) {
                d[c] = x[3 * i + c] - x[3 * j + c];
                r2 += d[c] * d[c];
            }
            if (r2 >= CUTOFF2)
                continue;
            double s = 1.0 / r2, s3 = s * s * s;
            for (int c = 0; c < 3; ++c)
                f[3 * i + c] += 24.0 * s * s3 * (2.0 * s3 - 1.0) * d[c];
        }
}

static long compare(const double *a, const std::vector<double> &b) {
    long bad = 0;
    for (size_t i = 0; i < b.size(); ++i)
        bad += !(std::fabs(a[i] - b[i]) <= 1e-6 * (1.0 + std::fabs(b[i])));
    return bad;
}

long md_verify(const double *pair, const double *bond, const double *tors) {
    std::vector<double> fp(3 * NATOM), fb(3 * NATOM), ft(3 * NATOM);
    pairs(md.host_x, fp);
    springs(md.host_x, fb, 1, 4.0);
    springs(md.host_x, ft, 3, 0.5);
    return compare(pair, fp) + compare(bond, fb) + compare(tors, ft);
}
