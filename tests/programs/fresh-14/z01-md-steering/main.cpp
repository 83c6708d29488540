/* Steered molecular dynamics: the integrator stays on the device for the whole trajectory,
 * the host adapts the time step between epochs from the measured energy drift. */
#include "md.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                   \
    do {                                                              \
        cudaError_t e_ = (call);                                      \
        if (e_ != cudaSuccess) {                                      \
            printf("ERROR %s\n", cudaGetErrorName(e_));               \
            fflush(stdout);                                           \
            _Exit(1);                                                 \
        }                                                             \
    } while (0)

static float2      *g_state, *g_snap;
static double      *g_d_energy, *g_h_energy;
static steer_t     *g_mail, *g_mail_dev;
static cudaStream_t g_run, g_analysis;
static float2       g_init[N_ATOMS];
static double       g_e0;

static const float k_mass[N_SPECIES] = {1.0f, 2.0f, 12.0f, 16.0f};

static void init_atoms(void)
{
    unsigned s = 12345u;
    for (int i = 0; i < N_ATOMS; ++i) {
        s = s * 1664525u + 1013904223u;
        g_init[i].x = (float)(s >> 8) / (float)(1u << 24) - 0.5f;
        s = s * 1664525u + 1013904223u;
        g_init[i].y = (float)(s >> 8) / (float)(1u << 24) - 0.5f;
    }
}

static double host_energy(const float2 *q)
{
    double e = 0.0;
    for (int i = 0; i < N_ATOMS; ++i)
        e += 0.5 * k_mass[i % N_SPECIES] * ((double)q[i].x * q[i].x + (double)q[i].y * q[i].y);
    return e;
}

static double measure_energy(void)
{
    CHECK(md_energy(g_snap, g_d_energy, g_analysis));
    CHECK(cudaMemcpyAsync(g_h_energy, g_d_energy, sizeof(double), cudaMemcpyDeviceToHost, g_analysis));
    CHECK(cudaStreamSynchronize(g_analysis));
    return *g_h_energy;
}

static void setup(void)
{
    const size_t bytes = N_ATOMS * sizeof(float2);
    CHECK(cudaStreamCreateWithFlags(&g_run, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&g_analysis, cudaStreamNonBlocking));
    CHECK(cudaMalloc((void **)&g_state, bytes));
    CHECK(cudaMalloc((void **)&g_snap, bytes));
    CHECK(cudaMalloc((void **)&g_d_energy, sizeof(double)));
    CHECK(cudaHostAlloc((void **)&g_h_energy, sizeof(double), cudaHostAllocDefault));
    CHECK(cudaHostAlloc((void **)&g_mail, sizeof(steer_t), cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer((void **)&g_mail_dev, (void *)g_mail, 0));
    g_mail->reached = 0;
    g_mail->granted = 0;
    g_mail->dt_scale = 1.0f;

    init_atoms();
    CHECK(cudaMemcpy(g_state, g_init, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(g_snap, g_init, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaDeviceSynchronize());
    g_e0 = host_energy(g_init);
}

int main(void)
{
    int bad = 0;
    setup();

    CHECK(md_start_integrator(g_state, g_snap, g_mail_dev, g_run));

    for (int epoch = 1; epoch <= N_EPOCHS; ++epoch) {
        while (g_mail->reached < epoch)
            ;
        double e = measure_energy();
        double drift = fabs(e / g_e0 - 1.0);
        if (!(drift < 1e-2))
            ++bad;
        g_mail->dt_scale = drift > 1e-3 ? 0.5f : 1.0f;
        __sync_synchronize();
        g_mail->granted = epoch;
    }
    CHECK(cudaStreamSynchronize(g_run));

    static float2 last[N_ATOMS];
    CHECK(cudaMemcpy(last, g_state, sizeof last, cudaMemcpyDeviceToHost));
    if (!(fabs(host_energy(last) / g_e0 - 1.0) < 1e-2))
        ++bad;

    CHECK(cudaFree(g_state));
    CHECK(cudaFree(g_snap));
    CHECK(cudaFree(g_d_energy));
    CHECK(cudaFreeHost(g_h_energy));
    CHECK(cudaFreeHost((void *)g_mail));
    if (bad)
        printf("WRONG %d\n", bad);
    else
        printf("DONE\n");
    return bad ? 1 : 0;
}
