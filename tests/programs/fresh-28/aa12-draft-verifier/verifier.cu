#include "verifier.cuh"

#include <cooperative_groups.h>

#include <algorithm>
#include <atomic>

#include "models.cuh"

namespace cg = cooperative_groups;

namespace {

constexpr int kBlockSize = 128;
constexpr int kMaxBlocks = 8;

enum Scratch { S_ROUND, S_LEAVE, S_POSITION, S_LAST, S_MISS, S_COUNT };

__device__ uint32_t peek(const volatile uint32_t* p) { return *p; }

__global__ void verify_kernel(volatile Desk* desk, const volatile uint32_t* drafts, volatile uint32_t* scratch) {
    cg::grid_group grid = cg::this_grid();
    const unsigned id = grid.thread_rank();
    for (uint32_t round = 1;; ++round) {
        if (id == 0) {
            while (peek(&desk->round) != round) __nanosleep(1000);
            __threadfence_system();
            scratch[S_LEAVE] = desk->leave;
            scratch[S_POSITION] = desk->position;
            scratch[S_LAST] = desk->last;
            scratch[S_MISS] = models::kLookahead;
        }
        grid.sync();
        if (scratch[S_LEAVE]) return;

        const uint32_t position = scratch[S_POSITION];
        for (unsigned i = id; i < models::kLookahead; i += grid.size()) {
            const uint32_t before = i ? drafts[i - 1] : scratch[S_LAST];
            if (models::target(position + i, before) != drafts[i])
                atomicMin(const_cast<uint32_t*>(&scratch[S_MISS]), i);
        }
        grid.sync();

        if (id == 0) {
            const uint32_t n = scratch[S_MISS];
            const uint32_t before = n ? drafts[n - 1] : scratch[S_LAST];
            desk->accepted = n;
            desk->correction = models::target(position + n, before);
            __threadfence_system();
            desk->done = round;
        }
    }
}

}  // namespace

Verifier::Verifier(const uint32_t* drafts) : drafts_(drafts) {
    expect(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    void* p = nullptr;
    expect(cudaHostAlloc(&p, sizeof(Desk), cudaHostAllocMapped));
    desk_ = static_cast<Desk*>(p);
    expect(cudaHostGetDevicePointer(reinterpret_cast<void**>(&desk_device_), p, 0));
    expect(cudaMalloc(&scratch_, sizeof(uint32_t) * S_COUNT));
}

Verifier::~Verifier() {
    end_session();
    cudaFree(scratch_);
    cudaFreeHost(const_cast<Desk*>(desk_));
    cudaStreamDestroy(stream_);
}

void Verifier::begin_session() {
    int device = 0, sms = 0, per_sm = 0;
    expect(cudaGetDevice(&device));
    expect(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    expect(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, verify_kernel, kBlockSize, 0));
    const int blocks = std::min(kMaxBlocks, sms * per_sm);

    round_ = 0;
    desk_->round = 0;
    desk_->leave = 0;
    desk_->done = 0;
    void* args[] = {&desk_device_, &drafts_, &scratch_};
    expect(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(verify_kernel), dim3(blocks), dim3(kBlockSize),
                                       args, 0, stream_));
    running_ = true;
}

void Verifier::end_session() {
    if (!running_) return;
    desk_->leave = 1;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    desk_->round = ++round_;
    expect(cudaStreamSynchronize(stream_));
    running_ = false;
}

Verifier::Verdict Verifier::verify(uint32_t position, uint32_t last) {
    desk_->position = position;
    desk_->last = last;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    desk_->round = ++round_;
    while (desk_->done != round_) {
    }
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return Verdict{desk_->accepted, desk_->correction};
}
