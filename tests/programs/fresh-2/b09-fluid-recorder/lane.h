#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fluid {

#define FLUID_CHECK(call)                                                \
    if (const cudaError_t rc = (call); rc != cudaSuccess) {              \
        std::printf("ERROR %s\n", cudaGetErrorName(rc));                 \
        std::fflush(stdout);                                             \
        std::_Exit(1);                                                   \
    }

class Lane {
public:
    Lane() {
        FLUID_CHECK(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking));
        FLUID_CHECK(cudaEventCreateWithFlags(&mark_, cudaEventDisableTiming));
    }
    ~Lane() {
        cudaEventDestroy(mark_);
        cudaStreamDestroy(s_);
    }
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    void follow(Lane& other) {
        FLUID_CHECK(cudaEventRecord(other.mark_, other.s_));
        FLUID_CHECK(cudaStreamWaitEvent(s_, other.mark_, 0));
    }
    void drain() const { FLUID_CHECK(cudaStreamSynchronize(s_)); }
    cudaStream_t get() const { return s_; }

private:
    cudaStream_t s_{};
    cudaEvent_t mark_{};
};

struct Grid {
    int cells;
    float* height;
    float* flux;
    float* dye;
};

class Operator {
public:
    virtual ~Operator() = default;
    virtual void apply(const Grid& g, Lane& main) = 0;
};

std::unique_ptr<Operator> makeFlux();
std::unique_ptr<Operator> makeAdvance();
std::unique_ptr<Operator> makeDye();

// Records the operators of one time step once and replays them.
class Recorder {
public:
    explicit Recorder(Lane& lane) : lane_(lane) {}
    ~Recorder();
    void record(const std::function<void()>& step);
    void replay(int times);

private:
    Lane& lane_;
    cudaGraphExec_t exec_ = nullptr;
};

}  // namespace fluid
