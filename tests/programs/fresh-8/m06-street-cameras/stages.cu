#include "stage.hpp"
#include <stdexcept>

namespace {

__device__ void occupy(unsigned long long ns)
{
    unsigned long long a, b;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(a)::"memory");
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(b)::"memory");
    } while (b - a < ns);
}

__global__ void smoothKernel(const int* raw, int* out)
{
    occupy(40'000'000ull);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kPixels; i += gridDim.x * blockDim.x)
        out[i] = raw[i] / 2 + 1;
}

__global__ void detectKernel(const int* img, int* score)
{
    int local = 0;
    for (int i = threadIdx.x; i < kPixels; i += blockDim.x) local += img[i];
    atomicAdd(score, local);
}

__global__ void archiveKernel(const int* score, int* out) { *out = *score + 17; }

class Smooth final : public IStage {
public:
    const char* name() const override { return "smooth"; }
    std::vector<std::string> inputs() const override { return {}; }
    int urgency() const override { return 5; }
    void enqueue(const Clip& c, int f, cudaStream_t s) override
    {
        smoothKernel<<<32, 256, 0, s>>>(c.raw + f * kPixels, c.smooth + f * kPixels);
        gpu(cudaGetLastError());
    }
};

class Detect final : public IStage {
public:
    const char* name() const override { return "detect"; }
    std::vector<std::string> inputs() const override { return {"smooth"}; }
    int urgency() const override { return 9; }
    void enqueue(const Clip& c, int f, cudaStream_t s) override
    {
        detectKernel<<<1, 512, 0, s>>>(c.smooth + f * kPixels, c.score + f);
        gpu(cudaGetLastError());
    }
};

class Archive final : public IStage {
public:
    const char* name() const override { return "archive"; }
    std::vector<std::string> inputs() const override { return {"detect"}; }
    int urgency() const override { return 1; }
    void enqueue(const Clip& c, int f, cudaStream_t s) override
    {
        archiveKernel<<<1, 1, 0, s>>>(c.score + f, c.archive + f);
        gpu(cudaGetLastError());
    }
};

} // namespace

std::unique_ptr<IStage> makeStage(const std::string& kind)
{
    if (kind == "smooth") return std::make_unique<Smooth>();
    if (kind == "detect") return std::make_unique<Detect>();
    if (kind == "archive") return std::make_unique<Archive>();
    throw std::invalid_argument(kind);
}
