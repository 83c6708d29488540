/* main.cpp - solve and compare */
#include "mg.h"
#include <cmath>
#include <vector>

static struct mg_level lev[MG_LEVELS];

int main(void) {
    MG_TRY(cudaSetDevice(0));
    mg_levels_create(lev, MG_LEVELS, MG_FINE);
    const int           n = lev[0].n;
    const size_t        bytes = n * sizeof(double);
    std::vector<double> f(n), u(n), want(n, 0.0);
    for (int i = 0; i < n; ++i) {
        double x = (i + 1.0) / (n + 1.0);
        f[i] = 8.0 * x * (1.0 - x) + ((i / 37) % 3 - 1.0);
    }
    cudaStream_t st;
    MG_TRY(cudaStreamCreateWithFlags(&st, cudaStreamNonBlocking));
    cudaGraphExec_t vcycle = mg_build(lev, mgcom_.nlev, st);
    MG_TRY(cudaMemcpy(lev[0].f, f.data(), bytes, cudaMemcpyHostToDevice));
    MG_TRY(cudaMemset(lev[0].u, 0, bytes));
    MG_TRY(cudaDeviceSynchronize());
    for (int k = 0; k < mgcom_.cycles; ++k)
        MG_TRY(cudaGraphLaunch(vcycle, st));
    MG_TRY(cudaStreamSynchronize(st));
    MG_TRY(cudaMemcpy(u.data(), lev[0].u, bytes, cudaMemcpyDeviceToHost));
    mg_reference(want.data(), f.data(), mgcom_.nlev, n, mgcom_.cycles);
    double top = 0.0;
    for (double w : want)
        top = std::fmax(top, std::fabs(w));
    long bad = 0;
    for (int i = 0; i < n; ++i)
        bad += !(std::fabs(u[i] - want[i]) <= 1e-9 * top);
    MG_TRY(cudaGraphExecDestroy(vcycle));
    MG_TRY(cudaHostUnregister(&mgcom_));
    if (bad) printf("WRONG %ld\n", bad);
    else printf("DONE\n");
    return 0;
}
