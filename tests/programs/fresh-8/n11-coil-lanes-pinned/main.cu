// Multi-coil MRI reconstruction, four coils in flight.
#include <chrono>

#include "recon.h"

int main() {
    constexpr int kLanes = 4;
    constexpr int kCoils = 12;
    constexpr std::size_t kVoxels = 1 << 15;
    using Clock = std::chrono::steady_clock;

    PinnedResource pinned;
    long wrong = 0;
    double ratio = 0;
    {
        Reconstruction recon(&pinned, kLanes, kVoxels);
        recon.run(0, kLanes);

        const auto a = Clock::now();
        recon.run(0, 1);
        const auto b = Clock::now();
        const std::vector<double> image = recon.run(0, kCoils);
        const auto c = Clock::now();

        const double single = std::chrono::duration<double>(b - a).count();
        const double whole = std::chrono::duration<double>(c - b).count();
        ratio = whole / (single * kCoils / kLanes);

        for (std::size_t i = 0; i < kVoxels; ++i) {
            double want = 0;
            for (int k = 0; k < kCoils; ++k) want += 2.0 * coilSample(k, i) + 1.0;
            if (image[i] != want) ++wrong;
        }
    }
    if (wrong) {
        std::printf("WRONG %ld\n", wrong);
        return 1;
    }
    if (ratio > 1.5) {
        std::printf("SLOW %.2f\n", ratio);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
