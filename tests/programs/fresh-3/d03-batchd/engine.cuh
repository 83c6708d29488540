#pragma once
#include <cuda_runtime.h>
#include "mailbox.h"

class Engine {
public:
    explicit Engine(int lanes);
    ~Engine();
    void start();
    void stop();
    // Posts one request and returns when the lane has finished it.
    void score(int lane, const float* d_in, float* d_out, uint32_t count);

private:
    int lanes_;
    bool running_ = false;
    Mailbox* boxes_ = nullptr;
    cudaStream_t stream_{};
};
