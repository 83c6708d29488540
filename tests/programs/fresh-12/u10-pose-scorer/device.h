#pragma once
#include <cuda.h>
#include <cstdio>
#include <cstdlib>

#define CU(call)                                          \
    do {                                                  \
        CUresult r_ = (call);                             \
        if (r_ != CUDA_SUCCESS) {                         \
            const char* name_ = "unknown";                \
            cuGetErrorName(r_, &name_);                   \
            std::printf("ERROR %s\n", name_);             \
            std::exit(1);                                 \
        }                                                 \
    } while (0)

namespace dock {

// The primary context of the first device, current on the calling thread.
class Device {
public:
    Device()
    {
        CU(cuInit(0));
        CU(cuDeviceGet(&device_, 0));
        CU(cuDevicePrimaryCtxRetain(&context_, device_));
        CU(cuCtxSetCurrent(context_));
    }
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
    ~Device() { cuDevicePrimaryCtxRelease(device_); }

private:
    CUdevice device_ = 0;
    CUcontext context_ = nullptr;
};

}  // namespace dock
