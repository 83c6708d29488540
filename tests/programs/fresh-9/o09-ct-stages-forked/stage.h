#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#define CT_CHECK(call)                                            \
    do {                                                          \
        const cudaError_t err__ = (call);                         \
        if (err__ != cudaSuccess) {                               \
            std::printf("ERROR %s\n", cudaGetErrorName(err__));   \
            std::exit(1);                                         \
        }                                                         \
    } while (0)

namespace ct {

struct Slices {
    int n;
    const float* raw;    // detector counts of this projection
    float* normal;       // after dark-field correction
    float* noise;        // local noise level
    float* image;        // result
};

class Stage {
public:
    virtual ~Stage() = default;
    virtual void enqueue(const Slices& s, cudaStream_t stream) = 0;
};

std::unique_ptr<Stage> makeNormalise(float dark);
std::unique_ptr<Stage> makeNoiseEstimate();
std::unique_ptr<Stage> makeBlend();

// Runs its stages directly for the first projection, then from a recorded graph.
class Pipeline {
public:
    explicit Pipeline(int n);
    ~Pipeline();
    Pipeline& add(std::unique_ptr<Stage> s);
    void process(const float* pinnedIn, float* pinnedOut);

private:
    enum class State { Cold, Warm, Recorded };
    void enqueueAll();
    void record();

    State state_ = State::Cold;
    Slices slices_{};
    float* raw_ = nullptr;
    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    std::vector<std::unique_ptr<Stage>> stages_;
};

}  // namespace ct
