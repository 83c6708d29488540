/*!
 * \file device_helpers.cuh
 */
#pragma once

#include <cuda_runtime.h>
#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace dh {

inline cudaError_t ThrowOnCudaError(cudaError_t code, char const *file, int line) {
  if (code != cudaSuccess) {
    cudaGetLastError();
    throw thrust::system_error(code, thrust::cuda_category(),
                               std::string{file} + "(" + std::to_string(line) + ")");
  }
  return code;
}

#define safe_cuda(ans) ::dh::ThrowOnCudaError((ans), __FILE__, __LINE__)

template <typename T>
struct Span {
  T *ptr{nullptr};
  std::size_t len{0};
  __host__ __device__ T &operator[](std::size_t i) const { return ptr[i]; }
  __host__ __device__ T *data() const { return ptr; }
  __host__ __device__ std::size_t size() const { return len; }
  __host__ __device__ Span subspan(std::size_t off, std::size_t n) const { return {ptr + off, n}; }
};

class CUDAEvent {
  cudaEvent_t event_{nullptr};

 public:
  CUDAEvent() { safe_cuda(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  ~CUDAEvent() {
    if (event_) { cudaEventDestroy(event_); }
  }
  CUDAEvent(CUDAEvent const &) = delete;
  CUDAEvent &operator=(CUDAEvent const &) = delete;

  inline void Record(class CUDAStreamView stream);
  operator cudaEvent_t() const { return event_; }
};

class CUDAStreamView {
  cudaStream_t stream_{nullptr};

 public:
  explicit CUDAStreamView(cudaStream_t s) : stream_{s} {}
  void Wait(CUDAEvent const &e) { safe_cuda(cudaStreamWaitEvent(stream_, cudaEvent_t{e}, 0)); }
  void Sync() { safe_cuda(cudaStreamSynchronize(stream_)); }
  operator cudaStream_t() const { return stream_; }
};

inline void CUDAEvent::Record(CUDAStreamView stream) { safe_cuda(cudaEventRecord(event_, cudaStream_t{stream})); }

class CUDAStream {
  cudaStream_t stream_{nullptr};

 public:
  CUDAStream() { safe_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~CUDAStream() { cudaStreamDestroy(stream_); }
  CUDAStream(CUDAStream const &) = delete;
  CUDAStream &operator=(CUDAStream const &) = delete;
  CUDAStreamView View() const { return CUDAStreamView{stream_}; }
};

/*! \brief Grow-only device array without initialisation. */
template <typename T>
class DeviceArray {
  T *ptr_{nullptr};
  std::size_t n_{0};

 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t n) { Resize(n); }
  ~DeviceArray() { cudaFree(ptr_); }
  DeviceArray(DeviceArray const &) = delete;
  DeviceArray &operator=(DeviceArray const &) = delete;

  void Resize(std::size_t n) {
    if (n <= n_) { return; }
    safe_cuda(cudaFree(ptr_));
    ptr_ = nullptr;
    safe_cuda(cudaMalloc(&ptr_, n * sizeof(T)));
    n_ = n;
  }
  void Swap(DeviceArray &that) {
    std::swap(ptr_, that.ptr_);
    std::swap(n_, that.n_);
  }
  Span<T> ToSpan() const { return {ptr_, n_}; }
  T *Data() const { return ptr_; }
};

/*! \brief Grow-only pinned host memory, typed on access. */
class PinnedMemory {
  void *ptr_{nullptr};
  std::size_t bytes_{0};

 public:
  PinnedMemory() = default;
  ~PinnedMemory() { cudaFreeHost(ptr_); }
  PinnedMemory(PinnedMemory const &) = delete;
  PinnedMemory &operator=(PinnedMemory const &) = delete;

  template <typename T>
  Span<T> GetSpan(std::size_t n) {
    if (n * sizeof(T) > bytes_) {
      safe_cuda(cudaFreeHost(ptr_));
      safe_cuda(cudaMallocHost(&ptr_, n * sizeof(T)));
      bytes_ = n * sizeof(T);
    }
    return {static_cast<T *>(ptr_), n};
  }
};

}  // namespace dh
