#pragma once
#include <cuda_runtime.h>

#include <memory>
#include <string>
#include <vector>

namespace road {

struct Fault {
    std::string name;
};
inline void ok(cudaError_t e) {
    if (e != cudaSuccess) throw Fault{cudaGetErrorName(e)};
}

struct FrameSet {
    int frames = 0;
    int pixels = 0;
    float* luma = nullptr;    // frames x pixels
    float* edges = nullptr;   // frames x pixels
    float* score = nullptr;   // frames
};

// A step of the perception chain; every step has a stream of its own.
class Step {
public:
    explicit Step(std::string name) : name_(std::move(name)) {
        ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        ok(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming));
    }
    virtual ~Step() {
        cudaEventDestroy(done_);
        cudaStreamDestroy(stream_);
    }
    virtual void enqueue(const FrameSet& set, int frame) = 0;

    void process(const FrameSet& set, int frame) {
        enqueue(set, frame);
        ok(cudaGetLastError());
        ok(cudaEventRecord(done_, stream_));
    }
    void follow(const Step& earlier) { ok(cudaStreamWaitEvent(stream_, earlier.done_, 0)); }
    void finish() { ok(cudaStreamSynchronize(stream_)); }

protected:
    cudaStream_t stream_ = nullptr;

private:
    std::string name_;
    cudaEvent_t done_ = nullptr;
};

std::unique_ptr<Step> makeDebayer();
std::unique_ptr<Step> makeEdges();
std::unique_ptr<Step> makeLaneScore();

// Steps in the order in which a frame passes them.
class Flow {
public:
    Flow& then(std::unique_ptr<Step> step);
    void run(const FrameSet& set);

private:
    std::vector<std::unique_ptr<Step>> steps_;
};

}  // namespace road
