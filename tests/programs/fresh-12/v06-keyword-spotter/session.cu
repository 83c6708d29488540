#include "session.cuh"

#include <atomic>
#include <thread>

namespace kws {
namespace {

__global__ void listen(Desk* desk, const int32_t* templates, uint8_t* history, size_t history_bytes) {
    __shared__ uint32_t turn;
    __shared__ int32_t score[kWords];
    uint32_t served = 0;
    while (true) {
        if (threadIdx.x == 0) {
            while (desk->asked == served && !desk->closing) __nanosleep(500);
            turn = desk->asked == served ? 0xffffffffu : served + 1;
            __threadfence_system();
        }
        __syncthreads();
        const uint32_t mine = turn;
        if (mine == 0xffffffffu) return;

        int32_t s = 0;
        for (int i = 0; i < kFrame; ++i) s += desk->frame[i] * templates[threadIdx.x * kFrame + i];
        score[threadIdx.x] = s;
        __syncthreads();
        if (threadIdx.x == 0) {
            int best = 0;
            for (int w = 1; w < kWords; ++w) {
                if (score[w] > score[best]) best = w;
            }
            history[mine % history_bytes] = static_cast<uint8_t>(best);
            desk->best_word = best;
            desk->best_score = score[best];
            __threadfence_system();
            desk->answered = mine;
        }
        served = mine;
        __syncthreads();
    }
}

}  // namespace

TemplateBank::TemplateBank(const int32_t* templates, size_t history_bytes) {
    const size_t bytes = size_t(kWords) * kFrame * sizeof(int32_t);
    check(cudaMalloc(&templates_, bytes));
    check(cudaMemcpy(templates_, templates, bytes, cudaMemcpyHostToDevice));
    check(cudaMalloc(&history_, history_bytes));
    check(cudaMemset(history_, 0, history_bytes));
    check(cudaDeviceSynchronize());
}

TemplateBank::~TemplateBank() {
    cudaFree(history_);
    cudaFree(templates_);
}

ListenSession::ListenSession() {
    check(cudaHostAlloc(&desk_, sizeof(Desk), cudaHostAllocMapped));
    desk_->asked = desk_->answered = desk_->closing = 0;
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

ListenSession::~ListenSession() {
    close();
    cudaStreamDestroy(stream_);
    cudaFreeHost(desk_);
}

void ListenSession::open(const int32_t* templates, uint8_t* history, size_t history_bytes) {
    listen<<<1, kThreads, 0, stream_>>>(desk_, templates, history, history_bytes);
    check(cudaGetLastError());
    open_ = true;
}

void ListenSession::close() noexcept {
    if (!open_) return;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    desk_->closing = 1;
    cudaStreamSynchronize(stream_);
    open_ = false;
}

int ListenSession::ask(const int32_t* frame, int* score) {
    for (int i = 0; i < kFrame; ++i) desk_->frame[i] = frame[i];
    std::atomic_thread_fence(std::memory_order_seq_cst);
    desk_->asked = ++sequence_;
    while (desk_->answered != sequence_) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_seq_cst);
    *score = desk_->best_score;
    return desk_->best_word;
}

}  // namespace kws
