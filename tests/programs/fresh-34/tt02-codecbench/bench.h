// bench.h - resources and results of the bench
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace bench {

struct Failure { cudaError_t code; };

inline void must(cudaError_t e)
{
    if (e != cudaSuccess)
        throw Failure{e};
}

struct StreamGone { void operator()(cudaStream_t s) const { cudaStreamDestroy(s); } };
struct EventGone  { void operator()(cudaEvent_t e) const { cudaEventDestroy(e); } };
struct DeviceGone { void operator()(void *p) const { cudaFree(p); } };
struct PinnedGone { void operator()(void *p) const { cudaFreeHost(p); } };

using Stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, StreamGone>;
using Event  = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, EventGone>;
template <class T> using Device = std::unique_ptr<T[], DeviceGone>;
template <class T> using Pinned = std::unique_ptr<T[], PinnedGone>;

inline Stream make_stream()
{
    cudaStream_t s{};
    must(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return Stream{s};
}

inline Event make_event()
{
    cudaEvent_t e{};
    must(cudaEventCreate(&e));
    return Event{e};
}

template <class T> Device<T> make_device(std::size_t n)
{
    T *p{};
    must(cudaMalloc(&p, n * sizeof(T)));
    return Device<T>{p};
}

template <class T> Pinned<T> make_pinned(std::size_t n)
{
    T *p{};
    must(cudaMallocHost(&p, n * sizeof(T)));
    return Pinned<T>{p};
}

// the two engines of the device that a codec uses
struct Lanes {
    Stream compute;
    Stream transfer;
};

struct Row {
    std::optional<float> reported_ms;   // by the events
    double               wall_ms;       // by the clock of the host
    long                 mismatches;
};

} // namespace bench
