#include "classifier.cuh"
#include <vector>

using namespace lidar;
using Pred = Both<GroundFilter, RangeGate>;

static void fillSweep(Point* p, int n, int sweep) {
    unsigned s = 12345u + 777u * sweep;
    for (int i = 0; i < n; ++i) {
        s = s * 1664525u + 1013904223u;
        p[i].x = (s >> 8) % 1000 * 0.1f;
        p[i].y = float(i);
        p[i].z = (s >> 20) * 0.01f;
        p[i].intensity = float(sweep);
    }
}

int main() {
    constexpr int kPoints = 1 << 16, kSweeps = 5;
    Point *sweep, *kept;
    int* count;
    require(cudaMallocHost(&sweep, kPoints * sizeof(Point)));
    require(cudaMallocHost(&kept, kPoints * sizeof(Point)));
    require(cudaMallocHost(&count, sizeof(int)));

    int wrong = 0;
    {
        SweepFilter<Pred> filter(kPoints);
        for (int s = 0; s < kSweeps; ++s) {
            fillSweep(sweep, kPoints, s);
            Pred pred{{5.f + 4.f * s}, {2.f * s, 60.f + 5.f * s}};
            filter.filter(sweep, kPoints, pred, kept, count);
            filter.wait();

            std::vector<Point> expect;
            for (int i = 0; i < kPoints; ++i)
                if (pred(sweep[i])) expect.push_back(sweep[i]);
            bool same = *count == int(expect.size());
            for (size_t i = 0; same && i < expect.size(); ++i)
                same = kept[i].x == expect[i].x && kept[i].y == expect[i].y && kept[i].z == expect[i].z;
            if (!same) ++wrong;
        }
    }
    require(cudaFreeHost(count));
    require(cudaFreeHost(kept));
    require(cudaFreeHost(sweep));
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return 0;
}
