#include <cub/device/device_segmented_reduce.cuh>
#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace segstats {
namespace detail {

inline void throw_on_error(cudaError_t e, char const* file, int line)
{
  if (e != cudaSuccess) {
    throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + cudaGetErrorString(e));
  }
}
#define SEG_CUDA(x) ::segstats::detail::throw_on_error((x), __FILE__, __LINE__)

struct event_deleter {
  void operator()(cudaEvent_t e) const noexcept { cudaEventDestroy(e); }
};
struct stream_deleter {
  void operator()(cudaStream_t s) const noexcept { cudaStreamDestroy(s); }
};
using unique_event  = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, event_deleter>;
using unique_stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, stream_deleter>;

inline unique_event make_event()
{
  cudaEvent_t e{};
  SEG_CUDA(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  return unique_event{e};
}

inline unique_stream make_stream()
{
  cudaStream_t s{};
  SEG_CUDA(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  return unique_stream{s};
}

// Scratch memory from the device pool, returned to it in stream order.
class scratch {
 public:
  scratch(std::size_t bytes, cudaStream_t stream) : stream_{stream}
  {
    SEG_CUDA(cudaMallocAsync(&ptr_, bytes == 0 ? 1 : bytes, stream_));
  }
  ~scratch() { cudaFreeAsync(ptr_, stream_); }
  scratch(scratch const&)            = delete;
  scratch& operator=(scratch const&) = delete;
  void* data() const noexcept { return ptr_; }

 private:
  void* ptr_{};
  cudaStream_t stream_{};
};

template <typename T>
struct segments {
  T const* values;
  int const* offsets;  // count + 1 entries, device memory
  int count;
};

struct sum_op {
  template <typename T>
  static cudaError_t run(void* tmp, std::size_t& bytes, segments<T> const& in, T* out, cudaStream_t s)
  {
    return cub::DeviceSegmentedReduce::Sum(
      tmp, bytes, in.values, out, in.count, in.offsets, in.offsets + 1, s);
  }
};

struct max_op {
  template <typename T>
  static cudaError_t run(void* tmp, std::size_t& bytes, segments<T> const& in, T* out, cudaStream_t s)
  {
    return cub::DeviceSegmentedReduce::Max(
      tmp, bytes, in.values, out, in.count, in.offsets, in.offsets + 1, s);
  }
};

}  // namespace detail

// Per-segment sum and maximum; the two reductions overlap.
class segmented_stats {
 public:
  segmented_stats() : aux_{detail::make_stream()}, fork_{detail::make_event()}, join_{detail::make_event()} {}
  ~segmented_stats() { cudaStreamSynchronize(aux_.get()); }

  template <typename T>
  void compute(T const* values, int const* offsets, int count, T* sums, T* maxima, cudaStream_t stream = nullptr)
  {
    if (count <= 0) { return; }
    detail::segments<T> const in{values, offsets, count};
    SEG_CUDA(cudaEventRecord(fork_.get(), stream));
    SEG_CUDA(cudaStreamWaitEvent(aux_.get(), fork_.get(), 0));
    reduce_on_aux<detail::max_op>(in, maxima, stream);
    reduce<detail::sum_op>(in, sums, stream);
    SEG_CUDA(cudaEventRecord(join_.get(), aux_.get()));
    SEG_CUDA(cudaStreamWaitEvent(stream, join_.get(), 0));
  }

 private:
  template <typename Op, typename T>
  void reduce(detail::segments<T> const& in, T* out, cudaStream_t stream)
  {
    std::size_t bytes = 0;
    SEG_CUDA(Op::run(nullptr, bytes, in, out, stream));
    detail::scratch tmp{bytes, stream};
    SEG_CUDA(Op::run(tmp.data(), bytes, in, out, stream));
  }

  template <typename Op, typename T>
  void reduce_on_aux(detail::segments<T> const& in, T* out, [[maybe_unused]] cudaStream_t caller)
  {
    std::size_t bytes = 0;
    SEG_CUDA(Op::run(nullptr, bytes, in, out, aux_.get()));
    detail::scratch tmp{bytes, caller};
    SEG_CUDA(Op::run(tmp.data(), bytes, in, out, aux_.get()));
  }

  detail::unique_stream aux_;
  detail::unique_event fork_;
  detail::unique_event join_;
};

template void segmented_stats::compute<float>(float const*, int const*, int, float*, float*, cudaStream_t);
template void segmented_stats::compute<double>(double const*, int const*, int, double*, double*, cudaStream_t);

}  // namespace segstats
