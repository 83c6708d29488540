/* verify.cpp - the archive against a host integration */
#include "model.h"
#include <cmath>

static bool differs(float a, double b) {
    return !(std::fabs((double)a - b) <= 1e-5 * (1.0 + std::fabs(b)));
}

long verify_archive(const std::vector<struct io_record> &archive) {
    std::vector<double> t(NCOL), q(NCOL);
    long   bad = 0;
    size_t next = 0;
    for (int i = 0; i < NCOL; ++i) {
        t[i] = 10.0 + 0.001 * i;
        q[i] = 1.0;
    }
    for (int step = 1; step <= NSTEP; ++step) {
        for (int i = 0; i < NCOL; ++i) {
            double sun = 1.0 + 0.25 * (double)((step * 7 + i) % 13);
            t[i] = t[i] + 0.5 * (sun - 0.01 * t[i]);
            q[i] = 0.9 * q[i] + 0.1 * t[i];
        }
        if (step % NHIST)
            continue;
        if (next >= archive.size() || archive[next].step != step) {
            bad += NREC;
            continue;
        }
        const std::vector<float> &v = archive[next++].values;
        for (int i = 0; i < NCOL; ++i)
            bad += differs(v[2 * i], t[i]) + differs(v[2 * i + 1], q[i]);
    }
    return bad;
}
