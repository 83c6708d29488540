#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <stdexcept>

namespace ads {

inline void expect(cudaError_t e) {
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorName(e));
}

struct UploaderConfig {
    int producers = 2;
    int batchesPerProducer = 8;
    int features = 8192;
    int stagingBlocks = 3;
    unsigned long long scoreNs = 20'000'000ull;
};

inline int featureValue(int batch, int i) { return batch * 500 + (i * 11) % 401; }
inline int scoreOf(int feature) { return feature * 2 - 5; }

}  // namespace ads
