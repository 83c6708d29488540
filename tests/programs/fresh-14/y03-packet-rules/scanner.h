#pragma once

#include <cuda_runtime.h>

#include "device_array.h"

// One request at a time, shared by the host and the resident scanner.
struct Mailbox {
    volatile unsigned ticket;
    volatile unsigned answered;
    volatile int hits;
    const unsigned* volatile rules;
    volatile int ruleCount;
    const unsigned* volatile packets;
    volatile int packetCount;
};

constexpr unsigned kCloseTicket = 0xffffffffu;

class Scanner {
public:
    Scanner();
    ~Scanner();
    Scanner(const Scanner&) = delete;

    void start();
    int scan(const DeviceArray<unsigned>& packets, const DeviceArray<unsigned>& rules);
    void stop();

private:
    cudaStream_t stream_ = nullptr;
    Mailbox* box_ = nullptr;
    unsigned next_ = 0;
};
