#pragma once
#include <cstdio>
#include <cstdlib>
#include <string>
#include <cuda.h>

#define CU_TRY(call) ::drv::require((call))

namespace drv {

inline void require(CUresult r)
{
    if (r == CUDA_SUCCESS) return;
    const char* name = nullptr;
    if (cuGetErrorName(r, &name) != CUDA_SUCCESS) name = "unknown";
    std::printf("ERROR %s\n", name);
    std::fflush(stdout);
    std::_Exit(1);
}

// The primary context of the first device, current in the thread that makes it.
class Context {
public:
    Context()
    {
        CU_TRY(cuInit(0));
        CU_TRY(cuDeviceGet(&device_, 0));
        CU_TRY(cuDevicePrimaryCtxRetain(&context_, device_));
        CU_TRY(cuCtxSetCurrent(context_));
    }
    ~Context() { cuDevicePrimaryCtxRelease(device_); }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

private:
    CUdevice device_ = 0;
    CUcontext context_ = nullptr;
};

// One kernel of one image with a stream of its own.
class Stage {
public:
    Stage(const char* image, const char* entry)
    {
        CU_TRY(cuModuleLoadData(&module_, image));
        CU_TRY(cuModuleGetFunction(&function_, module_, entry));
        CU_TRY(cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING));
    }
    ~Stage()
    {
        cuStreamDestroy(stream_);
        cuModuleUnload(module_);
    }
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    template <class... Args>
    void launch(unsigned threads, Args... args)
    {
        void* pointers[] = {static_cast<void*>(&args)...};
        CU_TRY(cuLaunchKernel(function_, 1, 1, 1, threads, 1, 1, 0, stream_, pointers, nullptr));
    }
    void wait() const { CU_TRY(cuStreamSynchronize(stream_)); }
    CUstream stream() const { return stream_; }

private:
    CUmodule module_ = nullptr;
    CUfunction function_ = nullptr;
    CUstream stream_ = nullptr;
};

template <class T>
class DeviceSpan {
public:
    explicit DeviceSpan(std::size_t n) : n_(n) { CU_TRY(cuMemAlloc(&address_, n * sizeof(T))); }
    ~DeviceSpan() { cuMemFree(address_); }
    DeviceSpan(const DeviceSpan&) = delete;
    DeviceSpan& operator=(const DeviceSpan&) = delete;
    CUdeviceptr at(std::size_t i) const { return address_ + i * sizeof(T); }
    CUdeviceptr get() const { return address_; }
    std::size_t bytes() const { return n_ * sizeof(T); }

private:
    CUdeviceptr address_ = 0;
    std::size_t n_;
};

}  // namespace drv
