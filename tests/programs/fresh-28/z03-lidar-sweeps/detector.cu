#include "detector.h"

namespace lidar {

__device__ unsigned long long nowNs()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

// Each block first relaxes its part of the cluster graph for `budgetNs`.
__global__ void clusterSweep(const Point* points, int count, unsigned long long budgetNs,
                             unsigned long long* energy)
{
    const unsigned long long begin = nowNs();
    while (nowNs() - begin < budgetNs) __nanosleep(500);
    unsigned long long sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        if (points[i].z > 0.f) sum += points[i].intensity;
    atomicAdd(energy, sum);
}

Detector::Detector(const Config& config) : config_(config)
{
    check(cudaStreamCreateWithFlags(&compute_, cudaStreamNonBlocking));
    check(cudaMalloc(reinterpret_cast<void**>(&energy_), sizeof(*energy_) * config.sweeps));
    check(cudaMemset(energy_, 0, sizeof(*energy_) * config.sweeps));
    check(cudaDeviceSynchronize());
}

Detector::~Detector()
{
    cudaFree(energy_);
    cudaStreamDestroy(compute_);
}

void Detector::process(const Sweep& sweep, SweepStore& store)
{
    Slot& slot = store.slot(sweep);
    check(cudaStreamWaitEvent(compute_, slot.uploaded, 0));
    clusterSweep<<<64, 256, 0, compute_>>>(store.bank(sweep), config_.pointsPerSweep, 40000000ull,
                                           energy_ + sweep.seq);
    check(cudaGetLastError());
    check(cudaEventRecord(slot.consumed, compute_));
}

std::vector<unsigned long long> Detector::results()
{
    std::vector<unsigned long long> host(config_.sweeps);
    check(cudaStreamSynchronize(compute_));
    check(cudaMemcpy(host.data(), energy_, sizeof(host[0]) * host.size(), cudaMemcpyDeviceToHost));
    return host;
}

}  // namespace lidar
