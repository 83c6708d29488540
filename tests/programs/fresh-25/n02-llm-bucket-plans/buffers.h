#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <memory>
#include <stdexcept>

namespace llm {

class DeviceError : public std::runtime_error {
public:
    explicit DeviceError(cudaError_t code)
        : std::runtime_error(cudaGetErrorName(code)), code_(code) {}
    cudaError_t code() const noexcept { return code_; }

private:
    cudaError_t code_;
};

inline void check(cudaError_t code) {
    if (code != cudaSuccess) throw DeviceError(code);
}

struct DeviceDeleter {
    void operator()(void* p) const noexcept { cudaFree(p); }
};
struct PinnedDeleter {
    void operator()(void* p) const noexcept { cudaFreeHost(p); }
};

template <class T> using DevicePtr = std::unique_ptr<T[], DeviceDeleter>;
template <class T> using PinnedPtr = std::unique_ptr<T[], PinnedDeleter>;

template <class T> DevicePtr<T> makeDevice(std::size_t n) {
    void* p = nullptr;
    check(cudaMalloc(&p, n * sizeof(T)));
    return DevicePtr<T>(static_cast<T*>(p));
}

template <class T> PinnedPtr<T> makePinned(std::size_t n) {
    void* p = nullptr;
    check(cudaMallocHost(&p, n * sizeof(T)));
    return PinnedPtr<T>(static_cast<T*>(p));
}

}  // namespace llm
