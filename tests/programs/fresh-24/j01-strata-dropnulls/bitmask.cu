#include "bitmask.hpp"

namespace strata {
namespace detail {
namespace {

__device__ mask_word word_limit(size_type word, size_type bits)
{
  size_type const left = bits - word * bits_per_word;
  return left >= bits_per_word ? ~mask_word{0} : (mask_word{1} << left) - 1;
}

__global__ void fill_valid(mask_word* mask, size_type words, size_type bits)
{
  for (size_type w = blockIdx.x * blockDim.x + threadIdx.x; w < words; w += gridDim.x * blockDim.x)
    mask[w] = word_limit(w, bits);
}

__global__ void popcount_words(mask_word const* mask, size_type words, size_type bits, int* total)
{
  int mine = 0;
  for (size_type w = blockIdx.x * blockDim.x + threadIdx.x; w < words; w += gridDim.x * blockDim.x)
    mine += __popc(mask[w] & word_limit(w, bits));
  for (int d = 16; d > 0; d /= 2) mine += __shfl_down_sync(0xffffffffu, mine, d);
  if ((threadIdx.x & 31) == 0) atomicAdd(total, mine);
}

}  // namespace

void set_all_valid(mask_word* mask, size_type bits, stream_view stream)
{
  size_type const words = words_for(bits);
  fill_valid<<<(words + 255) / 256, 256, 0, stream.value()>>>(mask, words, bits);
  STRATA_TRY(cudaGetLastError());
}

size_type count_unset_bits(mask_word const* mask, size_type bits, stream_view stream)
{
  if (bits == 0) return 0;
  device_buffer total(sizeof(int), stream);
  auto* d_total = static_cast<int*>(total.data());
  STRATA_TRY(cudaMemsetAsync(d_total, 0, sizeof(int), stream.value()));
  size_type const words = words_for(bits);
  popcount_words<<<(words + 1023) / 1024, 256, 0, stream.value()>>>(mask, words, bits, d_total);
  STRATA_TRY(cudaGetLastError());
  int set = 0;
  STRATA_TRY(cudaMemcpyAsync(&set, d_total, sizeof(int), cudaMemcpyDeviceToHost, stream.value()));
  stream.synchronize();
  return bits - set;
}

}  // namespace detail

size_type column::null_count(stream_view stream) const
{
  if (nulls_ == unknown_nulls) nulls_ = detail::count_unset_bits(mask(), size_, stream);
  return nulls_;
}

}  // namespace strata
