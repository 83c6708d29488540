#pragma once
#include "KX_Macros.hpp"
#include <cstddef>
#include <memory>
#include <mutex>

namespace KX {
namespace Impl {

// Per process device state; owns the area through which large functors reach the device.
class CudaInternalDevice {
 public:
  static CudaInternalDevice& singleton();

  void initialize(int device_id);
  void finalize();
  bool is_initialized() const { return m_driver_dev != nullptr; }

  static constexpr std::size_t MaxDriverSize = 64 * 1024;

  void* driver_storage() const { return m_driver_dev; }

  // Uploads the driver for a kernel of this stream; the area must be free.
  void stage_driver(const void* driver, std::size_t size, cudaStream_t stream);
  void wait_driver_storage();
  void record_driver_storage(cudaStream_t stream);
  std::mutex& driver_mutex() { return m_driver_mutex; }

  int device_id() const { return m_device; }
  int multiprocessor_count() const { return m_sm_count; }

 private:
  int m_device = 0;
  int m_sm_count = 0;
  void* m_driver_dev = nullptr;
  void* m_driver_staging = nullptr;
  cudaEvent_t m_driver_reusable = nullptr;
  std::mutex m_driver_mutex;
};

// One per execution space instance.
class CudaInternal {
 public:
  explicit CudaInternal(cudaStream_t stream, bool manage_stream);
  ~CudaInternal();
  CudaInternal(const CudaInternal&) = delete;
  CudaInternal& operator=(const CudaInternal&) = delete;

  void fence(const char* name) const;
  cudaStream_t stream() const { return m_stream; }
  double* reduce_scratch() const { return m_scratch; }
  double* reduce_result_host() const { return m_result; }

 private:
  cudaStream_t m_stream;
  bool m_manage_stream;
  double* m_scratch = nullptr;
  double* m_result = nullptr;
};
}  // namespace Impl

// Execution space: a handle with shared ownership of the instance.
class Cuda {
 public:
  Cuda();  // a new instance with its own stream
  explicit Cuda(cudaStream_t stream);
  void fence(const char* name = "KX::Cuda::fence: unnamed") const { m_space->fence(name); }
  cudaStream_t cuda_stream() const { return m_space->stream(); }
  const Impl::CudaInternal* impl_internal_space_instance() const { return m_space.get(); }

 private:
  std::shared_ptr<Impl::CudaInternal> m_space;
};

void initialize(int device = 0);
void finalize();
}  // namespace KX
