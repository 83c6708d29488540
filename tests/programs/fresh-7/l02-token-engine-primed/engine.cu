#include "engine.h"

#include <algorithm>
#include <thread>

namespace serve {

namespace {

constexpr int kThreads = 256;

__global__ void decodeLoop(Mailbox* box, const float* tokens, float* scores, unsigned* completed) {
    __shared__ unsigned seq, count, stop;
    __shared__ float part[kThreads];
    unsigned last = 0;
    for (;;) {
        if (threadIdx.x == 0) {
            unsigned s;
            while ((s = atomicAdd(&box->seq, 0u)) == last) __nanosleep(200);
            __threadfence();
            seq = s;
            count = __ldcg(&box->count);
            stop = __ldcg(&box->stop);
        }
        __syncthreads();
        if (stop) return;
        float acc = 0.0f;
        for (unsigned i = threadIdx.x; i < count; i += kThreads) acc += __ldcg(tokens + i);
        part[threadIdx.x] = acc;
        __syncthreads();
        for (int o = kThreads / 2; o > 0; o >>= 1) {
            if (threadIdx.x < o) part[threadIdx.x] += part[threadIdx.x + o];
            __syncthreads();
        }
        if (threadIdx.x == 0) {
            last = seq;
            scores[seq - 1] = part[0];
            __threadfence_system();
            *reinterpret_cast<volatile unsigned*>(completed) = seq;
        }
        __syncthreads();
    }
}

}  // namespace

Engine::Engine(EngineConfig cfg) : cfg_(std::move(cfg)) {
    check(cudaStreamCreateWithFlags(&ingest_, cudaStreamNonBlocking));
    check(cudaStreamCreateWithFlags(&decode_, cudaStreamNonBlocking));
    check(cudaMalloc(&box_, sizeof(Mailbox)));
    check(cudaMemset(box_, 0, sizeof(Mailbox)));
    check(cudaMalloc(&tokens_, cfg_.maxTokens * sizeof(float)));
    check(cudaHostAlloc(&staging_, cfg_.maxTokens * sizeof(float), cudaHostAllocDefault));
    check(cudaHostAlloc(&scores_, cfg_.maxRequests * sizeof(float), cudaHostAllocMapped));
    check(cudaHostGetDevicePointer(&scoresDev_, scores_, 0));
    check(cudaHostAlloc(&completed_, sizeof(unsigned), cudaHostAllocMapped));
    check(cudaHostGetDevicePointer(&completedDev_, completed_, 0));
    *completed_ = 0;
    check(cudaDeviceSynchronize());
    registry_.load(cfg_.preprocessing, tokens_, box_, ingest_);
}

void Engine::start() {
    decodeLoop<<<1, kThreads, 0, decode_>>>(box_, tokens_, scoresDev_, completedDev_);
    check(cudaGetLastError());
    running_ = true;
}

float Engine::infer(const std::vector<float>& prompt) {
    const int n = static_cast<int>(prompt.size());
    std::copy(prompt.begin(), prompt.end(), staging_);
    check(cudaMemcpyAsync(tokens_, staging_, n * sizeof(float), cudaMemcpyHostToDevice, ingest_));
    for (const auto& name : cfg_.preprocessing) registry_.get(name).enqueue(tokens_, n, ingest_);
    const unsigned ticket = ++seq_;
    publish(box_, ticket, n, 0, ingest_);
    while (*static_cast<volatile unsigned*>(completed_) < ticket) std::this_thread::yield();
    return static_cast<volatile float*>(scores_)[ticket - 1];
}

Engine::~Engine() {
    if (running_) {
        publish(box_, ++seq_, 0, 1, ingest_);
        check(cudaStreamSynchronize(decode_));
    }
    check(cudaStreamSynchronize(ingest_));
    cudaFree(box_);
    cudaFree(tokens_);
    cudaFreeHost(staging_);
    cudaFreeHost(scores_);
    cudaFreeHost(completed_);
    cudaStreamDestroy(ingest_);
    cudaStreamDestroy(decode_);
}

}  // namespace serve
