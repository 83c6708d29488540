#pragma once
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace admit {

[[noreturn]] inline void fail(const char* what) {
    std::printf("ERROR %s\n", what);
    std::fflush(stdout);
    std::_Exit(1);
}
inline void rt(cudaError_t e) {
    if (e != cudaSuccess) fail(cudaGetErrorName(e));
}
inline void drv(CUresult r) {
    if (r == CUDA_SUCCESS) return;
    const char* n = "CUDA_ERROR";
    cuGetErrorName(r, &n);
    fail(n);
}

// A monotonically growing word that streams and host threads can wait for and advance.
class Turnstile {
public:
    Turnstile() {
        rt(cudaHostAlloc(reinterpret_cast<void**>(&word_), sizeof(uint32_t), cudaHostAllocMapped));
        *static_cast<volatile uint32_t*>(word_) = 0;
        void* d = nullptr;
        rt(cudaHostGetDevicePointer(&d, word_, 0));
        address_ = reinterpret_cast<CUdeviceptr>(d);
    }
    ~Turnstile() { cudaFreeHost(word_); }
    Turnstile(const Turnstile&) = delete;

    void hold(cudaStream_t s, uint32_t until) const {
        drv(cuStreamWaitValue32(s, address_, until, CU_STREAM_WAIT_VALUE_GEQ));
    }
    void advance(cudaStream_t s, uint32_t to) const {
        drv(cuStreamWriteValue32(s, address_, to, CU_STREAM_WRITE_VALUE_DEFAULT));
    }
    void advance(uint32_t to) { *static_cast<volatile uint32_t*>(word_) = to; }

private:
    uint32_t* word_ = nullptr;
    CUdeviceptr address_ = 0;
};

}  // namespace admit
