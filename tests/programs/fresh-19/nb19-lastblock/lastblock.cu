// One-kernel reductions with policy classes.  The block that draws the last ticket
// folds the partial results; the ticket counter wraps to zero by itself.
#include <cuda_runtime.h>
#include <algorithm>
#include <cfloat>
#include <cstddef>
#include <memory>
#include <stdexcept>

namespace lastblock {

struct SumPolicy {
    using value_type = float;
    __host__ __device__ static float identity() { return 0.0f; }
    __device__ static float load(float x) { return x; }
    __device__ static float combine(float a, float b) { return a + b; }
};
struct MaxAbsPolicy {
    using value_type = float;
    __host__ __device__ static float identity() { return 0.0f; }
    __device__ static float load(float x) { return fabsf(x); }
    __device__ static float combine(float a, float b) { return fmaxf(a, b); }
};
struct MinPolicy {
    using value_type = float;
    __host__ __device__ static float identity() { return FLT_MAX; }
    __device__ static float load(float x) { return x; }
    __device__ static float combine(float a, float b) { return fminf(a, b); }
};

constexpr int kThreads = 256;

// The result is valid in thread 0.  All threads of the block take part.
template <class P>
__device__ typename P::value_type block_fold(typename P::value_type v)
{
    __shared__ typename P::value_type warp[kThreads / 32];
    for (int d = 16; d; d >>= 1) v = P::combine(v, __shfl_down_sync(0xffffffffu, v, d));
    if ((threadIdx.x & 31) == 0) warp[threadIdx.x >> 5] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = threadIdx.x < kThreads / 32 ? warp[threadIdx.x] : P::identity();
        for (int d = 16; d; d >>= 1) v = P::combine(v, __shfl_down_sync(0xffffffffu, v, d));
    }
    __syncthreads();   // `warp` may be used again
    return v;
}

template <class P>
__global__ void __launch_bounds__(kThreads)
fold_kernel(const float *x, std::size_t n, typename P::value_type *partials, unsigned *tickets,
            typename P::value_type *out)
{
    using V = typename P::value_type;
    __shared__ bool last;
    V v = P::identity();
    const std::size_t step = std::size_t(gridDim.x) * kThreads;
    for (std::size_t i = std::size_t(blockIdx.x) * kThreads + threadIdx.x; i < n; i += step)
        v = P::combine(v, P::load(x[i]));
    v = block_fold<P>(v);

    if (threadIdx.x == 0) {
        partials[blockIdx.x] = v;
        __threadfence();   // the partial result before the ticket
        last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;   // uniform over the block

    __threadfence();
    V w = P::identity();
    for (unsigned b = threadIdx.x; b < gridDim.x; b += kThreads) w = P::combine(w, __ldcg(&partials[b]));
    w = block_fold<P>(w);
    if (threadIdx.x == 0) *out = w;
}

inline void verify(cudaError_t e)
{
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e));
}

struct FreeDeleter {
    void operator()(void *p) const { (void)cudaFree(p); }
};
template <class T>
using DevPtr = std::unique_ptr<T, FreeDeleter>;

template <class T>
DevPtr<T> dev_alloc(std::size_t n)
{
    void *p = nullptr;
    verify(cudaMalloc(&p, n * sizeof(T)));
    return DevPtr<T>(static_cast<T *>(p));
}

/**
 * Reducer with fixed scratch.  One stream per object: the partial results and the
 * ticket counter are shared by all calls, so every call on one object must be made
 * with the same stream.  Destroying the object waits for the device.
 */
template <class P>
class Reducer {
public:
    using value_type = typename P::value_type;

    explicit Reducer(cudaStream_t stream)
    {
        int dev = 0, sms = 0;
        verify(cudaGetDevice(&dev));
        verify(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, dev));
        max_blocks_ = sms * 4;
        partials_ = dev_alloc<value_type>(std::size_t(max_blocks_));
        tickets_ = dev_alloc<unsigned>(1);
        verify(cudaMemsetAsync(tickets_.get(), 0, sizeof(unsigned), stream));
    }
    ~Reducer() { (void)cudaDeviceSynchronize(); }   // the members are freed after this
    Reducer(const Reducer &) = delete;
    Reducer &operator=(const Reducer &) = delete;

    // Asynchronous; `out` is a device pointer.
    void operator()(const float *x, std::size_t n, value_type *out, cudaStream_t stream)
    {
        const std::size_t want = std::max<std::size_t>((n + kThreads * 8 - 1) / (kThreads * 8), 1);
        const int blocks = static_cast<int>(std::min<std::size_t>(want, std::size_t(max_blocks_)));
        fold_kernel<P><<<blocks, kThreads, 0, stream>>>(x, n, partials_.get(), tickets_.get(), out);
        verify(cudaGetLastError());
    }

private:
    int max_blocks_ = 0;
    DevPtr<value_type> partials_;
    DevPtr<unsigned> tickets_;
};

template class Reducer<SumPolicy>;
template class Reducer<MaxAbsPolicy>;
template class Reducer<MinPolicy>;

// Three results in out[0..2]: three reducers, one stream.
class Describe {
public:
    explicit Describe(cudaStream_t stream) : stream_(stream), sum_(stream), max_(stream), min_(stream) {}
    void run(const float *x, std::size_t n, float *out)
    {
        sum_(x, n, out, stream_);
        max_(x, n, out + 1, stream_);
        min_(x, n, out + 2, stream_);
    }

private:
    cudaStream_t stream_;
    Reducer<SumPolicy> sum_;
    Reducer<MaxAbsPolicy> max_;
    Reducer<MinPolicy> min_;
};

void describe(Describe &d, const float *x, std::size_t n, float *out) { d.run(x, n, out); }

}  // namespace lastblock
