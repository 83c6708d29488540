#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

namespace eq {

inline void verify(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

// Page-locked curves of one size.
class PinnedPool {
public:
    using Block = std::unique_ptr<float, std::function<void(float*)>>;

    PinnedPool(int blocks, std::size_t floats) {
        for (int i = 0; i < blocks; ++i) {
            float* p = nullptr;
            verify(cudaMallocHost(&p, floats * sizeof(float)));
            owned_.push_back(p);
            idle_.push_back(p);
        }
    }
    ~PinnedPool() {
        for (float* p : owned_) cudaFreeHost(p);
    }
    PinnedPool(const PinnedPool&) = delete;
    PinnedPool& operator=(const PinnedPool&) = delete;

    Block take() {
        float* p = idle_.back();
        idle_.pop_back();
        return Block(p, [this](float* q) { idle_.push_back(q); });
    }

private:
    std::vector<float*> owned_;
    std::vector<float*> idle_;
};

}  // namespace eq
