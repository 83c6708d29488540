// 2D Poisson problem solved by Jacobi sweeps with periodic convergence checks.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>

static void check(cudaError_t e, int line) {
    if (e == cudaSuccess) return;
    std::fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(e));
    std::exit(1);
}
#define CK(x) check((x), __LINE__)

struct SolverConfig {
    int n = 512;
    int max_iters = 200000;
    int check_every = 100;
    double tol = 1e-6;
};

struct SolveInfo {
    int iterations;
    double residual;
};

template <typename T>
__global__ void sweep(const T* __restrict__ u, T* __restrict__ v, const T* __restrict__ f, int n, T h2) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= n - 1 || y >= n - 1) return;
    const int i = y * n + x;
    v[i] = T(0.25) * (u[i - 1] + u[i + 1] + u[i - n] + u[i + n] + h2 * f[i]);
}

__device__ inline void add_double(double* p, double v) {
    auto* bits = reinterpret_cast<unsigned long long*>(p);
    unsigned long long seen = *bits, prev;
    do {
        prev = seen;
        seen = atomicCAS(bits, prev, __double_as_longlong(v + __longlong_as_double(prev)));
    } while (seen != prev);
}

template <typename T>
__global__ void update_norm(const T* a, const T* b, int count, double* out) {
    __shared__ double part[256];
    double s = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const double d = double(a[i]) - double(b[i]);
        s += d * d;
    }
    part[threadIdx.x] = s;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) add_double(out, part[0]);
}

template <typename T>
__global__ void fill_rhs(T* f, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n * n) return;
    const T x = T(i % n) / T(n - 1), y = T(i / n) / T(n - 1);
    f[i] = T(2) * (x * (T(1) - x) + y * (T(1) - y));
}

template <typename T>
class JacobiSolver {
public:
    explicit JacobiSolver(SolverConfig c) : cfg_(c), count_(size_t(c.n) * c.n) {
        CK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        CK(cudaMalloc(&u_, count_ * sizeof(T)));
        CK(cudaMalloc(&v_, count_ * sizeof(T)));
        CK(cudaMalloc(&f_, count_ * sizeof(T)));
        CK(cudaMalloc(&d_norm_, sizeof(double)));
        CK(cudaMallocHost(&h_norm_, sizeof(double)));
        *h_norm_ = HUGE_VAL;
        CK(cudaMemsetAsync(u_, 0, count_ * sizeof(T), stream_));
        CK(cudaMemsetAsync(v_, 0, count_ * sizeof(T), stream_));
        fill_rhs<T><<<unsigned((count_ + 255) / 256), 256, 0, stream_>>>(f_, cfg_.n);
        CK(cudaGetLastError());
    }
    ~JacobiSolver() {
        cudaStreamSynchronize(stream_);
        cudaFree(u_); cudaFree(v_); cudaFree(f_); cudaFree(d_norm_);
        cudaFreeHost(h_norm_);
        cudaStreamDestroy(stream_);
    }

    std::optional<SolveInfo> solve() {
        const dim3 block(32, 8), grid((cfg_.n + 31) / 32, (cfg_.n + 7) / 8);
        const T h = T(1) / T(cfg_.n - 1);
        for (int it = 1; it <= cfg_.max_iters; ++it) {
            sweep<T><<<grid, block, 0, stream_>>>(u_, v_, f_, cfg_.n, h * h);
            CK(cudaGetLastError());
            if (it % cfg_.check_every == 0) {
                CK(cudaMemsetAsync(d_norm_, 0, sizeof(double), stream_));
                update_norm<T><<<120, 256, 0, stream_>>>(u_, v_, int(count_), d_norm_);
                CK(cudaGetLastError());
                CK(cudaMemcpyAsync(h_norm_, d_norm_, sizeof(double), cudaMemcpyDeviceToHost, stream_));
                const double r = std::sqrt(*h_norm_);
                if (!std::isfinite(r) && it > 10 * cfg_.check_every) return std::nullopt;
                if (r < cfg_.tol) return SolveInfo{it, r};
            }
            std::swap(u_, v_);
        }
        return std::nullopt;
    }

private:
    SolverConfig cfg_;
    size_t count_;
    cudaStream_t stream_{};
    T *u_ = nullptr, *v_ = nullptr, *f_ = nullptr;
    double *d_norm_ = nullptr, *h_norm_ = nullptr;
};

int main(int argc, char** argv) {
    SolverConfig cfg;
    if (argc > 1) cfg.n = std::atoi(argv[1]);
    if (argc > 2) cfg.tol = std::atof(argv[2]);
    JacobiSolver<double> solver(cfg);
    if (auto info = solver.solve()) {
        std::printf("converged after %d sweeps, |du| = %.3e\n", info->iterations, info->residual);
        return 0;
    }
    std::printf("no convergence within %d sweeps\n", cfg.max_iters);
    return 2;
}
