#include "lane.cuh"

namespace genome {

namespace {

__global__ void countGc(const unsigned char* bases, int* counts) {
    const long long t0 = clock64();
    while (clock64() - t0 < 20000000ll) {
    }
    for (int read = threadIdx.x; read < kReadsPerChunk; read += blockDim.x) {
        int gc = 0;
        for (int i = 0; i < kReadLength; ++i) {
            const unsigned char b = bases[read * kReadLength + i];
            gc += b == 'G' || b == 'C';
        }
        counts[read] = gc;
    }
}

}  // namespace

Lane::Lane(int index, int chunks) : chunks_(chunks) {
    cu(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    cu(cudaMallocHost(&slot_, kBases));
    cu(cudaMalloc(&bases_, kBases));
    cu(cudaMalloc(&gc_, kReadsPerChunk * sizeof(int)));
    cu(cudaMallocHost(&gcHost_, std::size_t(chunks) * kReadsPerChunk * sizeof(int)));
    source_ = std::make_unique<ChunkSource>(index, chunks, slot_);
    steps_.reserve(chunks);
    for (int c = 0; c < chunks; ++c) steps_.push_back({source_.get(), c});
}

Lane::~Lane() {
    cudaStreamSynchronize(stream_);
    source_.reset();
    cudaFreeHost(gcHost_);
    cudaFreeHost(slot_);
    cudaFree(gc_);
    cudaFree(bases_);
    cudaStreamDestroy(stream_);
}

void Lane::enqueueAll() {
    for (int c = 0; c < chunks_; ++c) {
        Step* step = &steps_[c];
        cu(cudaLaunchHostFunc(stream_, [](void* p) {
            auto* s = static_cast<Step*>(p);
            s->source->awaitLoaded(s->chunk);
        }, step));
        cu(cudaMemcpyAsync(bases_, slot_, kBases, cudaMemcpyHostToDevice, stream_));
        cu(cudaLaunchHostFunc(stream_, [](void* p) {
            auto* s = static_cast<Step*>(p);
            s->source->giveBack(s->chunk);
        }, step));
        countGc<<<1, 256, 0, stream_>>>(bases_, gc_);
        cu(cudaGetLastError());
        cu(cudaMemcpyAsync(gcHost_ + c * kReadsPerChunk, gc_, kReadsPerChunk * sizeof(int), cudaMemcpyDeviceToHost,
                           stream_));
    }
}

const int* Lane::gcCounts() {
    cu(cudaStreamSynchronize(stream_));
    return gcHost_;
}

}  // namespace genome
