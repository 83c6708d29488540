#pragma once
#include <cstdint>

#include "device_buffer.h"

enum class Op : uint32_t { Affine = 1, Rotate = 2, Stop = 3 };

struct Mailbox {
    volatile uint32_t posted;
    volatile uint32_t finished;
    volatile uint32_t op;
    volatile uint32_t arg;
    volatile uint32_t count;
    volatile unsigned long long src;
    volatile unsigned long long dst;
};

// Keeps one block resident on the device and feeds it jobs through mapped memory.
class StageService {
public:
    StageService();
    ~StageService();
    void start();
    void submit(Op op, uint32_t arg, const uint32_t* src, uint32_t* dst, uint32_t count);
    void stop();

private:
    void post(Op op, uint32_t arg, const uint32_t* src, uint32_t* dst, uint32_t count);
    Mailbox* host_ = nullptr;
    Mailbox* device_ = nullptr;
    cudaStream_t stream_{};
    bool running_ = false;
};
