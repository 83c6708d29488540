// Picture in bands, one stream each: the whole picture is to take about as long as one band.
#include <chrono>
#include <cstdio>

#include "renderer.h"

namespace {

double seconds(bands::Renderer& r, int first, int count) {
    const auto begin = std::chrono::steady_clock::now();
    r.render(first, count);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

int produce() {
    bands::Renderer renderer(1024, 512, 4);
    renderer.render(0, renderer.bands());

    const double one = seconds(renderer, 0, 1);
    const double all = seconds(renderer, 0, renderer.bands());
    if (const int bad = renderer.mistakes()) {
        std::printf("WRONG %d\n", bad);
        return 1;
    }
    const double ratio = all / one;
    if (ratio > 1.5) {
        std::printf("SLOW %.2f\n", ratio);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}

}  // namespace

int main() {
    try {
        return produce();
    } catch (const bands::Fault& fault) {
        std::printf("ERROR %s\n", cudaGetErrorName(fault.code));
        return 1;
    }
}
