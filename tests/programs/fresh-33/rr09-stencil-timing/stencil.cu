#include "stencil.cuh"

#include <vector>

namespace {

template <int MS>
__global__ void advance(Vec4* x, int n, Vec4 inc) {
    long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = x[i] + 2.0f * inc;
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < MS * 1000000LL);
}

}  // namespace

SplitStencil::SplitStencil(int cells) : cells_(cells) {
    bench::ok(cudaStreamCreateWithFlags(&main_, cudaStreamNonBlocking));
    bench::ok(cudaStreamCreateWithFlags(&side_, cudaStreamNonBlocking));
    bench::ok(cudaEventCreateWithFlags(&forked_, cudaEventDisableTiming));
    bench::ok(cudaMalloc(&interior_, cells * sizeof(Vec4)));
    bench::ok(cudaMalloc(&border_, cells * sizeof(Vec4)));
    bench::ok(cudaMemset(interior_, 0, cells * sizeof(Vec4)));
    bench::ok(cudaMemset(border_, 0, cells * sizeof(Vec4)));
    bench::ok(cudaDeviceSynchronize());
}

SplitStencil::~SplitStencil() {
    cudaFree(interior_);
    cudaFree(border_);
    cudaEventDestroy(forked_);
    cudaStreamDestroy(main_);
    cudaStreamDestroy(side_);
}

void SplitStencil::issue() {
    const Vec4 inner{{1, 2, 3, 4}}, outer{{4, 3, 2, 1}};
    bench::ok(cudaEventRecord(forked_, main_));
    bench::ok(cudaStreamWaitEvent(side_, forked_, 0));
    advance<8><<<4, 128, 0, main_>>>(interior_, cells_, inner);
    advance<32><<<4, 128, 0, side_>>>(border_, cells_, outer);
    bench::ok(cudaGetLastError());
    ++steps_;
}

int SplitStencil::mismatches() const {
    std::vector<Vec4> a(cells_), b(cells_);
    bench::ok(cudaMemcpy(a.data(), interior_, cells_ * sizeof(Vec4), cudaMemcpyDeviceToHost));
    bench::ok(cudaMemcpy(b.data(), border_, cells_ * sizeof(Vec4), cudaMemcpyDeviceToHost));
    const float k = 2.0f * steps_;
    const Vec4 ea = k * Vec4{{1, 2, 3, 4}}, eb = k * Vec4{{4, 3, 2, 1}};
    int wrong = 0;
    for (int i = 0; i < cells_; ++i) wrong += (a[i] != ea) + (b[i] != eb);
    return wrong;
}
