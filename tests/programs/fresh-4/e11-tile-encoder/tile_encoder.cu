#include "tile_encoder.h"

namespace codec {
namespace {

__global__ void search_modes(const int* input, int n, int* modes, unsigned long long budget_ns)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < budget_ns);

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        for (int c = 0; c < kCandidates; ++c) modes[i * kCandidates + c] = input[i] * (c + 1) + c;
}

__global__ void select_mode(const int* modes, int n, int* output)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        output[i] = modes[i * kCandidates + i % kCandidates];
}

}  // namespace

Tile::Tile(int samples, int seed) : samples_(samples)
{
    throw_if(cudaMallocHost(reinterpret_cast<void**>(&pixels_), samples * sizeof(int)));
    throw_if(cudaMallocHost(reinterpret_cast<void**>(&encoded_), samples * sizeof(int)));
    for (int i = 0; i < samples; ++i) pixels_[i] = (i * 11 + seed * 29) % 1024;
}

Tile::~Tile()
{
    cudaFreeHost(encoded_);
    cudaFreeHost(pixels_);
}

long Tile::mismatches() const
{
    long bad = 0;
    for (int i = 0; i < samples_; ++i) {
        const int c = i % kCandidates;
        bad += encoded_[i] != pixels_[i] * (c + 1) + c;
    }
    return bad;
}

TileEncoder::Lane::Lane(const EncoderConfig& config)
{
    throw_if(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    throw_if(cudaMalloc(reinterpret_cast<void**>(&input), config.max_samples * sizeof(int)));
    throw_if(cudaMalloc(reinterpret_cast<void**>(&output), config.max_samples * sizeof(int)));
    scratch.reserve<int>(static_cast<std::size_t>(config.max_samples) * kCandidates);
}

TileEncoder::Lane::~Lane()
{
    cudaStreamSynchronize(stream);
    cudaFree(output);
    cudaFree(input);
    cudaStreamDestroy(stream);
}

TileEncoder::TileEncoder(const EncoderConfig& config) : config_(config)
{
    for (int i = 0; i < config.lanes; ++i) lanes_.push_back(std::make_unique<Lane>(config_));
}

void TileEncoder::encode(Tile& tile)
{
    Lane& lane = *lanes_[next_++ % lanes_.size()];
    const int n = tile.samples();
    const std::size_t bytes = n * sizeof(int);
    int* modes = lane.scratch.reserve<int>(static_cast<std::size_t>(n) * kCandidates);

    throw_if(cudaMemcpyAsync(lane.input, tile.pixels(), bytes, cudaMemcpyHostToDevice, lane.stream));
    search_modes<<<16, 256, 0, lane.stream>>>(lane.input, n, modes, config_.search_ms * 1'000'000ull);
    select_mode<<<16, 256, 0, lane.stream>>>(modes, n, lane.output);
    throw_if(cudaGetLastError());
    throw_if(cudaMemcpyAsync(tile.encoded(), lane.output, bytes, cudaMemcpyDeviceToHost, lane.stream));
}

void TileEncoder::drain()
{
    for (auto& lane : lanes_) throw_if(cudaStreamSynchronize(lane->stream));
}

}  // namespace codec
