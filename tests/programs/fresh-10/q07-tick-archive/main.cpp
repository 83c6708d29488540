#include "replayer.h"

int main() {
    constexpr int kBatches = 16;
    Replayer replayer(2, kBatches);
    std::vector<long long> expected(kBatches, 0);
    for (int id = 0; id < kBatches; ++id) {
        Batch batch;
        batch.id = id;
        for (int i = 0; i < kTicksPerBatch; ++i) {
            batch.ticks.push_back({100 + id * 3 + i % 11, 1 + i % 5});
            expected[id] += (long long)batch.ticks.back().price * batch.ticks.back().volume;
        }
        replayer.add(std::move(batch));
    }
    replayer.run();

    int wrong = 0;
    for (int id = 0; id < kBatches; ++id)
        if (replayer.turnover(id) != expected[id]) ++wrong;
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return 0;
}
