#include "measure.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace cubench {

namespace {

__global__ void block_stream(int const volatile* unblock, int volatile* timeout,
                             unsigned long long timeout_ns)
{
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  do {
    if (*unblock != 0) { return; }
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  } while (now - begin < timeout_ns);
  *timeout = 1;
  __threadfence_system();
}

summary summarize(std::vector<double> const& samples)
{
  summary s;
  s.samples = static_cast<int>(samples.size());
  for (double const ms : samples) { s.mean_ms += ms / s.samples; }
  double variance = 0;
  for (double const ms : samples) { variance += (ms - s.mean_ms) * (ms - s.mean_ms); }
  s.noise = s.samples > 1 && s.mean_ms > 0 ? std::sqrt(variance / (s.samples - 1)) / s.mean_ms : 0;
  return s;
}

}  // namespace

cuda_timer::cuda_timer()
{
  CUBENCH_CUDA_CALL(cudaEventCreate(&start_));
  CUBENCH_CUDA_CALL(cudaEventCreate(&stop_));
}

cuda_timer::~cuda_timer()
{
  static_cast<void>(cudaEventDestroy(start_));
  static_cast<void>(cudaEventDestroy(stop_));
}

double cuda_timer::milliseconds() const
{
  float ms = 0;
  CUBENCH_CUDA_CALL(cudaEventElapsedTime(&ms, start_, stop_));
  return ms;
}

blocking_kernel::blocking_kernel()
{
  void* host   = nullptr;
  void* device = nullptr;
  CUBENCH_CUDA_CALL(cudaHostAlloc(&host, sizeof(flags), cudaHostAllocMapped));
  host_ = static_cast<flags*>(host);
  CUBENCH_CUDA_CALL(cudaHostGetDevicePointer(&device, host, 0));
  device_ = static_cast<flags*>(device);
  *host_  = flags{};
}

blocking_kernel::~blocking_kernel() { static_cast<void>(cudaFreeHost(host_)); }

void blocking_kernel::block(cudaStream_t stream, double timeout_seconds)
{
  int volatile& unblock = host_->unblock;
  int volatile& timeout = host_->timeout;
  unblock               = 0;
  timeout               = 0;
  block_stream<<<1, 1, 0, stream>>>(&device_->unblock, &device_->timeout,
                                    static_cast<unsigned long long>(timeout_seconds * 1e9));
  CUBENCH_CUDA_CALL(cudaGetLastError());
}

void blocking_kernel::unblock()
{
  int volatile& unblock = host_->unblock;
  unblock               = 1;
}

bool blocking_kernel::timed_out() const
{
  int const volatile& timeout = host_->timeout;
  return timeout != 0;
}

measure_cold::measure_cold(cudaStream_t stream, criteria const& limits)
  : stream_{stream}, limits_{limits}
{
  CUBENCH_CUDA_CALL(cudaMalloc(&flush_, limits_.flush_bytes));
}

measure_cold::~measure_cold() { static_cast<void>(cudaFree(flush_)); }

double measure_cold::sample(std::function<void(launch&)> const& kernel)
{
  launch l{stream_};
  CUBENCH_CUDA_CALL(cudaMemsetAsync(flush_, 0, limits_.flush_bytes, stream_));
  blocker_.block(stream_, limits_.timeout_seconds);
  timer_.start(stream_);
  kernel(l);
  timer_.stop(stream_);
  blocker_.unblock();
  CUBENCH_CUDA_CALL(cudaStreamSynchronize(stream_));
  if (blocker_.timed_out()) { throw cuda_failure{cudaErrorLaunchTimeout, "the launcher blocks"}; }
  return timer_.milliseconds();
}

summary measure_cold::run(std::function<void(launch&)> const& kernel)
{
  launch l{stream_};
  kernel(l);
  CUBENCH_CUDA_CALL(cudaStreamSynchronize(stream_));

  std::vector<double> samples;
  summary s;
  do {
    samples.push_back(sample(kernel));
    s = summarize(samples);
  } while (s.samples < limits_.min_samples ||
           (s.noise > limits_.max_noise && s.samples < limits_.max_samples));
  return s;
}

summary measure_hot::run(std::function<void(launch&)> const& kernel)
{
  launch l{stream_};
  kernel(l);
  CUBENCH_CUDA_CALL(cudaStreamSynchronize(stream_));

  int const batch = std::clamp(limits_.min_samples * 4, 1, 128);
  blocker_.block(stream_, limits_.timeout_seconds);
  timer_.start(stream_);
  for (int i = 0; i < batch; ++i) { kernel(l); }
  timer_.stop(stream_);
  blocker_.unblock();
  CUBENCH_CUDA_CALL(cudaStreamSynchronize(stream_));
  if (blocker_.timed_out()) { throw cuda_failure{cudaErrorLaunchTimeout, "the launcher blocks"}; }

  summary s;
  s.samples = batch;
  s.mean_ms = timer_.milliseconds() / batch;
  return s;
}

}  // namespace cubench
