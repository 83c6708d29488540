#pragma once
#include <cuda_runtime.h>

#include <memory>
#include <string>

namespace echo {

enum class Code { Ok, UnknownStage, Device };

struct Outcome {
    Code code = Code::Ok;
    cudaError_t cuda = cudaSuccess;
    explicit operator bool() const { return code == Code::Ok; }
    static Outcome of(cudaError_t e) { return e == cudaSuccess ? Outcome{} : Outcome{Code::Device, e}; }
};

struct View {
    int* data;
    int lines;
    int samples;
    int size() const { return lines * samples; }
};

class Stage {
public:
    virtual ~Stage() = default;
    virtual Outcome apply(View view, cudaStream_t stream) = 0;
};

// Known stages: "rectify", "smooth", "compress".
Outcome createStage(const std::string& name, std::unique_ptr<Stage>* out);

}  // namespace echo
