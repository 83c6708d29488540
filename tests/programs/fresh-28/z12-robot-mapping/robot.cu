#include <thread>
#include "nodes.h"

using namespace slam;

static int compareMap(const unsigned* map)
{
    std::vector<unsigned> expected(kCells, 0u), got(kCells);
    ok(cudaMemcpy(got.data(), map, kCells * sizeof(unsigned), cudaMemcpyDeviceToHost));
    for (int scan = 0; scan < kScans; ++scan)
        for (int i = 0; i < kParticles; ++i) {
            const Particle p = particleOf(scan, i);
            expected[p.cell] += static_cast<unsigned>(p.weight);
        }
    int wrong = 0;
    for (int c = 0; c < kCells; ++c) wrong += got[c] != expected[c];
    return wrong;
}

int main()
{
    ok(cudaSetDevice(kDevice));
    unsigned* map = nullptr;
    ok(cudaMalloc(reinterpret_cast<void**>(&map), kCells * sizeof(unsigned)));
    int wrong = 0;
    {
        PoseRing ring;
        auto localiser = makeLocaliser(ring);
        auto mapper = makeMapper(ring, map);

        std::thread mapping([&] { mapper->spin(); });
        mapping.join();
        std::thread localisation([&] { localiser->spin(); });
        mapper->join();
        localisation.join();
        localiser->join();
        wrong = compareMap(map);
    }
    cudaFree(map);
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong != 0;
}
