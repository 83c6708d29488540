#pragma once
#include <cstring>

#include "staging.h"

// Copies host spans to the device by way of the staging ring.
class Uploader {
public:
    explicit Uploader(StagingRing& ring) : ring_(ring) {}

    template <class T>
    void push(const T* src, std::size_t n, T* dst, cudaStream_t stream) {
        const std::size_t bytes = n * sizeof(T);
        StagingRing::Slot& slot = ring_.acquire();
        std::memcpy(slot.host, src, bytes);
        ok(cudaMemcpyAsync(dst, slot.host, bytes, cudaMemcpyHostToDevice, stream));
        ring_.commit(slot);
    }

private:
    StagingRing& ring_;
};
