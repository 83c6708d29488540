#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace bench {

struct Failure : std::runtime_error {
    explicit Failure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void expect(cudaError_t e) {
    if (e != cudaSuccess) throw Failure(e);
}

class StreamPool {
public:
    explicit StreamPool(std::size_t size) : streams_(size) {
        for (auto& s : streams_) expect(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    }
    ~StreamPool() {
        for (auto s : streams_) cudaStreamDestroy(s);
    }
    StreamPool(const StreamPool&) = delete;
    StreamPool& operator=(const StreamPool&) = delete;

    cudaStream_t next() { return streams_[turn_++ % streams_.size()]; }

private:
    std::vector<cudaStream_t> streams_;
    std::size_t turn_ = 0;
};

}  // namespace bench
