#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define WX_CALL(x)                                                 \
    do {                                                           \
        const cudaError_t wx_rc = (x);                             \
        if (wx_rc != cudaSuccess) ::wx::fail(cudaGetErrorName(wx_rc)); \
    } while (0)

namespace wx {

[[noreturn]] inline void fail(const char* name) {
    std::printf("ERROR %s\n", name);
    std::fflush(stdout);
    std::_Exit(1);
}

class Stream {
public:
    Stream() { WX_CALL(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
    ~Stream() { cudaStreamDestroy(s_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    cudaStream_t get() const { return s_; }
    void wait() const { WX_CALL(cudaStreamSynchronize(s_)); }

private:
    cudaStream_t s_ = nullptr;
};

class Event {
public:
    explicit Event(unsigned flags = cudaEventDisableTiming) { WX_CALL(cudaEventCreateWithFlags(&e_, flags)); }
    ~Event() { cudaEventDestroy(e_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    cudaEvent_t get() const { return e_; }
    void record(const Stream& s) { WX_CALL(cudaEventRecord(e_, s.get())); }
    void hold(const Stream& s) const { WX_CALL(cudaStreamWaitEvent(s.get(), e_, 0)); }
    void wait() const { WX_CALL(cudaEventSynchronize(e_)); }

private:
    cudaEvent_t e_ = nullptr;
};

}  // namespace wx
