// Micro-benchmarks behind the dispatch model of a task runtime.
#include "suite.cuh"

#include <algorithm>

namespace {

constexpr int kLanes = 4;
constexpr int kValues = 1 << 19;
constexpr unsigned long long kShort = 4000000ull;
constexpr unsigned long long kLong = 15000000ull;

struct Lanes {
    CUstream main = nullptr;
    CUstream side[kLanes] = {};
    CUevent begin = nullptr, end = nullptr, fork = nullptr;
    CUevent join[kLanes] = {};
    uint32_t* cells = nullptr;      // one per lane, one for main
    uint32_t* values = nullptr;
    long burns = 0;                 // on main
    long side_burns = 0;            // on each lane

    void open() {
        DRV(cuStreamCreate(&main, CU_STREAM_NON_BLOCKING));
        for (auto& s : side) DRV(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
        DRV(cuEventCreate(&begin, CU_EVENT_DEFAULT));
        DRV(cuEventCreate(&end, CU_EVENT_DEFAULT));
        DRV(cuEventCreate(&fork, CU_EVENT_DISABLE_TIMING));
        for (auto& e : join) DRV(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
        RT(cudaMalloc(&cells, sizeof(uint32_t) * (kLanes + 1)));
        RT(cudaMemset(cells, 0, sizeof(uint32_t) * (kLanes + 1)));
        RT(cudaMalloc(&values, sizeof(uint32_t) * kValues));
        std::vector<uint32_t> seeds(kValues);
        for (int i = 0; i < kValues; ++i) seeds[i] = i & 1023;
        RT(cudaMemcpy(values, seeds.data(), sizeof(uint32_t) * kValues, cudaMemcpyHostToDevice));
        RT(cudaDeviceSynchronize());
    }
    void close() {
        RT(cudaFree(values));
        RT(cudaFree(cells));
        for (auto& e : join) DRV(cuEventDestroy(e));
        DRV(cuEventDestroy(fork));
        DRV(cuEventDestroy(end));
        DRV(cuEventDestroy(begin));
        for (auto& s : side) DRV(cuStreamDestroy(s));
        DRV(cuStreamDestroy(main));
    }
};

void launch(CUfunction f, uint32_t* cell, unsigned long long ns, CUstream stream) {
    void* args[] = {&cell, &ns};
    DRV(cuLaunchKernel(f, 8, 1, 1, 64, 1, 1, 0, stream, args, nullptr));
}

// Fans out from main, one burn per lane, and comes back.
void fan(Lanes& l, CUfunction f) {
    DRV(cuEventRecord(l.fork, l.main));
    for (int i = 0; i < kLanes; ++i) {
        DRV(cuStreamWaitEvent(l.side[i], l.fork, 0));
        launch(f, l.cells + i, kLong, l.side[i]);
        DRV(cuEventRecord(l.join[i], l.side[i]));
        DRV(cuStreamWaitEvent(l.main, l.join[i], 0));
    }
    launch(f, l.cells + kLanes, kShort, l.main);
    ++l.burns;
    ++l.side_burns;
}

double best_wall(const std::function<void()>& work) {
    double best = 1e9;
    for (int i = 0; i < 3; ++i) {
        DRV(cuCtxSynchronize());
        const auto t0 = Clock::now();
        work();
        DRV(cuCtxSynchronize());
        best = std::min(best, ms_since(t0));
    }
    return best;
}

double best_of(const std::function<double()>& body) {
    double best = 1e9;
    for (int i = 0; i < 5; ++i) best = std::min(best, body());
    return best;
}

}  // namespace

int main() {
    Context context;
    Lanes lanes;
    lanes.open();

    // Cold start: what the very first task of a process costs.
    const auto cold_begin = Clock::now();
    const CUfunction f = burner();
    launch(f, lanes.cells + kLanes, kShort, lanes.main);
    ++lanes.burns;
    DRV(cuStreamSynchronize(lanes.main));
    const double cold = ms_since(cold_begin);

    uint32_t sum = orbit_sum(lanes.values, kValues, lanes.main);
    fan(lanes, f);
    DRV(cuStreamSynchronize(lanes.main));

    std::vector<Entry> entries;
    entries.push_back({"fan, events", [&] {
        DRV(cuEventRecord(lanes.begin, lanes.main));
        fan(lanes, f);
        DRV(cuEventRecord(lanes.end, lanes.main));
        DRV(cuEventSynchronize(lanes.end));
        float ms = 0.0f;
        DRV(cuEventElapsedTime(&ms, lanes.begin, lanes.end));
        return double(ms);
    }});
    entries.push_back({"fan, polled", [&] {
        const auto t0 = Clock::now();
        fan(lanes, f);
        DRV(cuEventRecord(lanes.end, lanes.main));
        CUresult state;
        while ((state = cuEventQuery(lanes.end)) == CUDA_ERROR_NOT_READY) {
        }
        DRV(state);
        return ms_since(t0);
    }});
    entries.push_back({"orbit sum", [&] {
        const auto t0 = Clock::now();
        sum = orbit_sum(lanes.values, kValues, lanes.main);
        return ms_since(t0);
    }});

    const double fan_wall = best_wall([&] { fan(lanes, f); });
    const double sum_wall = best_wall([&] { sum = orbit_sum(lanes.values, kValues, lanes.main); });
    const double wall[] = {fan_wall, fan_wall, sum_wall};

    double worst = 1.0;
    std::fprintf(stderr, "%-14s %9.3f ms\n", "cold start", cold);
    for (size_t i = 0; i < entries.size(); ++i) {
        const double ms = best_of(entries[i].body);
        std::fprintf(stderr, "%-14s %9.3f ms\n", entries[i].name.c_str(), ms);
        worst = std::max({worst, wall[i] / ms, ms / wall[i]});
    }

    DRV(cuCtxSynchronize());
    uint32_t cells[kLanes + 1];
    RT(cudaMemcpy(cells, lanes.cells, sizeof(cells), cudaMemcpyDeviceToHost));
    int wrong = cells[kLanes] != uint32_t(lanes.burns);
    for (int i = 0; i < kLanes; ++i) wrong += cells[i] != uint32_t(lanes.side_burns);
    uint32_t want = 0;
    for (uint32_t seed = 0; seed < 1024; ++seed) want += orbit_host(seed) * uint32_t(kValues / 1024);
    wrong += sum != want;
    lanes.close();

    if (wrong) std::printf("WRONG %d\n", wrong);
    else if (worst > 1.5) std::printf("SLOW %.2f\n", worst);
    else std::printf("DONE\n");
    return 0;
}
