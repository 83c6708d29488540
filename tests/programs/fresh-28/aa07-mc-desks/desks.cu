/*
 * Overnight risk run: every trading desk has a book of scenarios that is
 * simulated on a stream of its own, all desks side by side. A desk fills a
 * small part of the device, so the run takes as long as its slowest desk.
 */
#include "pinned.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>

struct CudaError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

#define TRY(expr)                                                            \
    do {                                                                     \
        const cudaError_t rc = (expr);                                       \
        if (rc != cudaSuccess) throw CudaError(cudaGetErrorName(rc));        \
    } while (0)

constexpr int kDesks = 8;
constexpr int kScenarios = 2048;
constexpr int kBuckets = 64;

struct Scenario {
    uint32_t seed;
    uint32_t drift;
};

struct Ladder {
    uint32_t bucket[kBuckets];
};

__host__ __device__ inline uint32_t walk(Scenario s) {
    uint32_t x = s.seed | 1u;
    for (int day = 0; day < 250; ++day) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        x += s.drift;
    }
    return x;
}

/* Refines the paths for a fixed budget of device time; the ladder itself is
 * made from the end points. */
__global__ void simulate(const Scenario* scenarios, int n, Ladder* ladder, unsigned long long budget_ns) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    __shared__ uint32_t local[kBuckets];
    for (int b = threadIdx.x; b < kBuckets; b += blockDim.x) local[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[walk(scenarios[i]) % kBuckets], 1u);
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < budget_ns);
    __syncthreads();
    for (int b = threadIdx.x; b < kBuckets; b += blockDim.x) atomicAdd(&ladder->bucket[b], local[b]);
}

__global__ void clear(Ladder* ladder) { ladder->bucket[threadIdx.x] = 0; }

class Desk {
public:
    explicit Desk(uint32_t id) : scenarios_(kScenarios) {
        for (int i = 0; i < kScenarios; ++i) scenarios_[i] = {id * 7919u + i * 104729u, id + (i & 15)};
        TRY(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        TRY(cudaMalloc(&device_scenarios_, sizeof(Scenario) * kScenarios));
        TRY(cudaMalloc(&device_ladder_, sizeof(Ladder)));
    }
    Desk(const Desk&) = delete;
    ~Desk() {
        cudaFree(device_ladder_);
        cudaFree(device_scenarios_);
        cudaStreamDestroy(stream_);
    }

    void enqueue(Ladder& result) {
        TRY(cudaMemcpyAsync(device_scenarios_, scenarios_.data(), sizeof(Scenario) * kScenarios,
                            cudaMemcpyHostToDevice, stream_));
        clear<<<1, kBuckets, 0, stream_>>>(device_ladder_);
        simulate<<<4, 128, 0, stream_>>>(device_scenarios_, kScenarios, device_ladder_, 30000000ull);
        TRY(cudaGetLastError());
        TRY(cudaMemcpyAsync(&result, device_ladder_, sizeof(Ladder), cudaMemcpyDeviceToHost, stream_));
    }
    void finish() { TRY(cudaStreamSynchronize(stream_)); }

    int mismatches(const Ladder& got) const {
        Ladder want{};
        for (const Scenario& s : scenarios_) ++want.bucket[walk(s) % kBuckets];
        int bad = 0;
        for (int b = 0; b < kBuckets; ++b) bad += want.bucket[b] != got.bucket[b];
        return bad;
    }

private:
    PinnedVector<Scenario> scenarios_;
    cudaStream_t stream_ = nullptr;
    Scenario* device_scenarios_ = nullptr;
    Ladder* device_ladder_ = nullptr;
};

/* Keeps the ladders of all desks for the morning report. */
struct Report {
    explicit Report(size_t desks) : ladders(desks) {}
    std::vector<Ladder> ladders;
};

static double run_desks(std::vector<Desk*>& desks, Report& report) {
    const auto begin = std::chrono::steady_clock::now();
    for (size_t i = 0; i < desks.size(); ++i) desks[i]->enqueue(report.ladders[i]);
    for (Desk* desk : desks) desk->finish();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

int main() try {
    std::vector<Desk*> desks;
    for (uint32_t id = 0; id < kDesks; ++id) desks.push_back(new Desk(id));
    Report report(kDesks);

    std::vector<Desk*> one(1, desks[0]);
    run_desks(one, report);
    const double alone = run_desks(one, report);
    const double together = run_desks(desks, report);

    int bad = 0;
    for (int id = 0; id < kDesks; ++id) bad += desks[id]->mismatches(report.ladders[id]);
    for (Desk* desk : desks) delete desk;

    if (bad) {
        std::printf("WRONG %d\n", bad);
        return 1;
    }
    const double ratio = together / alone;
    if (ratio > 1.5) {
        std::printf("SLOW %.2f\n", ratio);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
} catch (const CudaError& e) {
    std::printf("ERROR %s\n", e.what());
    return 1;
} catch (const std::bad_alloc&) {
    std::printf("ERROR cudaErrorMemoryAllocation\n");
    return 1;
}
