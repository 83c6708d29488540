#pragma once
#include <cstdio>
#include <cstdlib>
#include <utility>

#include <cuda_runtime.h>

namespace desk {

[[noreturn]] inline void die(cudaError_t e)
{
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::quick_exit(1);
}
inline void ok(cudaError_t e)
{
    if (e != cudaSuccess) die(e);
}

class Stream {
public:
    explicit Stream(unsigned flags = cudaStreamDefault, int priority = 0)
    {
        ok(cudaStreamCreateWithPriority(&s_, flags, priority));
    }
    Stream(Stream &&o) noexcept : s_(std::exchange(o.s_, nullptr)) {}
    Stream(const Stream &) = delete;
    ~Stream()
    {
        if (s_) cudaStreamDestroy(s_);
    }
    cudaStream_t get() const { return s_; }
    void synchronize() const { ok(cudaStreamSynchronize(s_)); }

private:
    cudaStream_t s_ = nullptr;
};

inline int highest_priority()
{
    int least = 0, greatest = 0;
    ok(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    return greatest;
}

} // namespace desk
