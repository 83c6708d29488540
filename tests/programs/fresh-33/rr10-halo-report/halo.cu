#include "halo.cuh"

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

HaloGrid::HaloGrid(int cells) : cells_(cells) {
    bench::ok(cudaStreamCreateWithFlags(&core_, cudaStreamNonBlocking));
    bench::ok(cudaStreamCreateWithFlags(&rim_, cudaStreamNonBlocking));
    bench::ok(cudaEventCreateWithFlags(&forked_, cudaEventDisableTiming));
    bench::ok(cudaEventCreateWithFlags(&joined_, cudaEventDisableTiming));
    bench::ok(cudaMalloc(&cells_in_, cells * sizeof(Vec4)));
    bench::ok(cudaMalloc(&halo_, cells * sizeof(Vec4)));
    bench::ok(cudaMemset(cells_in_, 0, cells * sizeof(Vec4)));
    bench::ok(cudaMemset(halo_, 0, cells * sizeof(Vec4)));
    bench::ok(cudaDeviceSynchronize());
}

HaloGrid::~HaloGrid() {
    cudaFree(cells_in_);
    cudaFree(halo_);
    cudaEventDestroy(forked_);
    cudaEventDestroy(joined_);
    cudaStreamDestroy(core_);
    cudaStreamDestroy(rim_);
}

void HaloGrid::iterate() {
    const Vec4 inner{{1, 2, 3, 4}}, outer{{4, 3, 2, 1}};
    bench::ok(cudaEventRecord(forked_, core_));
    bench::ok(cudaStreamWaitEvent(rim_, forked_, 0));
    advance<8><<<4, 128, 0, core_>>>(cells_in_, cells_, inner);
    advance<32><<<4, 128, 0, rim_>>>(halo_, cells_, outer);
    bench::ok(cudaGetLastError());
    bench::ok(cudaEventRecord(joined_, rim_));
    bench::ok(cudaStreamWaitEvent(core_, joined_, 0));
    ++steps_;
}

int HaloGrid::mismatches() const {
    std::vector<Vec4> a(cells_), b(cells_);
    bench::ok(cudaMemcpy(a.data(), cells_in_, cells_ * sizeof(Vec4), cudaMemcpyDeviceToHost));
    bench::ok(cudaMemcpy(b.data(), halo_, cells_ * sizeof(Vec4), cudaMemcpyDeviceToHost));
    const float k = 2.0f * steps_;
    const Vec4 ea = k * Vec4{{1, 2, 3, 4}}, eb = k * Vec4{{4, 3, 2, 1}};
    int wrong = 0;
    for (int i = 0; i < cells_; ++i) wrong += (a[i] != ea) + (b[i] != eb);
    return wrong;
}
