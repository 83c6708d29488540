#pragma once
#include "KX_Cuda_KernelLaunch.hpp"
#include <string>

namespace KX {

template <class T>
class View {
 public:
  View() = default;
  View(std::string label, std::size_t n) : m_label(std::make_shared<std::string>(std::move(label))), m_size(n) {
    T* p = nullptr;
    KX_IMPL_CUDA_SAFE_CALL(cudaMalloc(&p, n * sizeof(T)));
    KX_IMPL_CUDA_SAFE_CALL(cudaMemset(p, 0, n * sizeof(T)));
    KX_IMPL_CUDA_SAFE_CALL(cudaDeviceSynchronize());
    m_track = std::shared_ptr<T>(p, [](T* q) { cudaFree(q); });
  }
  T* data() const { return m_track.get(); }
  std::size_t size() const { return m_size; }
  const std::string& label() const { return *m_label; }

 private:
  std::shared_ptr<std::string> m_label;
  std::shared_ptr<T> m_track;
  std::size_t m_size = 0;
};

template <class T>
void deep_copy(const Cuda& exec, T* host_dst, const View<T>& src) {
  KX_IMPL_CUDA_SAFE_CALL(
      cudaMemcpyAsync(host_dst, src.data(), src.size() * sizeof(T), cudaMemcpyDeviceToHost, exec.cuda_stream()));
  exec.fence("KX::deep_copy: host copy");
}

class RangePolicy {
 public:
  RangePolicy(const Cuda& exec, int begin, int end) : m_exec(exec), m_begin(begin), m_end(end) {}
  const Cuda& space() const { return m_exec; }
  int begin() const { return m_begin; }
  int end() const { return m_end; }
  RangePolicy& set_block_size(int b) { m_block = b; return *this; }
  int block_size() const { return m_block; }

 private:
  Cuda m_exec;
  int m_begin, m_end;
  int m_block = 128;
};

namespace Impl {
template <class Functor>
struct ParallelForRange {
  Functor m_functor;
  int m_begin, m_end;
  __device__ void operator()() const {
    for (int i = m_begin + int(blockIdx.x * blockDim.x + threadIdx.x); i < m_end; i += int(gridDim.x * blockDim.x))
      m_functor(i);
  }
};

template <class Functor>
struct ParallelSumRange {
  Functor m_functor;
  int m_begin, m_end;
  double* m_result;
  __device__ void operator()() const {
    double update = 0;
    for (int i = m_begin + int(blockIdx.x * blockDim.x + threadIdx.x); i < m_end; i += int(gridDim.x * blockDim.x))
      m_functor(i, update);
    atomicAdd(m_result, update);
  }
};
inline dim3 range_grid(int n, int block) { return dim3(unsigned((n + block - 1) / block)); }
}  // namespace Impl

template <class Functor>
void parallel_for(const RangePolicy& policy, const Functor& f) {
  using Driver = Impl::ParallelForRange<Functor>;
  Driver driver{f, policy.begin(), policy.end()};
  Impl::CudaParallelLaunch<Driver>::launch(driver, Impl::range_grid(policy.end() - policy.begin(), policy.block_size()),
                                           dim3(unsigned(policy.block_size())),
                                           policy.space().impl_internal_space_instance());
}

template <class Functor>
void parallel_reduce(const RangePolicy& policy, const Functor& f, double& result) {
  using Driver = Impl::ParallelSumRange<Functor>;
  const auto* inst = policy.space().impl_internal_space_instance();
  KX_IMPL_CUDA_SAFE_CALL(cudaMemsetAsync(inst->reduce_scratch(), 0, sizeof(double), inst->stream()));
  Driver driver{f, policy.begin(), policy.end(), inst->reduce_scratch()};
  Impl::CudaParallelLaunch<Driver>::launch(driver, Impl::range_grid(policy.end() - policy.begin(), policy.block_size()),
                                           dim3(unsigned(policy.block_size())), inst);
  KX_IMPL_CUDA_SAFE_CALL(cudaMemcpyAsync(inst->reduce_result_host(), inst->reduce_scratch(), sizeof(double),
                                         cudaMemcpyDeviceToHost, inst->stream()));
  inst->fence("KX::parallel_reduce: result");
  result = *inst->reduce_result_host();
}
}  // namespace KX
