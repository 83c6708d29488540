#pragma once
#include "cuda_timer.cuh"

namespace gpumark::detail
{

// A primary stream and workers that branch off it.
struct stream_set
{
  explicit stream_set(int workers)
      : m_workers(workers)
      , m_join_events(workers)
  {
    GPUMARK_CUDA_CALL(cudaStreamCreateWithFlags(&m_primary, cudaStreamNonBlocking));
    GPUMARK_CUDA_CALL(cudaEventCreateWithFlags(&m_fork_event, cudaEventDisableTiming));
    for (auto &w : m_workers)
    {
      GPUMARK_CUDA_CALL(cudaStreamCreateWithFlags(&w, cudaStreamNonBlocking));
    }
    for (auto &e : m_join_events)
    {
      GPUMARK_CUDA_CALL(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    }
  }
  ~stream_set()
  {
    for (auto &w : m_workers)
    {
      cudaStreamDestroy(w);
    }
    for (auto &e : m_join_events)
    {
      cudaEventDestroy(e);
    }
    cudaEventDestroy(m_fork_event);
    cudaStreamDestroy(m_primary);
  }
  stream_set(const stream_set &)            = delete;
  stream_set &operator=(const stream_set &) = delete;

  cudaStream_t primary() const { return m_primary; }
  cudaStream_t worker(std::size_t i) const { return m_workers[i % m_workers.size()]; }
  std::size_t size() const { return m_workers.size(); }

  void fork()
  {
    GPUMARK_CUDA_CALL(cudaEventRecord(m_fork_event, m_primary));
    for (auto &w : m_workers)
    {
      GPUMARK_CUDA_CALL(cudaStreamWaitEvent(w, m_fork_event, 0));
    }
  }

  void join()
  {
    for (std::size_t i = 0; i < m_workers.size(); ++i)
    {
      GPUMARK_CUDA_CALL(cudaEventRecord(m_join_events[i], m_workers[i]));
      GPUMARK_CUDA_CALL(cudaStreamWaitEvent(m_primary, m_join_events[i], 0));
    }
  }

private:
  cudaStream_t m_primary{};
  cudaEvent_t m_fork_event{};
  std::vector<cudaStream_t> m_workers;
  std::vector<cudaEvent_t> m_join_events;
};

} // namespace gpumark::detail
