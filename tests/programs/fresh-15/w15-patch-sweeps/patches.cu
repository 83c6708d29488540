#include "patches.cuh"

namespace amr {
namespace {

__global__ void relax(double* u, int n, unsigned long long ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) u[i] += 1.0;
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

void relaxPatch(const Patch& p, cudaStream_t stream) {
    relax<<<6, 128, 0, stream>>>(p.u, p.cells, static_cast<unsigned long long>(p.millis * 1e6));
    OKAY(cudaGetLastError());
}

Patch makePatch(int cells, double millis) {
    Patch p;
    p.cells = cells;
    p.millis = millis;
    OKAY(cudaMalloc(&p.u, cells * sizeof(double)));
    OKAY(cudaMemset(p.u, 0, cells * sizeof(double)));
    return p;
}

}  // namespace

Hierarchy::Hierarchy(int coarseCells, int patches, int patchCells) : coarse_(makePatch(coarseCells, 3.0)) {
    for (int k = 0; k < patches; ++k) {
        fine_.push_back(makePatch(patchCells, 12.0 + k));
        OKAY(cudaStreamCreateWithFlags(&fine_.back().stream, cudaStreamNonBlocking));
    }
    OKAY(cudaEventCreateWithFlags(&opened_, cudaEventDisableTiming));
    OKAY(cudaDeviceSynchronize());
}

Hierarchy::~Hierarchy() {
    for (Patch& p : fine_) {
        cudaStreamDestroy(p.stream);
        cudaFree(p.u);
    }
    cudaFree(coarse_.u);
    cudaEventDestroy(opened_);
}

void Hierarchy::sweep(cudaStream_t coarse) {
    OKAY(cudaEventRecord(opened_, coarse));
    for (Patch& p : fine_) {
        OKAY(cudaStreamWaitEvent(p.stream, opened_, 0));
        relaxPatch(p, p.stream);
    }
    relaxPatch(coarse_, coarse);
}

std::vector<double> Hierarchy::collect() {
    OKAY(cudaDeviceSynchronize());
    std::vector<double> all;
    auto append = [&all](const Patch& p) {
        const std::size_t at = all.size();
        all.resize(at + p.cells);
        OKAY(cudaMemcpy(all.data() + at, p.u, p.cells * sizeof(double), cudaMemcpyDeviceToHost));
    };
    append(coarse_);
    for (const Patch& p : fine_) append(p);
    return all;
}

}  // namespace amr
