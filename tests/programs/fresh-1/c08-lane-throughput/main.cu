#include <algorithm>
#include <cstdint>

#include "clocks.h"

namespace {

constexpr int kLanes = 4;
constexpr int kJobs = 24;
constexpr int kItems = 4096;
constexpr unsigned long long kJobNs = 6000000ull;

__global__ void align_reads(const uint32_t* reads, uint32_t* scores, uint32_t seed, unsigned long long ns) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - begin < ns);
    for (int i = threadIdx.x; i < kItems; i += blockDim.x) scores[i] = (reads[i] ^ seed) * 2246822519u;
}

struct Workload {
    const uint32_t* reads;
    uint32_t* scores;

    void submit(const Lanes& lanes) const {
        for (int j = 0; j < kJobs; ++j)
            align_reads<<<1, 256, 0, lanes[j % lanes.size()]>>>(reads, scores + j * kItems, j * 97u, kJobNs);
    }
    void warm(const Lanes& lanes) const {
        for (size_t l = 0; l < lanes.size(); ++l)
            align_reads<<<1, 256, 0, lanes[l]>>>(reads, scores + l * kItems, 0u, 1000ull);
    }
};

}  // namespace

int main() {
    Lanes lanes(kLanes);
    for (auto& s : lanes) verify(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));

    std::vector<uint32_t> host(kItems);
    for (int i = 0; i < kItems; ++i) host[i] = i * 668265263u;
    uint32_t *reads = nullptr, *scores = nullptr;
    verify(cudaMalloc(&reads, kItems * sizeof(uint32_t)));
    verify(cudaMalloc(&scores, sizeof(uint32_t) * kItems * kJobs));
    verify(cudaMemcpy(reads, host.data(), kItems * sizeof(uint32_t), cudaMemcpyHostToDevice));

    const Workload work{reads, scores};
    verify(cudaDeviceSynchronize());
    work.warm(lanes);
    verify(cudaDeviceSynchronize());

    auto device = make_clock('d');
    auto submit = make_clock('s');
    device->begin(lanes);
    submit->begin(lanes);
    work.submit(lanes);
    submit->end(lanes);
    device->end(lanes);
    const double span = device->ms();
    std::printf("submit %.3f ms, span %.3f ms, %.0f jobs/s\n", submit->ms(), span, kJobs / (span * 1e-3));

    verify(cudaDeviceSynchronize());
    const auto t0 = std::chrono::steady_clock::now();
    work.submit(lanes);
    verify(cudaDeviceSynchronize());
    const double wall = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count();
    const double ideal = kJobNs * 1e-6 * kJobs / kLanes;
    const double ratio = std::max({span / wall, wall / span, span / ideal});

    std::vector<uint32_t> got(static_cast<size_t>(kItems) * kJobs);
    verify(cudaMemcpy(got.data(), scores, got.size() * sizeof(uint32_t), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int j = 0; j < kJobs; ++j)
        for (int i = 0; i < kItems; ++i) wrong += got[static_cast<size_t>(j) * kItems + i] != (host[i] ^ (j * 97u)) * 2246822519u;

    verify(cudaFree(reads));
    verify(cudaFree(scores));
    for (auto s : lanes) verify(cudaStreamDestroy(s));
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
