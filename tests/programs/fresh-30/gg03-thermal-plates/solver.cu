#include "solver.h"

#include <algorithm>
#include <cstdlib>

#include "fence.cuh"

namespace plates {
namespace {

struct Plate {
    int* field[2];
    int* residual;  // three slots
    int* sweeps;
    int n;
    int tolerance;
};

__host__ __device__ inline int relaxed(const int* f, int n, int x, int y) {
    const int at = y * n + x;
    return (f[at - 1] + f[at + 1] + f[at - n] + f[at + n] + 2) >> 2;
}

__device__ int sweep_tile(const int* from, int* to, int n, int tile) {
    const int at = tile * kThreads + static_cast<int>(threadIdx.x);
    if (at >= n * n) return 0;
    const int x = at % n, y = at / n;
    const int old = from[at];
    if (x == 0 || y == 0 || x == n - 1 || y == n - 1) {
        to[at] = old;
        return 0;
    }
    const int v = relaxed(from, n, x, y);
    to[at] = v;
    return v > old ? v - old : old - v;
}

__global__ void relax_kernel(Plate p, Fence fence) {
    __shared__ int widest;
    __shared__ int verdict;
    const int tiles = (p.n * p.n + kThreads - 1) / kThreads;
    int done = 0;
    for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
        const int* from = p.field[sweep & 1];
        int* to = p.field[(sweep + 1) & 1];
        if (threadIdx.x == 0) widest = 0;
        __syncthreads();

        int moved = 0;
        for (int tile = static_cast<int>(blockIdx.x); tile < tiles; tile += static_cast<int>(gridDim.x)) {
            moved = max(moved, sweep_tile(from, to, p.n, tile));
        }
        if (moved) atomicMax(&widest, moved);
        __syncthreads();
        if (threadIdx.x == 0) {
            if (widest) atomicMax(&p.residual[sweep % 3], widest);
            if (blockIdx.x == 0) atomicExch(&p.residual[(sweep + 1) % 3], 0);
        }
        fence.pass();

        ++done;
        if (threadIdx.x == 0) verdict = *static_cast<volatile int*>(&p.residual[sweep % 3]);
        __syncthreads();
        if (verdict <= p.tolerance) break;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) *p.sweeps = done;
}

}  // namespace

Solver::Solver(const PlateConfig& config, const BlockBudget& budget) : config_(config) {
    const unsigned tiles = static_cast<unsigned>((cells() + kThreads - 1) / kThreads);
    keep(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)) &&
        keep(budget.share(relax_kernel, kThreads, std::min(tiles, config.width), &blocks_)) &&
        keep(cudaMalloc(&field_[0], cells() * sizeof(int))) &&
        keep(cudaMalloc(&field_[1], cells() * sizeof(int))) &&
        keep(cudaMalloc(&residual_, 3 * sizeof(int))) &&
        keep(cudaMalloc(&sweeps_, sizeof(int))) &&
        keep(cudaMalloc(&fence_, sizeof(FenceState))) &&
        keep(cudaMemset(fence_, 0, sizeof(FenceState)));
    keep(cudaDeviceSynchronize());
}

Solver::~Solver() {
    if (stream_) {
        cudaStreamSynchronize(stream_);
        cudaStreamDestroy(stream_);
    }
    for (int* f : field_) cudaFree(f);
    cudaFree(residual_);
    cudaFree(sweeps_);
    cudaFree(fence_);
}

cudaError_t Solver::reset() {
    const std::vector<int> start = initial_field(config_);
    if (!keep(cudaMemcpyAsync(field_[0], start.data(), cells() * sizeof(int), cudaMemcpyHostToDevice, stream_)))
        return status_;
    if (!keep(cudaMemsetAsync(residual_, 0, 3 * sizeof(int), stream_))) return status_;
    keep(cudaStreamSynchronize(stream_));
    return status_;
}

cudaError_t Solver::relax() {
    Plate plate{{field_[0], field_[1]}, residual_, sweeps_, config_.n, config_.tolerance};
    Fence fence{static_cast<FenceState*>(fence_), blocks_};
    LaunchSpec spec(Family::kIterative);
    keep(spec.blocks(blocks_).threads(kThreads).on(stream_)(relax_kernel, plate, fence));
    return status_;
}

cudaError_t Solver::fetch(Outcome* out) {
    out->field.resize(cells());
    if (!keep(cudaMemcpyAsync(&out->sweeps, sweeps_, sizeof(int), cudaMemcpyDeviceToHost, stream_))) return status_;
    if (!keep(cudaStreamSynchronize(stream_))) return status_;
    if (!keep(cudaMemcpyAsync(out->field.data(), field_[out->sweeps & 1], cells() * sizeof(int),
                              cudaMemcpyDeviceToHost, stream_)))
        return status_;
    keep(cudaStreamSynchronize(stream_));
    return status_;
}

std::vector<int> initial_field(const PlateConfig& config) {
    const int n = config.n;
    std::vector<int> f(static_cast<size_t>(n) * static_cast<size_t>(n), 0);
    for (int y = 0; y < n; ++y) {
        f[static_cast<size_t>(y * n)] = config.hot;
        f[static_cast<size_t>(y * n + n - 1)] = config.cold;
    }
    return f;
}

Outcome relax_on_host(const PlateConfig& config) {
    const int n = config.n;
    Outcome out;
    std::vector<int> from = initial_field(config);
    std::vector<int> to = from;
    for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
        int moved = 0;
        for (int y = 1; y < n - 1; ++y) {
            for (int x = 1; x < n - 1; ++x) {
                const int v = relaxed(from.data(), n, x, y);
                const int old = from[static_cast<size_t>(y * n + x)];
                to[static_cast<size_t>(y * n + x)] = v;
                moved = std::max(moved, std::abs(v - old));
            }
        }
        from.swap(to);
        ++out.sweeps;
        if (moved <= config.tolerance) break;
    }
    out.field = std::move(from);
    return out;
}

}  // namespace plates
