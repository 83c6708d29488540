#include "grader.h"

namespace grade {
namespace {

constexpr int kBlock = 256;
constexpr int kGrid = (kPixels + kBlock - 1) / kBlock;

__global__ void subtract_black(const std::uint16_t* raw, int level, int* linear)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kPixels) linear[i] = max(static_cast<int>(raw[i]) - level, 0);
}

__global__ void tone(const int* linear, const int* gain, int* graded)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kPixels) graded[i] = linear[i] * *gain;
}

__global__ void sum_luma(const int* linear, unsigned long long* luma)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kPixels) atomicAdd(luma, static_cast<unsigned long long>(linear[i]));
}

__global__ void choose_gain(const unsigned long long* luma, int* gain)
{
    const int mean = static_cast<int>(*luma / kPixels);
    *gain = 1 + 4096 / (mean + 16);
}

}  // namespace

void BlackLevelStage::enqueue(const StageContext& ctx)
{
    subtract_black<<<kGrid, kBlock, 0, ctx.stream>>>(ctx.frame.raw, level_, ctx.frame.linear);
}

void ToneStage::enqueue(const StageContext& ctx)
{
    tone<<<kGrid, kBlock, 0, ctx.stream>>>(ctx.frame.linear, ctx.frame.gain, ctx.frame.graded);
}

MeteringStage::MeteringStage()
{
    int least = 0, greatest = 0;
    must(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    must(cudaStreamCreateWithPriority(&background_, cudaStreamNonBlocking, least));
}

MeteringStage::~MeteringStage()
{
    cudaStreamSynchronize(background_);
    cudaStreamDestroy(background_);
}

void MeteringStage::enqueue(const StageContext& ctx)
{
    must(cudaMemsetAsync(ctx.frame.luma, 0, sizeof(*ctx.frame.luma), background_));
    sum_luma<<<kGrid, kBlock, 0, background_>>>(ctx.frame.linear, ctx.frame.luma);
    choose_gain<<<1, 1, 0, background_>>>(ctx.frame.luma, ctx.frame.gain);
}

}  // namespace grade
