#include "probe.h"

namespace bench {

namespace {
__host__ __device__ inline int keyAt(int i) { return int((unsigned(i) * 2654435761u) >> 8) & 0xfffff; }

__global__ void buildTable(int* table, int slots) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < slots; i += gridDim.x * blockDim.x) table[i] = i * 3 + 1;
}

__global__ void fillColumn(int* column, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) column[i] = keyAt(i);
}

__global__ void probeKeys(const int* table, int slots, const int* column, int* found, int n, int us) {
    unsigned long long a, b;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(a));
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(b));
    while (b - a < 1000ull * us);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        found[i] = table[column[i] % slots];
}
}  // namespace

HashProbe::HashProbe(int slots, int keys) : slots_(slots), keys_(keys) {
    okay(cudaStreamCreateWithFlags(&left_, cudaStreamNonBlocking));
    okay(cudaStreamCreateWithFlags(&right_, cudaStreamNonBlocking));
    okay(cudaEventCreateWithFlags(&split_, cudaEventDisableTiming));
    okay(cudaEventCreateWithFlags(&merge_, cudaEventDisableTiming));
}

HashProbe::~HashProbe() {
    okay(cudaStreamSynchronize(left_));
    for (int* p : {table_, column_, found_})
        if (p) okay(cudaFree(p));
    okay(cudaEventDestroy(merge_));
    okay(cudaEventDestroy(split_));
    okay(cudaStreamDestroy(right_));
    okay(cudaStreamDestroy(left_));
}

void HashProbe::prepare() {
    okay(cudaMalloc(&table_, slots_ * sizeof(int)));
    okay(cudaMalloc(&column_, keys_ * sizeof(int)));
    okay(cudaMalloc(&found_, keys_ * sizeof(int)));
    buildTable<<<32, 256, 0, left_>>>(table_, slots_);
    fillColumn<<<32, 256, 0, left_>>>(column_, keys_);
    okay(cudaGetLastError());
    ready_ = true;
}

void HashProbe::launch() {
    if (!ready_) prepare();
    const int half = keys_ / 2;
    okay(cudaEventRecord(split_, left_));
    okay(cudaStreamWaitEvent(right_, split_, 0));
    probeKeys<<<4, 256, 0, left_>>>(table_, slots_, column_, found_, half, 6000);
    probeKeys<<<4, 256, 0, right_>>>(table_, slots_, column_ + half, found_ + half, keys_ - half, 24000);
    okay(cudaGetLastError());
    okay(cudaEventRecord(merge_, right_));
    okay(cudaStreamWaitEvent(left_, merge_, 0));
}

int HashProbe::verify() {
    std::vector<int> got(keys_);
    okay(cudaStreamSynchronize(left_));
    okay(cudaMemcpy(got.data(), found_, keys_ * sizeof(int), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < keys_; ++i)
        if (got[i] != keyAt(i) % slots_ * 3 + 1) ++wrong;
    return wrong;
}

}  // namespace bench
