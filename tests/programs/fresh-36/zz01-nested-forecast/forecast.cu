/* Forecast driver: d01 > d02 > d03, two-way nested, every domain on a stream of its own. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "domain.h"

float **u;
float **h;

static const struct coupling couplings[] = {
    { 0, 1, LATERAL,  0 },
    { 1, 2, LATERAL,  0 },
    { 2, 1, FEEDBACK, 1 },
    { 1, 0, FEEDBACK, 0 },
};
#define NCOUPLING ((int)(sizeof couplings / sizeof couplings[0]))

static cudaStream_t queue[NDOM];

void abort_run(const char *name)
{
    printf("ERROR %s\n", name);
    fflush(stdout);
    _Exit(1);
}

static void initial_state(void)
{
    u = (float **)malloc(2 * NDOM * sizeof *u);
    h = (float **)malloc(2 * NDOM * sizeof *h);
    FOR_DOMAINS(d) {
        for (int t = 0; t < 2; ++t) {
            H(d, t) = (float *)calloc(NX, sizeof(float));
            RT(cudaMalloc((void **)&U(d, t), NX * sizeof(float)));
        }
        for (int i = 0; i < NX; ++i)
            H(d, 0)[i] = 280.0f + 10.0f * d + (float)((i * 37 + d * 11) % 17);
        RT(cudaMemcpy(U(d, 0), H(d, 0), NX * sizeof(float), cudaMemcpyHostToDevice));
        RT(cudaStreamCreateWithFlags(&queue[d], cudaStreamNonBlocking));
    }
    RT(cudaDeviceSynchronize());
}

static void integrate(int nstep)
{
    for (int t = 0; t < nstep; ++t) {
        FOR_DOMAINS(d) {
            for (int k = 0; k < NCOUPLING; ++k) {
                const struct coupling *c = &couplings[k];
                if (c->to != d) continue;
                clock_await(queue[d], c->from, t + 1 - c->lag);
            }
            advance_domain(d, t, couplings, NCOUPLING, queue[d]);
            clock_post(queue[d], d, t + 1);
        }
    }
}

static int verify(int nstep)
{
    int bad = 0;
    float *got = (float *)malloc(NX * sizeof(float));
    for (int t = 0; t < nstep; ++t)
        FOR_DOMAINS(d) advance_host(d, t, couplings, NCOUPLING);
    FOR_DOMAINS(d) {
        RT(cudaMemcpy(got, U(d, nstep), NX * sizeof(float), cudaMemcpyDeviceToHost));
        for (int i = 0; i < NX; ++i)
            bad += !(fabsf(got[i] - H(d, nstep)[i]) < 1e-2f);
    }
    free(got);
    return bad;
}

static void finalise(void)
{
    FOR_DOMAINS(d) {
        for (int t = 0; t < 2; ++t) {
            RT(cudaFree(U(d, t)));
            free(H(d, t));
        }
        RT(cudaStreamDestroy(queue[d]));
    }
    free(u);
    free(h);
}

int main(void)
{
    initial_state();
    clocks_open();
    integrate(NSTEP);
    FOR_DOMAINS(d) RT(cudaStreamSynchronize(queue[d]));
    int bad = verify(NSTEP);
    clocks_close();
    finalise();
    if (bad)
        printf("WRONG %d\n", bad);
    else
        printf("DONE\n");
    return 0;
}
