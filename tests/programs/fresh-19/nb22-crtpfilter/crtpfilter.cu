// 1-D neighbourhood filters with CRTP.  A filter supplies kRadius and a static
// device function at(window), where window[-kRadius..kRadius] are the samples.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace crtpfilter {

static void good(cudaError_t e)
{
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e));
}

constexpr int kTile = 256;

// Persistent blocks; the two halves of `tile` alternate between rounds.  A block is
// allowed to run ahead into the other half: nobody can still be reading it, since
// its readers had to finish before they arrived at the barrier of this round.
template <class F>
__global__ void __launch_bounds__(kTile) filter_kernel(const float *in, float *out, int n, int tiles)
{
    constexpr int R = F::kRadius;
    static_assert(2 * R <= kTile, "one extra load per thread must be enough");
    __shared__ float tile[2][kTile + 2 * R];
    int half = 0;
    for (int t = blockIdx.x; t < tiles; t += gridDim.x, half ^= 1) {   // uniform in the block
        const int base = t * kTile;
        for (int k = threadIdx.x; k < kTile + 2 * R; k += kTile) {
            const int src = min(max(base + k - R, 0), n - 1);
            tile[half][k] = in[src];
        }
        __syncthreads();
        const int i = base + threadIdx.x;
        if (i < n) out[i] = F::at(&tile[half][threadIdx.x + R]);
    }
}

template <class Derived>
class Filter {
public:
    // in and out must not overlap
    void apply(const float *in, float *out, int n, cudaStream_t stream) const
    {
        if (n <= 0) return;
        if (n > (1 << 30)) throw std::length_error("filter");
        const int tiles = (n + kTile - 1) / kTile;
        const int blocks = std::min(tiles, self().max_blocks());
        filter_kernel<Derived><<<blocks, kTile, 0, stream>>>(in, out, n, tiles);
        good(cudaGetLastError());
    }
    int max_blocks() const { return 1024; }   // may be shadowed

protected:
    Filter() = default;
    ~Filter() = default;

private:
    const Derived &self() const { return static_cast<const Derived &>(*this); }
};

struct Box3 : Filter<Box3> {
    static constexpr int kRadius = 1;
    __device__ static float at(const float *w) { return (w[-1] + w[0] + w[1]) * (1.0f / 3.0f); }
};

struct Median5 : Filter<Median5> {
    static constexpr int kRadius = 2;
    int max_blocks() const { return 512; }
    __device__ static void order(float &a, float &b)
    {
        const float lo = fminf(a, b);
        b = fmaxf(a, b);
        a = lo;
    }
    __device__ static float at(const float *w)
    {
        float a = w[-2], b = w[-1], c = w[0], d = w[1], e = w[2];
        order(a, b);
        order(d, e);
        order(a, d);
        order(b, e);
        order(b, c);
        order(c, d);
        order(b, c);
        return c;
    }
};

/**
 * Chain of filters over ping-pong buffers.
 *
 * One stream per object: the buffers are shared by consecutive runs, so all calls on
 * one chain must be given the same stream; it must outlive the chain.
 */
template <class... Filters>
class Chain {
    static_assert(sizeof...(Filters) > 0, "empty chain");

public:
    explicit Chain(int max_n, cudaStream_t stream) : max_n_(max_n), stream_(stream)
    {
        if (max_n <= 0) throw std::invalid_argument("max_n");
        good(cudaMalloc(reinterpret_cast<void **>(&ping_), 2 * sizeof(float) * std::size_t(max_n)));
        pong_ = ping_ + max_n;
    }
    Chain(const Chain &) = delete;
    Chain &operator=(const Chain &) = delete;
    ~Chain()
    {
        (void)cudaStreamSynchronize(stream_);
        (void)cudaFree(ping_);
    }

    // in == out is allowed: stages write to ping-pong memory only, and `out` is
    // written by the final copy, when nobody reads `in` any more.
    void run(const float *in, float *out, int n, cudaStream_t stream)
    {
        if (n <= 0 || n > max_n_) throw std::invalid_argument("run");
        const float *src = in;
        float *dst = ping_, *other = pong_;
        (step(Filters{}, src, dst, other, n, stream), ...);
        good(cudaMemcpyAsync(out, src, sizeof(float) * std::size_t(n), cudaMemcpyDeviceToDevice, stream));
    }

private:
    template <class F>
    static void step(const F &f, const float *&src, float *&dst, float *&other, int n, cudaStream_t stream)
    {
        f.apply(src, dst, n, stream);
        src = dst;
        std::swap(dst, other);
    }

    const int max_n_;
    cudaStream_t stream_;
    float *ping_ = nullptr;
    float *pong_ = nullptr;
};

template class Chain<Median5>;
template class Chain<Median5, Box3, Box3>;

void denoise(Chain<Median5, Box3, Box3> &chain, float *signal, int n, cudaStream_t stream)
{
    chain.run(signal, signal, n, stream);
}

}  // namespace crtpfilter
