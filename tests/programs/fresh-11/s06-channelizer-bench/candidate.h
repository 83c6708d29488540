#pragma once

#include <memory>
#include <string>
#include <vector>

#include <cuda_runtime.h>

void sdr(cudaError_t status);

struct Workload {
    const float* signal;
    float* channels;
    int channelLength;
    int channelCount;
};

// A way to split the wide band into channels.
class Candidate {
public:
    virtual ~Candidate() = default;
    virtual std::string name() const = 0;
    virtual double expectedMs(const Workload& work) const = 0;
    virtual void run(const Workload& work, cudaStream_t stream) = 0;
};

std::vector<std::unique_ptr<Candidate>> makeCandidates();
