#ifndef LX_CORE_HPP
#define LX_CORE_HPP

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>

namespace lx {
namespace Impl {

[[noreturn]] void throw_cuda_error(cudaError_t status, const char* call, const char* file, int line);

inline void check(cudaError_t status, const char* call, const char* file, int line) {
  if (status != cudaSuccess) throw_cuda_error(status, call, file, line);
}

}  // namespace Impl

#define LX_SAFE_CALL(call) ::lx::Impl::check((call), #call, __FILE__, __LINE__)

class CudaFailure : public std::runtime_error {
 public:
  CudaFailure(cudaError_t status, const std::string& what) : std::runtime_error(what), code(status) {}
  const cudaError_t code;
};

/// Brings up the device and all kernels of the library. To be called once, before anything else.
void initialize();

/// Execution space instance: a stream that belongs to the client.
class Cuda {
 public:
  explicit Cuda(cudaStream_t stream) : m_stream(stream) {}
  cudaStream_t cuda_stream() const { return m_stream; }
  void fence() const { LX_SAFE_CALL(cudaStreamSynchronize(m_stream)); }

 private:
  cudaStream_t m_stream;
};

struct CudaSpace {
  static void* allocate(std::size_t bytes) {
    void* ptr = nullptr;
    LX_SAFE_CALL(cudaMalloc(&ptr, bytes));
    LX_SAFE_CALL(cudaMemset(ptr, 0, bytes));
    return ptr;
  }
  static void deallocate(void* ptr) { (void)cudaFree(ptr); }
};

struct CudaHostPinnedSpace {
  static void* allocate(std::size_t bytes) {
    void* ptr = nullptr;
    LX_SAFE_CALL(cudaHostAlloc(&ptr, bytes, cudaHostAllocMapped | cudaHostAllocPortable));
    return ptr;
  }
  static void deallocate(void* ptr) { (void)cudaFreeHost(ptr); }
};

/// Reference counted one-dimensional array in a memory space.
template <class T, class Space = CudaSpace>
class View {
 public:
  using value_type = T;
  using memory_space = Space;

  View() = default;
  View(const char* label, std::size_t n)
      : m_label(label),
        m_data(static_cast<T*>(Space::allocate(n * sizeof(T))), [](T* p) { Space::deallocate(p); }),
        m_size(n) {}

  T* data() const { return m_data.get(); }
  std::size_t size() const { return m_size; }
  const std::string& label() const { return m_label; }
  bool is_allocated() const { return m_data != nullptr; }

 private:
  std::string m_label;
  std::shared_ptr<T> m_data;
  std::size_t m_size = 0;
};

template <class T>
void deep_copy(const Cuda& space, const View<T>& dst, const T* host) {
  LX_SAFE_CALL(cudaMemcpyAsync(dst.data(), host, dst.size() * sizeof(T), cudaMemcpyHostToDevice,
                               space.cuda_stream()));
  space.fence();
}

template <class T>
void deep_copy(const Cuda& space, T* host, const View<T>& src) {
  LX_SAFE_CALL(cudaMemcpyAsync(host, src.data(), src.size() * sizeof(T), cudaMemcpyDeviceToHost,
                               space.cuda_stream()));
  space.fence();
}

// Vector operations, enqueued on the space.
void axpy(const Cuda& space, double a, const View<double>& x, const View<double>& y);
void xpby(const Cuda& space, const View<double>& x, double b, const View<double>& y);
void laplace(const Cuda& space, double shift, const View<double>& x, const View<double>& y);

}  // namespace lx

#endif
