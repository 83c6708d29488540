#include "grouped.hpp"

#include <algorithm>
#include <cstring>

#include "staging.hpp"

namespace gblas {
namespace {

__global__ void axpy_kernel(axpy_problem const* problems)
{
  axpy_problem const p = problems[blockIdx.y];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < p.n; i += gridDim.x * blockDim.x)
    p.y[i] += p.alpha * p.x[i];
}

__global__ void gemv_kernel(gemv_problem const* problems)
{
  gemv_problem const p = problems[blockIdx.y];
  int const lane       = threadIdx.x & 31;
  int const warps      = gridDim.x * (blockDim.x / 32);
  for (int r = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; r < p.rows; r += warps) {
    float s = 0.f;
    for (int c = lane; c < p.cols; c += 32) s += p.a[static_cast<std::size_t>(r) * p.cols + c] * p.x[c];
    for (int d = 16; d > 0; d /= 2) s += __shfl_down_sync(0xffffffffu, s, d);
    if (lane == 0) p.y[r] = p.alpha * s + (p.beta == 0.f ? 0.f : p.beta * p.y[r]);
  }
}

/// The descriptors of one group, on the device for the length of one launch.
template <typename Problem>
class device_group {
 public:
  explicit device_group(cudaStream_t stream) : stream_(stream) {}
  device_group(device_group const&) = delete;
  ~device_group()
  {
    if (problems_) cudaFreeAsync(problems_, stream_);
  }

  status upload(std::vector<Problem> const& group)
  {
    std::size_t const bytes = group.size() * sizeof(Problem);
    auto const stage        = staging_cache::instance().borrow(bytes, stream_);
    if (!stage) return status::out_of_memory;
    if (cudaMallocAsync(reinterpret_cast<void**>(&problems_), bytes, stream_) != cudaSuccess)
      return status::out_of_memory;
    std::copy(group.begin(), group.end(), stage.template as<Problem>());
    if (cudaMemcpyAsync(problems_, stage.template as<Problem>(), bytes, cudaMemcpyHostToDevice, stream_) !=
        cudaSuccess)
      return status::execution_failed;
    return status::ok;
  }

  Problem const* get() const { return problems_; }

 private:
  cudaStream_t stream_;
  Problem* problems_ = nullptr;
};

template <typename Problem, typename Check>
status vet(std::vector<Problem> const& group, Check check)
{
  if (group.size() > 65535) return status::invalid_value;
  return std::all_of(group.begin(), group.end(), check) ? status::ok : status::invalid_value;
}

template <typename Problem, typename Kernel>
status run_group(std::vector<Problem> const& group, Kernel kernel, int blocks, cudaStream_t stream)
{
  device_group<Problem> on_device(stream);
  if (status const s = on_device.upload(group); s != status::ok) return s;
  dim3 const grid(blocks, static_cast<unsigned>(group.size()));
  kernel<<<grid, 256, 0, stream>>>(on_device.get());
  return cudaGetLastError() == cudaSuccess ? status::ok : status::execution_failed;
}

}  // namespace

char const* to_string(status s)
{
  switch (s) {
    case status::ok: return "ok";
    case status::invalid_value: return "invalid_value";
    case status::out_of_memory: return "out_of_memory";
    case status::execution_failed: return "execution_failed";
  }
  return "unknown";
}

status grouped_axpy(std::vector<axpy_problem> const& problems, cudaStream_t stream)
{
  auto const s = vet(problems, [](axpy_problem const& p) { return p.n >= 0 && (p.n == 0 || (p.x && p.y)); });
  if (s != status::ok || problems.empty()) return s;
  int longest = 0;
  for (auto const& p : problems) longest = std::max(longest, p.n);
  return run_group(problems, axpy_kernel, std::clamp((longest + 1023) / 1024, 1, 64), stream);
}

status grouped_gemv(std::vector<gemv_problem> const& problems, cudaStream_t stream)
{
  auto const s = vet(problems, [](gemv_problem const& p) { return p.rows > 0 && p.cols > 0 && p.a && p.x && p.y; });
  if (s != status::ok || problems.empty()) return s;
  int tallest = 0;
  for (auto const& p : problems) tallest = std::max(tallest, p.rows);
  return run_group(problems, gemv_kernel, std::clamp((tallest + 7) / 8, 1, 128), stream);
}

void release_caches() { staging_cache::instance().trim(); }

}  // namespace gblas
