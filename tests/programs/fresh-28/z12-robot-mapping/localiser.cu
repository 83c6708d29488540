#include "nodes.h"

namespace slam {
namespace {

__global__ void estimatePoses(int scan, Particle* slot, unsigned long long ns)
{
    settle(ns);
    for (int i = threadIdx.x; i < kParticles; i += blockDim.x) slot[i] = particleOf(scan, i);
}

class Localiser final : public Node {
public:
    explicit Localiser(PoseRing& ring) : ring_(ring)
    {
        // Initial pose: the robot stands on its dock.
        estimatePoses<<<1, 256, 0, stream_>>>(0, ring_.slot(0), 0ull);
        ok(cudaGetLastError());
        join();
    }

    void spin() override
    {
        ok(cudaSetDevice(kDevice));
        for (int scan = 0; scan < kScans; ++scan) {
            if (scan >= kRingDepth) ring_.released.reach(stream_, scan - kRingDepth + 1);
            estimatePoses<<<1, 256, 0, stream_>>>(scan, ring_.slot(scan), 3000000ull);
            ok(cudaGetLastError());
            ring_.published.advance(stream_, scan + 1);
        }
    }

private:
    PoseRing& ring_;
};

}  // namespace

std::unique_ptr<Node> makeLocaliser(PoseRing& ring) { return std::make_unique<Localiser>(ring); }

}  // namespace slam
