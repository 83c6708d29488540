#pragma once
#include <map>
#include <vector>
#include <cuda_runtime.h>
#include "graph_tape.h"
#include "param_block.h"

namespace optics {

constexpr int kRays = 8192;

struct Glass {
    float index;
    float curvature[4];
    float gap[4];
};

Glass glassAt(int nanometres);
float spotOf(const Glass& glass, int ray);

// Traces a fan of rays through the doublet, one exposure per line of the spectrum.
class Bench {
public:
    explicit Bench(std::size_t lines);
    ~Bench();
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    void mount(int nanometres);
    void expose(int nanometres);
    std::vector<float> develop();

private:
    std::size_t lines_;
    cudaStream_t stream_ = nullptr;
    ParamBlock<Glass> glass_;
    std::map<int, GraphTape> tapes_;
    float* film_ = nullptr;
};

}  // namespace optics
