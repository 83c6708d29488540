#include "mg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void host_cycles(const mg_ctx *mg, int l, double *u, double *w, int cycles)
{
    const int n = mg->level[l].n;
    double c[3];
    mg_level_operator(mg, l, c);
    for (int k = 0; k < cycles; ++k) {
        for (int i = 0; i < n; ++i) {
            double west = i > 0 ? u[i - 1] : 0.0;
            double east = i + 1 < n ? u[i + 1] : 0.0;
            w[i] = c[0] * west + c[1] * u[i] + c[2] * east;
        }
        for (int i = 0; i < n; ++i)
            u[i] = w[i];
    }
}

int main(void)
{
    const int spinup = 2, cycles = 40;
    mg_ctx mg;
    mg_setup(&mg, 8192, 4, 0.08);

    for (int c = 0; c < spinup; ++c)
        mg_enqueue_cycle(&mg);
    MG(cudaStreamSynchronize(mg.stream));
    mg_record(&mg);
    mg_replay(&mg, cycles);

    long wrong = 0;
    for (int l = 0; l < mg.n_levels; ++l) {
        const mg_level *lv = &mg.level[l];
        double *got = (double *)malloc(lv->n * sizeof(double));
        double *u = (double *)malloc(lv->n * sizeof(double));
        double *w = (double *)malloc(lv->n * sizeof(double));
        MG(cudaMemcpy(got, lv->u, lv->n * sizeof(double), cudaMemcpyDeviceToHost));
        for (int i = 0; i < lv->n; ++i)
            u[i] = sin(6.0 * i * lv->h) + 0.2 * (i % 5);
        host_cycles(&mg, l, u, w, spinup + cycles);
        double worst = 0.0;
        for (int i = 0; i < lv->n; ++i) {
            double d = fabs(got[i] - u[i]);
            if (!(d < 1e-8))
                ++wrong;
            if (d > worst)
                worst = d;
        }
        printf("level %d (%d points): max deviation %.2e\n", l, lv->n, worst);
        free(got);
        free(u);
        free(w);
    }
    mg_teardown(&mg);
    if (wrong)
        printf("WRONG %ld\n", wrong);
    else
        printf("DONE\n");
    return 0;
}
