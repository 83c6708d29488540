#include "ops.h"

#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/transform.h>

#include <cmath>
#include <type_traits>

namespace colbin {
namespace {

template <typename T>
struct BinOf {
  const T* edges;
  int count;
  int missing;

  __host__ __device__ static bool is_missing(T v) {
    if constexpr (std::is_floating_point<T>::value)
      return v != v;
    else
      return false;
  }

  // Number of edges not above the value.
  __device__ uint8_t operator()(T v) const {
    if (is_missing(v)) return static_cast<uint8_t>(missing);
    int lo = 0, hi = count;
    while (lo < hi) {
      const int mid = (lo + hi) / 2;
      if (edges[mid] <= v)
        lo = mid + 1;
      else
        hi = mid;
    }
    return static_cast<uint8_t>(lo);
  }
};

auto policy(cudaStream_t stream) { return thrust::cuda::par_nosync.on(stream); }

template <typename T>
void apply(const ApplyArgs& a) {
  const auto in = thrust::device_pointer_cast(static_cast<const T*>(a.column));
  const auto out = thrust::device_pointer_cast(a.out);
  const BinOf<T> op{static_cast<const T*>(a.edges), a.num_edges, a.missing_bin};
  thrust::transform(policy(a.stream), in, in + a.rows, out, op);
}

template <typename T>
bool edges_ok(const void* edges, int count) {
  const T* e = static_cast<const T*>(edges);
  for (int i = 0; i < count; ++i) {
    if (BinOf<T>::is_missing(e[i])) return false;
    if (i && e[i] < e[i - 1]) return false;
  }
  return true;
}

template <typename T>
constexpr DtypeOps make_ops(const char* name) {
  return DtypeOps{name, sizeof(T), &edges_ok<T>, &apply<T>};
}

const DtypeOps kOps[COLBIN_DTYPES] = {
    make_ops<float>("f32"),
    make_ops<double>("f64"),
    make_ops<int32_t>("i32"),
};

}  // namespace

const DtypeOps& ops_for(colbin_dtype dtype) { return kOps[dtype]; }

}  // namespace colbin
