#include "lamina_api.hpp"

namespace lamina {

arena_memory_resource*& current_device_resource() {
  static arena_memory_resource* resource = nullptr;
  return resource;
}

namespace detail {
namespace {

template <typename T, bool Nullify>
__global__ void gather_kernel(T const* source, size_type rows, size_type const* map, size_type size, T* out) {
  for (size_type i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += gridDim.x * blockDim.x) {
    size_type const row = map[i];
    if constexpr (Nullify) {
      out[i] = row >= 0 && row < rows ? source[row] : T{};
    } else {
      out[i] = source[row];
    }
  }
}

struct column_gatherer {
  template <typename T>
  std::unique_ptr<column> operator()(column_view const& source, column_view const& map, out_of_bounds_policy policy,
                                     stream_view stream, arena_memory_resource* mr) const {
    auto out = std::make_unique<column>(source.type, map.size, mr);
    auto const kernel =
      policy == out_of_bounds_policy::NULLIFY ? gather_kernel<T, true> : gather_kernel<T, false>;
    kernel<<<132, 256, 0, stream.value()>>>(source.begin<T>(), source.size, map.begin<size_type>(), map.size,
                                            out->template mutable_begin<T>());
    LAMINA_CUDA_TRY(cudaGetLastError());
    return out;
  }
};

}  // namespace

std::unique_ptr<table> gather(table_view const& source, column_view const& gather_map, out_of_bounds_policy policy,
                              stream_view stream, arena_memory_resource* mr) {
  auto out = std::make_unique<table>();
  for (auto const& col : source) {
    out->push_back(type_dispatcher(col.type, column_gatherer{}, col, gather_map, policy, stream, mr));
  }
  return out;
}

}  // namespace detail

std::unique_ptr<table> gather(table_view const& source, column_view const& gather_map, out_of_bounds_policy policy,
                              stream_view stream, arena_memory_resource* mr) {
  return detail::gather(source, gather_map, policy, stream, mr);
}

}  // namespace lamina
