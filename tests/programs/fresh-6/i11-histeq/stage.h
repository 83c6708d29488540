#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#define GPU(call)                                                  \
    do {                                                           \
        if (const cudaError_t err = (call); err != cudaSuccess) {  \
            std::printf("ERROR %s\n", cudaGetErrorName(err));      \
            std::exit(EXIT_FAILURE);                               \
        }                                                          \
    } while (0)

inline constexpr int kBins = 256;

struct FrameBuffers {
    unsigned char* pixels = nullptr;
    int* bins = nullptr;
    int* result = nullptr;
    int count = 0;
};

class Stage {
public:
    virtual ~Stage() = default;
    virtual void enqueue(cudaStream_t s) = 0;
};

std::unique_ptr<Stage> make_reset(const FrameBuffers& fb, cudaStream_t stream);
std::unique_ptr<Stage> make_histogram(const FrameBuffers& fb);
std::unique_ptr<Stage> make_cumulate(const FrameBuffers& fb);

// Ordered stages, recorded once and replayed for every frame.
class StageGraph {
public:
    StageGraph& add(std::unique_ptr<Stage> s);
    void record(cudaStream_t stream);
    void replay(cudaStream_t stream) const;
    ~StageGraph();

private:
    std::vector<std::unique_ptr<Stage>> stages_;
    cudaGraphExec_t exec_ = nullptr;
};
