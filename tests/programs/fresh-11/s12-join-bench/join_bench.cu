// Throughput of the probe phase of a partitioned hash join, one partition to a lane.
#include <algorithm>

#include "lanes.h"
#include "stopwatch.h"

namespace {

constexpr int kLanes = 4;
constexpr int kIterations = 8;
constexpr int kWarmups = 2;
constexpr double kProbeMs = 20.0;
constexpr int kRowsPerLane = 32768;

struct Partition {
    const int* rows;
    unsigned long long* matches;
};

__global__ void probe(Partition partition, int n, unsigned long long nanos) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - begin < nanos);
    unsigned long long hits = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        hits += partition.rows[i] % 4 == 0;
    }
    if (hits) atomicAdd(partition.matches, hits);
}

struct Report {
    double milliseconds;
    double rowsPerSecond;
};

class JoinBenchmark {
public:
    JoinBenchmark() : lanes_(kLanes) {
        JB(cudaMalloc(&rows_, kLanes * kRowsPerLane * sizeof(int)));
        JB(cudaMalloc(&matches_, kLanes * sizeof(unsigned long long)));
        std::vector<int> rows(kLanes * kRowsPerLane);
        for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<int>(i);
        JB(cudaMemcpy(rows_, rows.data(), rows.size() * sizeof(int), cudaMemcpyHostToDevice));
        JB(cudaMemset(matches_, 0, kLanes * sizeof(unsigned long long)));
        JB(cudaDeviceSynchronize());
    }

    ~JoinBenchmark() {
        cudaFree(matches_);
        cudaFree(rows_);
    }

    Report measure() {
        for (int i = 0; i < kWarmups; ++i) iteration();
        JB(cudaStreamSynchronize(lanes_.main()));

        Stopwatch watch;
        watch.start();
        for (int i = 0; i < kIterations; ++i) iteration();
        const double ms = watch.milliseconds();
        const double rows = static_cast<double>(kIterations) * kLanes * kRowsPerLane;
        return Report{ms, rows / (ms * 1e-3)};
    }

    int wrongLanes() {
        unsigned long long counts[kLanes] = {};
        JB(cudaStreamSynchronize(lanes_.main()));
        JB(cudaMemcpy(counts, matches_, sizeof(counts), cudaMemcpyDeviceToHost));
        const unsigned long long expected =
            static_cast<unsigned long long>(kIterations + kWarmups) * (kRowsPerLane / 4);
        int wrong = 0;
        for (unsigned long long count : counts) wrong += count != expected;
        return wrong;
    }

private:
    void iteration() {
        lanes_.fork();
        for (size_t i = 0; i < lanes_.size(); ++i) {
            const Partition partition{rows_ + i * kRowsPerLane, matches_ + i};
            probe<<<16, 256, 0, lanes_.lane(i)>>>(
                partition, kRowsPerLane, static_cast<unsigned long long>(kProbeMs * 1e6));
            JB(cudaGetLastError());
        }
        lanes_.join();
    }

    LaneSet lanes_;
    int* rows_ = nullptr;
    unsigned long long* matches_ = nullptr;
};

}  // namespace

int main() {
    Report report{};
    int wrong = 0;
    {
        JoinBenchmark benchmark;
        report = benchmark.measure();
        wrong = benchmark.wrongLanes();
    }
    std::printf("probe: %.2f ms, %.1f Mrows/s\n", report.milliseconds, report.rowsPerSecond * 1e-6);
    if (wrong) {
        std::printf("WRONG %d\n", wrong);
        return 1;
    }
    const double honest = kIterations * kProbeMs;
    const double ratio = std::max(honest / report.milliseconds, report.milliseconds / honest);
    if (ratio > 1.5) {
        std::printf("SLOW %.2f\n", ratio);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
