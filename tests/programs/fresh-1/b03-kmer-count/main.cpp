#include "counter.h"

#include <algorithm>
#include <vector>

int main()
{
    constexpr int kBatches = 10;

    std::vector<uint32_t> bases(kReadBases);
    uint32_t x = 12345u;
    for (uint32_t &b : bases) {
        x = x * 1664525u + 1013904223u;
        b = x >> 4;
    }

    Engine engine;
    engine_open(engine, bases.data());

    std::atomic<int> completed{0};
    std::vector<Batch> batches(kBatches);
    for (int i = 0; i < kBatches; ++i) {
        batches[i].id = i;
        batches[i].salt = 0x9e3779b9u * (i + 1);
        batches[i].completed = &completed;
        DRV(cuMemAllocHost(reinterpret_cast<void **>(&batches[i].spectrum),
                           kBuckets * sizeof(uint32_t)));
    }

    for (Batch &b : batches)
        engine_submit(engine, b);
    engine_drain(engine);

    int wrong = 0;
    if (completed.load(std::memory_order_acquire) != kBatches)
        ++wrong;
    std::vector<uint32_t> want(kBuckets);
    for (Batch &b : batches) {
        std::fill(want.begin(), want.end(), 0u);
        for (uint32_t base : bases)
            ++want[kmer_bucket(base, b.salt)];
        bool same = b.state.load() == BatchState::Counted;
        for (int k = 0; k < kBuckets && same; ++k)
            same = want[k] == b.spectrum[k];
        std::printf("batch %d: first bucket %u\n", b.id, b.spectrum[0]);
        if (!same)
            ++wrong;
    }

    for (Batch &b : batches)
        DRV(cuMemFreeHost(b.spectrum));
    engine_close(engine);

    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong ? 1 : 0;
}
