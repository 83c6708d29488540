#include <future>
#include <memory>
#include "worker.h"

using namespace pricing;

int main() {
    constexpr int kDesks = 4, kBooks = 6;
    std::atomic<int> revaluations{0};
    std::vector<std::unique_ptr<Worker>> workers;
    std::vector<std::vector<Book>> books(kDesks);
    for (int d = 0; d < kDesks; ++d) {
        workers.push_back(std::make_unique<Worker>(revaluations));
        for (int b = 0; b < kBooks; ++b) books[d].push_back({d, 50 + 40 * b});
    }

    std::vector<std::future<std::vector<long long>>> replies;
    for (int d = 0; d < kDesks; ++d)
        replies.push_back(std::async(std::launch::async, [&, d] { return workers[d]->value(books[d]); }));
    for (auto& reply : replies) reply.wait();

    int wrong = revaluations.load() == kDesks * kBooks * kReplays ? 0 : 1;
    try {
        for (int d = 0; d < kDesks; ++d) {
            const std::vector<long long> totals = replies[d].get();
            for (int b = 0; b < kBooks; ++b) {
                long long want = 0;
                for (int i = 0; i < kPaths; ++i) want += std::abs((i * 37 + d * 101) % 400 - books[d][b].strike);
                if (totals[b] != want * kReplays) ++wrong;
            }
        }
    } catch (const CudaFailure& failure) {
        std::printf("ERROR %s\n", cudaGetErrorName(failure.code));
        return 1;
    }
    workers.clear();
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return 0;
}
