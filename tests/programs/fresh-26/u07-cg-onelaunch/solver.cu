#include "cg.cuh"

namespace cg {

namespace {

__device__ void all_blocks(const SolverState& s)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        volatile unsigned* phase = s.phase;
        const unsigned now = *phase;
        __threadfence();
        if (atomicAdd(s.arrived, 1u) == gridDim.x - 1) {
            *s.arrived = 0;
            __threadfence();
            atomicAdd(s.phase, 1u);
        } else {
            while (*phase == now)
                __nanosleep(100);
        }
        __threadfence();
    }
    __syncthreads();
}

__device__ void add_to(double* target, double v)
{
    for (int o = 16; o > 0; o /= 2)
        v += __shfl_down_sync(0xffffffffu, v, o);
    if (threadIdx.x % 32 == 0)
        atomicAdd(target, v);
}

__global__ void __launch_bounds__(kThreads) cg_kernel(SolverState s)
{
    extern __shared__ double tile[];
    double* val = tile;
    int* col = reinterpret_cast<int*>(val + s.rows_per_block * kNnz);

    const int first = blockIdx.x * s.rows_per_block;
    const int count = max(0, min(s.rows_per_block, s.rows - first));
    for (int k = threadIdx.x; k < count * kNnz; k += blockDim.x) {
        val[k] = s.values[static_cast<size_t>(first) * kNnz + k];
        col[k] = s.columns[static_cast<size_t>(first) * kNnz + k];
    }
    __syncthreads();

    double rr = 0.0;
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        rr += s.r[first + i] * s.r[first + i];
    add_to(&s.sums[1], rr);
    all_blocks(s);

    for (int it = 1; it <= s.iterations; ++it) {
        double pq = 0.0;
        for (int i = threadIdx.x; i < count; i += blockDim.x) {
            double q = 0.0;
            for (int k = 0; k < kNnz; ++k)
                q += val[i * kNnz + k] * __ldcg(&s.p[col[i * kNnz + k]]);
            s.q[first + i] = q;
            pq += q * s.p[first + i];
        }
        add_to(&s.sums[2 * it], pq);
        all_blocks(s);

        const double old = __ldcg(&s.sums[2 * it - 1]);
        const double alpha = old / __ldcg(&s.sums[2 * it]);
        rr = 0.0;
        for (int i = threadIdx.x; i < count; i += blockDim.x) {
            s.x[first + i] += alpha * s.p[first + i];
            const double r = s.r[first + i] - alpha * s.q[first + i];
            s.r[first + i] = r;
            rr += r * r;
        }
        add_to(&s.sums[2 * it + 1], rr);
        all_blocks(s);

        const double beta = __ldcg(&s.sums[2 * it + 1]) / old;
        for (int i = threadIdx.x; i < count; i += blockDim.x)
            s.p[first + i] = s.r[first + i] + beta * s.p[first + i];
        all_blocks(s);
    }
}

template <class T>
class Buffer {
public:
    explicit Buffer(std::size_t n) : n_(n)
    {
        require(cudaMalloc(&p_, n * sizeof(T)));
        require(cudaMemset(p_, 0, n * sizeof(T)));
    }
    explicit Buffer(const std::vector<T>& h) : Buffer(h.size())
    {
        require(cudaMemcpy(p_, h.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~Buffer() { cudaFree(p_); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    T* get() const { return p_; }
    std::vector<T> host() const
    {
        std::vector<T> h(n_);
        require(cudaMemcpy(h.data(), p_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
        return h;
    }

private:
    std::size_t n_;
    T* p_ = nullptr;
};

} // namespace

std::vector<double> solve(const EllMatrix& a, const std::vector<double>& b, int iterations)
{
    Buffer<double> values(a.values), r(b), p(b), x(b.size()), q(b.size()), sums(2 * iterations + 2);
    Buffer<int> columns(a.columns);
    Buffer<unsigned> sync(2);

    const LaunchPlan plan = plan_solver(reinterpret_cast<const void*>(&cg_kernel), a.rows);
    SolverState s{};
    s.values = values.get();
    s.columns = columns.get();
    s.x = x.get();
    s.r = r.get();
    s.p = p.get();
    s.q = q.get();
    s.sums = sums.get();
    s.arrived = sync.get();
    s.phase = sync.get() + 1;
    s.rows = a.rows;
    s.rows_per_block = plan.rows_per_block;
    s.iterations = iterations;

    cg_kernel<<<plan.blocks, kThreads, plan.tile_bytes>>>(s);
    require(cudaGetLastError());
    return x.host();
}

} // namespace cg
