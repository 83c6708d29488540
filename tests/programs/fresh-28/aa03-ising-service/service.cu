#include "service.h"

#include <atomic>
#include <vector>

namespace {

__host__ __device__ inline uint32_t evolve(uint32_t cell, uint32_t left, uint32_t right) {
    uint32_t h = cell * 2654435761u + (left ^ (right << 7 | right >> 25));
    h ^= h >> 15;
    return h;
}

__device__ uint32_t peek(const uint32_t* p) { return *reinterpret_cast<const volatile uint32_t*>(p); }

/* Double buffered in shared memory; periodic inside the worker's own strip. */
__global__ void __launch_bounds__(512) worker_kernel(Mailbox* boxes, uint32_t* cells) {
    __shared__ uint32_t strip[2][kCellsPerWorker];
    __shared__ uint32_t command[2];
    Mailbox* box = boxes + blockIdx.x;
    uint32_t* mine = cells + size_t(blockIdx.x) * kCellsPerWorker;

    for (uint32_t ticket = 1;; ++ticket) {
        if (threadIdx.x == 0) {
            while (peek(&box->order) != ticket) __nanosleep(500);
            __threadfence_system();
            command[0] = peek(&box->op);
            command[1] = peek(&box->sweeps);
        }
        __syncthreads();
        const uint32_t op = command[0];
        const uint32_t sweeps = command[1];
        if (op == OP_LEAVE) return;

        for (int i = threadIdx.x; i < kCellsPerWorker; i += blockDim.x) strip[0][i] = mine[i];
        __syncthreads();
        for (uint32_t s = 0; s < sweeps; ++s) {
            const uint32_t* in = strip[s & 1];
            uint32_t* out = strip[(s & 1) ^ 1];
            for (int i = threadIdx.x; i < kCellsPerWorker; i += blockDim.x)
                out[i] = evolve(in[i], in[(i + kCellsPerWorker - 1) % kCellsPerWorker], in[(i + 1) % kCellsPerWorker]);
            __syncthreads();
        }
        for (int i = threadIdx.x; i < kCellsPerWorker; i += blockDim.x) mine[i] = strip[sweeps & 1][i];
        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0) {
            *reinterpret_cast<volatile uint32_t*>(&box->served) = ticket;
            __threadfence_system();
        }
    }
}

}  // namespace

uint32_t initial_cell(uint32_t seed, uint32_t index) { return (seed + index) * 747796405u + 2891336453u; }

uint32_t next_cell(uint32_t cell, uint32_t left, uint32_t right) { return evolve(cell, left, right); }

LatticeService::LatticeService(uint32_t seed) {
    must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    must(cudaHostAlloc(reinterpret_cast<void**>(&host_), sizeof(Mailbox) * kWorkers, cudaHostAllocMapped));
    for (int i = 0; i < kWorkers; ++i) host_[i] = Mailbox{};
    must(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device_), host_, 0));
    must(cudaMalloc(&cells_, sizeof(uint32_t) * size()));
    std::vector<uint32_t> start(size());
    for (int i = 0; i < size(); ++i) start[i] = initial_cell(seed, i);
    must(cudaMemcpy(cells_, start.data(), sizeof(uint32_t) * size(), cudaMemcpyHostToDevice));
    must(cudaDeviceSynchronize());
}

LatticeService::~LatticeService() {
    close();
    cudaFree(cells_);
    cudaFreeHost(host_);
    cudaStreamDestroy(stream_);
}

void LatticeService::open() {
    worker_kernel<<<kWorkers, 512, 0, stream_>>>(device_, cells_);
    must(cudaGetLastError());
    open_ = true;
}

void LatticeService::post(uint32_t op, uint32_t sweeps) {
    ++ticket_;
    for (int i = 0; i < kWorkers; ++i) {
        volatile Mailbox* box = host_ + i;
        box->op = op;
        box->sweeps = sweeps;
        std::atomic_thread_fence(std::memory_order_seq_cst);
        box->order = ticket_;
    }
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

void LatticeService::order(uint32_t sweeps) { post(OP_SWEEP, sweeps); }

void LatticeService::drain() const {
    for (int i = 0; i < kWorkers; ++i) {
        const volatile Mailbox* box = host_ + i;
        while (box->served != ticket_) {
        }
    }
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

void LatticeService::close() {
    if (!open_) return;
    post(OP_LEAVE, 0);
    must(cudaStreamSynchronize(stream_));
    open_ = false;
}
