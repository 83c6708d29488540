// Jacobi sweeps for a 5-point operator on integers in fixed point; rim rows and
// interior rows are relaxed in separate queues.
#pragma once
#include "gpu.h"
#include <vector>

namespace solver {

using Value = long long;

__host__ __device__ inline Value relax(Value n, Value s, Value e, Value w, Value f) {
    return (n + s + e + w + f) >> 2;
}

class Jacobi {
public:
    Jacobi(int nx, int ny);
    void set(const std::vector<Value>& u, const std::vector<Value>& f);
    void sweep();
    void finish();
    std::vector<Value> solution();
    const gpu::Queue& queue() const { return rim_; }

private:
    gpu::Queue rim_, bulk_;
    gpu::Fence rim_done_, bulk_done_;
    gpu::Grid<Value> u0_, u1_, f_;
    int now_ = 0;
};

}  // namespace solver
