#include <cstdint>
#include <cstdio>
#include <vector>

#include "archiver.h"
#include "cuda_error.h"

namespace {

constexpr std::size_t kSamples = 1 << 18;
constexpr int kSegments = 40;

void sampleInto(std::vector<std::int32_t>& v, int segment)
{
    std::uint32_t x = 17u + 101u * unsigned(segment);
    for (auto& s : v) {
        x = x * 1103515245u + 12345u;
        s = std::int32_t(x >> 8);
    }
}

}  // namespace

int main()
try {
    BlockPool pool(3, kSamples);
    Archiver archiver(pool, kSegments);

    std::vector<std::int32_t> packet(kSamples);
    for (int s = 0; s < kSegments; ++s) {
        sampleInto(packet, s);
        archiver.append(packet.data());
    }
    const std::int32_t* archive = archiver.close();

    long wrong = 0;
    for (int s = 0; s < kSegments; ++s) {
        sampleInto(packet, s);
        std::int32_t sum = 0;
        for (std::size_t i = 0; i < kSamples; ++i) {
            sum += archive[std::size_t(s) * kSamples + i];
            if (sum != packet[i]) ++wrong;
        }
    }
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
} catch (const CudaError& e) {
    std::printf("ERROR %s\n", e.what());
    return 1;
}
