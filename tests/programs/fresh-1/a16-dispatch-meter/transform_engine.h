#pragma once
#include <cuda_runtime.h>
#include <stdexcept>
#include <vector>

namespace meter {

struct EngineError : std::runtime_error {
    explicit EngineError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void tryCuda(cudaError_t e) {
    if (e != cudaSuccess) throw EngineError(e);
}

struct Span {
    unsigned long long begin;
    unsigned long long end;
};

class TransformEngine {
public:
    TransformEngine(int lanes, int jobs);
    ~TransformEngine();
    TransformEngine(const TransformEngine&) = delete;
    TransformEngine& operator=(const TransformEngine&) = delete;

    void transform(int lane, int job);
    void settle();
    std::vector<Span> journal();

private:
    int jobs_;
    std::vector<cudaStream_t> lanes_;
    Span* spans_ = nullptr;
};

}  // namespace meter
