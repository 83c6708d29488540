#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <stdexcept>

namespace dbx {

struct CudaFailure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline void ok(cudaError_t e) {
    if (e != cudaSuccess) throw CudaFailure(cudaGetErrorName(e));
}

enum class Space { device, pinned };

template <Space S>
struct Release {
    void operator()(void* p) const noexcept {
        if constexpr (S == Space::device)
            cudaFree(p);
        else
            cudaFreeHost(p);
    }
};

template <class T, Space S = Space::device>
using Column = std::unique_ptr<T[], Release<S>>;

template <class T, Space S = Space::device>
Column<T, S> make_column(std::size_t rows) {
    void* p = nullptr;
    if constexpr (S == Space::device)
        ok(cudaMalloc(&p, rows * sizeof(T)));
    else
        ok(cudaHostAlloc(&p, rows * sizeof(T), cudaHostAllocMapped));
    return Column<T, S>(static_cast<T*>(p));
}

struct StreamHandle {
    StreamHandle() { ok(cudaStreamCreateWithFlags(&raw, cudaStreamNonBlocking)); }
    ~StreamHandle() { cudaStreamDestroy(raw); }
    StreamHandle(const StreamHandle&) = delete;
    StreamHandle& operator=(const StreamHandle&) = delete;
    cudaStream_t raw = nullptr;
};

}  // namespace dbx
