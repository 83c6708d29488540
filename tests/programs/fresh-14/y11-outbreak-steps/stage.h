#pragma once
#include <cuda_runtime.h>
#include <memory>
#include <string>

namespace epi {

void verify(cudaError_t e);

struct Rates {
    float contact = 0.3f;
    float recovery = 0.1f;
};

// Device state of all regions, structure of arrays.
struct Fields {
    int regions = 0;
    float* susceptible = nullptr;
    float* infected = nullptr;
    float* recovered = nullptr;
    float* incoming = nullptr;
    float* leaving = nullptr;
    float* series = nullptr;
    unsigned* day = nullptr;
};

class Stage {
public:
    virtual ~Stage() = default;
    virtual void enqueue(const Fields& f, cudaStream_t stream) = 0;
};

std::unique_ptr<Stage> makeStage(const std::string& name, Rates rates);
}  // namespace epi
