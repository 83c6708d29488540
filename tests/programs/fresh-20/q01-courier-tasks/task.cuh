// courier: futures whose value lives on the device, and the executor that makes them.
//
//   executor ex(4);
//   auto a = ex.async([&](lane_view l) { return generate(l, n, op); });
//   auto b = ex.then(a, [&](lane_view l, const auto& in) { return map(l, in, op2); });
//   std::vector<float> host = ex.fetch(b);
//
// A task enqueues its work in the lane it is given and returns the array that the work fills.
// Tasks without a common ancestor run concurrently. One host thread drives an executor, and its
// futures are dropped before it.
#pragma once

#include "core.h"

#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

namespace courier {

namespace detail {

/// What a future and its continuations share.
template <class T>
class task_state {
 public:
  task_state(lane_view lane, std::shared_ptr<void> upstream) : upstream_(std::move(upstream)) {
    lane.record(done_);
  }
  ~task_state() { cudaEventSynchronize(done_.get()); }

  void assign(T&& v) { value_.emplace(std::move(v)); }
  const T& value() const { return *value_; }
  const event& done() const noexcept { return done_; }

 private:
  std::shared_ptr<void> upstream_;
  std::optional<T> value_;
  event done_;
};

template <class T>
__global__ void sequence_kernel(T* out, std::size_t n, T first, T step) {
  std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (i < n) out[i] = first + T(i) * step;
}

template <class T, class Op>
__global__ void map_kernel(const T* in, T* out, std::size_t n, Op op) {
  std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (i < n) out[i] = op(in[i]);
}

template <class T, class Op>
__global__ void zip_kernel(const T* a, const T* b, T* out, std::size_t n, Op op) {
  std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (i < n) out[i] = op(a[i], b[i]);
}

constexpr unsigned threads = 256;
inline unsigned grid_for(std::size_t n) { return unsigned((n + threads - 1) / threads); }

}  // namespace detail

template <class T>
class future {
 public:
  explicit future(std::shared_ptr<detail::task_state<T>> s) : state_(std::move(s)) {}
  /// Blocks the calling thread until the task's work has finished.
  const T& get() const {
    state_->done().wait_host();
    return state_->value();
  }
  const std::shared_ptr<detail::task_state<T>>& state() const noexcept { return state_; }

 private:
  std::shared_ptr<detail::task_state<T>> state_;
};

class executor {
 public:
  explicit executor(int lanes) : lanes_(lanes) {}

  template <class F>
  auto async(F&& f) {
    return run(lanes_.next(), nullptr, std::forward<F>(f));
  }

  template <class T, class F>
  auto then(const future<T>& in, F&& f) {
    lane_view lane = lanes_.next();
    lane.wait(in.state()->done());
    return run(lane, in.state(), [&](lane_view l) { return f(l, in.state()->value()); });
  }

  template <class T, class U, class F>
  auto when_both(const future<T>& a, const future<U>& b, F&& f) {
    lane_view lane = lanes_.next();
    lane.wait(a.state()->done());
    lane.wait(b.state()->done());
    auto keep = std::make_shared<std::pair<std::shared_ptr<void>, std::shared_ptr<void>>>(a.state(), b.state());
    return run(lane, keep, [&](lane_view l) { return f(l, a.state()->value(), b.state()->value()); });
  }

  template <class T>
  std::vector<T> fetch(const future<device_array<T>>& f) {
    const device_array<T>& v = f.get();
    lane_view lane = lanes_.next();
    std::vector<T> host(v.size());
    COURIER_TRY(cudaMemcpyAsync(host.data(), v.data(), v.size() * sizeof(T), cudaMemcpyDeviceToHost, lane.get()));
    COURIER_TRY(cudaStreamSynchronize(lane.get()));
    return host;
  }

 private:
  template <class F>
  static auto run(lane_view lane, std::shared_ptr<void> upstream, F&& f) {
    using R = std::decay_t<std::invoke_result_t<F, lane_view>>;
    auto state = std::make_shared<detail::task_state<R>>(lane, std::move(upstream));
    state->assign(std::forward<F>(f)(lane));
    return future<R>(std::move(state));
  }

  lane_set lanes_;
};

/// out[i] = first + i * step
template <class T>
device_array<T> sequence(lane_view l, std::size_t n, T first, T step) {
  device_array<T> out(n, l);
  detail::sequence_kernel<<<detail::grid_for(n), detail::threads, 0, l.get()>>>(out.data(), n, first, step);
  COURIER_TRY(cudaGetLastError());
  return out;
}

template <class T, class Op>
device_array<T> map(lane_view l, const device_array<T>& in, Op op) {
  device_array<T> out(in.size(), l);
  detail::map_kernel<<<detail::grid_for(in.size()), detail::threads, 0, l.get()>>>(in.data(), out.data(), in.size(), op);
  COURIER_TRY(cudaGetLastError());
  return out;
}

template <class T, class Op>
device_array<T> zip(lane_view l, const device_array<T>& a, const device_array<T>& b, Op op) {
  device_array<T> out(a.size(), l);
  detail::zip_kernel<<<detail::grid_for(a.size()), detail::threads, 0, l.get()>>>(a.data(), b.data(), out.data(),
                                                                                 a.size(), op);
  COURIER_TRY(cudaGetLastError());
  return out;
}

}  // namespace courier
