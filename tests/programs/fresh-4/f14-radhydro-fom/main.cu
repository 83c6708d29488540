#include "rh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double wtime(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

/* Seconds for all cycles of the benchmark problem. */
static double timed_run(rh_state *s)
{
    double start = wtime();
    for (int c = 0; c < s->p.cycles; ++c)
        rh_cycle(s, c);
    rh_finish(s);
    return wtime() - start;
}

/* Time the two operators need at least, from the device's own record. */
static double device_seconds(rh_state *s)
{
    cudaEvent_t e0, e1;
    float ms = 0.0f;
    RH(cudaEventCreate(&e0));
    RH(cudaEventCreate(&e1));
    RH(cudaDeviceSynchronize());
    RH(cudaEventRecord(e0, s->hydro));
    for (int c = 0; c < s->p.cycles; ++c)
        rh_cycle(s, c);
    RH(cudaEventRecord(e1, s->rad));
    RH(cudaEventSynchronize(e1));
    RH(cudaEventElapsedTime(&ms, e0, e1));
    RH(cudaEventDestroy(e0));
    RH(cudaEventDestroy(e1));
    return 1e-3 * ms;
}

int main(void)
{
    const rh_params p = { 4096, 16, 2000, 9000 };
    rh_state s;
    rh_alloc(&s, &p);

    rh_cycle(&s, 0);
    RH(cudaDeviceSynchronize());
    rh_zero(&s);

    const double measured = timed_run(&s);
    RH(cudaDeviceSynchronize());

    long wrong = 0;
    double *energy = (double *)malloc(p.zones * sizeof(double));
    RH(cudaMemcpy(energy, s.energy, p.zones * sizeof(double), cudaMemcpyDeviceToHost));
    for (int i = 0; i < p.zones; ++i) {
        double e = 0.0;
        for (int c = 0; c < p.cycles; ++c)
            e += 0.5 * (1.0 + 0.01 * ((i + c) % 10));
        if (!(fabs(e - energy[i]) < 1e-10))
            ++wrong;
    }
    free(energy);

    const double honest = device_seconds(&s);
    const double fom = (double)p.zones * p.cycles / measured;
    printf("figure of merit: %.4e zone updates/s (%.2f ms for %d cycles)\n", fom, measured * 1e3, p.cycles);
    rh_release(&s);

    double ratio = honest > measured ? honest / measured : measured / honest;
    if (wrong)
        printf("WRONG %ld\n", wrong);
    else if (ratio > 1.5)
        printf("SLOW %.2f\n", ratio);
    else
        printf("DONE\n");
    return 0;
}
