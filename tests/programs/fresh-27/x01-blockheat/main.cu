#include "domain.h"

#include <math.h>
#include <string.h>

static void reference(int n, int steps, double nu, double dt, double *t, double *src)
{
    double *w = (double *)malloc((size_t)n * sizeof(double));
    for (int s = 0; s < steps; ++s) {
        for (int i = 0; i < n; ++i) {
            const double l = t[(i + n - 1) % n], r = t[(i + 1) % n];
            w[i] = t[i] + nu * (l - 2.0 * t[i] + r) + dt * src[i];
        }
        for (int i = 0; i < n; ++i)
            src[i] *= SRC_DECAY;
        memcpy(t, w, (size_t)n * sizeof(double));
    }
    free(w);
}

int main(void)
{
    domain_t d;
    memset(&d, 0, sizeof d);
    d.nblocks = 4;
    d.ncell = 2048;
    d.steps = 12;
    d.nu = 0.2;
    d.dt = 0.05;

    const int total = d.nblocks * d.ncell;
    double *temp = (double *)malloc((size_t)total * sizeof(double));
    double *src = (double *)malloc((size_t)total * sizeof(double));
    double *out = (double *)malloc((size_t)total * sizeof(double));
    for (int i = 0; i < total; ++i) {
        temp[i] = 300.0 + 40.0 * (i / d.ncell) + 5.0 * sin(0.01 * i);
        src[i] = 1.0 + 0.5 * cos(0.02 * i);
    }

    domain_init(&d, temp, src);
    domain_run(&d);
    domain_fetch(&d, out);
    domain_free(&d);

    reference(total, d.steps, d.nu, d.dt, temp, src);
    int wrong = 0;
    for (int i = 0; i < total; ++i)
        if (!(fabs(out[i] - temp[i]) < 1e-8))
            ++wrong;
    free(temp);
    free(src);
    free(out);
    if (wrong)
        printf("WRONG %d\n", wrong);
    else
        printf("DONE\n");
    return wrong != 0;
}
