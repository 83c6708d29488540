#include "KX_Cuda_Instance.hpp"
#include <cstring>

namespace KX {
namespace Impl {

CudaInternalDevice& CudaInternalDevice::singleton() {
  static CudaInternalDevice self;
  return self;
}

void CudaInternalDevice::initialize(int device_id) {
  if (is_initialized()) return;
  m_device = device_id;
  KX_IMPL_CUDA_SAFE_CALL(cudaSetDevice(device_id));
  KX_IMPL_CUDA_SAFE_CALL(cudaDeviceGetAttribute(&m_sm_count, cudaDevAttrMultiProcessorCount, device_id));
  KX_IMPL_CUDA_SAFE_CALL(cudaMalloc(&m_driver_dev, MaxDriverSize));
  KX_IMPL_CUDA_SAFE_CALL(cudaMallocHost(&m_driver_staging, MaxDriverSize));
  KX_IMPL_CUDA_SAFE_CALL(cudaEventCreateWithFlags(&m_driver_reusable, cudaEventDisableTiming));
}

void CudaInternalDevice::finalize() {
  if (!is_initialized()) return;
  wait_driver_storage();
  KX_IMPL_CUDA_SAFE_CALL(cudaEventDestroy(m_driver_reusable));
  KX_IMPL_CUDA_SAFE_CALL(cudaFreeHost(m_driver_staging));
  KX_IMPL_CUDA_SAFE_CALL(cudaFree(m_driver_dev));
  m_driver_dev = nullptr;
}

void CudaInternalDevice::wait_driver_storage() {
  KX_IMPL_CUDA_SAFE_CALL(cudaEventSynchronize(m_driver_reusable));
}

void CudaInternalDevice::record_driver_storage(cudaStream_t stream) {
  KX_IMPL_CUDA_SAFE_CALL(cudaEventRecord(m_driver_reusable, stream));
}

void CudaInternalDevice::stage_driver(const void* driver, std::size_t size, cudaStream_t stream) {
  if (size > MaxDriverSize) throw std::runtime_error("KX: functor exceeds the driver storage");
  std::memcpy(m_driver_staging, driver, size);
  KX_IMPL_CUDA_SAFE_CALL(cudaMemcpyAsync(m_driver_dev, m_driver_staging, size, cudaMemcpyHostToDevice, stream));
}

CudaInternal::CudaInternal(cudaStream_t stream, bool manage_stream) : m_stream(stream), m_manage_stream(manage_stream) {
  KX_IMPL_CUDA_SAFE_CALL(cudaMalloc(&m_scratch, sizeof(double)));
  KX_IMPL_CUDA_SAFE_CALL(cudaMallocHost(&m_result, sizeof(double)));
}

CudaInternal::~CudaInternal() {
  cudaStreamSynchronize(m_stream);
  cudaFree(m_scratch);
  cudaFreeHost(m_result);
  if (m_manage_stream) cudaStreamDestroy(m_stream);
}

void CudaInternal::fence(const char* name) const {
  const cudaError_t e = cudaStreamSynchronize(m_stream);
  if (e != cudaSuccess) cuda_internal_error_throw(e, name, __FILE__, __LINE__);
}

static cudaStream_t create_stream() {
  cudaStream_t s;
  KX_IMPL_CUDA_SAFE_CALL(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  return s;
}
}  // namespace Impl

Cuda::Cuda() : m_space(std::make_shared<Impl::CudaInternal>(Impl::create_stream(), true)) {}
Cuda::Cuda(cudaStream_t stream) : m_space(std::make_shared<Impl::CudaInternal>(stream, false)) {}

void initialize(int device) { Impl::CudaInternalDevice::singleton().initialize(device); }
void finalize() { Impl::CudaInternalDevice::singleton().finalize(); }
}  // namespace KX
