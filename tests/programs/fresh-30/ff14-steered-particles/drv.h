#pragma once

#include <cuda.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace drv {

inline void expect(CUresult result)
{
    if (result == CUDA_SUCCESS) return;
    const char* name = "CUDA_ERROR_UNKNOWN";
    cuGetErrorName(result, &name);
    std::printf("ERROR %s\n", name);
    std::fflush(stdout);
    std::_Exit(1);
}

class PrimaryContext {
public:
    PrimaryContext()
    {
        expect(cuInit(0));
        expect(cuDeviceGet(&device_, 0));
        expect(cuDevicePrimaryCtxRetain(&context_, device_));
        enter();
    }
    ~PrimaryContext() { cuDevicePrimaryCtxRelease(device_); }
    PrimaryContext(const PrimaryContext&) = delete;
    void enter() const { expect(cuCtxSetCurrent(context_)); }

private:
    CUdevice device_ = 0;
    CUcontext context_ = nullptr;
};

template <class T>
class Memory {
public:
    explicit Memory(std::size_t n) : n_(n)
    {
        expect(cuMemAlloc(&address_, n * sizeof(T)));
        expect(cuMemsetD8(address_, 0, n * sizeof(T)));
    }
    ~Memory() { cuMemFree(address_); }
    Memory(const Memory&) = delete;
    CUdeviceptr at(std::size_t i = 0) const { return address_ + i * sizeof(T); }
    void upload(const T* in) { expect(cuMemcpyHtoD(address_, in, n_ * sizeof(T))); }
    void download(T* out) const { expect(cuMemcpyDtoH(out, address_, n_ * sizeof(T))); }

private:
    CUdeviceptr address_ = 0;
    std::size_t n_;
};

// A stream whose work can raise marks in device memory and hold for marks of other streams.
class Timeline {
public:
    Timeline() { expect(cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING)); }
    ~Timeline() { cuStreamDestroy(stream_); }
    Timeline(const Timeline&) = delete;

    void hold(CUdeviceptr mark, cuuint32_t value)
    {
        expect(cuStreamWaitValue32(stream_, mark, value, CU_STREAM_WAIT_VALUE_GEQ));
    }
    void raise(CUdeviceptr mark, cuuint32_t value)
    {
        expect(cuStreamWriteValue32(stream_, mark, value, CU_STREAM_WRITE_VALUE_DEFAULT));
    }
    template <class... Args>
    void launch(CUfunction function, int grid, int block, Args... args)
    {
        void* pointers[] = {&args...};
        expect(cuLaunchKernel(function, grid, 1, 1, block, 1, 1, 0, stream_, pointers, nullptr));
    }
    void drain() { expect(cuStreamSynchronize(stream_)); }

private:
    CUstream stream_ = nullptr;
};

}  // namespace drv
