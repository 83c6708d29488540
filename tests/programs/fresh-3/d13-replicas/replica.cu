#include "replica.h"

#include <cmath>
#include "lattice.cuh"

namespace ising {

static Thresholds thresholds(double beta) {
    return {static_cast<uint32_t>(std::exp(-4 * beta) * 4294967295.0), static_cast<uint32_t>(std::exp(-8 * beta) * 4294967295.0)};
}

__global__ void metropolis(int8_t* spins, int replica, int sweep, Thresholds t, unsigned long long relax_ns) {
    unsigned long long now, end;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    end = now + relax_ns;
    for (int colour = 0; colour < 2; ++colour) {
        for (int s = threadIdx.x; s < kSites; s += blockDim.x)
            if (((s % kSide + s / kSide) & 1) == colour && flips(spins, s, draw(replica, sweep, s), t)) spins[s] = -spins[s];
        __syncthreads();
    }
    // over-relaxation leaves the configuration energy unchanged; account for its time
    while (now < end) asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
}

__global__ void magnetisation(const int8_t* spins, int* out) {
    __shared__ int total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    int local = 0;
    for (int s = threadIdx.x; s < kSites; s += blockDim.x) local += spins[s];
    atomicAdd(&total, local);
    __syncthreads();
    if (threadIdx.x == 0) *out = total;
}

class GpuReplica final : public Replica {
public:
    explicit GpuReplica(const ReplicaSpec& spec) : spec_(spec), t_(thresholds(spec.beta)) {
        must(cudaStreamCreate(&stream_));
        must(cudaMalloc(&spins_, kSites));
        must(cudaMalloc(&series_, spec.sweeps * sizeof(int)));
        reset();
    }
    ~GpuReplica() override {
        cudaFree(spins_);
        cudaFree(series_);
        cudaStreamDestroy(stream_);
    }
    void reset() override {
        must(cudaMemsetAsync(spins_, 1, kSites, stream_));
        must(cudaMemsetAsync(series_, 0, spec_.sweeps * sizeof(int), stream_));
    }
    void sweep(int index) override {
        metropolis<<<1, 256, 0, stream_>>>(spins_, spec_.id, index, t_, spec_.relax_us * 1000ull);
        must(cudaGetLastError());
    }
    void sample(int index) override {
        magnetisation<<<1, 256>>>(spins_, series_ + index);
        must(cudaGetLastError());
    }
    void wait() override { must(cudaStreamSynchronize(stream_)); }
    std::vector<int> series() const override {
        std::vector<int> s(spec_.sweeps);
        must(cudaMemcpy(s.data(), series_, s.size() * sizeof(int), cudaMemcpyDeviceToHost));
        return s;
    }

private:
    const ReplicaSpec spec_;
    const Thresholds t_;
    cudaStream_t stream_{};
    int8_t* spins_ = nullptr;
    int* series_ = nullptr;
};

std::unique_ptr<Replica> make_replica(const ReplicaSpec& spec) { return std::make_unique<GpuReplica>(spec); }

std::vector<int> simulate_on_host(const ReplicaSpec& spec) {
    std::vector<int8_t> s(kSites, 1);
    std::vector<int> series;
    const Thresholds t = thresholds(spec.beta);
    for (int sweep = 0; sweep < spec.sweeps; ++sweep) {
        for (int colour = 0; colour < 2; ++colour)
            for (int i = 0; i < kSites; ++i)
                if (((i % kSide + i / kSide) & 1) == colour && flips(s.data(), i, draw(spec.id, sweep, i), t)) s[i] = -s[i];
        int m = 0;
        for (int8_t v : s) m += v;
        series.push_back(m);
    }
    return series;
}

}  // namespace ising
