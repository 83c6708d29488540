#pragma once
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define RT(call)                                               \
    do {                                                       \
        cudaError_t rt_e = (call);                             \
        if (rt_e != cudaSuccess) {                             \
            std::printf("ERROR %s\n", cudaGetErrorName(rt_e)); \
            std::exit(2);                                      \
        }                                                      \
    } while (0)

#define DRV(call)                                   \
    do {                                            \
        CUresult drv_e = (call);                    \
        if (drv_e != CUDA_SUCCESS) {                \
            const char* drv_n = "CUDA_UNKNOWN";     \
            cuGetErrorName(drv_e, &drv_n);          \
            std::printf("ERROR %s\n", drv_n);       \
            std::exit(2);                           \
        }                                           \
    } while (0)

// A clock of frames in device memory that streams wait for and advance.
class FrameClock {
  public:
    FrameClock() {
        RT(cudaMalloc(&word_, sizeof(std::uint32_t)));
        RT(cudaMemset(word_, 0, sizeof(std::uint32_t)));
        RT(cudaDeviceSynchronize());
    }
    ~FrameClock() { cudaFree(word_); }
    FrameClock(const FrameClock&) = delete;

    void reach(cudaStream_t s, std::uint32_t tick) {
        DRV(cuStreamWaitValue32(s, reinterpret_cast<CUdeviceptr>(word_), tick, CU_STREAM_WAIT_VALUE_GEQ));
    }
    void advance(cudaStream_t s, std::uint32_t tick) {
        DRV(cuStreamWriteValue32(s, reinterpret_cast<CUdeviceptr>(word_), tick, CU_STREAM_WRITE_VALUE_DEFAULT));
    }

  private:
    std::uint32_t* word_ = nullptr;
};
