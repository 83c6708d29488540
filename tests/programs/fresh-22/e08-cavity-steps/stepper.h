// Leapfrog stepper of a two-dimensional cavity (TM mode, fixed point).
#pragma once

#include "probes.h"

namespace cavity {

constexpr int kSize = 192;

struct StepOptions {
    int stepsPerBlock = 24;
    int stepsPerProbe = 6;
    cudaStreamCaptureMode captureMode = cudaStreamCaptureModeGlobal;
};

struct Fields {
    int *ez = nullptr, *hx = nullptr, *hy = nullptr, *clock = nullptr;
};

class Stepper {
public:
    Stepper(ProbeStore& probes, StepOptions options);
    ~Stepper();

    void settle(int steps);      // plain steps, one launch each
    void record();               // one block of steps as a graph, with its probes
    void play(int blocks);
    std::vector<int> field() const;
    std::vector<int> probe(std::size_t k) const;

private:
    void step();

    ProbeStore& probes_;
    StepOptions options_;
    Fields fields_;
    int* spare_ = nullptr;
    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t block_ = nullptr;
};

} // namespace cavity
