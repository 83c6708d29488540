#include "resource.h"

namespace seedlib {

std::size_t BinnedResource::bin_of(std::size_t bytes) {
    std::size_t b = 4096;
    while (b < bytes) b <<= 1;
    return b;
}

BinnedResource::~BinnedResource() {
    for (auto& [bin, blocks] : bins_)
        for (void* p : blocks) upstream_.deallocate(p, bin, nullptr);
}

void* BinnedResource::allocate(std::size_t bytes, cudaStream_t stream) {
    const std::size_t bin = bin_of(bytes);
    auto& blocks = bins_[bin];
    if (blocks.empty()) return upstream_.allocate(bin, stream);
    void* p = blocks.back();
    blocks.pop_back();
    return p;
}

void BinnedResource::deallocate(void* p, std::size_t bytes, cudaStream_t) {
    bins_[bin_of(bytes)].push_back(p);
}

}  // namespace seedlib
