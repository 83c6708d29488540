#include "lane.h"

#include "device_clock.cuh"

#include <algorithm>

namespace readmap {

namespace {

__global__ void mapReads(const Base* reads, Hit* hits, int count, IndexView index, unsigned micros) {
    spendMicros(micros);
    const int read = blockIdx.x * blockDim.x + threadIdx.x;
    if (read < count) {
        hits[read] = placeRead(reads + static_cast<std::size_t>(read) * kReadLength, index.genome,
                               index.genomeLength, index.table);
    }
}

}  // namespace

Lane::Lane(const MapperConfig& config) : config_(config), buffers_(config) {
    CUDA_TRY(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    CUDA_TRY(cudaEventCreateWithFlags(&finished_, cudaEventDisableTiming));
}

Lane::~Lane() {
    cudaStreamSynchronize(stream_);
    cudaEventDestroy(finished_);
    cudaStreamDestroy(stream_);
}

void Lane::dispatch(const ReadBatch& batch, const IndexView& index) {
    std::copy(batch.bases.begin(), batch.bases.end(), buffers_.reads.data());
    CUDA_TRY(cudaMemcpyAsync(buffers_.deviceReads.data(), buffers_.reads.data(), byteSize(buffers_.reads),
                             cudaMemcpyHostToDevice, stream_));
    mapReads<<<(config_.batchReads + 127) / 128, 128, 0, stream_>>>(buffers_.deviceReads.data(),
                                                                    buffers_.deviceHits.data(), config_.batchReads,
                                                                    index, config_.extensionMicros);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaMemcpyAsync(buffers_.hits.data(), buffers_.deviceHits.data(), byteSize(buffers_.hits),
                             cudaMemcpyDeviceToHost, stream_));
    CUDA_TRY(cudaEventRecord(finished_, stream_));
}

void Lane::collect(HitList& hits) {
    CUDA_TRY(cudaEventSynchronize(finished_));
    hits.assign(buffers_.hits.data(), buffers_.hits.data() + buffers_.hits.size());
}

}  // namespace readmap
