#include "demodulator.h"

namespace {

__global__ void demodulate(const std::uint32_t* symbols, std::size_t words, unsigned long long* sum, unsigned ms) {
    if (threadIdx.x == 0) {
        unsigned long long t0, t1;
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
        do {
            asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t1));
        } while (t1 - t0 < static_cast<unsigned long long>(ms) * 1000000ull);
    }
    __syncthreads();
    unsigned long long part = 0;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x)
        part += symbols[i] ^ 0x5a5au;
    atomicAdd(sum, part);
}

}  // namespace

Demodulator::Demodulator(const UplinkConfig& config, StagingRing& ring) : config_(config), ring_(ring) {
    require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    require(cudaEventCreateWithFlags(&landed_, cudaEventDisableTiming));
    require(cudaMalloc(reinterpret_cast<void**>(&sums_), config.frames * sizeof(unsigned long long)));
    require(cudaMemsetAsync(sums_, 0, config.frames * sizeof(unsigned long long), stream_));
}

Demodulator::~Demodulator() {
    cudaStreamSynchronize(stream_);
    cudaFree(sums_);
    cudaEventDestroy(landed_);
    cudaStreamDestroy(stream_);
}

void Demodulator::bulk(Slot& slot) {
    require(cudaStreamWaitEvent(ring_.lane(), slot.consumed, 0));
    require(cudaMemcpyAsync(slot.device, slot.host, slot.words * sizeof(std::uint32_t), cudaMemcpyHostToDevice,
                            ring_.lane()));
    require(cudaEventRecord(landed_, ring_.lane()));
    require(cudaStreamWaitEvent(stream_, landed_, 0));
}

void Demodulator::direct(Slot& slot) {
    require(cudaMemcpyAsync(slot.device, slot.host, slot.words * sizeof(std::uint32_t), cudaMemcpyHostToDevice,
                            stream_));
}

void Demodulator::feed(Slot& slot, int frame) {
    if (slot.words > config_.inline_words)
        bulk(slot);
    else
        direct(slot);
    ring_.seal(slot);
    demodulate<<<16, 256, 0, stream_>>>(slot.device, slot.words, sums_ + frame, config_.demodulate_ms);
    require(cudaGetLastError());
    require(cudaEventRecord(slot.consumed, stream_));
}

std::vector<std::uint64_t> Demodulator::finish() {
    std::vector<unsigned long long> raw(config_.frames);
    require(cudaStreamSynchronize(stream_));
    require(cudaMemcpy(raw.data(), sums_, raw.size() * sizeof(raw[0]), cudaMemcpyDeviceToHost));
    return std::vector<std::uint64_t>(raw.begin(), raw.end());
}
