#pragma once
#include <cuda_runtime.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace bench {

[[noreturn]] inline void fail(cudaError_t e)
{
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::exit(1);
}

inline void expect(cudaError_t e)
{
    if (e != cudaSuccess)
        fail(e);
}

// The device with its lanes.  Independent pieces of work ask for a stream and
// get the lanes in turn.
class Device {
public:
    static constexpr int kLanes = 8;

    Device()
    {
        for (auto& s : lanes_)
            expect(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    }
    ~Device()
    {
        quiesce();
        for (auto s : lanes_)
            cudaStreamDestroy(s);
    }
    Device(const Device&) = delete;

    cudaStream_t stream() { return lanes_[next_++ % kLanes]; }

    void quiesce()
    {
        for (auto s : lanes_)
            expect(cudaStreamSynchronize(s));
    }

private:
    std::array<cudaStream_t, kLanes> lanes_{};
    unsigned next_ = 0;
};

}  // namespace bench
