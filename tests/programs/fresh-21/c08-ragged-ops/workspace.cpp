#include "workspace.h"

#include <algorithm>

namespace ragged {

Workspace::Workspace(int maxSegments) : capacity_(maxSegments) {
    host_ = makeTable();
    check(cudaMalloc(&device_, sizeof(Segment) * static_cast<std::size_t>(capacity_)));
    check(cudaEventCreateWithFlags(&uploaded_, cudaEventDisableTiming));
}

Workspace::~Workspace() {
    cudaEventDestroy(uploaded_);
    cudaFree(device_);
}

Workspace::PinnedTable Workspace::makeTable() const {
    void* memory = nullptr;
    check(cudaMallocHost(&memory, sizeof(Segment) * static_cast<std::size_t>(capacity_)));
    return PinnedTable(static_cast<Segment*>(memory));
}

const Segment* Workspace::upload(const Segment* segments, int count, cudaStream_t stream) {
    if (count > capacity_) throw std::length_error("too many segments");
    const std::size_t bytes = sizeof(Segment) * static_cast<std::size_t>(count);
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    check(cudaStreamIsCapturing(stream, &status));
    const bool capturing = status != cudaStreamCaptureStatusNone;

    if (!capturing) check(cudaEventSynchronize(uploaded_));
    std::copy_n(segments, count, host_.get());
    check(cudaMemcpyAsync(device_, host_.get(), bytes, cudaMemcpyHostToDevice, stream));
    if (!capturing) check(cudaEventRecord(uploaded_, stream));
    return device_;
}

}  // namespace ragged
