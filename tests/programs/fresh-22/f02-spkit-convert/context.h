#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace spkit {

class cuda_error : public std::runtime_error {
 public:
  cuda_error(cudaError_t code, const char* file, int line)
      : std::runtime_error(std::string(cudaGetErrorName(code)) + " at " + file + ":" + std::to_string(line)), code_(code) {}
  cudaError_t code() const noexcept { return code_; }

 private:
  cudaError_t code_;
};

#define SPKIT_TRY(call)                                                \
  do {                                                                 \
    const cudaError_t spkit_status_ = (call);                          \
    if (spkit_status_ != cudaSuccess) {                                \
      throw ::spkit::cuda_error(spkit_status_, __FILE__, __LINE__);    \
    }                                                                  \
  } while (0)

/// Owning stream. Library code never runs in the legacy stream of the application.
class stream {
 public:
  stream() { SPKIT_TRY(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking)); }
  ~stream() {
    if (handle_ != nullptr) cudaStreamDestroy(handle_);
  }
  stream(stream&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;

  cudaStream_t get() const noexcept { return handle_; }
  void synchronize() const { SPKIT_TRY(cudaStreamSynchronize(handle_)); }

 private:
  cudaStream_t handle_ = nullptr;
};

/// Device array which only grows, so that repeated conversions do not allocate.
template <typename T>
class buffer {
 public:
  buffer() = default;
  ~buffer() { cudaFree(data_); }
  buffer(buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(other.size_), capacity_(std::exchange(other.capacity_, 0)) {}
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;

  T* reserve(std::size_t count) {
    if (count > capacity_) {
      SPKIT_TRY(cudaFree(data_));
      data_ = nullptr;
      SPKIT_TRY(cudaMalloc(&data_, count * sizeof(T)));
      capacity_ = count;
    }
    size_ = count;
    return data_;
  }
  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// One context for each host thread: a stream and the scratch memory of the algorithms.
class context {
 public:
  context() = default;
  cudaStream_t stream_handle() const noexcept { return stream_.get(); }
  const stream& main_stream() const noexcept { return stream_; }
  buffer<unsigned char>& cub_storage() noexcept { return cub_storage_; }
  buffer<int>& counts() noexcept { return counts_; }
  buffer<int>& cursor() noexcept { return cursor_; }

 private:
  stream stream_;
  buffer<unsigned char> cub_storage_;
  buffer<int> counts_;
  buffer<int> cursor_;
};

}  // namespace spkit
