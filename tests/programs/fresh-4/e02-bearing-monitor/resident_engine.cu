#include "resident_engine.h"
#include "cuda_check.h"
#include <atomic>

namespace rig {
namespace {

constexpr int kThreads = 256;

__global__ void analysis_service(Mailbox* box, const float* table, int bins)
{
    __shared__ unsigned command;
    __shared__ float partial[kThreads];
    unsigned seen = 0;
    const int t = threadIdx.x;

    for (;;) {
        if (t == 0) {
            unsigned r = box->request;
            while (r == seen && !box->quit) {
                __nanosleep(400);
                r = box->request;
            }
            command = (r == seen) ? 0u : r;
            __threadfence_system();
        }
        __syncthreads();
        if (command == 0u) return;

        const float* response = table + static_cast<size_t>(box->channel) * bins;
        const int stride = bins / kBlockSamples;
        float sum = 0.f;
        for (int k = t; k < kBlockSamples; k += kThreads) {
            const float v = box->samples[k] * response[static_cast<size_t>(k) * stride];
            sum += v * v;
        }
        partial[t] = sum;
        __syncthreads();
        for (int half = kThreads / 2; half > 0; half /= 2) {
            if (t < half) partial[t] += partial[t + half];
            __syncthreads();
        }
        if (t == 0) {
            seen = command;
            box->energy = partial[0];
            __threadfence_system();
            box->reply = seen;
        }
        __syncthreads();
    }
}

}  // namespace

ResidentEngine::ResidentEngine()
{
    require(cudaHostAlloc(reinterpret_cast<void**>(&box_), sizeof(Mailbox), cudaHostAllocMapped));
    box_->request = box_->reply = box_->quit = 0;
    require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

ResidentEngine::~ResidentEngine()
{
    stop();
    cudaStreamDestroy(stream_);
    cudaFreeHost(box_);
}

void ResidentEngine::start(const float* response_table, int bins)
{
    Mailbox* device_view = nullptr;
    require(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device_view), box_, 0));
    analysis_service<<<1, kThreads, 0, stream_>>>(device_view, response_table, bins);
    require(cudaGetLastError());
    running_ = true;
}

float ResidentEngine::analyse(int channel, const std::vector<float>& samples)
{
    box_->channel = channel;
    for (int k = 0; k < kBlockSamples; ++k) box_->samples[k] = samples[k];
    std::atomic_thread_fence(std::memory_order_seq_cst);
    box_->request = ++sequence_;
    while (box_->reply != sequence_) {
        std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return box_->energy;
}

void ResidentEngine::stop()
{
    if (!running_) return;
    box_->quit = 1;
    require(cudaStreamSynchronize(stream_));
    running_ = false;
}

}  // namespace rig
