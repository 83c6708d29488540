#include <algorithm>
#include <chrono>

#include "tiles.cuh"

namespace {

class Laps {
public:
    Laps() {
        SURE(cudaEventCreate(&from_));
        SURE(cudaEventCreate(&to_));
    }
    ~Laps() {
        cudaEventDestroy(to_);
        cudaEventDestroy(from_);
    }

    template <class F>
    float lap(F&& work) {
        SURE(cudaEventRecord(from_));
        work();
        SURE(cudaEventRecord(to_));
        SURE(cudaEventSynchronize(to_));
        float ms = 0.f;
        SURE(cudaEventElapsedTime(&ms, from_, to_));
        return ms;
    }

private:
    cudaEvent_t from_ = nullptr;
    cudaEvent_t to_ = nullptr;
};

template <class Pixel>
double medianLap(tiles::TileDecoder<Pixel>& decoder, int laps) {
    Laps clock;
    std::vector<float> ms;
    for (int i = 0; i < laps; ++i) ms.push_back(clock.lap([&] { decoder.submit(); }));
    std::nth_element(ms.begin(), ms.begin() + laps / 2, ms.end());
    return ms[laps / 2];
}

template <class Pixel>
double audit(tiles::TileDecoder<Pixel>& decoder) {
    decoder.wipe();
    const auto t0 = std::chrono::steady_clock::now();
    decoder.submit();
    SURE(cudaDeviceSynchronize());
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count();
}

template <class Pixel>
int report(const char* name) {
    tiles::Geometry g;
    tiles::TileDecoder<Pixel> decoder(g);
    decoder.submit();
    SURE(cudaDeviceSynchronize());

    const double lap = medianLap(decoder, 7);
    std::fprintf(stderr, "%s: %.0f tiles/s\n", name, 1000.0 * decoder.count() / lap);

    const double wall = audit(decoder);
    if (const int wrong = decoder.mismatches()) {
        std::printf("WRONG %d\n", wrong);
        return 1;
    }
    const double ratio = std::max(wall / lap, lap / wall);
    if (ratio > 1.5) {
        std::printf("SLOW %.2f\n", ratio);
        return 1;
    }
    return 0;
}

}  // namespace

int main() {
    if (report<float>("float tiles")) return 1;
    if (report<int>("int tiles")) return 1;
    std::printf("DONE\n");
    return 0;
}
