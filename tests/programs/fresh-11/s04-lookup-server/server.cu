#include "server.h"

#include <atomic>
#include <cstring>
#include <thread>

namespace {

struct Request {
    int op;
    unsigned first;
    unsigned count;
    uint32_t* out;
};

__global__ void serve(Mailbox* box, const uint32_t* table, uint32_t mask) {
    __shared__ Request request;
    unsigned seen = 0;
    for (;;) {
        if (threadIdx.x == 0) {
            while (box->posted == seen) __nanosleep(200);
            __threadfence_system();
            ++seen;
            request.op = box->op;
            request.first = box->first;
            request.count = box->count;
            request.out = box->out;
        }
        __syncthreads();
        if (request.op == kQuit) break;
        for (unsigned i = threadIdx.x; i < request.count; i += blockDim.x) {
            request.out[i] = table[slotOf(request.first + i) & mask];
        }
        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0) box->acked = seen;
    }
}

}  // namespace

ResultArena::ResultArena(size_t rows) : rows_(rows) {
    DB_TRY(cudaMalloc(&base_, rows * sizeof(uint32_t)));
}

ResultArena::~ResultArena() { cudaFree(base_); }

uint32_t* ResultArena::reserve(size_t rows) {
    if (rows > rows_) {
        DB_TRY(cudaFree(base_));
        while (rows_ < rows) rows_ *= 2;
        DB_TRY(cudaMalloc(&base_, rows_ * sizeof(uint32_t)));
    }
    return base_;
}

LookupServer::LookupServer(const uint32_t* table, uint32_t mask) : table_(table), mask_(mask) {
    DB_TRY(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    void* page = nullptr;
    DB_TRY(cudaHostAlloc(&page, sizeof(Mailbox), cudaHostAllocMapped));
    std::memset(page, 0, sizeof(Mailbox));
    box_ = static_cast<Mailbox*>(page);
    void* mapped = nullptr;
    DB_TRY(cudaHostGetDevicePointer(&mapped, page, 0));
    deviceBox_ = static_cast<Mailbox*>(mapped);
}

LookupServer::~LookupServer() {
    cudaFreeHost(box_);
    cudaStreamDestroy(stream_);
}

void LookupServer::open() {
    serve<<<1, 512, 0, stream_>>>(deviceBox_, table_, mask_);
    DB_TRY(cudaGetLastError());
}

void LookupServer::post(Op op) {
    box_->op = op;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    box_->posted = ++sequence_;
}

void LookupServer::close() {
    post(kQuit);
    DB_TRY(cudaStreamSynchronize(stream_));
}

void LookupServer::lookup(uint32_t first, uint32_t count, uint32_t* out) {
    box_->first = first;
    box_->count = count;
    box_->out = out;
    post(kLookup);
    while (box_->acked != sequence_) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_seq_cst);
}
