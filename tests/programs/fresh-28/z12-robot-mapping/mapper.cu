#include "nodes.h"

namespace slam {
namespace {

__global__ void integrateScan(const Particle* slot, int particles, unsigned* map,
                              unsigned long long ns)
{
    settle(ns);
    for (int i = threadIdx.x; i < particles; i += blockDim.x) {
        const Particle p = slot[i];
        atomicAdd(&map[p.cell], static_cast<unsigned>(p.weight));
    }
}

class Mapper final : public Node {
public:
    Mapper(PoseRing& ring, unsigned* map) : ring_(ring), map_(map)
    {
        ok(cudaMemsetAsync(map_, 0, sizeof(*map_) * kCells, stream_));
        integrateScan<<<1, 256, 0, stream_>>>(ring_.slot(0), 0, map_, 0ull);
        ok(cudaGetLastError());
        join();
    }

    void spin() override
    {
        ok(cudaSetDevice(kDevice));
        for (int scan = 0; scan < kScans; ++scan) {
            ring_.published.reach(stream_, scan + 1);
            integrateScan<<<1, 256, 0, stream_>>>(ring_.slot(scan), kParticles, map_, 6000000ull);
            ok(cudaGetLastError());
            ring_.released.advance(stream_, scan + 1);
        }
    }

private:
    PoseRing& ring_;
    unsigned* map_;
};

}  // namespace

std::unique_ptr<Node> makeMapper(PoseRing& ring, unsigned* map)
{
    return std::make_unique<Mapper>(ring, map);
}

}  // namespace slam
