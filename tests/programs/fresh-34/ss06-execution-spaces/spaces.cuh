#pragma once
// Execution spaces, policies, views and the parallel patterns.
#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>
#include <vector>

namespace exec {

void abort_on(cudaError_t e, char const* where);

// ---- reference counted instance ------------------------------------------------------------------------------------------

class instance {
 public:
  explicit instance(cudaStream_t stream, bool owns);
  void retain() { refs_.fetch_add(1, std::memory_order_relaxed); }
  void drop()
  {
    if (refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  cudaStream_t stream() const { return stream_; }
  void fence() const;
  void* device_scratch(std::size_t bytes);
  void* host_scratch(std::size_t bytes);

 private:
  ~instance();
  std::atomic<int> refs_{1};
  cudaStream_t stream_;
  bool owns_;
  void *dscratch_ = nullptr, *hscratch_ = nullptr;
  std::size_t dbytes_ = 0, hbytes_ = 0;
};

struct own_stream_t {};
inline constexpr own_stream_t own_stream{};

class Gpu {
 public:
  Gpu();                               // the process-wide instance
  explicit Gpu(own_stream_t);          // a fresh stream
  explicit Gpu(cudaStream_t borrowed);
  Gpu(Gpu const& o) : p_(o.p_) { p_->retain(); }
  Gpu(Gpu&& o) noexcept : p_(o.p_) { p_->retain(); }
  Gpu& operator=(Gpu o) noexcept
  {
    std::swap(p_, o.p_);
    return *this;
  }
  ~Gpu() { p_->drop(); }
  cudaStream_t stream() const { return p_->stream(); }
  void fence() const { p_->fence(); }
  instance* impl() const { return p_; }

 private:
  instance* p_;
};

struct Serial {
  void fence() const {}
};

template <class Space>
struct RangePolicy {
  Space space;
  long begin, end;
  RangePolicy(long b, long e) : space(), begin(b), end(e) {}
  RangePolicy(Space s, long b, long e) : space(std::move(s)), begin(b), end(e) {}
};

// ---- views: shared ownership of device memory ---------------------------------------------------------------------------------

template <class T>
class View {
 public:
  explicit View(std::size_t n, Gpu const& space = Gpu()) : n_(n)
  {
    abort_on(cudaMalloc(&data_, n * sizeof(T)), "view");
    refs_ = new std::atomic<int>(1);
    abort_on(cudaMemsetAsync(data_, 0, n * sizeof(T), space.stream()), "view");
    space.fence();
  }
  __host__ __device__ View(View const& o) : n_(o.n_), data_(o.data_), refs_(o.refs_)
  {
#ifndef __CUDA_ARCH__
    refs_->fetch_add(1);
#endif
  }
  View& operator=(View const&) = delete;
  __host__ __device__ ~View()
  {
#ifndef __CUDA_ARCH__
    if (refs_->fetch_sub(1) == 1) {
      abort_on(cudaDeviceSynchronize(), "view");
      abort_on(cudaFree(data_), "view");
      delete refs_;
    }
#endif
  }
  __host__ __device__ T& operator()(long i) const { return data_[i]; }
  __host__ __device__ std::size_t size() const { return n_; }
  T* data() const { return data_; }

 private:
  std::size_t n_;
  T* data_ = nullptr;
  std::atomic<int>* refs_;
};

template <class T>
void deep_copy(Gpu const& space, View<T> const& dst, std::vector<T> src)
{
  abort_on(cudaMemcpyAsync(dst.data(), src.data(), src.size() * sizeof(T), cudaMemcpyHostToDevice, space.stream()), "deep_copy");
  space.fence();
}

template <class T>
void deep_copy(Gpu const& space, std::vector<T>& dst, View<T> const& src)
{
  dst.resize(src.size());
  abort_on(cudaMemcpyAsync(dst.data(), src.data(), dst.size() * sizeof(T), cudaMemcpyDeviceToHost, space.stream()), "deep_copy");
  space.fence();
}

// ---- patterns -----------------------------------------------------------------------------------------------------------------------

namespace detail {

template <class F>
__global__ void for_kernel(F f, long begin, long end)
{
  for (long i = begin + blockIdx.x * long(blockDim.x) + threadIdx.x; i < end; i += long(gridDim.x) * blockDim.x) f(i);
}

template <class T, class F>
__global__ void reduce_kernel(F f, long begin, long end, T* partial)
{
  __shared__ T cell[256];
  T acc{};
  for (long i = begin + blockIdx.x * 256L + threadIdx.x; i < end; i += gridDim.x * 256L) f(i, acc);
  cell[threadIdx.x] = acc;
  __syncthreads();
  for (int w = 128; w > 0; w >>= 1) {
    if (threadIdx.x < w) cell[threadIdx.x] += cell[threadIdx.x + w];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = cell[0];
}

inline int grid_for(long n) { return static_cast<int>(std::max(1L, std::min(128L, (n + 255) / 256))); }

}  // namespace detail

template <class F>
void parallel_for(RangePolicy<Serial> const& p, F f)
{
  for (long i = p.begin; i < p.end; ++i) f(i);
}

template <class F>
void parallel_for(RangePolicy<Gpu> const& p, F f)
{
  detail::for_kernel<<<detail::grid_for(p.end - p.begin), 256, 0, p.space.stream()>>>(f, p.begin, p.end);
  abort_on(cudaGetLastError(), "parallel_for");
}

// A scalar result is valid on return.
template <class F, class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
void parallel_reduce(RangePolicy<Gpu> const& p, F f, T& result)
{
  int const grid  = detail::grid_for(p.end - p.begin);
  auto* partial   = static_cast<T*>(p.space.impl()->device_scratch(grid * sizeof(T)));
  auto* landing   = static_cast<T*>(p.space.impl()->host_scratch(grid * sizeof(T)));
  detail::reduce_kernel<T><<<grid, 256, 0, p.space.stream()>>>(f, p.begin, p.end, partial);
  abort_on(cudaGetLastError(), "parallel_reduce");
  abort_on(cudaMemcpyAsync(landing, partial, grid * sizeof(T), cudaMemcpyDeviceToHost, p.space.stream()), "parallel_reduce");
  p.space.fence();
  T total{};
  for (int i = 0; i < grid; ++i) total += landing[i];
  result = total;
}

}  // namespace exec
