#include <cub/device/device_scan.cuh>

#include "codec.cuh"

namespace colbench {

// Bit packing takes time in proportion to the width of the column.
__global__ void measure_rows(uint32_t* lengths, int rows, int width) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while ((now - begin) < 1'000'000ull * width);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += gridDim.x * blockDim.x)
        lengths[i] = uint32_t(width);
}

Column::Column(int rows, int width) : rows_(rows), width_(width) {
    ok(cudaMalloc(&lengths_, rows * sizeof(uint32_t)));
    ok(cudaMalloc(&offsets_, rows * sizeof(uint32_t)));
    ok(cub::DeviceScan::ExclusiveSum(nullptr, temp_bytes_, lengths_, offsets_, rows));
    ok(cudaMalloc(&temp_, temp_bytes_));
}

Column::Column(Column&& o) noexcept
    : rows_(o.rows_), width_(o.width_), lengths_(o.lengths_), offsets_(o.offsets_), temp_(o.temp_), temp_bytes_(o.temp_bytes_) {
    o.lengths_ = o.offsets_ = nullptr;
    o.temp_ = nullptr;
}

Column::~Column() {
    cudaFree(lengths_);
    cudaFree(offsets_);
    cudaFree(temp_);
}

void Column::encode(cudaStream_t s) {
    measure_rows<<<8, 256, 0, s>>>(lengths_, rows_, width_);
    ok(cudaGetLastError());
    ok(cub::DeviceScan::ExclusiveSum(temp_, temp_bytes_, lengths_, offsets_, rows_, s));
}

uint32_t Column::last_offset() const {
    uint32_t v = 0;
    ok(cudaMemcpy(&v, offsets_ + rows_ - 1, sizeof v, cudaMemcpyDeviceToHost));
    return v;
}

}  // namespace colbench
