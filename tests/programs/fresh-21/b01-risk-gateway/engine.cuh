#pragma once
#include "memory.h"

namespace gw {

constexpr unsigned kDepth = 1024;

struct Order {
    int id = 0, account = 0;
    int quantity = 0, price = 0;
};

struct Verdict {
    int id = 0, accepted = 0;
    long long turnover = 0;
};

// Shared between the trading thread and the engine; batches are posted by
// moving `posted`, the engine answers by moving `answered`.
struct Mailbox {
    volatile unsigned posted = 0;
    volatile unsigned answered = 0;
    volatile unsigned closed = 0;
    volatile Order orders[kDepth];
    volatile Verdict verdicts[kDepth];
};

class Engine : Immovable {
public:
    ~Engine();
    void start(cudaStream_t stream, Mailbox* mailbox, const long long* limits, unsigned long long* turnover);

private:
    cudaStream_t stream_ = nullptr;
    Mailbox* mailbox_ = nullptr;
};
}  // namespace gw
