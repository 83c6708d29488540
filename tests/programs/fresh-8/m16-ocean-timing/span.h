#pragma once
#include <cuda_runtime.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

template <class... Rc>
inline void all_ok(Rc... rcs)
{
    for (cudaError_t rc : {rcs...}) {
        if (rc == cudaSuccess) continue;
        std::printf("ERROR %s\n", cudaGetErrorName(rc));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

template <unsigned Flags = cudaEventDefault>
struct event {
    cudaEvent_t h{};
    event() { all_ok(cudaEventCreateWithFlags(&h, Flags)); }
    ~event() { cudaEventDestroy(h); }
    event(const event&) = delete;
    event& operator=(const event&) = delete;
};

// Device time between two points of a stream, in milliseconds.
template <class Body>
double stream_span(cudaStream_t s, Body&& body)
{
    event<> from, to;
    all_ok(cudaEventRecord(from.h, s));
    std::forward<Body>(body)();
    all_ok(cudaEventRecord(to.h, s));
    all_ok(cudaEventSynchronize(to.h));
    float ms = 0;
    all_ok(cudaEventElapsedTime(&ms, from.h, to.h));
    return ms;
}

// Wall time of a callable, in milliseconds.
template <class Body>
double wall_span(Body&& body)
{
    const auto t0 = std::chrono::steady_clock::now();
    std::forward<Body>(body)();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count();
}
