// Orders are joined with customers, then with parts; both match columns are checked on the host.
#include <cstdio>
#include <vector>

#include "join.hpp"

namespace {

struct host_column {
  std::vector<int> values;
  int* device{};

  explicit host_column(std::vector<int> v) : values{std::move(v)} {
    cq::expect(cudaMalloc(&device, values.size() * sizeof(int)));
    cq::expect(
        cudaMemcpy(device, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice));
  }
  ~host_column() { cq::expect(cudaFree(device)); }
  host_column(const host_column&) = delete;
  cq::column_view view() const { return {device, values.size()}; }
};

std::vector<int> sequence(int n, int first, int stride) {
  std::vector<int> v(n);
  for (int i = 0; i < n; ++i) v[i] = first + i * stride;
  return v;
}

long mismatches(const std::vector<int>& matches, const std::vector<int>& probe, int first,
                int stride, int rows) {
  long wrong = 0;
  for (std::size_t i = 0; i < probe.size(); ++i) {
    const int offset = probe[i] - first;
    const bool hit = offset >= 0 && offset % stride == 0 && offset / stride < rows;
    wrong += matches[i] != (hit ? offset / stride : -1);
  }
  return wrong;
}

std::vector<int> fetch(const cq::join_result& result, cq::stream_view stream) {
  std::vector<int> out(result.matches.size());
  result.ready.block(stream);
  cq::expect(cudaMemcpyAsync(out.data(), result.matches.data(), out.size() * sizeof(int),
                             cudaMemcpyDeviceToHost, stream.value()));
  stream.synchronize();
  return out;
}

}  // namespace

int main() {
  constexpr int kBuild = 6000;
  constexpr int kProbe = 12000;

  cudaStream_t stream{};
  cq::expect(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  long wrong = 0;
  {
    cq::pool_resource pool;
    cq::join_engine engine{pool};
    const host_column customers{sequence(kBuild, 1000, 3)};
    const host_column parts{sequence(kBuild, 500000, 5)};
    const host_column order_customers{sequence(kProbe, 900, 2)};
    const host_column order_parts{sequence(kProbe, 499000, 4)};
    cq::expect(cudaDeviceSynchronize());

    cq::join_options options;
    options.row_group_ns = 60'000'000;
    const auto by_customer =
        engine.inner(customers.view(), order_customers.view(), stream, options);
    const auto by_part = engine.inner(parts.view(), order_parts.view(), stream, options);

    wrong += mismatches(fetch(by_customer, stream), order_customers.values, 1000, 3, kBuild);
    wrong += mismatches(fetch(by_part, stream), order_parts.values, 500000, 5, kBuild);
  }
  cq::expect(cudaStreamDestroy(stream));
  if (wrong)
    std::printf("WRONG %ld\n", wrong);
  else
    std::printf("DONE\n");
  return 0;
}
