#include "reference_index.h"

#include "device_clock.cuh"

namespace readmap {

namespace {

__global__ void insertSeeds(const Base* genome, int genomeLength, int* table, unsigned micros) {
    spendMicros(micros);
    const int position = blockIdx.x * blockDim.x + threadIdx.x;
    if (position + kSeedLength <= genomeLength) atomicMin(&table[seedAt(genome + position)], position);
}

}  // namespace

void ReferenceIndex::build() {
    genome_ = DeviceBuffer<Base>(hostGenome_.size());
    table_ = DeviceBuffer<int>(kTableSize);

    CUDA_TRY(cudaMemcpy(genome_.data(), hostGenome_.data(), byteSize(hostGenome_), cudaMemcpyHostToDevice));
    CUDA_TRY(cudaMemset(table_.data(), 0x7f, byteSize(table_)));
    const int length = static_cast<int>(hostGenome_.size());
    insertSeeds<<<(length + 255) / 256, 256>>>(genome_.data(), length, table_.data(), config_.samplingMicros);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaDeviceSynchronize());

    view_.genome = genome_.data();
    view_.table = table_.data();
    view_.genomeLength = length;
}

}  // namespace readmap
