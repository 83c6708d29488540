#include "loader.cuh"

namespace scope {

Loader::Loader(size_t n, Source source) : n_(n), source_(std::move(source)) {
    TRY(cudaStreamCreateWithFlags(&copy_, cudaStreamNonBlocking));
    for (Slot& s : slots_) {
        TRY(cudaMallocHost(&s.host, n * sizeof(float)));
        TRY(cudaMalloc(&s.device, n * sizeof(float)));
    }
}

Loader::~Loader() {
    cudaStreamSynchronize(copy_);
    for (Slot& s : slots_) {
        cudaFreeHost(s.host);
        cudaFree(s.device);
    }
    cudaStreamDestroy(copy_);
}

const float* Loader::stage(int chunk, cudaStream_t consumer) {
    Slot& s = slots_[chunk % slots_.size()];
    s.uploaded.wait();
    source_(chunk, s.host, n_);
    s.uploaded.record(copy_);
    s.consumed.hold(copy_);
    TRY(cudaMemcpyAsync(s.device, s.host, n_ * sizeof(float), cudaMemcpyHostToDevice, copy_));
    Event arrived;
    arrived.record(copy_);
    arrived.hold(consumer);
    return s.device;
}

void Loader::release(int chunk, cudaStream_t consumer) {
    slots_[chunk % slots_.size()].consumed.record(consumer);
}

}  // namespace scope
