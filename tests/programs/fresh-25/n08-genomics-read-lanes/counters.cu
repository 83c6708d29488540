#include "lanes.h"

namespace gx {

namespace {

__global__ void addReads(unsigned long long* total, int reads) {
    *total += static_cast<unsigned long long>(reads);
}

}  // namespace

RunCounters::RunCounters() {
    must(cudaMalloc(reinterpret_cast<void**>(&reads_), sizeof(*reads_)));
    must(cudaMemset(reads_, 0, sizeof(*reads_)));
}

RunCounters::~RunCounters() { cudaFree(reads_); }

void RunCounters::submitted(int reads) {
    addReads<<<1, 1>>>(reads_, reads);
    must(cudaGetLastError());
}

unsigned long long RunCounters::total() const {
    unsigned long long value = 0;
    must(cudaMemcpy(&value, reads_, sizeof(value), cudaMemcpyDeviceToHost));
    return value;
}

}  // namespace gx
