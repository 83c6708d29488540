#pragma once
#include <cuda_runtime.h>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace jac {

struct cuda_error : std::runtime_error {
    explicit cuda_error(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};
inline void ensure(cudaError_t e) {
    if (e != cudaSuccess) throw cuda_error(e);
}

struct Problem {
    int n = 1 << 16;
    int sweeps = 8;
    unsigned long long stencil_ns = 2'000'000ull;   // assembled coefficients, per sweep
};

// Handle of a relaxation solver. Work goes to the handle's stream; a caller may install another.
class Handle {
  public:
    explicit Handle(const Problem& p);
    ~Handle();
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    cudaStream_t stream() const { return stream_; }
    void set_stream(cudaStream_t s);

    void reset();
    void solve();
    std::vector<std::uint32_t> fetch() const;
    const Problem& problem() const { return p_; }

  private:
    Problem p_;
    cudaStream_t own_ = nullptr;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t handover_ = nullptr;
    std::uint32_t* a_ = nullptr;
    std::uint32_t* b_ = nullptr;
};

__host__ __device__ inline std::uint32_t relax(std::uint32_t l, std::uint32_t c, std::uint32_t r) {
    return (l >> 2) + (c >> 1) + (r >> 2) + 3u;
}

}  // namespace jac
