#include "filtering.hpp"

#include <thrust/execution_policy.h>
#include <thrust/scan.h>

namespace frame {
namespace detail {

constexpr int block_size = 256;

inline int grid_for(std::size_t n) { return static_cast<int>((n + block_size - 1) / block_size); }

__global__ void flags_kernel(uint8_t const* mask, std::size_t n, int32_t* flags) {
  std::size_t const i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < n) flags[i] = mask[i] != 0;
}

__global__ void scatter_kernel(int32_t const* in, uint8_t const* mask, int32_t const* last,
                               std::size_t n, int32_t* out) {
  std::size_t const i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i >= n || mask[i] == 0) return;
  std::size_t const to = static_cast<std::size_t>(last[i] - 1);
  if (to < n) out[to] = in[i];
}

__global__ void sequence_kernel(int32_t* out, std::size_t n, int32_t init, int32_t step) {
  std::size_t const i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < n) out[i] = init + static_cast<int32_t>(i) * step;
}

template <typename T>
T get_element(T const* p, cudaStream_t stream) {
  T value{};
  FRAME_CUDA_TRY(cudaMemcpyAsync(&value, p, sizeof(T), cudaMemcpyDeviceToHost, stream));
  FRAME_CUDA_TRY(cudaStreamSynchronize(stream));
  return value;
}

}  // namespace detail

column<int32_t> apply_boolean_mask(column_view<int32_t> input, column_view<uint8_t> mask,
                                   cudaStream_t stream, memory_resource* mr) {
  if (input.size != mask.size) throw std::invalid_argument("mask size differs from column size");
  std::size_t const n = input.size;
  uvector<int32_t> out(n, mr);
  if (n == 0) return column<int32_t>(std::move(out));

  uvector<int32_t> flags(n);
  uvector<int32_t> positions(n);

  detail::flags_kernel<<<detail::grid_for(n), detail::block_size, 0, stream>>>(mask.data, n,
                                                                              flags.data());
  FRAME_CUDA_TRY(cudaGetLastError());

  thrust::inclusive_scan(thrust::device, flags.data(), flags.data() + n, positions.data());

  detail::scatter_kernel<<<detail::grid_for(n), detail::block_size, 0, stream>>>(
    input.data, mask.data, positions.data(), n, out.data());
  FRAME_CUDA_TRY(cudaGetLastError());

  int32_t const kept = detail::get_element(positions.data() + n - 1, stream);
  out.shrink(kept < 0 ? 0 : static_cast<std::size_t>(kept));
  return column<int32_t>(std::move(out));
}

column<int32_t> sequence(std::size_t size, int32_t init, int32_t step, cudaStream_t stream,
                         memory_resource* mr) {
  uvector<int32_t> out(size, mr);
  if (size) {
    detail::sequence_kernel<<<detail::grid_for(size), detail::block_size, 0, stream>>>(
      out.data(), size, init, step);
    FRAME_CUDA_TRY(cudaGetLastError());
  }
  return column<int32_t>(std::move(out));
}

}  // namespace frame
