// driver.h - thin owners of driver objects
#pragma once

#include <cuda.h>

#include <cstddef>
#include <initializer_list>

namespace drv {

struct Failed { CUresult code; };

inline void ok(CUresult r)
{
    if (r != CUDA_SUCCESS)
        throw Failed{r};
}

class Context {
public:
    Context()
    {
        ok(cuInit(0));
        ok(cuDeviceGet(&dev_, 0));
        ok(cuCtxCreate(&ctx_, nullptr, CU_CTX_SCHED_AUTO, dev_));
    }
    ~Context() { cuCtxDestroy(ctx_); }
    Context(const Context &) = delete;
    Context &operator=(const Context &) = delete;
    void finish() const { ok(cuCtxSynchronize()); }
private:
    CUdevice  dev_{};
    CUcontext ctx_{};
};

class Module {
public:
    explicit Module(const void *image) { ok(cuModuleLoadData(&m_, image)); }
    ~Module() { cuModuleUnload(m_); }
    Module(const Module &) = delete;
    Module &operator=(const Module &) = delete;
    CUfunction function(const char *name) const
    {
        CUfunction f{};
        ok(cuModuleGetFunction(&f, m_, name));
        return f;
    }
private:
    CUmodule m_{};
};

class Memory {
public:
    explicit Memory(std::size_t words) : words_(words)
    {
        ok(cuMemAlloc(&p_, words * 4));
        ok(cuMemsetD32(p_, 0, words));
    }
    ~Memory() { cuMemFree(p_); }
    Memory(const Memory &) = delete;
    Memory &operator=(const Memory &) = delete;
    CUdeviceptr at(std::size_t word) const { return p_ + word * 4; }
    std::size_t bytes() const { return words_ * 4; }
private:
    CUdeviceptr p_{};
    std::size_t words_;
};

class Stream {
public:
    Stream() { ok(cuStreamCreate(&s_, CU_STREAM_NON_BLOCKING)); }
    ~Stream() { cuStreamDestroy(s_); }
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;

    void launch(CUfunction f, unsigned grid, unsigned block, std::initializer_list<void *> args)
    {
        ok(cuLaunchKernel(f, grid, 1, 1, block, 1, 1, 0, s_,
                          const_cast<void **>(args.begin()), nullptr));
    }
    void await(CUdeviceptr word, cuuint32_t at_least)
    {
        ok(cuStreamWaitValue32(s_, word, at_least, CU_STREAM_WAIT_VALUE_GEQ));
    }
    void signal(CUdeviceptr word, cuuint32_t value)
    {
        ok(cuStreamWriteValue32(s_, word, value, CU_STREAM_WRITE_VALUE_DEFAULT));
    }
    void finish() { ok(cuStreamSynchronize(s_)); }
private:
    CUstream s_{};
};

} // namespace drv
