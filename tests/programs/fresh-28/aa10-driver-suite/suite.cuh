#pragma once
#include <cuda.h>
#include <cuda_runtime.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#define DRV(call)                                                \
    do {                                                         \
        CUresult r_ = (call);                                    \
        if (r_ != CUDA_SUCCESS) {                                \
            const char* text_ = "CUDA_ERROR_UNKNOWN";            \
            cuGetErrorName(r_, &text_);                          \
            std::printf("ERROR %s\n", text_);                    \
            std::fflush(stdout);                                 \
            std::_Exit(1);                                       \
        }                                                        \
    } while (0)

#define RT(call)                                                 \
    do {                                                         \
        cudaError_t r_ = (call);                                 \
        if (r_ != cudaSuccess) {                                 \
            std::printf("ERROR %s\n", cudaGetErrorName(r_));     \
            std::fflush(stdout);                                 \
            std::_Exit(1);                                       \
        }                                                        \
    } while (0)

using Clock = std::chrono::steady_clock;

inline double ms_since(Clock::time_point t0) {
    return std::chrono::duration<double, std::milli>(Clock::now() - t0).count();
}

// One line of the suite: body() does the work once and returns what the suite
// reports for it, in milliseconds.
struct Entry {
    std::string name;
    std::function<double()> body;
};

// Primary context of device 0, current for the scope's thread.
class Context {
public:
    Context() {
        DRV(cuInit(0));
        DRV(cuDeviceGet(&device_, 0));
        DRV(cuDevicePrimaryCtxRetain(&context_, device_));
        DRV(cuCtxPushCurrent(context_));
    }
    ~Context() {
        CUcontext popped;
        cuCtxPopCurrent(&popped);
        cuDevicePrimaryCtxRelease(device_);
    }
    Context(const Context&) = delete;

private:
    CUdevice device_ = 0;
    CUcontext context_ = nullptr;
};

CUfunction burner();                       // void (uint32_t* cell, unsigned long long ns)
uint32_t orbit_sum(uint32_t* values, int n, CUstream stream);
uint32_t orbit_host(uint32_t seed);
