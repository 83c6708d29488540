#include "replica.hpp"

#include <random>

namespace mdkit {
namespace {

constexpr int threads = 256;

int blocks_for(int n) { return (n + threads - 1) / threads; }

__device__ float bond_force(float stretch, float k, float q) { return k * stretch + q * stretch * stretch * stretch; }

__global__ void kick(const float* position, float* momentum, int n, float k, float q, float dt) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float left = position[(i + n - 1) % n], here = position[i], right = position[(i + 1) % n];
  momentum[i] += dt * (bond_force(right - here, k, q) - bond_force(here - left, k, q));
}

__global__ void drift(float* position, const float* momentum, int n, float dt) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) position[i] += dt * momentum[i];
}

/// One block; sums in a fixed order.
__global__ void measure(const float* position, const float* momentum, int n, float k, float q, energy* out) {
  __shared__ float kinetic[threads], potential[threads];
  float t = 0.0f, v = 0.0f;
  for (int i = threadIdx.x; i < n; i += threads) {
    const float s = position[(i + 1) % n] - position[i];
    t += 0.5f * momentum[i] * momentum[i];
    v += 0.5f * k * s * s + 0.25f * q * s * s * s * s;
  }
  kinetic[threadIdx.x] = t;
  potential[threadIdx.x] = v;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      kinetic[threadIdx.x] += kinetic[threadIdx.x + half];
      potential[threadIdx.x] += potential[threadIdx.x + half];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = energy{kinetic[0], potential[0]};
}

}  // namespace

struct replica::impl {
  explicit impl(const model& m)
      : model_(m),
        position(make_device_array<float>(m.particles)),
        momentum(make_device_array<float>(m.particles)),
        trace(make_device_array<energy>(m.max_steps)),
        host_trace(make_host_array<energy>(m.max_steps)) {
    check(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  }
  ~impl() {
    cudaEventSynchronize(done);
    cudaEventDestroy(done);
  }
  impl(const impl&) = delete;

  model model_;
  device_array<float> position;
  device_array<float> momentum;
  device_array<energy> trace;
  host_array<energy> host_trace;
  cudaEvent_t done{};
  int traced = 0;
};

replica::replica(const model& m, std::uint32_t seed) : impl_(std::make_unique<impl>(m)) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> any(-0.5f, 0.5f);
  std::vector<float> start(static_cast<std::size_t>(m.particles));
  for (float& x : start) x = any(engine);
  check(cudaMemcpy(impl_->position.get(), start.data(), start.size() * sizeof(float), cudaMemcpyHostToDevice));
  check(cudaMemset(impl_->momentum.get(), 0, start.size() * sizeof(float)));
  check(cudaDeviceSynchronize());
}

replica::~replica() = default;
replica::replica(replica&&) noexcept = default;
replica& replica::operator=(replica&&) noexcept = default;

void replica::advance(int steps, cudaStream_t stream) {
  impl& s = *impl_;
  const model& m = s.model_;
  if (steps < 1 || steps > m.max_steps) throw std::invalid_argument("number of steps");
  check(cudaStreamWaitEvent(stream, s.done, 0));
  const int blocks = blocks_for(m.particles);
  for (int step = 0; step < steps; ++step) {
    kick<<<blocks, threads, 0, stream>>>(s.position.get(), s.momentum.get(), m.particles, m.stiffness, m.quartic, m.dt);
    drift<<<blocks, threads, 0, stream>>>(s.position.get(), s.momentum.get(), m.particles, m.dt);
    measure<<<1, threads, 0, stream>>>(s.position.get(), s.momentum.get(), m.particles, m.stiffness, m.quartic,
                                       s.trace.get() + step);
  }
  check(cudaGetLastError());
  check(cudaMemcpyAsync(s.host_trace.get(), s.trace.get(), steps * sizeof(energy), cudaMemcpyDeviceToHost, stream));
  check(cudaEventRecord(s.done, stream));
  s.traced = steps;
}

std::vector<energy> replica::collect() {
  check(cudaEventSynchronize(impl_->done));
  return std::vector<energy>(impl_->host_trace.get(), impl_->host_trace.get() + impl_->traced);
}

void replica::quench(cudaStream_t stream) {
  check(cudaStreamWaitEvent(stream, impl_->done, 0));
  check(cudaMemsetAsync(impl_->momentum.get(), 0, impl_->model_.particles * sizeof(float), stream));
  check(cudaEventRecord(impl_->done, stream));
}

}  // namespace mdkit
