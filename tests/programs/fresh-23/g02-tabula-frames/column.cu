#include "column.hpp"
#include "exec_policy.cuh"

#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>
#include <thrust/transform.h>

#include <cstdint>

namespace tabula {
namespace {

class pool_resource final : public memory_resource {
 public:
  pool_resource() {
    int device = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetDefaultMemPool(&pool_, device));
    std::uint64_t keep = UINT64_MAX;
    check(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep));
  }
  void* allocate(std::size_t bytes, stream_view stream) override {
    void* p = nullptr;
    check(cudaMallocFromPoolAsync(&p, bytes, pool_, stream.value()));
    return p;
  }
  void deallocate(void* p, std::size_t, stream_view stream) noexcept override { cudaFreeAsync(p, stream.value()); }

 private:
  cudaMemPool_t pool_{};
};

struct add_op {
  template <class T>
  __device__ T operator()(T a, T b) const { return a + b; }
};

struct multiply_op {
  template <class T>
  __device__ T operator()(T a, T b) const { return a * b; }
};

struct maximum_op {
  template <class T>
  __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};

struct both_valid {
  __device__ valid_type operator()(valid_type a, valid_type b) const { return a != 0 && b != 0; }
};

template <class T>
struct value_or {
  T fallback;
  __device__ T operator()(T v, valid_type ok) const { return ok != 0 ? v : fallback; }
};

template <class T>
struct row_or_zero {
  const T* data;
  const valid_type* valid;
  __device__ T operator()(size_type row) const { return valid[row] != 0 ? data[row] : T{}; }
};

template <class T>
struct gather_row {
  const T* in;
  const valid_type* in_valid;
  size_type in_rows;
  const size_type* map;
  const valid_type* map_valid;
  T* out;
  valid_type* out_valid;

  __device__ void operator()(size_type row) const {
    const size_type from = map[row];
    const bool ok = map_valid[row] != 0 && from >= 0 && from < in_rows && in_valid[from] != 0;
    out[row] = ok ? in[from] : T{};
    out_valid[row] = ok;
  }
};

template <class T, class Op>
void apply(const column<T>& lhs, const column<T>& rhs, column<T>& out, Op op, stream_view stream, memory_resource* mr) {
  thrust::transform(detail::exec_policy(stream, mr), lhs.data(), lhs.data() + lhs.size(), rhs.data(), out.data(), op);
}

}  // namespace

memory_resource* default_resource() {
  static pool_resource resource;
  return &resource;
}

template <class T>
column<T> binary_operation(const column<T>& lhs, const column<T>& rhs, binary_operator op, stream_view stream,
                           memory_resource* mr) {
  if (lhs.size() != rhs.size()) throw std::invalid_argument("columns of different sizes");
  column<T> out(lhs.size(), stream, mr);
  switch (op) {
    case binary_operator::add: apply(lhs, rhs, out, add_op{}, stream, mr); break;
    case binary_operator::multiply: apply(lhs, rhs, out, multiply_op{}, stream, mr); break;
    case binary_operator::maximum: apply(lhs, rhs, out, maximum_op{}, stream, mr); break;
  }
  thrust::transform(detail::exec_policy(stream, mr), lhs.valid(), lhs.valid() + lhs.size(), rhs.valid(), out.valid(),
                    both_valid{});
  return out;
}

template <class T>
column<T> fill_null(const column<T>& in, T value, stream_view stream, memory_resource* mr) {
  column<T> out(in.size(), stream, mr);
  thrust::transform(detail::exec_policy(stream, mr), in.data(), in.data() + in.size(), in.valid(), out.data(),
                    value_or<T>{value});
  check(cudaMemsetAsync(out.valid(), 1, sizeof(valid_type) * out.size(), stream.value()));
  return out;
}

template <class T>
column<T> gather(const column<T>& in, const column<size_type>& map, stream_view stream, memory_resource* mr) {
  column<T> out(map.size(), stream, mr);
  const auto first = thrust::make_counting_iterator<size_type>(0);
  thrust::for_each(detail::exec_policy(stream, mr), first, first + map.size(),
                   gather_row<T>{in.data(), in.valid(), in.size(), map.data(), map.valid(), out.data(), out.valid()});
  return out;
}

template <class T>
column<T> running_total(const column<T>& in, stream_view stream, memory_resource* mr) {
  column<T> out(in.size(), stream, mr);
  const auto rows = thrust::make_transform_iterator(thrust::make_counting_iterator<size_type>(0),
                                                    row_or_zero<T>{in.data(), in.valid()});
  thrust::inclusive_scan(detail::exec_policy(stream, mr), rows, rows + in.size(), out.data());
  check(cudaMemsetAsync(out.valid(), 1, sizeof(valid_type) * out.size(), stream.value()));
  return out;
}

template <class T>
std::vector<T> to_host(const column<T>& in, stream_view stream) {
  std::vector<T> host(static_cast<std::size_t>(in.size()));
  check(cudaMemcpyAsync(host.data(), in.data(), sizeof(T) * host.size(), cudaMemcpyDeviceToHost, stream.value()));
  stream.synchronize();
  return host;
}

#define TABULA_INSTANTIATE(T)                                                                                        \
  template column<T> binary_operation(const column<T>&, const column<T>&, binary_operator, stream_view, memory_resource*); \
  template column<T> fill_null(const column<T>&, T, stream_view, memory_resource*);                                  \
  template column<T> gather(const column<T>&, const column<size_type>&, stream_view, memory_resource*);              \
  template column<T> running_total(const column<T>&, stream_view, memory_resource*);                                 \
  template std::vector<T> to_host(const column<T>&, stream_view);

TABULA_INSTANTIATE(std::int64_t)
TABULA_INSTANTIATE(double)

}  // namespace tabula
