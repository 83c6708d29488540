#include "codec.h"

#include <cstdint>

namespace codec {
namespace {

constexpr int kBlocks = 96;
constexpr int kThreads = 256;

__global__ void predict(const std::int16_t* samples, int* residual, int count) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        residual[i] = i == 0 ? samples[0] : samples[i] - samples[i - 1];
}

// Quantises the residual; the rate search takes a bounded time.
__global__ void quantize(const int* residual, unsigned long long* checksum, int count, int quantum,
                         long long searchCycles) {
    const long long begin = clock64();
    unsigned long long sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        sum += static_cast<unsigned long long>(abs(residual[i]) / quantum);
    atomicAdd(checksum, sum);
    while (clock64() - begin < searchCycles) {
    }
}

}  // namespace

Encoder::Encoder(const EncoderConfig& config) : config_(config) {
    require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    require(cudaMalloc(reinterpret_cast<void**>(&samples_), sizeof(std::int16_t) * config_.samples));
    require(cudaMalloc(reinterpret_cast<void**>(&checksum_), sizeof(*checksum_)));
    cudaMemPool_t pool = nullptr;
    require(cudaDeviceGetDefaultMemPool(&pool, 0));
    std::uint64_t keep = std::uint64_t(64) << 20;
    require(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
}

Encoder::~Encoder() {
    cudaStreamSynchronize(stream_);
    cudaFree(samples_);
    cudaFree(checksum_);
    cudaStreamDestroy(stream_);
}

void Encoder::load(const std::int16_t* samples) {
    require(cudaMemcpyAsync(samples_, samples, sizeof(std::int16_t) * config_.samples,
                            cudaMemcpyHostToDevice, stream_));
    require(cudaStreamSynchronize(stream_));
}

void Encoder::encode() {
    StreamScratch<int> residual(config_.samples, stream_);
    require(cudaMemsetAsync(checksum_, 0, sizeof(*checksum_), stream_));
    predict<<<kBlocks, kThreads, 0, stream_>>>(samples_, residual.get(), config_.samples);
    require(cudaGetLastError());
    quantize<<<kBlocks, kThreads, 0, stream_>>>(residual.get(), checksum_, config_.samples, config_.quantum,
                                                config_.searchCycles);
    require(cudaGetLastError());
}

std::uint64_t Encoder::checksum() {
    unsigned long long value = 0;
    require(cudaMemcpyAsync(&value, checksum_, sizeof value, cudaMemcpyDeviceToHost, stream_));
    require(cudaStreamSynchronize(stream_));
    return value;
}

}  // namespace codec
