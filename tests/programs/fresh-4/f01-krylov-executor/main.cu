/* Nested-grid relaxation driver: coarse to fine, a few smoothing sweeps and
 * one correction on each grid. */
#include "kry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N_LEVELS 4
#define SWEEPS 12

static void fill_rhs(double *v, int n)
{
    for (int i = 0; i < n; ++i)
        v[i] = sin(0.013 * i) + 0.5 * cos(0.11 * i);
}

static void reference(double *x, double *y, int n)
{
    for (int s = 0; s < SWEEPS; ++s) {
        for (int i = 0; i < n; ++i) {
            double l = i > 0 ? x[i - 1] : 0.0;
            double r = i + 1 < n ? x[i + 1] : 0.0;
            y[i] = 0.25 * l + 0.5 * x[i] + 0.25 * r;
        }
        double *t = x;
        x = y;
        y = t;
    }
    for (int i = 0; i < n; ++i)
        x[i] = (x[i] + 0.125 * y[i]) * 1.5;
}

int main(void)
{
    static const int levels[N_LEVELS] = { 512, 1024, 4096, 16384 };
    const int n_max = levels[N_LEVELS - 1];
    double *host = (double *)malloc(n_max * sizeof(double));
    double *ref = (double *)malloc(n_max * sizeof(double));
    double *tmp = (double *)malloc(n_max * sizeof(double));
    long wrong = 0;

    kry_ctx *kry = NULL;
    if (kry_create(&kry, levels[0], n_max) != 0)
        return 1;

    for (int l = 0; l < N_LEVELS; ++l) {
        const int n = levels[l];
        if (kry_reserve(kry, n) != 0)
            return 1;
        fill_rhs(host, n);
        fill_rhs(ref, n);
        kry_upload(kry, host, n);
        kry_jacobi(kry, n, SWEEPS);
        kry_axpy(kry, n, 0.125);
        kry_scale(kry, n, 1.5);
        kry_download(kry, host, n);
        reference(ref, tmp, n);
        double worst = 0.0;
        for (int i = 0; i < n; ++i) {
            double d = fabs(host[i] - ref[i]);
            if (!(d < 1e-9))
                ++wrong;
            if (d > worst)
                worst = d;
        }
        printf("level %d: n = %d, max deviation %.3e\n", l, n, worst);
    }
    kry_destroy(kry);

    free(host);
    free(ref);
    free(tmp);
    if (wrong)
        printf("WRONG %ld\n", wrong);
    else
        printf("DONE\n");
    return 0;
}
