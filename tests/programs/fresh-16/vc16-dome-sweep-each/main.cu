// Planetarium dome: how long a frame takes at the resolutions of the programme.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <vector>
#include "sweep.h"

namespace {

constexpr int kFrames = 8;

double again(dome::Projector& projector, dome::Shape shape) {
    dome::Interval interval;
    interval.open(projector.stream());
    for (int f = 0; f < kFrames; ++f) projector.show(shape);
    interval.close(projector.stream());
    return interval.ms() / kFrames;
}

}  // namespace

int main() {
    try {
        const std::vector<dome::Shape> shapes = {{256, 256}, {512, 384}, {640, 640}, {1024, 768}};
        int largest = 0;
        for (const auto& s : shapes) largest = std::max(largest, s.pixels());

        int bad = 0;
        double worst = 1.0;
        {
            dome::Projector projector(largest);
            const auto figures = dome::sweep(projector, shapes, kFrames);
            for (const auto& f : figures) {
                std::fprintf(stderr, "%4d x %-4d %7.3f ms\n", f.shape.width, f.shape.height, f.msPerFrame);
                bad += projector.faults(f.shape);
                const double honest = again(projector, f.shape);
                worst = std::max({worst, f.msPerFrame / honest, honest / f.msPerFrame});
            }
        }
        dome::WarpLibrary::shared().forget();
        if (bad) std::printf("WRONG %d\n", bad);
        else if (worst > 1.5) std::printf("SLOW %.2f\n", worst);
        else std::printf("DONE\n");
    } catch (const std::exception& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
    return 0;
}
