// Jacobi relaxation of a 1-D Poisson problem in one cooperative launch.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace coopgrid {

namespace cg = cooperative_groups;

inline void chk(cudaError_t e, const char *what)
{
    if (e != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(e));
}

struct Problem {
    float *x;         // n values, in and out; x[0] and x[n - 1] are fixed
    float *y;         // n values of scratch
    const float *f;   // right-hand side
    int n;
    float h2;
    float tol;
    int max_iters;
    unsigned *residual;   // three slots, all zero at launch
    int *iters;           // result
};

constexpr int kThreads = 256;

// Residuals are non-negative floats, which compare like their bit patterns.
__global__ void jacobi_kernel(Problem p)
{
    cg::grid_group grid = cg::this_grid();
    const int stride = static_cast<int>(grid.size());
    const int t = static_cast<int>(grid.thread_rank());
    float *cur = p.x;
    float *nxt = p.y;
    __shared__ unsigned block_max;

    int it = 0;
    while (it < p.max_iters) {
        // Slot (it + 1) % 3 was last read two barriers ago and is next written
        // behind the coming barrier, so this is the time to clear it.
        if (t == 0) p.residual[(it + 1) % 3] = 0u;
        if (threadIdx.x == 0) block_max = 0u;
        __syncthreads();

        float worst = 0.0f;
        for (int i = t; i < p.n; i += stride) {
            float v = cur[i];
            if (i > 0 && i < p.n - 1) {
                const float u = 0.5f * (cur[i - 1] + cur[i + 1] - p.h2 * p.f[i]);
                worst = fmaxf(worst, fabsf(u - v));
                v = u;
            }
            nxt[i] = v;
        }
        atomicMax(&block_max, __float_as_uint(worst));
        __syncthreads();
        if (threadIdx.x == 0) atomicMax(&p.residual[it % 3], block_max);

        grid.sync();
        float *swap = cur;
        cur = nxt;
        nxt = swap;
        const unsigned r = *static_cast<volatile unsigned *>(&p.residual[it % 3]);
        ++it;
        // Same value in every thread of the grid: either all leave or none.
        if (__uint_as_float(r) <= p.tol) break;
    }

    if (cur != p.x)
        for (int i = t; i < p.n; i += stride) p.x[i] = cur[i];
    if (t == 0) *p.iters = it;
}

/**
 * Solver with its own scratch.  One stream per object: all calls on one object
 * must use the same stream, which has to outlive the object.
 */
class JacobiSolver {
public:
    JacobiSolver(int max_n, cudaStream_t stream) : max_n_(max_n), stream_(stream)
    {
        if (max_n < 2) throw std::invalid_argument("max_n");
        int dev = 0, coop = 0, sms = 0, per_sm = 0;
        chk(cudaGetDevice(&dev), "device");
        chk(cudaDeviceGetAttribute(&coop, cudaDevAttrCooperativeLaunch, dev), "attribute");
        if (!coop) throw std::runtime_error("no cooperative launch on this device");
        chk(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, dev), "attribute");
        chk(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, jacobi_kernel, kThreads, 0), "occupancy");
        max_grid_ = sms * per_sm;
        try {
            chk(cudaMalloc(reinterpret_cast<void **>(&y_), sizeof(float) * std::size_t(max_n)), "malloc");
            chk(cudaMalloc(reinterpret_cast<void **>(&residual_), 3 * sizeof(unsigned)), "malloc");
            chk(cudaMalloc(reinterpret_cast<void **>(&iters_), sizeof(int)), "malloc");
        } catch (...) {
            release();
            throw;
        }
    }
    JacobiSolver(const JacobiSolver &) = delete;
    JacobiSolver &operator=(const JacobiSolver &) = delete;
    ~JacobiSolver()
    {
        (void)cudaStreamSynchronize(stream_);
        release();
    }

    // Asynchronous; the result is in x in stream order.
    void solve(float *x, const float *f, int n, float h, float tol, int max_iters, cudaStream_t stream)
    {
        if (n < 2 || n > max_n_ || max_iters < 0) throw std::invalid_argument("solve");
        chk(cudaMemsetAsync(residual_, 0, 3 * sizeof(unsigned), stream), "memset");
        Problem p{x, y_, f, n, h * h, tol, max_iters, residual_, iters_};
        void *args[] = {&p};
        const int grid = std::max(1, std::min(max_grid_, (n + kThreads - 1) / kThreads));
        chk(cudaLaunchCooperativeKernel(reinterpret_cast<void *>(jacobi_kernel), dim3(grid), dim3(kThreads), args, 0,
                                        stream),
            "jacobi_kernel");
    }

    // Iterations of the latest solve(); waits for it.
    int iterations(cudaStream_t stream) const
    {
        int it = 0;
        chk(cudaMemcpyAsync(&it, iters_, sizeof it, cudaMemcpyDeviceToHost, stream), "fetch");
        chk(cudaStreamSynchronize(stream), "fetch");
        return it;
    }

private:
    void release()
    {
        if (y_) (void)cudaFree(y_);
        if (residual_) (void)cudaFree(residual_);
        if (iters_) (void)cudaFree(iters_);
    }

    const int max_n_;
    cudaStream_t stream_;
    int max_grid_ = 0;
    float *y_ = nullptr;
    unsigned *residual_ = nullptr;
    int *iters_ = nullptr;
};

int solve_and_count(JacobiSolver &s, float *x, const float *f, int n, float h, cudaStream_t stream)
{
    s.solve(x, f, n, h, 1e-6f, 10000, stream);
    return s.iterations(stream);
}

}  // namespace coopgrid
