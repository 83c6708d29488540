#pragma once
#include <cuda_runtime.h>

#include <stdexcept>
#include <vector>

namespace cg {

constexpr int kNnz = 5;        // entries of a row, padded
constexpr int kThreads = 256;

// Rows of a fixed width; padding has the value 0 and the column of the row.
struct EllMatrix {
    int rows = 0;
    std::vector<double> values;
    std::vector<int> columns;
};

struct SolverState {
    const double* values;
    const int* columns;
    double* x;
    double* r;
    double* p;
    double* q;
    double* sums;             // two for each iteration
    unsigned* arrived;
    unsigned* phase;
    int rows;
    int rows_per_block;
    int iterations;
};

struct LaunchPlan {
    int blocks = 0;
    int rows_per_block = 0;
    std::size_t tile_bytes = 0;
};

class Failure : public std::runtime_error {
public:
    explicit Failure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void require(cudaError_t e)
{
    if (e != cudaSuccess)
        throw Failure(e);
}

LaunchPlan plan_solver(const void* kernel, int rows);
std::vector<double> solve(const EllMatrix& a, const std::vector<double>& b, int iterations);

} // namespace cg
