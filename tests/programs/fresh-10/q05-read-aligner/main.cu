#include "lane.cuh"

using namespace genome;

int main() {
    constexpr int kLanes = 3, kChunks = 10;
    std::vector<std::unique_ptr<Lane>> lanes;
    for (int l = 0; l < kLanes; ++l) lanes.push_back(std::make_unique<Lane>(l, kChunks));
    for (auto& lane : lanes) lane->enqueueAll();

    int wrong = 0;
    for (int l = 0; l < kLanes; ++l) {
        const int* counts = lanes[l]->gcCounts();
        for (int c = 0; c < kChunks; ++c)
            for (int r = 0; r < kReadsPerChunk; ++r) {
                int want = 0;
                for (int i = 0; i < kReadLength; ++i) {
                    const unsigned char b = baseAt(l, c, r * kReadLength + i);
                    want += b == 'G' || b == 'C';
                }
                if (counts[c * kReadsPerChunk + r] != want) ++wrong;
            }
    }
    lanes.clear();
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return 0;
}
