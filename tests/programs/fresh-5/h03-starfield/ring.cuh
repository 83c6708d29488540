#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#define STAR_CHECK(expr)                                              \
    do {                                                              \
        if (const cudaError_t rc_ = (expr); rc_ != cudaSuccess) {     \
            std::printf("ERROR %s\n", cudaGetErrorName(rc_));         \
            std::fflush(stdout);                                      \
            std::_Exit(1);                                            \
        }                                                             \
    } while (0)

namespace star {

using Pixels = std::unique_ptr<unsigned, std::function<void(unsigned*)>>;

inline Pixels device_pixels(std::size_t n)
{
    unsigned* p = nullptr;
    STAR_CHECK(cudaMalloc(reinterpret_cast<void**>(&p), n * sizeof(unsigned)));
    return Pixels(p, [](unsigned* q) { cudaFree(q); });
}

inline Pixels pinned_pixels(std::size_t n)
{
    unsigned* p = nullptr;
    STAR_CHECK(cudaMallocHost(reinterpret_cast<void**>(&p), n * sizeof(unsigned)));
    return Pixels(p, [](unsigned* q) { cudaFreeHost(q); });
}

class Mark {
public:
    Mark() { STAR_CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
    Mark(Mark&& o) noexcept : event_(std::exchange(o.event_, nullptr)) {}
    ~Mark()
    {
        if (event_) cudaEventDestroy(event_);
    }
    void set(cudaStream_t s) { STAR_CHECK(cudaEventRecord(event_, s)); }
    void before(cudaStream_t s) const { STAR_CHECK(cudaStreamWaitEvent(s, event_, 0)); }
    void join() const { STAR_CHECK(cudaEventSynchronize(event_)); }

private:
    cudaEvent_t event_{};
};

struct Slot {
    explicit Slot(std::size_t n)
        : plate(pinned_pixels(n)), catalogue(pinned_pixels(n)), raw(device_pixels(n)), flat(device_pixels(n))
    {
    }
    Pixels plate, catalogue;
    Pixels raw, flat;
    Mark uploaded, computed, downloaded;
};

template <std::size_t N>
struct Engines : std::array<cudaStream_t, N> {
    Engines()
    {
        for (auto& s : *this) STAR_CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    }
    ~Engines()
    {
        for (auto& s : *this) cudaStreamDestroy(s);
    }
};

}  // namespace star
