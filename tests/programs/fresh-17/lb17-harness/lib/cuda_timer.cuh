#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define GPUMARK_CUDA_CALL(call)                                                             \
  do                                                                                        \
  {                                                                                         \
    const cudaError_t gpumark_err = (call);                                                 \
    if (gpumark_err != cudaSuccess)                                                         \
    {                                                                                       \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(gpumark_err)); \
      std::exit(EXIT_FAILURE);                                                              \
    }                                                                                       \
  } while (false)

namespace gpumark::detail
{

struct cuda_timer
{
  cuda_timer()
  {
    GPUMARK_CUDA_CALL(cudaEventCreate(&m_start));
    GPUMARK_CUDA_CALL(cudaEventCreate(&m_stop));
  }
  ~cuda_timer()
  {
    cudaEventDestroy(m_start);
    cudaEventDestroy(m_stop);
  }
  cuda_timer(const cuda_timer &)            = delete;
  cuda_timer &operator=(const cuda_timer &) = delete;

  void start(cudaStream_t stream) { GPUMARK_CUDA_CALL(cudaEventRecord(m_start, stream)); }
  void stop(cudaStream_t stream) { GPUMARK_CUDA_CALL(cudaEventRecord(m_stop, stream)); }
  bool ready() const { return cudaEventQuery(m_stop) == cudaSuccess; }

  // In seconds; both events must have passed.
  double get_duration() const
  {
    float ms = 0.f;
    GPUMARK_CUDA_CALL(cudaEventElapsedTime(&ms, m_start, m_stop));
    return ms * 1e-3;
  }

private:
  cudaEvent_t m_start{};
  cudaEvent_t m_stop{};
};

// Overwrites the L2 cache ahead of a sample
struct l2flush
{
  l2flush()
  {
    int device = 0;
    int size   = 0;
    GPUMARK_CUDA_CALL(cudaGetDevice(&device));
    GPUMARK_CUDA_CALL(cudaDeviceGetAttribute(&size, cudaDevAttrL2CacheSize, device));
    m_size = static_cast<std::size_t>(size);
    if (m_size > 0)
    {
      GPUMARK_CUDA_CALL(cudaMalloc(&m_buffer, m_size));
    }
  }
  ~l2flush() { cudaFree(m_buffer); }
  l2flush(const l2flush &)            = delete;
  l2flush &operator=(const l2flush &) = delete;

  void flush(cudaStream_t stream)
  {
    if (m_size > 0)
    {
      GPUMARK_CUDA_CALL(cudaMemsetAsync(m_buffer, 0, m_size, stream));
    }
  }

private:
  std::size_t m_size{};
  void *m_buffer{};
};

} // namespace gpumark::detail
