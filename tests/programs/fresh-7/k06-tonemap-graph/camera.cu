#include "TaskFlow.h"

#include <cstdio>
#include <memory>
#include <vector>

namespace
{

constexpr int kPixels = 512 * 512;
constexpr int kShots = 3;

struct DeviceDeleter
{
    void operator()(void* p) const { cudaFree(p); }
};

template <class T>
using DeviceArray = std::unique_ptr<T[], DeviceDeleter>;

template <class T>
DeviceArray<T> makeArray(size_t n)
{
    void* p = nullptr;
    cudaOrDie(cudaMalloc(&p, n * sizeof(T)));
    cudaOrDie(cudaMemset(p, 0, n * sizeof(T)));
    return DeviceArray<T>(static_cast<T*>(p));
}

__global__ void readSensor(int* raw, int shot)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kPixels)
        raw[i] = i * 13 % 1021 + shot * 5;
}

// One block walks over the image and finds the brightest pixel.
__global__ void measureExposure(const int* raw, int* peak)
{
    __shared__ int best;
    if (threadIdx.x == 0)
        best = 0;
    __syncthreads();
    long long begin = clock64();
    while (clock64() - begin < 100000000LL)
    {
    }
    int mine = 0;
    for (int i = threadIdx.x; i < kPixels; i += blockDim.x)
        mine = max(mine, raw[i]);
    atomicMax(&best, mine);
    __syncthreads();
    if (threadIdx.x == 0)
        *peak = best + 1;
}

__global__ void toneMap(const int* raw, const int* peak, int* image, int shot)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kPixels)
        image[shot * kPixels + i] = raw[i] * 64 + *peak + shot;
}

__global__ void drawFocusAid(const int* raw, int* overlay)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < kPixels)
        overlay[i] = abs(raw[i] - raw[i - 1]);
}

} // namespace

int main()
{
    const dim3 grid(kPixels / 256), block(256);
    auto raw = makeArray<int>(kPixels);
    auto peak = makeArray<int>(1);
    auto overlay = makeArray<int>(kPixels);
    auto image = makeArray<int>(size_t(kPixels) * kShots);
    cudaOrDie(cudaDeviceSynchronize());

    int shot = 0;
    TaskFlow flow(2);
    flow.task("sensor").onLane(0).urgency(9).does(
        [&](cudaStream_t s) { readSensor<<<grid, block, 0, s>>>(raw.get(), shot); });
    flow.task("exposure").onLane(1).after("sensor").urgency(3).does(
        [&](cudaStream_t s) { measureExposure<<<1, 256, 0, s>>>(raw.get(), peak.get()); });
    flow.task("tonemap").onLane(0).after("exposure").urgency(5).does(
        [&](cudaStream_t s) { toneMap<<<grid, block, 0, s>>>(raw.get(), peak.get(), image.get(), shot); });
    flow.task("focus").onLane(1).after("sensor").urgency(1).does(
        [&](cudaStream_t s) { drawFocusAid<<<grid, block, 0, s>>>(raw.get(), overlay.get()); });
    flow.compile();

    for (shot = 0; shot < kShots; ++shot)
    {
        flow.submit();
        cudaOrDie(cudaGetLastError());
        flow.drain();
    }

    std::vector<int> got(size_t(kPixels) * kShots);
    cudaOrDie(cudaMemcpy(got.data(), image.get(), got.size() * sizeof(int), cudaMemcpyDeviceToHost));
    long wrong = 0;
    for (int s = 0; s < kShots; ++s)
        for (int i = 0; i < kPixels; ++i)
        {
            const int expected = (i * 13 % 1021 + s * 5) * 64 + (1021 + s * 5) + s;
            wrong += got[size_t(s) * kPixels + i] != expected;
        }
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return wrong ? 1 : 0;
}
