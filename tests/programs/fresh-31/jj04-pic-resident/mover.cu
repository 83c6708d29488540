#include "mover.h"
#include <atomic>
#include <thread>

namespace pic {

__global__ void mover_kernel(Particle* p, int n, const int* efield, int steps,
                             volatile unsigned* cmd, volatile unsigned* reply) {
    for (unsigned s = 1; s <= static_cast<unsigned>(steps); ++s) {
        if (threadIdx.x == 0) {
            while (*cmd < s) __nanosleep(200);
            __threadfence_system();
        }
        __syncthreads();
        for (int i = threadIdx.x; i < n; i += blockDim.x) {
            Particle q = p[i];
            kick_and_drift(q, __ldcg(&efield[q.x / kSubcell]));
            p[i] = q;
        }
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence_system();
            *reply = s;
        }
    }
}

__global__ void clear_kernel(int* rho, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) rho[i] = 0;
}

__global__ void deposit_kernel(const Particle* p, int n, int* rho) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&rho[p[i].x / kSubcell], 1);
}

__global__ void field_kernel(const int* rho, int* e) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < kCells) e[c] = field_at(rho, c);
}

Mover::Mover() : words_(2) { words_[0] = words_[1] = 0; }

void Mover::launch(Particle* p, int n, const int* efield, int steps) {
    words_[0] = words_[1] = 0;
    unsigned* w = words_.device();
    mover_kernel<<<1, 512, 0, stream_>>>(p, n, efield, steps, w, w + 1);
    PIC_TRY(cudaGetLastError());
}

void Mover::command(unsigned step) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    *const_cast<volatile unsigned*>(&words_[0]) = step;
}

void Mover::await(unsigned step) {
    while (*const_cast<volatile unsigned*>(&words_[1]) < step) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

void Mover::finish() { PIC_TRY(cudaStreamSynchronize(stream_)); }

FieldSolver::FieldSolver() : rho_(kCells), e_(kCells) {
    PIC_TRY(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming));
}

FieldSolver::~FieldSolver() { cudaEventDestroy(done_); }

void FieldSolver::solve(const Particle* p, int n, int* probe) {
    clear_kernel<<<(kCells + 127) / 128, 128, 0, stream_>>>(rho_.p, kCells);
    deposit_kernel<<<(n + 127) / 128 + 1, 128, 0, stream_>>>(p, n, rho_.p);
    field_kernel<<<(kCells + 127) / 128, 128, 0, stream_>>>(rho_.p, e_.p);
    PIC_TRY(cudaGetLastError());
    PIC_TRY(cudaMemcpyAsync(probe, e_.p, sizeof(int), cudaMemcpyDeviceToHost, stream_));
    PIC_TRY(cudaEventRecord(done_, stream_));
}

void FieldSolver::await() { PIC_TRY(cudaEventSynchronize(done_)); }

}  // namespace pic
