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
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    check(cudaThreadExchangeStreamCaptureMode(&mode));
    const cudaError_t code = cudaMallocHost(&memory, sizeof(Segment) * static_cast<std::size_t>(capacity_));
    check(cudaThreadExchangeStreamCaptureMode(&mode));
    check(code);
    return PinnedTable(static_cast<Segment*>(memory));
}

const Segment* Workspace::upload(const Segment* segments, int count, cudaStream_t stream) {
    if (count > capacity_) throw std::length_error("too many segments");
    const std::size_t bytes = sizeof(Segment) * static_cast<std::size_t>(count);
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    check(cudaStreamIsCapturing(stream, &status));

    if (status != cudaStreamCaptureStatusNone) {
        captured_.push_back(makeTable());
        Segment* table = captured_.back().get();
        std::copy_n(segments, count, table);
        check(cudaMemcpyAsync(device_, table, bytes, cudaMemcpyHostToDevice, stream));
        return device_;
    }
    check(cudaEventSynchronize(uploaded_));
    std::copy_n(segments, count, host_.get());
    check(cudaMemcpyAsync(device_, host_.get(), bytes, cudaMemcpyHostToDevice, stream));
    check(cudaEventRecord(uploaded_, stream));
    return device_;
}

}  // namespace ragged
