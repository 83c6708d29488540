#include <utility>

#include "pixl.h"

namespace pixl {

Pipeline::Pipeline(Extent extent) : extent_(extent) {
    for (float*& p : scratch_) check(cudaMalloc(&p, extent_.pixels() * sizeof(float)));
}

Pipeline::~Pipeline() {
    for (float* p : scratch_) cudaFree(p);
}

Pipeline& Pipeline::add(std::unique_ptr<Filter> filter) {
    filters_.push_back(std::move(filter));
    return *this;
}

void Pipeline::enqueue(Staging& staging, cudaStream_t stream, const float* src, float* dst) {
    const float* from = src;
    for (std::size_t i = 0; i < filters_.size(); ++i) {
        float* to = i + 1 == filters_.size() ? dst : scratch_[i % 2];
        filters_[i]->enqueue(staging, stream, from, to);
        from = to;
    }
}

}  // namespace pixl
