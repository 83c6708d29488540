#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

namespace fovea {

constexpr int kTaps = 9;
using Kernel = std::array<int, kTaps>;

struct Level {
    int width;
    int spread;
};

struct Failure : std::runtime_error {
    explicit Failure(cudaError_t c) : std::runtime_error(cudaGetErrorName(c)) {}
};

inline void check(cudaError_t c)
{
    if (c != cudaSuccess) throw Failure(c);
}

Kernel make_kernel(const Level& level);

template <class T>
using Buffer = std::unique_ptr<T[], std::function<void(T*)>>;

template <class T>
Buffer<T> on_device(std::size_t n)
{
    T* p = nullptr;
    check(cudaMalloc(reinterpret_cast<void**>(&p), n * sizeof(T)));
    return Buffer<T>(p, [](T* q) { cudaFree(q); });
}

template <class T>
Buffer<T> page_locked(std::size_t n)
{
    T* p = nullptr;
    check(cudaMallocHost(reinterpret_cast<void**>(&p), n * sizeof(T)));
    return Buffer<T>(p, [](T* q) { cudaFreeHost(q); });
}

// Filters one scanline into several levels of falling acuity; built once and replayed for each frame.
class FoveaPlan {
public:
    explicit FoveaPlan(std::vector<Level> levels);
    ~FoveaPlan();

    void build();
    std::vector<int> run(const std::vector<int>& scanline);
    std::size_t offset(std::size_t level) const;
    const std::vector<Level>& levels() const { return levels_; }

private:
    void enqueue(std::size_t index);

    std::vector<Level> levels_;
    Buffer<int> taps_host_, taps_, line_, output_;
    cudaStream_t stream_{};
    std::optional<cudaGraphExec_t> exec_;
};

}  // namespace fovea
