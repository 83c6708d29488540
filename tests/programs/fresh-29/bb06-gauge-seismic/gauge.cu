#include "gauge.h"

#include <algorithm>
#include <numeric>

namespace gauge {

namespace {
cudaStream_t make_stream() {
  cudaStream_t s = nullptr;
  check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  return s;
}
}  // namespace

l2_flush::l2_flush() {
  int device = 0, l2 = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, device));
  bytes_ = static_cast<std::size_t>(l2);
  if (bytes_) check(cudaMalloc(&data_, bytes_));
}

l2_flush::~l2_flush() { cudaFree(data_); }

void l2_flush::run(cudaStream_t stream) const {
  if (bytes_) check(cudaMemsetAsync(data_, 0, bytes_, stream));
}

state::state(std::string name, const options& opts)
    : name_(std::move(name)), opts_(opts), own_(make_stream()), stream_(own_) {
  times_.reserve(opts.samples);
}

state::~state() { cudaStreamDestroy(own_); }

summary state::get_summary() const {
  summary s;
  s.name = name_;
  s.samples = static_cast<int>(times_.size());
  if (times_.empty()) return s;
  s.mean_ms = std::accumulate(times_.begin(), times_.end(), 0.0) / times_.size();
  s.min_ms = *std::min_element(times_.begin(), times_.end());
  if (s.mean_ms > 0.0) s.elements_per_s = elements_ / (s.mean_ms * 1e-3);
  return s;
}

registry& registry::instance() {
  static registry r;
  return r;
}

int registry::add(const char* name, bench_fn fn) {
  benches_.emplace_back(name, std::move(fn));
  return static_cast<int>(benches_.size());
}

std::map<std::string, summary> registry::run_all(const options& opts) const {
  std::map<std::string, summary> out;
  for (const auto& b : benches_) {
    state st(b.first, opts);
    b.second(st);
    out[b.first] = st.get_summary();
  }
  return out;
}

}  // namespace gauge
