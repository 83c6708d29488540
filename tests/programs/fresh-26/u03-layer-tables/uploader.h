#pragma once
#include "model.h"

#include <array>
#include <cstring>
#include <memory>

namespace llm {

struct PinnedFree {
    void operator()(int* p) const { cudaFreeHost(p); }
};

// Small host arrays on their way to the device, through a ring of pinned slots.
class Uploader {
public:
    Uploader(cudaStream_t stream, std::size_t entries) : stream_(stream), entries_(entries)
    {
        for (auto& s : slots_) {
            void* p = nullptr;
            verify(cudaMallocHost(&p, entries * sizeof(int)));
            s.reset(static_cast<int*>(p));
        }
    }

    void push(int* device, const std::vector<int>& host)
    {
        if (next_ == slots_.size())
            rewind();
        int* slot = slots_[next_++].get();
        std::memcpy(slot, host.data(), entries_ * sizeof(int));
        verify(cudaMemcpyAsync(device, slot, entries_ * sizeof(int), cudaMemcpyHostToDevice, stream_));
    }

private:
    void rewind()
    {
        cudaStreamCaptureStatus st = cudaStreamCaptureStatusNone;
        verify(cudaStreamIsCapturing(stream_, &st));
        if (st == cudaStreamCaptureStatusNone)
            verify(cudaStreamSynchronize(stream_));
        next_ = 0;
    }

    cudaStream_t stream_;
    std::size_t entries_;
    std::size_t next_ = 0;
    std::array<std::unique_ptr<int, PinnedFree>, 4> slots_;
};

} // namespace llm
