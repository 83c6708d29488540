#pragma once
#include <cuda.h>
#include <cuda_runtime.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace replay {

template <class Rc>
void demand(Rc rc) {
    if (static_cast<int>(rc) == 0) return;
    std::printf("ERROR %s\n", cudaGetErrorName(static_cast<cudaError_t>(rc)));
    std::fflush(stdout);
    std::_Exit(1);
}

using Millis = std::chrono::duration<double, std::milli>;

// Adds the lifetime of the object to the given figure.
class Span {
public:
    explicit Span(Millis& into) : into_(into), t0_(std::chrono::steady_clock::now()) {}
    ~Span() { into_ += std::chrono::steady_clock::now() - t0_; }
    Span(const Span&) = delete;
    Span& operator=(const Span&) = delete;

private:
    Millis& into_;
    std::chrono::steady_clock::time_point t0_;
};

}  // namespace replay
