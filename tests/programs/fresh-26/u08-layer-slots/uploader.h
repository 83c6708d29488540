#pragma once
#include "model.h"

#include <cstring>
#include <memory>
#include <stdexcept>

namespace llm {

struct PinnedFree {
    void operator()(int* p) const { cudaFreeHost(p); }
};

// Small host arrays on their way to the device, through pinned slots: one for
// each array of a pass.
class Uploader {
public:
    Uploader(cudaStream_t stream, std::size_t entries, std::size_t slots) : stream_(stream), entries_(entries)
    {
        slots_.reserve(slots);
        for (std::size_t i = 0; i < slots; ++i) {
            void* p = nullptr;
            verify(cudaMallocHost(&p, entries * sizeof(int)));
            slots_.emplace_back(static_cast<int*>(p));
        }
    }

    void begin_pass()
    {
        cudaStreamCaptureStatus st = cudaStreamCaptureStatusNone;
        verify(cudaStreamIsCapturing(stream_, &st));
        if (st == cudaStreamCaptureStatusNone)
            verify(cudaStreamSynchronize(stream_));
        next_ = 0;
    }

    void push(int* device, const std::vector<int>& host)
    {
        if (next_ == slots_.size())
            throw std::length_error("uploader");
        int* slot = slots_[next_++].get();
        std::memcpy(slot, host.data(), entries_ * sizeof(int));
        verify(cudaMemcpyAsync(device, slot, entries_ * sizeof(int), cudaMemcpyHostToDevice, stream_));
    }

private:
    cudaStream_t stream_;
    std::size_t entries_;
    std::size_t next_ = 0;
    std::vector<std::unique_ptr<int, PinnedFree>> slots_;
};

} // namespace llm
