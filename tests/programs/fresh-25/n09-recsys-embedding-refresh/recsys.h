#pragma once
#include <cuda_runtime.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace recsys {

class GpuError : public std::runtime_error {
public:
    GpuError(cudaError_t e, const char* file, int line)
        : std::runtime_error(cudaGetErrorName(e)), where_(std::string(file) + ":" + std::to_string(line)) {}
    const std::string& where() const { return where_; }

private:
    std::string where_;
};

#define GPU_OK(call)                                                        \
    do {                                                                    \
        const cudaError_t gpu_code = (call);                                \
        if (gpu_code != cudaSuccess) throw ::recsys::GpuError(gpu_code, __FILE__, __LINE__); \
    } while (0)

struct RankerConfig {
    int shards = 3;
    int requestsPerShard = 4;
    int items = 4096;
    unsigned long long scoreNs = 30'000'000ull;
};

inline float embeddingValue(int request, int item) {
    return static_cast<float>(request * 4 + item % 19);
}

}  // namespace recsys
