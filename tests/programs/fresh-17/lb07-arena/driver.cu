#include "AX_FArrayBox.hpp"
#include <cstdio>

struct Flux {
    double* tmp; double v; long long cycles;
    __device__ void operator() (int i) const {
        if (i < 32 * 256) { const long long t0 = clock64(); while (clock64() - t0 < cycles) {} }
        tmp[i] = v + (i % 7);
    }
};
struct Update {
    const double* tmp; double* out;
    __device__ void operator() (int i) const { out[i] = 2.0 * tmp[i]; }
};

int main () {
    const int n = 1 << 20, nboxes = 20;              // 8 MiB of temporaries per box
    ax::Gpu::Device::Initialize(4);
    long bad = 0;
    {
        ax::CArena state(std::size_t(nboxes) * n * sizeof(double));
        ax::CArena scratch(std::size_t(6) * n * sizeof(double));
        for (int step = 0; step < 2; ++step) {
            double* out[nboxes];
            for (int b = 0; b < nboxes; ++b) {
                ax::Gpu::Device::setStreamIndex(b);
                out[b] = static_cast<double*>(state.alloc(n * sizeof(double)));
                ax::FArrayBox tmp(n, &scratch);
                ax::Gpu::Elixir eli = tmp.elixir();
                ax::ParallelFor(n, Flux{tmp.dataPtr(), b + 10.0 * step, b < 4 && step == 0 ? 1000LL : 60000000LL});
                ax::ParallelFor(n, Update{tmp.dataPtr(), out[b]});
            }
            ax::Gpu::streamSynchronizeAll();
            ax::Gpu::Device::resetStreamIndex();
            double* h = nullptr;
            cudaMallocHost(&h, n * sizeof(double));
            for (int b = 0; b < nboxes; ++b) {
                cudaMemcpyAsync(h, out[b], n * sizeof(double), cudaMemcpyDeviceToHost, ax::Gpu::gpuStream());
                ax::Gpu::streamSynchronize();
                for (int i = 0; i < n; ++i) if (h[i] != 2.0 * (b + 10.0 * step + i % 7)) ++bad;
                state.free(out[b]);
            }
            cudaFreeHost(h);
        }
    }
    ax::Gpu::Device::Finalize();
    if (bad) { std::printf("WRONG %ld cells\n", bad); return 1; }
    std::printf("DONE\n");
    return 0;
}
