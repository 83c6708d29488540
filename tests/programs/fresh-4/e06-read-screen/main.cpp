#include "cuda_util.h"
#include "seed_filter.h"
#include <cstdio>

namespace {

constexpr std::size_t kBases = 1 << 20;
constexpr int kBatches = 8;

seq::ReadBatch synthesise(int id)
{
    seq::ReadBatch batch(kBases);
    for (std::size_t i = 0; i < kBases; ++i)
        batch.bases[i] = i % (id + 2) == 0 ? 3 : static_cast<std::uint8_t>(i % 3);
    return batch;
}

unsigned markers(const seq::ReadBatch& batch)
{
    unsigned n = 0;
    for (std::size_t i = 0; i < batch.size; ++i) n += batch.bases[i] == 3;
    return n;
}

long screen_flowcell()
{
    std::vector<seq::ReadBatch> batches;
    for (int id = 0; id < kBatches; ++id) batches.push_back(synthesise(id));

    seq::DeviceBlockPool pool(kBases, 4);
    seq::SeedFilter filter(pool, 4, kBatches);
    for (const auto& batch : batches) filter.submit(batch);

    const unsigned* hits = filter.collect();
    long wrong = 0;
    for (int id = 0; id < kBatches; ++id)
        if (hits[id] != markers(batches[id])) ++wrong;
    return wrong;
}

}  // namespace

int main()
{
    try {
        const long wrong = screen_flowcell();
        if (wrong)
            std::printf("WRONG %ld\n", wrong);
        else
            std::printf("DONE\n");
        return wrong != 0;
    } catch (const seq::CudaError& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}
