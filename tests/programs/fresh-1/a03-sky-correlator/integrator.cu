#include "stages.h"

namespace sky {
namespace {

// Follows the channelizer spectrum by spectrum and keeps the running image in registers.
__global__ void __launch_bounds__(1024) integrate(const float* spectra, const unsigned* progress, float* image,
                                                  Geometry g) {
    float sum[4] = {0.f, 0.f, 0.f, 0.f};
    for (int s = 0; s < g.spectra; ++s) {
        if (threadIdx.x == 0) {
            const unsigned want = static_cast<unsigned>((s + 1) * g.blocks);
            while (*static_cast<const volatile unsigned*>(progress) < want) __nanosleep(200);
            __threadfence();
        }
        __syncthreads();
        const float* row = spectra + static_cast<size_t>(s) * g.bins;
        for (int k = 0; k < 4; ++k) sum[k] += __ldcg(row + threadIdx.x + k * blockDim.x);
        __syncthreads();
    }
    for (int k = 0; k < 4; ++k) image[threadIdx.x + k * blockDim.x] = sum[k];
}

}  // namespace

void Integrator::open(const float* spectra, const unsigned* progress, float* image) {
    integrate<<<1, 1024, 0, stream_>>>(spectra, progress, image, g_);
    SKY_CHECK(cudaGetLastError());
}

}  // namespace sky
