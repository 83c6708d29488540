#include <cstdio>
#include <string>
#include <vector>

#include "packer.h"
#include "staging.cuh"

int main() {
    constexpr size_t kBases = 64 * 1024;
    constexpr size_t kSlots = 4;
    constexpr int kBatches = 16;
    try {
        genome::StagingRing ring(kSlots, kBases / 4);
        genome::UploadQueue uploads(ring, kSlots, kBatches);
        genome::ReadSource source(kBases);

        std::vector<unsigned> expected;
        std::string reads;
        for (int b = 0; source.next(reads, b, kBatches); ++b) {
            genome::Slot& slot = ring.acquire();
            slot.batch = b;
            slot.bytes = kBases / 4;
            expected.push_back(genome::pack(reads, slot.host));
            uploads.enqueue(slot);
        }

        const std::vector<unsigned> counts = uploads.finish();
        int wrong = 0;
        for (int b = 0; b < kBatches; ++b) wrong += counts[b] != expected[b];
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
        return wrong != 0;
    } catch (cudaError_t e) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        return 2;
    }
}
