#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>

namespace ads {

class ServingError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

inline void expect(cudaError_t status) {
    if (status != cudaSuccess) throw ServingError(cudaGetErrorName(status));
}

enum class StagingKind { features, scores };

using HostBlock = std::unique_ptr<float[], std::function<void(float*)>>;

// Host memory for one lane; where it comes from depends on what it is for.
HostBlock make_staging(StagingKind kind, std::size_t count);

}  // namespace ads
