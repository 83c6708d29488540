#include <algorithm>
#include <cstdio>
#include <vector>

#include "detector.h"
#include "frame_feed.h"

namespace {

constexpr int kFrames = 16;
constexpr std::size_t kPixels = 512 * 512;

class Tracker {
public:
    Tracker()
        : feed_(kPixels, [](int frame, tracker::Pixel* dst, std::size_t n) {
              std::fill(dst, dst + n, static_cast<tracker::Pixel>(100 + frame));
          }),
          flux_(kFrames) {
        gpu::must(cudaMemsetAsync(flux_.data(), 0, flux_.bytes(), compute_));
    }

    std::vector<unsigned long long> run() {
        for (int f = 0; f < kFrames; ++f) {
            const tracker::Pixel* frame = feed_.fetch(f, compute_);
            tracker::detect(frame, static_cast<int>(feed_.pixels()), flux_.data() + f, compute_);
            feed_.release(compute_);
        }
        compute_.drain();
        std::vector<unsigned long long> light(kFrames);
        gpu::must(cudaMemcpy(light.data(), flux_.data(), flux_.bytes(), cudaMemcpyDeviceToHost));
        return light;
    }

private:
    gpu::Stream compute_;
    tracker::FrameFeed feed_;
    gpu::DeviceArray<unsigned long long> flux_;
};

}  // namespace

int main() {
    try {
        Tracker t;
        const auto light = t.run();
        int wrong = 0;
        for (int f = 0; f < kFrames; ++f)
            if (light[f] != (100ull + f) * kPixels) ++wrong;
        if (wrong) std::printf("WRONG %d\n", wrong);
        else std::printf("DONE\n");
        return wrong != 0;
    } catch (const gpu::Error& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}
