#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

inline void expect_ok(cudaError_t e)
{
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

constexpr int kLanes = 4;
constexpr int kHeadDim = 128;

enum class Op : unsigned { none = 0, append, attend, quit };

// One per lane, in host memory that the device maps.
struct alignas(128) Mailbox {
    volatile unsigned ticket;
    volatile unsigned served;
    volatile unsigned op;
    volatile int token;
    volatile int position;
    float* volatile page;
    volatile float score;
};

struct Request {
    Op op = Op::none;
    float* page = nullptr;
    int token = 0;
    int position = 0;
};

// A decode kernel that stays on the device for the life of the server; each of
// its blocks serves one lane.
class DecodeEngine {
public:
    DecodeEngine();
    ~DecodeEngine();
    DecodeEngine(const DecodeEngine&) = delete;
    DecodeEngine& operator=(const DecodeEngine&) = delete;

    void start();
    void stop();
    void post(int lane, const Request& r);
    float wait(int lane);

private:
    Mailbox* boxes_ = nullptr;
    cudaStream_t stream_ = nullptr;
    unsigned tickets_[kLanes] = {};
    bool running_ = false;
};
