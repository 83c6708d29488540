#include <atomic>
#include <cstring>

#include "service.h"

namespace {

__global__ void serve(Mailbox* box) {
    __shared__ uint32_t op, arg, count;
    __shared__ const uint32_t* src;
    __shared__ uint32_t* dst;
    uint32_t seen = 0;
    for (;;) {
        if (threadIdx.x == 0) {
            while (box->posted == seen) __nanosleep(500);
            __threadfence_system();
            op = box->op;
            arg = box->arg;
            count = box->count;
            src = reinterpret_cast<const uint32_t*>(box->src);
            dst = reinterpret_cast<uint32_t*>(box->dst);
        }
        ++seen;
        __syncthreads();
        if (op == static_cast<uint32_t>(Op::Stop)) break;
        for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
            if (op == static_cast<uint32_t>(Op::Affine))
                dst[i] = src[i] * arg + 1u;
            else
                dst[i] = (src[(i + arg) % count] << 5) | (src[(i + arg) % count] >> 27);
        }
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence_system();
            box->finished = seen;
        }
    }
    if (threadIdx.x == 0) box->finished = seen;
}

}  // namespace

StageService::StageService() {
    check(cudaHostAlloc(&host_, sizeof(Mailbox), cudaHostAllocMapped));
    std::memset(static_cast<void*>(host_), 0, sizeof(Mailbox));
    check(cudaHostGetDevicePointer(&device_, host_, 0));
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

StageService::~StageService() {
    stop();
    cudaStreamDestroy(stream_);
    cudaFreeHost(host_);
}

void StageService::start() {
    serve<<<1, 512, 0, stream_>>>(device_);
    check(cudaGetLastError());
    running_ = true;
}

void StageService::post(Op op, uint32_t arg, const uint32_t* src, uint32_t* dst, uint32_t count) {
    host_->op = static_cast<uint32_t>(op);
    host_->arg = arg;
    host_->count = count;
    host_->src = reinterpret_cast<unsigned long long>(src);
    host_->dst = reinterpret_cast<unsigned long long>(dst);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    host_->posted = host_->posted + 1;
}

void StageService::submit(Op op, uint32_t arg, const uint32_t* src, uint32_t* dst, uint32_t count) {
    post(op, arg, src, dst, count);
    while (host_->finished != host_->posted) {
    }
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

void StageService::stop() {
    if (!running_) return;
    post(Op::Stop, 0, nullptr, nullptr, 0);
    check(cudaStreamSynchronize(stream_));
    running_ = false;
}
