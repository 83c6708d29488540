#pragma once
#include <cuda_runtime.h>
#include <memory>
#include <string>
#include <vector>

namespace plasma {

void must(cudaError_t e);

constexpr int kCells = 1 << 16;
constexpr float kDrive = 0.02f;

// Fields of the column, all of kCells floats.
struct Fields {
    float* density = nullptr;
    float* source = nullptr;
    float* smooth = nullptr;
    float* drive = nullptr;
};

// A term of the time step.
class Operator {
public:
    virtual ~Operator() = default;
    virtual void enqueue(const Fields& f, cudaStream_t s) = 0;
};

struct OperatorContext {
    cudaStream_t stream;
    std::vector<float> taps;
};

std::unique_ptr<Operator> makeOperator(const std::string& name, const OperatorContext& ctx);

}  // namespace plasma
