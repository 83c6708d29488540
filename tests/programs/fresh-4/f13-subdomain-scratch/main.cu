#include "scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec + 1e-9 * ts.tv_nsec;
}

static long check_subdomain(const subdomain *sd, int steps)
{
    const int n = sd->n;
    double *f = (double *)malloc(n * sizeof(double));
    double *g = (double *)malloc(n * sizeof(double));
    double *got = (double *)malloc(n * sizeof(double));
    long bad = 0;
    for (int i = 0; i < n; ++i)
        f[i] = sd->id + 0.001 * (i % 100);
    for (int k = 0; k < steps; ++k) {
        for (int i = 0; i < n; ++i)
            g[i] = 0.5 * (f[i] - f[(i + 1) % n]);
        for (int i = 0; i < n; ++i)
            f[i] = f[i] - 0.5 * (g[i] - g[(i + n - 1) % n]);
    }
    SIM(cudaMemcpy(got, sd->field, n * sizeof(double), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i)
        if (!(fabs(got[i] - f[i]) < 1e-10))
            ++bad;
    free(f);
    free(g);
    free(got);
    return bad;
}

int main(void)
{
    const int n_sub = 4, n = 20000, steps = 5;
    sim_ctx sim;
    sim_init(&sim, n_sub, n);

    sim_advance(&sim, 0, n_sub, 2);
    sim_wait(&sim);
    sim_reset(&sim);

    double t0 = now();
    sim_advance(&sim, 0, 1, steps);
    sim_wait(&sim);
    const double one = now() - t0;
    sim_reset(&sim);

    t0 = now();
    sim_advance(&sim, 0, n_sub, steps);
    sim_wait(&sim);
    const double all = now() - t0;

    long wrong = 0;
    for (int s = 0; s < n_sub; ++s)
        wrong += check_subdomain(&sim.sub[s], steps);
    unsigned beats = 0;
    SIM(cudaMemcpy(&beats, sim.heartbeat, sizeof beats, cudaMemcpyDeviceToHost));
    if (beats != (unsigned)steps)
        ++wrong;
    printf("1 subdomain: %.1f ms, %d subdomains: %.1f ms, %u beats\n", one * 1e3, n_sub, all * 1e3, beats);
    sim_free(&sim);

    const double ratio = all / one;
    if (wrong)
        printf("WRONG %ld\n", wrong);
    else if (ratio > 1.5)
        printf("SLOW %.2f\n", ratio);
    else
        printf("DONE\n");
    return 0;
}
