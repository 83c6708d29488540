#include <atomic>
#include <thread>
#include "tracker.h"

__global__ void trackCarrier(volatile LinkControl* ctl, unsigned char* ring, int slots, int symbols)
{
    __shared__ unsigned granted;
    for (unsigned seq = 0;; ++seq) {
        if (threadIdx.x == 0) {
            while (ctl->credit <= seq && !ctl->stop) __nanosleep(1000);
            granted = ctl->credit > seq;
        }
        __syncthreads();
        if (!granted) return;
        unsigned char* out = ring + (seq % slots) * symbols;
        for (int i = threadIdx.x; i < symbols; i += blockDim.x) out[i] = symbolAt(seq, i);
        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0) ctl->produced = seq + 1;
    }
}
CarrierTracker::CarrierTracker(const LinkConfig& cfg) : cfg_(cfg)
{
    void* raw = nullptr;
    CU_OK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    CU_OK(cudaHostAlloc(&raw, sizeof(LinkControl), cudaHostAllocMapped));
    host_ = static_cast<LinkControl*>(raw);
    host_->credit = host_->produced = host_->stop = 0;
    CU_OK(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device_), raw, 0));
    CU_OK(cudaMalloc(&ring_, static_cast<size_t>(cfg.ringSlots) * cfg.symbolsPerFrame));
}
CarrierTracker::~CarrierTracker()
{
    stop();
    cudaFree(ring_);
    cudaFreeHost(const_cast<LinkControl*>(host_));
    cudaStreamDestroy(stream_);
}
void CarrierTracker::start()
{
    trackCarrier<<<1, 256, 0, stream_>>>(device_, ring_, cfg_.ringSlots, cfg_.symbolsPerFrame);
    CU_OK(cudaGetLastError());
}
void CarrierTracker::waitFrame(unsigned seq) const
{
    while (host_->produced <= seq) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_acquire);
}
void CarrierTracker::stop()
{
    host_->stop = 1;
    CU_OK(cudaStreamSynchronize(stream_));
}
