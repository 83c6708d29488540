#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>

#include "desk/check.h"

namespace desk {

constexpr uint32_t kRing = 128;
constexpr int kSymbols = 16;
constexpr int kLags = 32;

struct Quote {
    uint32_t sequence;
    uint32_t symbol;
    int32_t price;
    int32_t size;
};

struct Signal {
    uint32_t sequence;
    uint32_t symbol;
    int32_t value;
    int32_t pad;
};

// Shared between the processor and the device, in mapped host memory.
struct MailboxPage {
    volatile uint32_t head;
    volatile uint32_t stop;
    uint32_t pad0[30];
    volatile uint32_t tail;
    uint32_t pad1[31];
    Quote quotes[kRing];
    Signal signals[kRing];
};

class Mailbox {
public:
    Mailbox() {
        require(cudaHostAlloc(reinterpret_cast<void**>(&page_), sizeof(MailboxPage), cudaHostAllocMapped));
        std::memset(static_cast<void*>(page_), 0, sizeof(MailboxPage));
        require(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device_), page_, 0));
    }
    ~Mailbox() { cudaFreeHost(page_); }
    Mailbox(const Mailbox&) = delete;
    Mailbox& operator=(const Mailbox&) = delete;

    MailboxPage* device_page() const { return device_; }

    bool try_push(const Quote& q) {
        const uint32_t head = page_->head;
        if (head - consumed_ >= kRing) return false;
        page_->quotes[head % kRing] = q;
        std::atomic_thread_fence(std::memory_order_seq_cst);
        page_->head = head + 1;
        return true;
    }

    bool try_pop(Signal& s) {
        if (page_->tail == consumed_) return false;
        std::atomic_thread_fence(std::memory_order_seq_cst);
        s = page_->signals[consumed_ % kRing];
        ++consumed_;
        return true;
    }

    void raise_stop() {
        std::atomic_thread_fence(std::memory_order_seq_cst);
        page_->stop = 1;
    }

    void rewind() {
        page_->head = 0;
        page_->tail = 0;
        page_->stop = 0;
        consumed_ = 0;
        std::atomic_thread_fence(std::memory_order_seq_cst);
    }

private:
    MailboxPage* page_ = nullptr;
    MailboxPage* device_ = nullptr;
    uint32_t consumed_ = 0;
};

}  // namespace desk
