#include "modem.h"

#include <cstdio>
#include <cstdlib>
#include <new>

void modemCheck(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

__global__ void phyLoop(Link* link) {
    __shared__ std::uint32_t seen;
    volatile std::uint32_t* rxSeq = reinterpret_cast<volatile std::uint32_t*>(&link->rxSeq);
    volatile std::uint32_t* txSeq = reinterpret_cast<volatile std::uint32_t*>(&link->txSeq);
    for (std::uint32_t slot = 1;; ++slot) {
        if (threadIdx.x == 0) {
            std::uint32_t v;
            while ((v = *rxSeq) < slot) {
            }
            __threadfence_system();
            seen = v;
        }
        __syncthreads();
        if (seen == kShutdown) return;

        const volatile Frame& in = link->rx[slot & 1];
        volatile Frame& out = link->tx[slot & 1];
        const std::uint32_t x = in.samples[threadIdx.x];
        std::uint32_t y = x;
        switch (in.kind) {
            case kDownlink: y = x * 5u + 1u; break;
            case kUplink: y = x ^ 0x5a5a5a5au; break;
            case kSpecial: y = x >> 3; break;
        }
        out.samples[threadIdx.x] = y;
        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0) *txSeq = slot;
    }
}

__global__ void demapFrame(const volatile Frame* frame, std::uint32_t* sum) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    } while (t - t0 < 1'000'000);
    atomicAdd(sum, frame->samples[threadIdx.x] * (threadIdx.x + 1));
}

Modem::Modem() {
    void* shared = nullptr;
    modemCheck(cudaHostAlloc(&shared, sizeof(Link), cudaHostAllocMapped));
    link_ = new (shared) Link{};
    modemCheck(cudaMalloc(&sums_, sizeof(std::uint32_t) * (kSlotCount + 1)));
    modemCheck(cudaMemset(sums_, 0, sizeof(std::uint32_t) * (kSlotCount + 1)));
    modemCheck(cudaStreamCreateWithFlags(&phy_, cudaStreamNonBlocking));
    modemCheck(cudaStreamCreateWithFlags(&mapper_, cudaStreamNonBlocking));
    for (auto& e : done_) modemCheck(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    modemCheck(cudaDeviceSynchronize());
}

Modem::~Modem() {
    for (auto& e : done_) cudaEventDestroy(e);
    cudaStreamDestroy(mapper_);
    cudaStreamDestroy(phy_);
    cudaFree(sums_);
    cudaFreeHost(link_);
}

bool Modem::selfTest() {
    for (std::uint32_t i = 0; i < kSamples; ++i) link_->tx[0].samples[i] = 1;
    demapFrame<<<1, kSamples, 0, mapper_>>>(&link_->tx[0], sums_);
    modemCheck(cudaGetLastError());
    modemCheck(cudaStreamSynchronize(mapper_));
    return checksum(0) == kSamples * (kSamples + 1) / 2;
}

void Modem::power() {
    phyLoop<<<1, kSamples, 0, phy_>>>(link_);
    modemCheck(cudaGetLastError());
}

void Modem::demap(std::uint32_t slot) {
    demapFrame<<<1, kSamples, 0, mapper_>>>(&link_->tx[slot & 1], sums_ + slot);
    modemCheck(cudaGetLastError());
    modemCheck(cudaEventRecord(done_[slot & 1], mapper_));
}

void Modem::demapped(std::uint32_t slot) { modemCheck(cudaEventSynchronize(done_[slot & 1])); }

void Modem::shutdown() {
    link_->rxSeq.store(kShutdown, std::memory_order_release);
    modemCheck(cudaStreamSynchronize(phy_));
    modemCheck(cudaStreamSynchronize(mapper_));
}

std::uint32_t Modem::checksum(std::uint32_t slot) const {
    std::uint32_t v = 0;
    modemCheck(cudaMemcpy(&v, sums_ + slot, sizeof v, cudaMemcpyDeviceToHost));
    return v;
}
