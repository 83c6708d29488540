#include "scoring_desk.h"

#include <atomic>
#include <cstring>
#include <thread>

namespace desk {

namespace {

__global__ void attendant(Mailbox* box) {
    __shared__ const float* rows;
    __shared__ int count;
    __shared__ bool leave;
    __shared__ float part[32];
    for (unsigned handled = 0;; ++handled) {
        if (threadIdx.x == 0) {
            while (box->posted == handled && !box->closing) __nanosleep(400);
            __threadfence_system();
            leave = box->posted == handled;
            rows = box->rows;
            count = box->count;
        }
        __syncthreads();
        if (leave) return;

        float acc = 0.0f;
        for (int i = threadIdx.x; i < count; i += blockDim.x) acc += __ldcg(rows + i);
        for (int step = 16; step > 0; step >>= 1) acc += __shfl_down_sync(0xffffffffu, acc, step);
        if ((threadIdx.x & 31) == 0) part[threadIdx.x >> 5] = acc;
        __syncthreads();

        if (threadIdx.x == 0) {
            float total = 0.0f;
            for (int w = 0; w < static_cast<int>(blockDim.x >> 5); ++w) total += part[w];
            box->score = total + box->bias;
            __threadfence_system();
            box->served = handled + 1;
        }
        __syncthreads();
    }
}

}  // namespace

Status ScoringDesk::check(cudaError_t e) {
    if (e == cudaSuccess) return Status::Ok;
    fault_ = e;
    return Status::DeviceFault;
}

Status ScoringDesk::open() {
    Status s = check(cudaStreamCreateWithFlags(&attend_, cudaStreamNonBlocking));
    if (s == Status::Ok) s = check(cudaStreamCreateWithFlags(&upload_, cudaStreamNonBlocking));
    if (s == Status::Ok) s = check(cudaHostAlloc(&box_, sizeof(Mailbox), cudaHostAllocMapped));
    if (s == Status::Ok) s = check(cudaMallocHost(&staging_, config_.staging * sizeof(float)));
    if (s == Status::Ok) s = check(features_.ensure(config_.rows));
    if (s != Status::Ok) return s;

    std::memset(static_cast<void*>(box_), 0, sizeof(Mailbox));
    Mailbox* seen = nullptr;
    s = check(cudaHostGetDevicePointer(reinterpret_cast<void**>(&seen), box_, 0));
    if (s != Status::Ok) return s;
    attendant<<<1, config_.threads, 0, attend_>>>(seen);
    s = check(cudaGetLastError());
    open_ = s == Status::Ok;
    return s;
}

Status ScoringDesk::score(const std::vector<float>& rows, float bias, float* out) {
    if (!open_) return Status::NotOpen;
    if (rows.size() > config_.staging || rows.size() > features_.capacity()) return Status::TooLong;

    std::memcpy(staging_, rows.data(), rows.size() * sizeof(float));
    Status s = check(cudaMemcpyAsync(features_.data(), staging_, rows.size() * sizeof(float),
                                     cudaMemcpyHostToDevice, upload_));
    if (s == Status::Ok) s = check(cudaStreamSynchronize(upload_));
    if (s != Status::Ok) return s;

    box_->rows = features_.data();
    box_->count = static_cast<int>(rows.size());
    box_->bias = bias;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    box_->posted = ++tickets_;
    while (box_->served != tickets_) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_seq_cst);
    *out = box_->score;
    return Status::Ok;
}

Status ScoringDesk::close() {
    if (!open_) return Status::NotOpen;
    open_ = false;
    box_->closing = 1;
    return check(cudaStreamSynchronize(attend_));
}

ScoringDesk::~ScoringDesk() {
    if (open_) close();
    if (staging_) cudaFreeHost(staging_);
    if (box_) cudaFreeHost(box_);
    if (upload_) cudaStreamDestroy(upload_);
    if (attend_) cudaStreamDestroy(attend_);
}

}  // namespace desk
