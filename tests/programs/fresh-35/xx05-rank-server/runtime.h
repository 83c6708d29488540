// CUDA plumbing of the scoring server: status type, owners of handles, tensors.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <type_traits>

namespace serve {

class RuntimeError : public std::runtime_error {
public:
    explicit RuntimeError(cudaError_t status) : std::runtime_error(cudaGetErrorString(status)), status_(status) {}
    cudaError_t status() const noexcept { return status_; }

private:
    cudaError_t status_;
};

#define SERVE_CALL(call)                                           \
    do {                                                           \
        const cudaError_t status_of_call = (call);                 \
        if (status_of_call != cudaSuccess) {                       \
            throw ::serve::RuntimeError(status_of_call);           \
        }                                                          \
    } while (0)

template <typename Handle, cudaError_t (*Destroy)(Handle)>
struct HandleDeleter {
    using pointer = Handle;
    void operator()(Handle h) const { Destroy(h); }
};

template <typename Handle, cudaError_t (*Destroy)(Handle)>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, HandleDeleter<Handle, Destroy>>;

using StreamHandle = Owned<cudaStream_t, cudaStreamDestroy>;
using EventHandle = Owned<cudaEvent_t, cudaEventDestroy>;
using GraphHandle = Owned<cudaGraph_t, cudaGraphDestroy>;
using GraphExecHandle = Owned<cudaGraphExec_t, cudaGraphExecDestroy>;

inline StreamHandle make_stream() {
    cudaStream_t s = nullptr;
    SERVE_CALL(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return StreamHandle(s);
}

inline EventHandle make_event() {
    cudaEvent_t e = nullptr;
    SERVE_CALL(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    return EventHandle(e);
}

template <typename T>
class Tensor {
public:
    explicit Tensor(std::size_t count) : count_(count) {
        SERVE_CALL(cudaMalloc(reinterpret_cast<void**>(&data_), bytes()));
    }
    ~Tensor() { cudaFree(data_); }
    Tensor(const Tensor&) = delete;
    Tensor& operator=(const Tensor&) = delete;

    T* data() const { return data_; }
    std::size_t count() const { return count_; }
    std::size_t bytes() const { return count_ * sizeof(T); }

    void fill_zero(cudaStream_t stream = nullptr) { SERVE_CALL(cudaMemsetAsync(data_, 0, bytes(), stream)); }

    void assign(const T* values, std::size_t count) {
        SERVE_CALL(cudaMemcpy(data_, values, count * sizeof(T), cudaMemcpyHostToDevice));
    }

private:
    T* data_ = nullptr;
    std::size_t count_ = 0;
};

template <typename T>
class PinnedArray {
public:
    explicit PinnedArray(std::size_t count) : count_(count) {
        SERVE_CALL(cudaMallocHost(reinterpret_cast<void**>(&data_), count * sizeof(T)));
    }
    ~PinnedArray() { cudaFreeHost(data_); }
    PinnedArray(const PinnedArray&) = delete;
    PinnedArray& operator=(const PinnedArray&) = delete;

    T* data() const { return data_; }
    std::size_t count() const { return count_; }
    std::size_t bytes() const { return count_ * sizeof(T); }

private:
    T* data_ = nullptr;
    std::size_t count_ = 0;
};

}  // namespace serve
