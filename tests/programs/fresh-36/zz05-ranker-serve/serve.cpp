// Ranking service: a few workers take requests of varying batch size from a shared list.
#include <atomic>
#include <cmath>
#include <cstdio>
#include <future>

#include "executor.hpp"

namespace {

using namespace rank;

struct Request {
    int id, batch;
};

const Request kRequests[] = {{0, 3}, {1, 4}, {2, 2}, {3, 4}, {4, 6}, {5, 8}, {6, 7}, {7, 3}, {8, 5}, {9, 4}};
constexpr int kCount = sizeof kRequests / sizeof kRequests[0];

std::vector<float> features(const Request& r) {
    std::vector<float> x(r.batch * kWidth);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>((i * 31 + r.id * 17) % 23) / 23.0f;
    return x;
}

int work(const Model& model, const ServeConfig& cfg, std::atomic<int>& next) {
    Executor executor(model, cfg);
    int wrong = 0;
    for (int i = next++; i < kCount; i = next++) {
        const Request& r = kRequests[i];
        const auto x = features(r);
        const auto got = executor.infer(x, r.batch);
        const auto want = model.reference(x, r.batch);
        for (std::size_t k = 0; k < want.size(); ++k) wrong += !(std::fabs(got[k] - want[k]) < 1e-3f);
    }
    return wrong;
}

}  // namespace

int main() {
    try {
        const ServeConfig cfg;
        const Model model;
        std::atomic<int> next{0};
        std::vector<std::future<int>> pool;
        for (int w = 0; w < cfg.workers; ++w)
            pool.push_back(std::async(std::launch::async, work, std::cref(model), std::cref(cfg), std::ref(next)));
        int wrong = 0;
        for (auto& f : pool) wrong += f.get();
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
    } catch (const CudaError& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
    return 0;
}
