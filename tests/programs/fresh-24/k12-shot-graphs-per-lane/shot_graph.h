#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define MIG_CUDA(call)                                                \
    do {                                                              \
        cudaError_t e_ = (call);                                      \
        if (e_ != cudaSuccess) {                                      \
            std::printf("ERROR %s\n", cudaGetErrorName(e_));          \
            std::fflush(stdout);                                      \
            std::_Exit(2);                                            \
        }                                                             \
    } while (0)

namespace mig {
// What decides the make-up of a shot's graph.
struct ShotShape {
    int cells;
    int steps;
    bool operator<(const ShotShape& o) const {
        return cells != o.cells ? cells < o.cells : steps < o.steps;
    }
};

struct Shot {
    int id;
    ShotShape shape;
};

// Graph of one shape: source, a chain of propagation steps, imaging. The nodes are
// pointed at the buffers of whoever runs a shot.
class ShotGraph {
public:
    explicit ShotGraph(const ShotShape& shape);
    ~ShotGraph();
    ShotGraph(const ShotGraph&) = delete;

    void bind(const Shot& shot, unsigned* field, unsigned* image);
    cudaGraphExec_t exec() const { return exec_; }

    static constexpr int kMaxSteps = 8;
private:
    ShotShape shape_;
    cudaGraph_t graph_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    cudaGraphNode_t source_ = nullptr;
    cudaGraphNode_t steps_[kMaxSteps] = {};
    cudaGraphNode_t image_ = nullptr;
};

__host__ __device__ inline unsigned wavelet(int shot, int i) {
    return (unsigned)(shot + 3) * 2654435761u ^ (unsigned)i * 40503u;
}
__host__ __device__ inline unsigned propagated(unsigned u, int step) {
    return u * 1664525u + 1013904223u + (unsigned)step;
}
}  // namespace mig
