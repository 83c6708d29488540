#include <chrono>
#include "recon.h"

using namespace recon;

namespace {

using Lanes = std::vector<std::unique_ptr<Lane>>;

// Angle a belongs to lane a % lanes.size(); `used` lanes take part.
double reconstruct(const Scan& scan, Lanes& lanes, std::size_t used, Heartbeat& heartbeat)
{
    const auto begin = std::chrono::steady_clock::now();
    const int perLane = scan.geometry().angles / static_cast<int>(lanes.size());
    for (std::size_t l = 0; l < used; ++l) lanes[l]->clear();
    for (int step = 0; step < perLane; ++step)
        for (std::size_t l = 0; l < used; ++l) {
            lanes[l]->backproject(scan, static_cast<int>(step * lanes.size() + l));
            heartbeat.tick();
        }
    for (std::size_t l = 0; l < used; ++l) lanes[l]->wait();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

int compare(const Scan& scan, const Lanes& lanes)
{
    const Geometry& g = scan.geometry();
    int wrong = 0;
    for (std::size_t l = 0; l < lanes.size(); ++l) {
        std::vector<unsigned> expected(g.voxels, 0u);
        for (int a = static_cast<int>(l); a < g.angles; a += static_cast<int>(lanes.size())) {
            const float* p = scan.projection(a);
            for (std::size_t i = 0; i < g.projectionFloats(); ++i)
                expected[i % g.voxels] += static_cast<unsigned>(2.f * p[i] + 1.f);
        }
        const std::vector<unsigned> got = lanes[l]->volume();
        for (int v = 0; v < g.voxels; ++v) wrong += got[v] != expected[v];
    }
    return wrong;
}

}  // namespace

int main()
{
    const Scan scan{Geometry{}};
    Heartbeat heartbeat;
    Lanes lanes;
    for (int l = 0; l < 4; ++l) lanes.push_back(std::make_unique<Lane>(scan.geometry()));

    reconstruct(scan, lanes, lanes.size(), heartbeat);
    const double one = reconstruct(scan, lanes, 1, heartbeat);
    const double all = reconstruct(scan, lanes, lanes.size(), heartbeat);
    std::fprintf(stderr, "one lane %.1f ms, all %.1f ms\n", one, all);

    int wrong = compare(scan, lanes);
    const unsigned perLane = scan.geometry().angles / 4;
    if (heartbeat.read() != perLane * 9) ++wrong;
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else if (all / one > 1.5)
        std::printf("SLOW %.2f\n", all / one);
    else
        std::printf("DONE\n");
    return 0;
}
