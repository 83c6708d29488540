#pragma once
#include <cuda_runtime.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace perception {

struct StageFailure : std::runtime_error {
    explicit StageFailure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void orThrow(cudaError_t e) {
    if (e != cudaSuccess) throw StageFailure(e);
}

constexpr int kPoints = 4096;

class Stage {
public:
    virtual ~Stage() = default;
    virtual void run(int* points, cudaStream_t stream) = 0;
};

std::unique_ptr<Stage> makeStage(const std::string& kind);

// Applies what all stages do to one point, for checks on the host.
inline int referencePoint(int value) { return (value + 7) * 3; }

}  // namespace perception
