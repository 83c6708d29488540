#include "desk/resident.h"

namespace desk {
namespace {

constexpr unsigned kFull = 0xffffffffu;

// One warp: every lane keeps one lag of each symbol's filter bank.
__global__ void filter_loop(MailboxPage* page, int32_t* book, const int32_t* shifts) {
    const int lane = threadIdx.x;
    const int shift = shifts[lane];
    uint32_t done = 0;
    for (;;) {
        uint32_t stop = 0;
        uint32_t head = 0;
        if (lane == 0) {
            stop = page->stop;
            __threadfence_system();
            head = page->head;
            __threadfence_system();
        }
        stop = __shfl_sync(kFull, stop, 0);
        head = __shfl_sync(kFull, head, 0);
        if (head == done) {
            if (stop) break;
            __nanosleep(500);
            continue;
        }
        const volatile Quote* q = &page->quotes[done % kRing];
        const uint32_t symbol = q->symbol % kSymbols;
        const int32_t price = q->price;
        const uint32_t sequence = q->sequence;
        int32_t level = book[symbol * kLags + lane];
        level += (price * 16 - level) / (1 << shift);
        book[symbol * kLags + lane] = level;
        const int32_t sum = __reduce_add_sync(kFull, lane % 2 ? -level : level);
        if (lane == 0) {
            volatile Signal* s = &page->signals[done % kRing];
            s->sequence = sequence;
            s->symbol = symbol;
            s->value = sum;
            __threadfence_system();
            page->tail = done + 1;
        }
        ++done;
        __syncwarp();
    }
}

}  // namespace

ResidentFilter::ResidentFilter(Mailbox& mailbox) : mailbox_(mailbox) {
    const std::size_t bytes = sizeof(int32_t) * kSymbols * kLags;
    require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    require(cudaEventCreateWithFlags(&exited_, cudaEventDisableTiming));
    require(cudaMalloc(reinterpret_cast<void**>(&book_), bytes));
    require(cudaMalloc(reinterpret_cast<void**>(&shifts_), sizeof(int32_t) * kLags));
    require(cudaMemsetAsync(book_, 0, bytes, stream_));
    require(cudaStreamSynchronize(stream_));
}

ResidentFilter::~ResidentFilter() {
    retire();
    cudaFree(shifts_);
    cudaFree(book_);
    cudaEventDestroy(exited_);
    cudaStreamDestroy(stream_);
}

void ResidentFilter::load_shifts(const std::vector<int32_t>& shifts) {
    require(cudaMemcpyAsync(shifts_, shifts.data(), sizeof(int32_t) * kLags, cudaMemcpyHostToDevice, stream_));
    require(cudaStreamSynchronize(stream_));
}

void ResidentFilter::launch() {
    if (running_) return;
    mailbox_.rewind();
    filter_loop<<<1, kLags, 0, stream_>>>(mailbox_.device_page(), book_, shifts_);
    require(cudaGetLastError());
    require(cudaEventRecord(exited_, stream_));
    running_ = true;
}

void ResidentFilter::settle() { require(cudaEventSynchronize(exited_)); }

void ResidentFilter::retire() {
    if (!running_) return;
    settle();
    mailbox_.raise_stop();
    running_ = false;
}

}  // namespace desk
