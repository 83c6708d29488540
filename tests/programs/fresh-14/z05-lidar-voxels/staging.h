#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace lidar {

inline void require(cudaError_t e)
{
    if (e == cudaSuccess)
        return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

struct Point {
    float x, y, z;
    int intensity;
};

// Pinned staging area of a few sweeps; sweeps leave it in the order in which they were acquired.
class StagingRing {
public:
    static constexpr std::size_t kSlots = 3;

    explicit StagingRing(std::size_t points_per_sweep) : capacity_(points_per_sweep)
    {
        for (Slot& s : slots_) {
            require(cudaMallocHost(&s.host, capacity_ * sizeof(Point)));
            require(cudaEventCreateWithFlags(&s.copied, cudaEventDisableTiming));
        }
    }
    ~StagingRing()
    {
        for (Slot& s : slots_) {
            cudaEventDestroy(s.copied);
            cudaFreeHost(s.host);
        }
    }
    StagingRing(const StagingRing&) = delete;
    StagingRing& operator=(const StagingRing&) = delete;

    std::size_t capacity() const { return capacity_; }

    Point* acquire(cudaStream_t stream)
    {
        Slot& s = slots_[head_];
        require(cudaStreamWaitEvent(stream, s.copied, 0));
        return s.host;
    }

    void upload(Point* dst, std::size_t count, cudaStream_t stream)
    {
        Slot& s = slots_[head_];
        require(cudaMemcpyAsync(dst, s.host, count * sizeof(Point), cudaMemcpyHostToDevice, stream));
        require(cudaEventRecord(s.copied, stream));
        head_ = (head_ + 1) % kSlots;
    }

private:
    struct Slot {
        Point* host = nullptr;
        cudaEvent_t copied = nullptr;
    };
    std::size_t capacity_;
    std::array<Slot, kSlots> slots_{};
    std::size_t head_ = 0;
};

}  // namespace lidar
