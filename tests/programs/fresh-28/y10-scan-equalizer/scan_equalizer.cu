#include "scan_equalizer.h"
#include "kernels.cuh"

namespace scan {

__global__ void count_levels(const std::uint8_t* in, int n, unsigned* levels)
{
    __shared__ unsigned local[kLevels];
    for (int i = threadIdx.x; i < kLevels; i += blockDim.x) local[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[in[i]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < kLevels; i += blockDim.x)
        if (local[i]) atomicAdd(&levels[i], local[i]);
}

__global__ void level_table(const unsigned* levels, int n, std::uint8_t* table)
{
    unsigned sum = 0;
    for (int i = 0; i <= static_cast<int>(threadIdx.x); ++i) sum += levels[i];
    unsigned long long v = static_cast<unsigned long long>(sum) * 255 / n;
    table[threadIdx.x] = static_cast<std::uint8_t>(v > 255 ? 255 : v);
}

__global__ void smooth(const std::uint8_t* in, int width, int height, std::uint8_t* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= width * height) return;
    int x = i % width;
    int left = x > 0 ? in[i - 1] : in[i], right = x + 1 < width ? in[i + 1] : in[i];
    out[i] = static_cast<std::uint8_t>((left + 2 * in[i] + right) / 4);
}

__global__ void map_levels(const std::uint8_t* in, int n, const std::uint8_t* table, std::uint8_t* out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = table[in[i]];
}

struct ScanEqualizer::Impl {
    int width, height;
    cudaError_t status = cudaSuccess;
    cudaStream_t side = nullptr;
    cudaEvent_t fork = nullptr, join = nullptr;
    unsigned* levels = nullptr;
    std::uint8_t* table = nullptr;
    std::uint8_t* smoothed = nullptr;

    Impl(int w, int h) : width(w), height(h)
    {
        keep(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
        keep(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
        keep(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
        keep(cudaMalloc(&levels, kLevels * sizeof(unsigned)));
        keep(cudaMalloc(&table, kLevels));
        keep(cudaMalloc(&smoothed, static_cast<size_t>(w) * h));
    }
    ~Impl()
    {
        cudaStreamSynchronize(side);
        cudaFree(smoothed);
        cudaFree(table);
        cudaFree(levels);
        cudaEventDestroy(join);
        cudaEventDestroy(fork);
        cudaStreamDestroy(side);
    }
    void keep(cudaError_t e)
    {
        if (status == cudaSuccess) status = e;
    }
};

ScanEqualizer::ScanEqualizer(int width, int height) : impl_(std::make_unique<Impl>(width, height)) {}
ScanEqualizer::~ScanEqualizer() = default;
ScanEqualizer::ScanEqualizer(ScanEqualizer&&) noexcept = default;
ScanEqualizer& ScanEqualizer::operator=(ScanEqualizer&&) noexcept = default;

cudaError_t ScanEqualizer::status() const { return impl_->status; }

cudaError_t ScanEqualizer::enqueue(const std::uint8_t* in, std::uint8_t* out, cudaStream_t stream)
{
    Impl& p = *impl_;
    const int n = p.width * p.height;
    const int blocks = (n + 255) / 256;
    cudaError_t e;

    if ((e = cudaEventRecord(p.fork, stream)) != cudaSuccess) return e;
    if ((e = cudaStreamWaitEvent(p.side, p.fork, 0)) != cudaSuccess) return e;
    e = cudaMemsetAsync(p.levels, 0, kLevels * sizeof(unsigned), p.side);
    if (e != cudaSuccess) return e;
    count_levels<<<64, 256, 0, p.side>>>(in, n, p.levels);
    level_table<<<1, kLevels, 0, p.side>>>(p.levels, n, p.table);
    if ((e = cudaEventRecord(p.join, p.side)) != cudaSuccess) return e;

    smooth<<<blocks, 256, 0, stream>>>(in, p.width, p.height, p.smoothed);
    if ((e = cudaStreamWaitEvent(stream, p.join, 0)) != cudaSuccess) return e;
    map_levels<<<blocks, 256, 0, stream>>>(p.smoothed, n, p.table, out);
    return cudaGetLastError();
}

}  // namespace scan
