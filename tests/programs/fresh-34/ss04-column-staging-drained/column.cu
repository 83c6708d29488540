#include "column.hpp"

#include <algorithm>

namespace frame {

column::column(std::size_t rows, std::size_t width, bool with_mask, cudaStream_t stream) : size_(rows), stream_(stream)
{
  FRAME_TRY(cudaMallocAsync(&values_, std::max<std::size_t>(rows * width, 1), stream));
  if (with_mask) {
    auto const words = (rows + 31) / 32;
    FRAME_TRY(cudaMallocAsync(reinterpret_cast<void**>(&mask_), std::max<std::size_t>(words, 1) * sizeof(mask_word), stream));
  }
}

column::~column()
{
  if (values_) cudaFreeAsync(values_, stream_);
  if (mask_) cudaFreeAsync(mask_, stream_);
}

namespace detail {

static bool is_drained(staging_pool::slab const& s)
{
  cudaError_t const e = cudaEventQuery(s.drained);
  if (e == cudaErrorNotReady) (void)cudaGetLastError();
  return e == cudaSuccess;
}

staging_pool& staging_pool::instance()
{
  static staging_pool* pool = new staging_pool;
  return *pool;
}

staging_pool::slab staging_pool::acquire(std::size_t bytes)
{
  {
    std::lock_guard<std::mutex> lock(mutex_);
    auto it = std::find_if(idle_.begin(), idle_.end(), [&](slab const& s) {
      return s.bytes >= bytes && is_drained(s);
    });
    if (it != idle_.end()) {
      slab s = *it;
      idle_.erase(it);
      return s;
    }
  }
  slab s;
  s.bytes = std::max(bytes, slab_bytes);
  FRAME_TRY(cudaHostAlloc(reinterpret_cast<void**>(&s.data), s.bytes, cudaHostAllocDefault));
  FRAME_TRY(cudaEventCreateWithFlags(&s.drained, cudaEventDisableTiming));
  std::lock_guard<std::mutex> lock(mutex_);
  ++created_;
  return s;
}

void staging_pool::release(slab s, cudaStream_t stream)
{
  cudaEventRecord(s.drained, stream);
  std::lock_guard<std::mutex> lock(mutex_);
  idle_.push_back(s);
}

void upload(void* dst, void const* src, std::size_t bytes, cudaStream_t stream)
{
  if (bytes == 0) return;
  staging_lease lease(bytes, stream);
  std::memcpy(lease.as<void>(), src, bytes);
  FRAME_TRY(cudaMemcpyAsync(dst, lease.as<void>(), bytes, cudaMemcpyHostToDevice, stream));
}

namespace {
__global__ void sum_kernel(int const* v, mask_word const* mask, std::size_t n, unsigned long long* out)
{
  long long acc = 0;
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x)
    if (!mask || (mask[i / 32] >> (i % 32) & 1)) acc += v[i];
  if (acc) atomicAdd(out, static_cast<unsigned long long>(acc));
}
}  // namespace

void sum_i32(column_view in, long long* out, cudaStream_t stream)
{
  FRAME_TRY(cudaMemsetAsync(out, 0, sizeof(long long), stream));
  sum_kernel<<<32, 256, 0, stream>>>(static_cast<int const*>(in.values), in.mask, in.size, reinterpret_cast<unsigned long long*>(out));
  FRAME_TRY(cudaGetLastError());
}

}  // namespace detail
}  // namespace frame
