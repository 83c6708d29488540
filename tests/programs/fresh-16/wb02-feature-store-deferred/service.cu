#include <atomic>
#include <cstring>
#include <thread>

#include "service.cuh"
#include "status.h"

namespace fstore {
namespace {
constexpr unsigned kShutdown = 0xffffffffu;

__global__ void serve(Mailbox* box, const float* table, int dim) {
    __shared__ unsigned s_ticket;
    unsigned last = 0;
    for (;;) {
        if (threadIdx.x == 0) {
            unsigned t;
            while ((t = box->request) == last) __nanosleep(400);
            __threadfence_system();
            s_ticket = t;
        }
        __syncthreads();
        const unsigned ticket = s_ticket;
        if (ticket == kShutdown) return;
        const int total = box->count * dim;
        const volatile int* ids = box->ids;
        float* rows = box->rows;
        for (int i = threadIdx.x; i < total; i += blockDim.x)
            rows[i] = table[size_t(ids[i / dim]) * dim + i % dim];
        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0) box->answered = ticket;
        last = ticket;
    }
}
}  // namespace

LookupService::LookupService(const std::vector<float>& table, int dim) : dim_(dim) {
    FS_CHECK(cudaMalloc(&table_, table.size() * sizeof(float)));
    FS_CHECK(cudaMemcpy(table_, table.data(), table.size() * sizeof(float), cudaMemcpyHostToDevice));
    FS_CHECK(cudaDeviceSynchronize());
    FS_CHECK(cudaHostAlloc(&box_, sizeof(Mailbox), cudaHostAllocMapped));
    std::memset(static_cast<void*>(box_), 0, sizeof(Mailbox));
    FS_CHECK(cudaHostGetDevicePointer(&box_dev_, box_, 0));
    FS_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

LookupService::~LookupService() {
    stop();
    cudaStreamDestroy(stream_);
    cudaFreeHost(box_);
    cudaFree(table_);
}

void LookupService::start() {
    serve<<<1, 256, 0, stream_>>>(box_dev_, table_, dim_);
    FS_CHECK(cudaGetLastError());
    running_ = true;
}

void LookupService::lookup(const int* ids, float* rows, int count) {
    box_->ids = ids;
    box_->rows = rows;
    box_->count = count;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    box_->request = ++ticket_;
    while (box_->answered != ticket_) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

void LookupService::stop() {
    if (!running_) return;
    box_->request = kShutdown;
    FS_CHECK(cudaStreamSynchronize(stream_));
    running_ = false;
}
}  // namespace fstore
