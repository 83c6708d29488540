#include "session.h"

namespace asr {
namespace {

__device__ void dwell(unsigned long long ns)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        __nanosleep(200);
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

// Windows and transforms a chunk; the transform itself runs at a fixed rate.
__global__ void spectrumKernel(const std::int16_t* pcm, int hops, int bins, float2* spectrum)
{
    dwell(5000000ull);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < hops * bins; i += gridDim.x * blockDim.x)
        spectrum[i] = make_float2(static_cast<float>(pcm[i / bins]), 0.f);
}

__global__ void acousticKernel(const float2* spectrum, int hops, int bins, unsigned long long* score)
{
    dwell(3000000ull);
    for (int h = blockIdx.x * blockDim.x + threadIdx.x; h < hops; h += gridDim.x * blockDim.x)
        atomicAdd(score, static_cast<unsigned long long>(spectrum[h * bins + h].x) * (h + 1));
}

}  // namespace

Session::Session(int id, const FrontEnd& frontEnd, const Limits& limits)
    : id_(id),
      frontEnd_(frontEnd),
      chunks_(limits.chunksPerCall),
      scratch_(limits.scratchPerSession)
{
    const int hops = frontEnd_.paddedHops();
    ensure(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    ensure(cudaMallocHost(&pcmHost_, sizeof(*pcmHost_) * hops * chunks_));
    ensure(cudaMallocHost(&scoreHost_, sizeof(*scoreHost_)));
    ensure(cudaMalloc(&pcm_, sizeof(*pcm_) * hops));
    ensure(cudaMalloc(&score_, sizeof(*score_)));
    for (int c = 0; c < chunks_; ++c)
        for (int h = 0; h < hops; ++h) pcmHost_[c * hops + h] = pcmSample(id_, c, h);
    ensure(cudaMemsetAsync(score_, 0, sizeof(*score_), stream_));
    ensure(cudaStreamSynchronize(stream_));
}

Session::~Session()
{
    cudaStreamSynchronize(stream_);
    cudaFree(score_);
    cudaFree(pcm_);
    cudaFreeHost(scoreHost_);
    cudaFreeHost(pcmHost_);
    cudaStreamDestroy(stream_);
}

void Session::feed(int chunk)
{
    const int hops = frontEnd_.paddedHops();
    auto spectrum = scratch_.take(frontEnd_.spectrumBytes());
    ensure(cudaMemcpyAsync(pcm_, pcmHost_ + chunk * hops, sizeof(*pcm_) * hops,
                           cudaMemcpyHostToDevice, stream_));
    spectrumKernel<<<8, 256, 0, stream_>>>(pcm_, hops, frontEnd_.bins, spectrum.as<float2>());
    acousticKernel<<<2, 128, 0, stream_>>>(spectrum.as<float2>(), hops, frontEnd_.bins, score_);
    ensure(cudaGetLastError());
}

unsigned long long Session::finish()
{
    ensure(cudaMemcpyAsync(scoreHost_, score_, sizeof(*score_), cudaMemcpyDeviceToHost, stream_));
    ensure(cudaMemsetAsync(score_, 0, sizeof(*score_), stream_));
    ensure(cudaStreamSynchronize(stream_));
    return *scoreHost_;
}

unsigned long long Session::expected(int chunks) const
{
    unsigned long long sum = 0;
    for (int c = 0; c < chunks; ++c)
        for (int h = 0; h < frontEnd_.paddedHops(); ++h)
            sum += static_cast<unsigned long long>(pcmSample(id_, c, h)) * (h + 1);
    return sum;
}

}  // namespace asr
