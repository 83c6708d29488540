// A weaving hall: every loom is driven by a thread of its own, the foreman keeps the punch clock meanwhile.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <future>
#include <memory>
#include <vector>
#include "loom.cuh"

namespace {

using namespace hall;
using Clock = std::chrono::steady_clock;

constexpr int kLooms = 4;
constexpr int kPanels = 10;

void shift(Loom& loom, std::promise<void>& ready, std::shared_future<void> bell) {
    try {
        rt(cudaSetDevice(0));
        loom.weave(0);
        loom.rest();
        ready.set_value();
    } catch (...) {
        ready.set_exception(std::current_exception());
        throw;
    }
    bell.wait();
    for (int p = 0; p < kPanels; ++p) loom.weave(p);
    loom.rest();
}

unsigned punch(unsigned* strokes) {
    unsigned seen = 0;
    punchClock<<<1, 1>>>(strokes);
    rt(cudaGetLastError());
    rt(cudaMemcpy(&seen, strokes, sizeof seen, cudaMemcpyDeviceToHost));
    return seen;
}

int day() {
    rt(cudaSetDevice(0));
    unsigned* strokes = nullptr;
    rt(cudaMalloc(&strokes, sizeof *strokes));
    rt(cudaMemset(strokes, 0, sizeof *strokes));
    unsigned punched = 1;
    unsigned shown = punch(strokes);

    std::vector<std::unique_ptr<Loom>> looms;
    for (int i = 0; i < kLooms; ++i) looms.push_back(std::make_unique<Loom>(i, kPanels));

    std::vector<std::promise<void>> ready(kLooms);
    std::promise<void> bell;
    const std::shared_future<void> rung = bell.get_future().share();
    std::vector<std::future<void>> shifts;
    for (int i = 0; i < kLooms; ++i)
        shifts.push_back(std::async(std::launch::async, [&, i] { shift(*looms[i], ready[i], rung); }));
    for (auto& r : ready) r.get_future().wait();

    const auto begin = Clock::now();
    bell.set_value();
    for (auto& s : shifts)
        while (s.wait_for(std::chrono::milliseconds(10)) != std::future_status::ready) {
            shown = punch(strokes);
            ++punched;
        }
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    for (auto& s : shifts) s.get();

    int bad = shown == punched ? 0 : 1;
    for (auto& loom : looms) bad += loom->flaws(kPanels);
    rt(cudaFree(strokes));

    const double ratio = ms / (kPanels * static_cast<double>(kLiftNs + kBeatNs) * 1e-6);
    if (bad) std::printf("WRONG %d\n", bad);
    else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
    else std::printf("DONE\n");
    return 0;
}

}  // namespace

int main() {
    try {
        return day();
    } catch (const std::exception& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
