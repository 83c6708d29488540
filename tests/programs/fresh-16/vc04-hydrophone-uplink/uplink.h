#pragma once
#include <algorithm>
#include <vector>
#include "pinned_pool.h"

namespace hydro {

// Carries sampled blocks from the recorder's vectors to the device without blocking the recorder.
class Uplink {
public:
    Uplink(std::size_t blockSize, int pages) : pool_(blockSize, pages) {}

    void push(const std::vector<float>& block, float* target, cudaStream_t stream) {
        PinnedPool::Lease page = pool_.lease();
        const std::size_t n = std::min(block.size(), pool_.floats());
        std::copy_n(block.begin(), n, page.get());
        HYDRO_OK(cudaMemcpyAsync(target, page.get(), n * sizeof(float), cudaMemcpyHostToDevice, stream));
        ++pushed_;
    }

    int pushed() const { return pushed_; }

private:
    PinnedPool pool_;
    int pushed_ = 0;
};

}  // namespace hydro
