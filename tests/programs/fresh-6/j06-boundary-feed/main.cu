// Channel flow with a time-dependent inflow boundary computed on the host.
#include "flow.h"
#include "staging.cuh"
#include <cstdio>
#include <vector>

#define CK(call)                                              \
    do {                                                      \
        cudaError_t e_ = (call);                              \
        if (e_ != cudaSuccess) {                              \
            std::printf("ERROR %s\n", cudaGetErrorName(e_));  \
            return 1;                                         \
        }                                                     \
    } while (0)

int main()
{
    const int cells = 1 << 16, steps = 10;
    flow_domain dom;
    StagingRing<float, 2> ring;
    CK(flow_create(&dom, cells, steps));
    CK(ring.open(cells));

    for (int s = 0; s < steps; ++s) {
        float *slot = nullptr;
        CK(ring.acquire(&slot));
        for (int i = 0; i < cells; ++i)
            slot[i] = flow_boundary(s, i);
        CK(ring.commit(dom.inflow, dom.consumed));
        CK(flow_advance(&dom, s, ring.uploaded()));
    }
    CK(cudaStreamSynchronize(dom.stream));

    std::vector<float> got((size_t)cells * steps);
    CK(cudaMemcpy(got.data(), dom.history, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
    long wrong = 0;
    for (int s = 0; s < steps; ++s)
        for (int i = 0; i < cells; ++i)
            if (got[(size_t)s * cells + i] != flow_expected(s, i))
                ++wrong;

    ring.close();
    CK(flow_destroy(&dom));
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
