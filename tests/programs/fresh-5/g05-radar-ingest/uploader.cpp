#include "uploader.h"

namespace ingest {

void check(cudaError_t e) {
    if (e != cudaSuccess) throw CudaError(e);
}

Uploader::Uploader(std::size_t slot_count, std::size_t samples_per_slot)
    : capacity_(samples_per_slot), slots_(slot_count) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    for (Slot& s : slots_) {
        check(cudaMallocHost(reinterpret_cast<void**>(&s.host), capacity_ * sizeof(float)));
        check(cudaEventCreateWithFlags(&s.idle, cudaEventDisableTiming));
    }
}

Uploader::~Uploader() {
    cudaDeviceSynchronize();
    for (Slot& s : slots_) {
        cudaEventDestroy(s.idle);
        cudaFreeHost(s.host);
    }
    cudaStreamDestroy(stream_);
}

Uploader::Slot& Uploader::next_slot() {
    Slot& s = slots_[cursor_];
    cursor_ = (cursor_ + 1) % slots_.size();
    const cudaError_t state = cudaEventQuery(s.idle);
    if (state == cudaErrorNotReady) {
        ++stalls_;
        check(cudaEventSynchronize(s.idle));
    } else {
        check(state);
    }
    return s;
}

void Uploader::upload(float* device, std::size_t count, const Producer& produce) {
    upload(device, count, produce, stream_);
}

void Uploader::upload(float* device, std::size_t count, const Producer& produce, cudaStream_t stream) {
    if (count > capacity_) throw std::length_error("frame exceeds the staging slot");
    Slot& slot = next_slot();
    produce(slot.host, count);
    check(cudaMemcpyAsync(device, slot.host, count * sizeof(float), cudaMemcpyHostToDevice, stream));
    check(cudaEventRecord(slot.idle, stream));
}

}  // namespace ingest
