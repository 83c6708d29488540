#include "lamina_api.hpp"

#include <cub/device/device_radix_sort.cuh>

namespace lamina {
namespace detail {
namespace {

__global__ void sequence_kernel(size_type* out, size_type size) {
  for (size_type i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) { out[i] = i; }
}

struct radix_order_fn {
  template <typename T>
  std::unique_ptr<column> operator()(column_view const& keys, order column_order, stream_view stream,
                                     arena_memory_resource* mr) const {
    auto rows = std::make_unique<column>(type_id::INT32, keys.size, mr);
    auto result = std::make_unique<column>(type_id::INT32, keys.size, mr);
    auto sorted_keys = std::make_unique<column>(keys.type, keys.size, mr);
    sequence_kernel<<<132, 256, 0, stream.value()>>>(rows->mutable_begin<size_type>(), keys.size);
    LAMINA_CUDA_TRY(cudaGetLastError());

    auto const sort = [&](void* temp, std::size_t& bytes) {
      auto const from = keys.begin<T>();
      auto const to = sorted_keys->template mutable_begin<T>();
      auto const rows_in = rows->view().begin<size_type>();
      auto const rows_out = result->mutable_begin<size_type>();
      constexpr int end_bit = sizeof(T) * 8;
      return column_order == order::ASCENDING
               ? cub::DeviceRadixSort::SortPairs(
                   temp, bytes, from, to, rows_in, rows_out, keys.size, 0, end_bit, stream.value())
               : cub::DeviceRadixSort::SortPairsDescending(
                   temp, bytes, from, to, rows_in, rows_out, keys.size, 0, end_bit, stream.value());
    };
    std::size_t bytes = 0;
    LAMINA_CUDA_TRY(sort(nullptr, bytes));
    LAMINA_CUDA_TRY(sort(mr->allocate(bytes), bytes));
    return result;
  }
};

}  // namespace

std::unique_ptr<column> sorted_order(column_view const& keys, order column_order, stream_view stream,
                                     arena_memory_resource* mr) {
  return type_dispatcher(keys.type, radix_order_fn{}, keys, column_order, stream, mr);
}

std::unique_ptr<table> sort_by_key(table_view const& values, column_view const& keys, order column_order,
                                   stream_view stream, arena_memory_resource* mr) {
  for (auto const& col : values) {
    if (col.size != keys.size) { throw std::invalid_argument("mismatch in number of rows"); }
  }
  auto const map = sorted_order(keys, column_order, stream, mr);
  return lamina::gather(values, map->view(), out_of_bounds_policy::NULLIFY);
}

}  // namespace detail

std::unique_ptr<table> sort_by_key(table_view const& values, column_view const& keys, order column_order,
                                   stream_view stream, arena_memory_resource* mr) {
  return detail::sort_by_key(values, keys, column_order, stream, mr);
}

}  // namespace lamina
