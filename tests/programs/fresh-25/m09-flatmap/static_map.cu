#include "static_map.hpp"

#include "kernels.cuh"

namespace flatmap {
namespace {

constexpr unsigned block_size = 256;

unsigned grid_for(std::size_t n)
{
  return static_cast<unsigned>((n + block_size - 1) / block_size);
}

}  // namespace

template <typename Key, typename Value>
static_map<Key, Value>::static_map(std::size_t capacity, Key empty_key, Value missing,
                                   cudaStream_t stream)
  : capacity_(capacity), empty_(empty_key), missing_(missing), stream_(stream)
{
  FLATMAP_CUDA_TRY(cudaMalloc(&slots_, capacity * sizeof(slot_type)));
  FLATMAP_CUDA_TRY(cudaMalloc(&d_total_, sizeof(unsigned)));
  FLATMAP_CUDA_TRY(cudaMallocHost(&h_total_, sizeof(unsigned)));
  *h_total_ = 0;
  detail::clear<<<grid_for(capacity), block_size, 0, stream_>>>(slots_, capacity_, empty_);
  FLATMAP_CUDA_TRY(cudaGetLastError());
  FLATMAP_CUDA_TRY(cudaStreamSynchronize(stream_));
}

template <typename Key, typename Value>
static_map<Key, Value>::~static_map()
{
  (void)cudaFree(slots_);
  (void)cudaFree(d_total_);
  (void)cudaFreeHost(h_total_);
}

template <typename Key, typename Value>
void static_map<Key, Value>::insert(Key const* keys, Value const* values, std::size_t n,
                                    cudaStream_t stream)
{
  if (n == 0) { return; }
  detail::insert<<<grid_for(n), block_size, 0, stream>>>(slots_, capacity_, empty_, keys, values,
                                                         n);
  FLATMAP_CUDA_TRY(cudaGetLastError());
}

template <typename Key, typename Value>
void static_map<Key, Value>::find(Key const* keys, Value* out, std::size_t n,
                                  cudaStream_t stream) const
{
  if (n == 0) { return; }
  detail::find<<<grid_for(n), block_size, 0, stream>>>(slots_, capacity_, empty_, keys, out, n,
                                                       missing_);
  FLATMAP_CUDA_TRY(cudaGetLastError());
}

template <typename Key, typename Value>
std::size_t static_map<Key, Value>::size(cudaStream_t stream) const
{
  FLATMAP_CUDA_TRY(cudaMemsetAsync(d_total_, 0, sizeof(unsigned), stream));
  detail::count<<<grid_for(capacity_), block_size, 0, stream>>>(slots_, capacity_, empty_,
                                                                d_total_);
  FLATMAP_CUDA_TRY(cudaGetLastError());
  FLATMAP_CUDA_TRY(cudaMemcpyAsync(h_total_, d_total_, sizeof(unsigned), cudaMemcpyDeviceToHost,
                                   stream));
  FLATMAP_CUDA_TRY(cudaStreamSynchronize(stream_));
  return *h_total_;
}

template class static_map<int, int>;

}  // namespace flatmap
