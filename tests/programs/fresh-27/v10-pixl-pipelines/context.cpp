#include "pixl.h"

namespace pixl {

namespace {
constexpr std::size_t kStagingBytes = 64 * 1024;
}

Staging::Staging(std::size_t bytes) : bytes_(bytes) {
    void* p = nullptr;
    check(cudaMallocHost(&p, bytes));
    base_ = static_cast<unsigned char*>(p);
}

Staging::~Staging() { cudaFreeHost(base_); }

void* Staging::takeBytes(std::size_t bytes) {
    const std::size_t rounded = (bytes + 255) / 256 * 256;
    if (used_ + rounded > bytes_) throw CudaError(cudaErrorMemoryAllocation);
    void* p = base_ + used_;
    used_ += rounded;
    return p;
}

Context::Context() : staging_(kStagingBytes) {
    check(cudaEventCreateWithFlags(&frameDone_, cudaEventDisableTiming));
}

Context::~Context() {
    cudaEventSynchronize(frameDone_);
    cudaEventDestroy(frameDone_);
}

Staging& Context::beginFrame() {
    check(cudaEventSynchronize(frameDone_));
    staging_.reset();
    return staging_;
}

void Context::endFrame(cudaStream_t stream) { check(cudaEventRecord(frameDone_, stream)); }

void Context::run(Pipeline& pipeline, cudaStream_t stream, const float* src, float* dst) {
    Staging& staging = beginFrame();
    pipeline.enqueue(staging, stream, src, dst);
    endFrame(stream);
}

}  // namespace pixl
