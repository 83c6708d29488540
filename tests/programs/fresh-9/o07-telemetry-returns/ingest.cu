#include "ingest.h"

namespace {

__device__ unsigned long long wallNs() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

__global__ void calibrate(float* packet, size_t n, float gain) {
    for (unsigned long long until = wallNs() + 15000000ull; wallNs() < until;) {
    }
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) packet[i] *= gain;
}

void CUDART_CB handBack(void* p) { delete static_cast<PinnedPool::Lease*>(p); }

}  // namespace

Ingest::Ingest(size_t packetFloats, int maxPackets) : n_(packetFloats), pool_(4, packetFloats) {
    guard(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    guard(cudaMalloc(&archive_, n_ * maxPackets * sizeof(float)));
}

Ingest::~Ingest() {
    cudaStreamSynchronize(stream_);
    cudaFree(archive_);
    cudaStreamDestroy(stream_);
}

void Ingest::submit(const Decoder& decode) {
    PinnedPool::Lease staging = pool_.acquire();
    decode(staging.get(), n_);
    float* slot = archive_ + n_ * submitted_++;
    guard(cudaMemcpyAsync(slot, staging.get(), n_ * sizeof(float), cudaMemcpyHostToDevice, stream_));
    guard(cudaLaunchHostFunc(stream_, handBack, new PinnedPool::Lease(std::move(staging))));
    calibrate<<<8, 128, 0, stream_>>>(slot, n_, 2.0f);
    guard(cudaGetLastError());
}

std::vector<float> Ingest::drain() {
    std::vector<float> all(n_ * submitted_);
    guard(cudaStreamSynchronize(stream_));
    guard(cudaMemcpy(all.data(), archive_, all.size() * sizeof(float), cudaMemcpyDeviceToHost));
    return all;
}
