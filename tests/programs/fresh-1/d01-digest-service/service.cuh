#pragma once
#include "blob.h"

namespace digest {

struct Mailbox {
    volatile uint32_t ticket;
    volatile uint32_t finished;
    volatile uint32_t quit;
    volatile uint32_t length;
    volatile unsigned long long address;
    volatile unsigned long long answer;
};

// One block stays on the device and answers requests posted to the mailbox.
class Service {
public:
    Service();
    ~Service();
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;

    uint64_t ask(const Blob& blob);
    void shutdown();

private:
    Mailbox* host_ = nullptr;
    Mailbox* device_ = nullptr;
    cudaStream_t stream_ = nullptr;
    uint32_t issued_ = 0;
    bool live_ = false;
};

}  // namespace digest
