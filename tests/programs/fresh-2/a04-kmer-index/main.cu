#include <cstdint>
#include <cstring>

#include "kmer.cuh"

using namespace genomics;

namespace {

constexpr int kBatchBases = 1 << 17;
constexpr int kBatches = 8;

// Synthetic sequencing run: every lane of the flow cell has its own composition.
class FlowCell {
public:
    explicit FlowCell(uint32_t seed) : state_(seed) {}
    void read(int lane, unsigned char* dst, int n) {
        for (int i = 0; i < n; ++i) {
            state_ ^= state_ << 13;
            state_ ^= state_ >> 17;
            state_ ^= state_ << 5;
            const unsigned skew = (state_ >> 20) % (lane + 2);
            dst[i] = static_cast<unsigned char>((state_ + skew) & 3u);
        }
    }

private:
    uint32_t state_;
};

std::vector<unsigned> reference_counts() {
    std::vector<unsigned> counts(kEntries, 0u);
    std::vector<unsigned char> buf(kBatchBases);
    FlowCell cell(99u);
    for (int b = 0; b < kBatches; ++b) {
        cell.read(b, buf.data(), kBatchBases);
        unsigned key = 0;
        for (int i = 0; i < kBatchBases; ++i) {
            key = ((key << 2) | buf[i]) & (kEntries - 1);
            if (i >= kK - 1) ++counts[key];
        }
    }
    return counts;
}

}  // namespace

int main() {
    CUDA_OK(cudaSetDevice(0));
    const auto want = reference_counts();

    PinnedPool pool(2, kBatchBases);
    std::vector<unsigned> got;
    {
        KmerIndex index(kBatchBases);
        FlowCell cell(99u);
        index.open();
        for (int b = 0; b < kBatches; ++b) {
            Lease lease(pool);
            cell.read(b, lease.data(), kBatchBases);
            index.add(lease.data(), kBatchBases);
        }
        got = index.finish();
    }

    long wrong = 0;
    for (int i = 0; i < kEntries; ++i)
        if (got[i] != want[i]) ++wrong;
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return wrong ? 1 : 0;
}
