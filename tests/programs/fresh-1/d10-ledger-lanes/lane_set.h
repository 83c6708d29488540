#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <type_traits>
#include <vector>

namespace ledger {

inline void chk(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

struct StreamDelete {
    using pointer = cudaStream_t;
    void operator()(cudaStream_t s) const { cudaStreamDestroy(s); }
};
using Stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, StreamDelete>;

// Per-book lanes. Settlement steps that need every book run on the default stream.
class LaneSet {
public:
    explicit LaneSet(size_t n) {
        lanes_.reserve(n);
        for (size_t i = 0; i < n; ++i) {
            cudaStream_t s;
            chk(cudaStreamCreate(&s));
            lanes_.emplace_back(s);
        }
    }
    cudaStream_t operator[](size_t i) const { return lanes_[i % lanes_.size()].get(); }
    size_t size() const { return lanes_.size(); }

private:
    std::vector<Stream> lanes_;
};

}  // namespace ledger
