#include "radar.h"

namespace radar {

namespace {

__global__ void applyWindow(const int* raw, int* out, int chirps, int samples)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < chirps * samples; i += gridDim.x * blockDim.x) {
        int s = i % samples;
        out[i] = raw[i] * (1 + min(s, samples - 1 - s) % 16);
    }
}

__global__ void compressRange(const int* in, int* out, int chirps, int samples, unsigned long long dwell)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        __nanosleep(1000);
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - begin < dwell);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < chirps * samples; i += gridDim.x * blockDim.x) {
        int c = i / samples, s = i % samples, sum = 0;
        for (int tap = 0; tap < 8; ++tap) sum += in[c * samples + (s + tap) % samples] * (tap % 2 ? -1 : 2);
        out[i] = sum;
    }
}

__global__ void doppler(const int* in, int* map, int chirps, int samples)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= samples) return;
    int slow = 0, fast = 0;
    for (int c = 0; c < chirps; ++c) {
        slow += in[c * samples + s];
        fast += (c % 2 ? -1 : 1) * in[c * samples + s];
    }
    map[s] = slow;
    map[samples + s] = fast;
}

} // namespace

Lane::Lane(const ModeSettings& settings) : settings_(settings)
{
    auto keep = [this](cudaError_t rc) { if (status_ == cudaSuccess) status_ = rc; };
    keep(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    keep(cudaMalloc(&raw_, cells() * sizeof(int)));
    keep(cudaMalloc(&windowed_, cells() * sizeof(int)));
    keep(cudaMalloc(&range_, cells() * sizeof(int)));
    keep(cudaMalloc(&map_, 2 * settings_.samples * sizeof(int)));
}

Lane::~Lane()
{
    cudaStreamSynchronize(stream_);
    for (int* p : {raw_, windowed_, range_, map_}) cudaFree(p);
    cudaStreamDestroy(stream_);
}

cudaError_t Lane::load(const std::vector<int>& frame)
{
    cudaError_t rc = cudaMemcpyAsync(raw_, frame.data(), cells() * sizeof(int), cudaMemcpyHostToDevice, stream_);
    return rc == cudaSuccess ? cudaStreamSynchronize(stream_) : rc;
}

cudaError_t Lane::process()
{
    const int chirps = settings_.chirps, samples = settings_.samples;
    applyWindow<<<32, 128, 0, stream_>>>(raw_, windowed_, chirps, samples);
    compressRange<<<32, 128, 0, stream_>>>(windowed_, range_, chirps, samples, settings_.dwell);
    doppler<<<(samples + 127) / 128, 128, 0, stream_>>>(range_, map_, chirps, samples);
    return cudaGetLastError();
}

cudaError_t Lane::read(std::vector<int>& map) const
{
    map.resize(2 * settings_.samples);
    cudaError_t rc = cudaMemcpyAsync(map.data(), map_, map.size() * sizeof(int), cudaMemcpyDeviceToHost, stream_);
    return rc == cudaSuccess ? cudaStreamSynchronize(stream_) : rc;
}

FrontEnd::FrontEnd(const ModeSettings& search, const ModeSettings& track)
    : lanes_{std::make_unique<Lane>(search), std::make_unique<Lane>(track)}
{
}

cudaError_t FrontEnd::status() const
{
    for (const auto& lane : lanes_)
        if (lane->status() != cudaSuccess) return lane->status();
    return cudaSuccess;
}

} // namespace radar
