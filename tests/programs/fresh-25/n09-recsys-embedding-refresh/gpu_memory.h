#pragma once
#include "recsys.h"
#include <memory>

namespace recsys {

namespace detail {
inline float* allocDevice(std::size_t n) {
    void* p = nullptr;
    GPU_OK(cudaMalloc(&p, n * sizeof(float)));
    return static_cast<float*>(p);
}
inline float* allocPinned(std::size_t n) {
    void* p = nullptr;
    GPU_OK(cudaMallocHost(&p, n * sizeof(float)));
    return static_cast<float*>(p);
}
}  // namespace detail

using SharedFloats = std::shared_ptr<float>;

inline SharedFloats deviceFloats(std::size_t n) {
    return SharedFloats(detail::allocDevice(n), [](float* p) { cudaFree(p); });
}
inline SharedFloats pinnedFloats(std::size_t n) {
    return SharedFloats(detail::allocPinned(n), [](float* p) { cudaFreeHost(p); });
}

}  // namespace recsys
