#pragma once
#include <cuda_runtime.h>
#include <array>
#include <cstddef>

// Ring of pinned slots through which a producer hands arrays to the device.
template <class T, int Depth>
class StagingRing {
public:
    cudaError_t open(std::size_t count)
    {
        count_ = count;
        cudaError_t e = cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);
        if (e == cudaSuccess)
            e = cudaEventCreateWithFlags(&uploaded_, cudaEventDisableTiming);
        for (Slot &s : slots_) {
            if (e == cudaSuccess)
                e = cudaMallocHost(&s.host, count * sizeof(T));
            if (e == cudaSuccess)
                e = cudaEventCreateWithFlags(&s.idle, cudaEventDisableTiming);
        }
        return e;
    }

    // Host storage of the next slot.
    cudaError_t acquire(T **out)
    {
        Slot &s = slots_[head_ % Depth];
        cudaError_t e = cudaEventSynchronize(s.idle);
        *out = s.host;
        return e;
    }

    // Sends the acquired slot to dst as soon as the consumer has finished with dst.
    cudaError_t commit(T *dst, cudaEvent_t consumer)
    {
        Slot &s = slots_[head_ % Depth];
        cudaError_t e = cudaEventRecord(s.idle, stream_);
        if (e == cudaSuccess)
            e = cudaStreamWaitEvent(stream_, consumer, 0);
        if (e == cudaSuccess)
            e = cudaMemcpyAsync(dst, s.host, count_ * sizeof(T), cudaMemcpyHostToDevice, stream_);
        if (e == cudaSuccess)
            e = cudaEventRecord(uploaded_, stream_);
        ++head_;
        return e;
    }

    cudaEvent_t uploaded() const { return uploaded_; }

    void close()
    {
        cudaStreamSynchronize(stream_);
        for (Slot &s : slots_) {
            cudaEventDestroy(s.idle);
            cudaFreeHost(s.host);
        }
        cudaEventDestroy(uploaded_);
        cudaStreamDestroy(stream_);
    }

private:
    struct Slot {
        T *host = nullptr;
        cudaEvent_t idle = nullptr;
    };
    std::array<Slot, Depth> slots_{};
    std::size_t count_ = 0;
    unsigned head_ = 0;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t uploaded_ = nullptr;
};
