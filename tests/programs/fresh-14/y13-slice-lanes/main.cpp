#include <chrono>
#include <cstdio>
#include <vector>

#include "scanner.h"

namespace {

template <class Work>
double milliseconds(Work&& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::milli> span =
        std::chrono::steady_clock::now() - begin;
    return span.count();
}

}  // namespace

int main() {
    constexpr int side = 256, slices = 12;
    ct::Reconstructor reconstructor(side, 4);

    std::vector<ct::Slice> volume(slices);
    for (int s = 0; s < slices; ++s) {
        volume[s].index = s;
        volume[s].pixels.assign(reconstructor.pixels(), 0.0f);
    }

    reconstructor.submit(volume[0]);
    reconstructor.wait();
    const double single = milliseconds([&] {
        reconstructor.submit(volume[0]);
        reconstructor.wait();
    });
    const double all = milliseconds([&] {
        for (ct::Slice& slice : volume) reconstructor.submit(slice);
        reconstructor.wait();
    });

    int wrong = 0;
    for (const ct::Slice& slice : volume)
        for (int i = 0; i < reconstructor.pixels(); ++i)
            wrong += slice.pixels[i] != ct::Reconstructor::expected(slice.index, i);

    const double ratio = all / (single * slices / reconstructor.lanes());
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return wrong != 0 || ratio > 1.5;
}
