#pragma once
#include <cuda_runtime.h>
#include <array>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <vector>

namespace tide {

struct TideError : std::runtime_error {
    explicit TideError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e) {
    if (e != cudaSuccess) throw TideError(e);
}

class Branch {
public:
    Branch() {
        check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        check(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    }
    ~Branch() {
        cudaEventDestroy(done);
        cudaStreamDestroy(stream);
    }
    Branch(const Branch&) = delete;
    Branch& operator=(const Branch&) = delete;
    cudaStream_t stream = nullptr;
    cudaEvent_t done = nullptr;
};

// Height and two flux fields on one grid; a step updates both fluxes side by
// side and then the height.
class Basin {
public:
    explicit Basin(int cells);
    ~Basin();
    Basin(const Basin&) = delete;
    Basin& operator=(const Basin&) = delete;

    void compile(const std::function<void()>& meanwhile);
    void advance(int steps);
    std::vector<int> heights();
    int cells() const { return cells_; }

private:
    int cells_;
    Branch trunk_;
    std::array<Branch, 2> sides_;
    int* height_ = nullptr;
    std::array<int*, 2> flux_{};
    cudaGraphExec_t step_ = nullptr;
};

}  // namespace tide
