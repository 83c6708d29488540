#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <vector>

struct CudaError : std::runtime_error {
    using std::runtime_error::runtime_error;
};
inline void check(cudaError_t e) {
    if (e != cudaSuccess) throw CudaError(cudaGetErrorName(e));
}

struct GraphExecDelete {
    void operator()(cudaGraphExec_t g) const noexcept { cudaGraphExecDestroy(g); }
};
using GraphExec = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, GraphExecDelete>;

template <auto Fn>
struct Deleter {
    template <class T>
    void operator()(T* p) const noexcept {
        Fn(p);
    }
};
inline void free_device(void* p) { cudaFree(p); }
inline void free_pinned(void* p) { cudaFreeHost(p); }
using DeviceWords = std::unique_ptr<std::uint32_t[], Deleter<free_device>>;
using PinnedWords = std::unique_ptr<std::uint32_t[], Deleter<free_pinned>>;

inline constexpr std::size_t kTaps = 1024;
using TapSource = std::function<std::uint32_t(std::size_t)>;

class DenoiseNet {
public:
    DenoiseNet(std::size_t pixels, std::size_t layers);
    ~DenoiseNet();
    DenoiseNet(const DenoiseNet&) = delete;
    DenoiseNet& operator=(const DenoiseNet&) = delete;

    DenoiseNet& layer(TapSource taps);
    void build();
    std::vector<std::uint32_t> infer(const std::vector<std::uint32_t>& image);

private:
    void enqueue_layer(std::size_t index, const TapSource& taps);

    std::size_t pixels_;
    std::size_t layers_;
    std::vector<TapSource> sources_;
    cudaStream_t stream_{};
    PinnedWords staging_;
    PinnedWords image_;
    DeviceWords taps_;
    DeviceWords state_;
    GraphExec exec_;
};
