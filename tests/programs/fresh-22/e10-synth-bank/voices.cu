#include "voices.h"

namespace synth {

namespace {

__device__ unsigned long long wallNs()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

// Physical model of a string: a given effort, then a sawtooth of the pitch.
__global__ void pluck(float* wave, int frames, int pitch, int period, unsigned long long effort)
{
    unsigned long long begin = wallNs();
    while (wallNs() - begin < effort) __nanosleep(2000);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < frames; i += gridDim.x * blockDim.x)
        wave[i] = static_cast<float>((i + period * 31) % pitch);
}

} // namespace

Voice::Voice(const Patch& patch) : patch_(patch)
{
    SYNTH_CHECK(cudaMalloc(&wave_, patch_.frames * sizeof(float)));
    SYNTH_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

Voice::~Voice()
{
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
    cudaFree(wave_);
}

void Voice::render(int period, Track& track)
{
    pluck<<<4, 256, 0, stream_>>>(wave_, static_cast<int>(patch_.frames), track.pitch, period, patch_.renderTime);
    SYNTH_CHECK(cudaGetLastError());
    SYNTH_CHECK(cudaMemcpyAsync(track.pcm.data(), wave_, track.pcm.size() * sizeof(float),
                                cudaMemcpyDeviceToHost, stream_));
}

void Voice::finish()
{
    SYNTH_CHECK(cudaStreamSynchronize(stream_));
}

Bank::Bank(const Patch& patch)
{
    const HostAllocator<float> memory(HostMemory::Driver);
    tracks_.reserve(patch.voices);
    for (int v = 0; v < patch.voices; ++v) {
        tracks_.push_back(Track{100 + 7 * v, Samples<float>(patch.frames, 0.0f, memory)});
        voices_.push_back(std::make_unique<Voice>(patch));
    }
}

void Bank::period(int number)
{
    for (std::size_t v = 0; v < voices_.size(); ++v) voices_[v]->render(number, tracks_[v]);
    for (auto& voice : voices_) voice->finish();
}

void Bank::mix(std::vector<float>& out) const
{
    out.assign(tracks_.front().pcm.size(), 0.0f);
    for (const Track& track : tracks_)
        for (std::size_t i = 0; i < out.size(); ++i) out[i] += track.pcm[i];
}

} // namespace synth
