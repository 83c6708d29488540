#include "device.h"

namespace {
constexpr int kBlocks = kItems / 256;

// One pass costs about six milliseconds on a full scene.
__device__ int heavy(int value)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin) : : "memory");
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now) : : "memory");
    } while (now - begin < 6'000'000ull);
    return value;
}
__device__ int item() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void particlesPass(const FrameConstants* constants, int* particles)
{
    particles[item()] += heavy(constants->wind) + item() % 3;
}
__global__ void shadowsPass(const FrameConstants* constants, int* shadows)
{
    shadows[item()] = heavy(constants->sun) ^ item();
}
__global__ void clothPass(const int* particles, int* cloth) { cloth[item()] = heavy(1) + 2 * particles[item()]; }
__global__ void lightingPass(const int* shadows, int* lit) { lit[item()] = heavy(3) * (shadows[item()] & 255); }
__global__ void compositePass(const int* lit, const int* cloth, long long* image)
{
    image[item()] += lit[item()] + cloth[item()];
}
}  // namespace

void drawParticles(const FrameConstants* constants, int* particles, cudaStream_t stream)
{
    particlesPass<<<kBlocks, 256, 0, stream>>>(constants, particles);
}
void drawShadows(const FrameConstants* constants, int* shadows, cudaStream_t stream)
{
    shadowsPass<<<kBlocks, 256, 0, stream>>>(constants, shadows);
}
void drawCloth(const int* particles, int* cloth, cudaStream_t stream)
{
    clothPass<<<kBlocks, 256, 0, stream>>>(particles, cloth);
}
void drawLighting(const int* shadows, int* lit, cudaStream_t stream)
{
    lightingPass<<<kBlocks, 256, 0, stream>>>(shadows, lit);
}
void drawComposite(const int* lit, const int* cloth, long long* image, cudaStream_t stream)
{
    compositePass<<<kBlocks, 256, 0, stream>>>(lit, cloth, image);
}
