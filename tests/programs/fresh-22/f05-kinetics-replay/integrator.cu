#include "integrator.h"

namespace kinetics {
namespace {

constexpr int kRates = 256;

__global__ void stage_kernel(const StageCoeff* coeff, int stage, const float* rates, const float* y0, float* y, int cells) {
  const StageCoeff c = coeff[stage];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += gridDim.x * blockDim.x) {
    const float slope = -rates[i % kRates] * y[i];
    y[i] = c.carry * y0[i] + c.blend * (y[i] + c.dt * slope);
  }
}

}  // namespace

Integrator::Integrator(int cells, int stages, cudaStream_t stream)
    : cells_(cells), stages_(stages), stream_(stream), ring_(16 * 1024) {
  KIN_ENFORCE(cudaMalloc(&y_, cells_ * sizeof(float)));
  KIN_ENFORCE(cudaMalloc(&y0_, cells_ * sizeof(float)));
  KIN_ENFORCE(cudaMalloc(&rates_, kRates * sizeof(float)));
  KIN_ENFORCE(cudaMalloc(&coeff_, stages_ * sizeof(StageCoeff)));
}

Integrator::~Integrator() {
  cudaStreamSynchronize(stream_);
  cudaFree(y_);
  cudaFree(y0_);
  cudaFree(rates_);
  cudaFree(coeff_);
}

void Integrator::set_state(const float* device_state) {
  KIN_ENFORCE(cudaMemcpyAsync(y_, device_state, cells_ * sizeof(float), cudaMemcpyDeviceToDevice, stream_));
}

void Integrator::set_rates(const std::vector<float>& rates) {
  if (rates.size() != kRates) throw std::invalid_argument("rates");
  ring_.recycle(stream_);
  const float* staged = ring_.push(rates.data(), rates.size());
  KIN_ENFORCE(cudaMemcpyAsync(rates_, staged, rates.size() * sizeof(float), cudaMemcpyHostToDevice, stream_));
}

std::vector<StageCoeff> Integrator::tableau(float dt) const {
  std::vector<StageCoeff> rows(stages_);
  for (int s = 0; s < stages_; ++s) {
    const float carry = s == 0 ? 0.0f : 0.5f;
    rows[s] = StageCoeff{carry, 1.0f - carry, dt};
  }
  return rows;
}

void Integrator::enqueue_stages(cudaStream_t stream) {
  KIN_ENFORCE(cudaMemcpyAsync(y0_, y_, cells_ * sizeof(float), cudaMemcpyDeviceToDevice, stream));
  for (int s = 0; s < stages_; ++s) {
    stage_kernel<<<64, 128, 0, stream>>>(coeff_, s, rates_, y0_, y_, cells_);
    KIN_ENFORCE(cudaGetLastError());
  }
}

std::unique_ptr<Integrator::Plan> Integrator::make_plan(float dt) {
  const std::vector<StageCoeff> rows = tableau(dt);
  auto plan = std::make_unique<Plan>();
  plan->exec = GraphExec::record(stream_, [&](cudaStream_t stream) {
    const StageCoeff* staged = ring_.push(rows.data(), rows.size());
    KIN_ENFORCE(cudaMemcpyAsync(coeff_, staged, rows.size() * sizeof(StageCoeff), cudaMemcpyHostToDevice, stream));
    enqueue_stages(stream);
  });
  return plan;
}

void Integrator::advance(int steps, float dt) {
  ring_.recycle(stream_);
  auto& plan = plans_[dt];
  if (!plan) plan = make_plan(dt);
  for (int i = 0; i < steps; ++i) plan->exec.launch(stream_);
}

}  // namespace kinetics
