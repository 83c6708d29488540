#include "staging.cuh"

namespace genome {

namespace {

constexpr unsigned long long kAlignNanos = 30ull * 1000 * 1000;

__device__ unsigned long long now() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

// Four bases to a byte, two bits each: A C G T. Counts G and C and scores the reads.
__global__ void scoreReads(const uint8_t* packed, size_t bytes, unsigned* gc) {
    const unsigned long long start = now();
    unsigned mine = 0;
    for (size_t i = threadIdx.x; i < bytes; i += blockDim.x) {
        const unsigned b = packed[i];
        for (int k = 0; k < 8; k += 2) {
            const unsigned base = (b >> k) & 3u;
            mine += base == 1u || base == 2u;
        }
    }
    atomicAdd(gc, mine);
    while (now() - start < kAlignNanos) {
    }
}

}  // namespace

UploadQueue::UploadQueue(StagingRing& ring, size_t group, int batches)
    : ring_(ring), group_(group), batches_(batches) {
    must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    must(cudaMalloc(&gc_, batches * sizeof(unsigned)));
    must(cudaMemsetAsync(gc_, 0, batches * sizeof(unsigned), stream_));
    pending_.reserve(group);
}

UploadQueue::~UploadQueue() {
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
    cudaFree(gc_);
}

void UploadQueue::enqueue(Slot& slot) {
    pending_.push_back(&slot);
    if (pending_.size() == group_) flush();
    ring_.publish(slot, stream_);
}

void UploadQueue::flush() {
    for (Slot* s : pending_) {
        must(cudaMemcpyAsync(s->device, s->host, s->bytes, cudaMemcpyHostToDevice, stream_));
        scoreReads<<<1, 256, 0, stream_>>>(s->device, s->bytes, gc_ + s->batch);
        must(cudaGetLastError());
    }
    pending_.clear();
}

std::vector<unsigned> UploadQueue::finish() {
    if (!pending_.empty()) flush();
    std::vector<unsigned> counts(batches_);
    must(cudaStreamSynchronize(stream_));
    must(cudaMemcpy(counts.data(), gc_, batches_ * sizeof(unsigned), cudaMemcpyDeviceToHost));
    return counts;
}

}  // namespace genome
