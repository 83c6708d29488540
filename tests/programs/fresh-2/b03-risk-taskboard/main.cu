#include "task_board.h"
#include <cmath>

namespace {

constexpr int kPaths = 1 << 14;
constexpr int kDesks = 6;

__device__ unsigned long long nowNs() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

__global__ void simulateDesk(float* pnl, int n, float drift, unsigned ms) {
    const unsigned long long until = nowNs() + ms * 1000000ull;
    while (nowNs() < until) __nanosleep(1000);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        pnl[i] = drift * static_cast<float>(i % 17);
}

struct Desk {
    std::string name;
    float drift;
    DevPtr<float> pnl = deviceAlloc<float>(kPaths);
    PinPtr<float> host = pinnedAlloc<float>(kPaths);

    Desk(std::string n, float d) : name(std::move(n)), drift(d) {}

    void simulate(cudaStream_t s) {
        simulateDesk<<<8, 128, 0, s>>>(pnl.get(), kPaths, drift, 40);
        CU_TRY(cudaGetLastError());
        CU_TRY(cudaMemcpyAsync(host.get(), pnl.get(), kPaths * sizeof(float), cudaMemcpyDeviceToHost, s));
    }

    int mismatches() const {
        int bad = 0;
        for (int i = 0; i < kPaths; ++i)
            if (std::fabs(host[i] - drift * static_cast<float>(i % 17)) > 1e-4f) ++bad;
        return bad;
    }
};

}  // namespace

int main() {
    std::vector<std::unique_ptr<Desk>> desks;
    for (int i = 0; i < kDesks; ++i)
        desks.push_back(std::make_unique<Desk>("desk" + std::to_string(i), 0.25f * (i + 1)));

    risk::TaskBoard board(3);
    for (auto& d : desks)
        board.post(d->name, [desk = d.get()](cudaStream_t s) { desk->simulate(s); });

    int bad = 0;
    const auto reports = board.drain();
    if (reports.size() != desks.size()) ++bad;
    for (const auto& r : reports)
        if (r.state != risk::State::Finished) ++bad;
    for (const auto& d : desks) bad += d->mismatches();

    if (bad)
        std::printf("WRONG %d\n", bad);
    else
        std::printf("DONE\n");
    return 0;
}
