#pragma once
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace wx {

[[noreturn]] inline void die(const char* name) {
    std::printf("ERROR %s\n", name);
    std::exit(1);
}
inline void ok(cudaError_t e) {
    if (e != cudaSuccess) die(cudaGetErrorName(e));
}
inline void ok(CUresult r) {
    if (r != CUDA_SUCCESS) {
        const char* s = "CUDA_ERROR";
        cuGetErrorName(r, &s);
        die(s);
    }
}

constexpr int kCells = 4096;

// A forecast model of one ensemble member. The state stays on the device, the forecast goes to the host.
class Member {
public:
    Member(float bias, float* forecast, const float* analysis);
    virtual ~Member();
    Member(const Member&) = delete;

    virtual void warmUp() = 0;
    virtual void predict(int cycle) = 0;
    virtual void correct(int cycle) = 0;
    virtual float stepOnHost(float x, int cycle) const = 0;

    cudaStream_t stream() const { return stream_; }
    const float* forecast() const { return forecast_; }
    const float* state() const { return state_; }

protected:
    float bias_;
    float* forecast_;
    const float* analysis_;
    float* state_ = nullptr;
    cudaStream_t stream_ = nullptr;
};

std::unique_ptr<Member> makeMember(const std::string& kind, float bias, float* forecast, const float* analysis);

// The phase of the assimilation window, seen by the streams and by the host.
class PhaseClock {
public:
    PhaseClock();
    ~PhaseClock();
    void holdUntil(cudaStream_t s, unsigned phase) const;
    void advance(unsigned phase);

private:
    unsigned* word_ = nullptr;
};

}  // namespace wx
