#include "matcher.cuh"

#include <cstdio>
#include <cstdlib>

using namespace scan;

static Outcome reference(const std::vector<Point>& ref, const std::vector<Point>& mov, const Settings& settings)
{
    Outcome out;
    for (int k = 0; k < settings.iterations; ++k) {
        long long sums[4] = {0, 0, 0, 0}, quality = 0;
        for (std::size_t i = 0; i < ref.size(); ++i) {
            int dx = ref[i].x - mov[i].x - out.shift[0];
            int dy = ref[i].y - mov[i].y - out.shift[1];
            int dz = ref[i].z - mov[i].z - out.shift[2];
            int d = std::abs(dx) + std::abs(dy) + std::abs(dz);
            int w = d < settings.outlier ? 2 : 1;
            quality += d;
            sums[0] += w * dx, sums[1] += w * dy, sums[2] += w * dz, sums[3] += w;
        }
        out.quality.push_back(quality);
        for (int axis = 0; axis < 3; ++axis)
            out.shift[axis] += static_cast<int>(sums[axis] / (2 * sums[3]));
    }
    return out;
}

int main()
{
    std::vector<Point> ref(20000), mov(ref.size());
    unsigned state = 99;
    auto next = [&state](int range) {
        state = state * 1664525u + 1013904223u;
        return static_cast<int>((state >> 8) % range);
    };
    for (std::size_t i = 0; i < ref.size(); ++i) {
        ref[i] = {next(10000), next(10000), next(10000)};
        mov[i] = {ref[i].x - 640 + next(41), ref[i].y + 320 + next(41), ref[i].z - 160 + next(41)};
    }

    Settings settings;
    int wrong = 0;
    try {
        Matcher matcher(ref, mov, settings);
        Outcome got = matcher.align();
        Outcome want = reference(ref, mov, settings);
        for (int axis = 0; axis < 3; ++axis)
            if (got.shift[axis] != want.shift[axis]) ++wrong;
        for (int k = 0; k < settings.iterations; ++k) {
            std::printf("iteration %d: quality %lld\n", k, got.quality[k]);
            if (got.quality[k] != want.quality[k]) ++wrong;
        }
    } catch (const CudaFailure& failure) {
        std::printf("ERROR %s\n", failure.what());
        return 2;
    }

    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong != 0;
}
