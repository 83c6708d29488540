#include "correlator.h"

namespace radio {
namespace {

__device__ unsigned long long timer_ns() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__device__ void compute_for(unsigned long long ns) {
    const unsigned long long begin = timer_ns();
    while (timer_ns() - begin < ns) {
    }
}

__global__ void solve_delays(int* delays, int antennas, unsigned long long cost_ns) {
    compute_for(cost_ns);
    for (int a = threadIdx.x; a < antennas; a += blockDim.x) delays[a] = 3 + (a * 5) % 17;
}

__global__ void xcorr(const int* delays, int channels, int integration, int* visibilities,
                      unsigned long long cost_ns) {
    compute_for(cost_ns);
    const int a = blockIdx.x;
    for (int c = threadIdx.x; c < channels; c += blockDim.x)
        visibilities[a * channels + c] += delays[a] * (c + 1) + integration;
}

int* device_ints(std::size_t n) {
    void* p = nullptr;
    cu(cudaMalloc(&p, n * sizeof(int)));
    return static_cast<int*>(p);
}

}  // namespace

CorrelationPlan::CorrelationPlan(const ArrayConfig& config) : delays_(device_ints(config.antennas)) {
    const cudaStream_t stream = Device::get().stream();
    solve_delays<<<1, 64, 0, stream>>>(delays_, config.antennas, config.calibration_ns);
    cu(cudaGetLastError());
    Device::get().wait();
}

CorrelationPlan::~CorrelationPlan() { cudaFree(delays_); }

Correlator::Correlator(const ArrayConfig& config) : config_(config), visibilities_(device_ints(cells())) {
    clear();
}

Correlator::~Correlator() {
    Device::get().wait();
    cudaFree(visibilities_);
}

const CorrelationPlan& Correlator::plan() {
    if (!plan_) plan_.emplace(config_);
    return *plan_;
}

void Correlator::integrate(int integration) {
    const CorrelationPlan& tables = plan();
    xcorr<<<config_.antennas, 64, 0, Device::get().stream()>>>(
        tables.delays(), config_.channels, integration, visibilities_, config_.integration_ns);
    cu(cudaGetLastError());
}

void Correlator::clear() {
    cu(cudaMemsetAsync(visibilities_, 0, cells() * sizeof(int), Device::get().stream()));
    Device::get().wait();
}

std::vector<int> Correlator::visibilities() const {
    std::vector<int> host(cells());
    Device::get().wait();
    cu(cudaMemcpy(host.data(), visibilities_, host.size() * sizeof(int), cudaMemcpyDeviceToHost));
    return host;
}

}  // namespace radio
