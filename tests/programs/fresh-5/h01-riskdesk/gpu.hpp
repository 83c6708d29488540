#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>

namespace gpu {

class failure : public std::runtime_error {
public:
    explicit failure(cudaError_t code) : std::runtime_error(cudaGetErrorString(code)), code_(code) {}
    const char* name() const noexcept { return cudaGetErrorName(code_); }

private:
    cudaError_t code_;
};

inline void ok(cudaError_t code)
{
    if (code != cudaSuccess) throw failure(code);
}

template <class T>
std::shared_ptr<T> make_device(std::size_t count)
{
    void* raw = nullptr;
    ok(cudaMalloc(&raw, count * sizeof(T)));
    return {static_cast<T*>(raw), [](T* p) { cudaFree(p); }};
}

// Host object that kernels can address through UVA.
template <class T, class... Args>
std::unique_ptr<T, void (*)(T*)> make_shared_page(Args&&... args)
{
    void* raw = nullptr;
    ok(cudaHostAlloc(&raw, sizeof(T), cudaHostAllocMapped));
    return {new (raw) T{std::forward<Args>(args)...}, [](T* p) { p->~T(); cudaFreeHost(p); }};
}

class stream {
public:
    stream() { ok(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking)); }
    ~stream() { cudaStreamDestroy(handle_); }
    stream(const stream&) = delete;
    stream& operator=(const stream&) = delete;
    operator cudaStream_t() const noexcept { return handle_; }
    void drain() const { ok(cudaStreamSynchronize(handle_)); }

private:
    cudaStream_t handle_{};
};

}  // namespace gpu
