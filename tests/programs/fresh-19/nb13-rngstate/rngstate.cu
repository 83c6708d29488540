// Bulk generator of uniform and normal variates with its state on the device.
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace rngstate {

namespace {

constexpr int kBlocks = 128;
constexpr int kThreads = 256;
constexpr int kStreams = kBlocks * kThreads;   // independent sequences

struct State {
    std::uint64_t s0, s1;
};

__device__ std::uint64_t mix(std::uint64_t &z)
{
    std::uint64_t x = (z += 0x9e3779b97f4a7c15ull);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

__device__ std::uint64_t next(State &s)   // xoroshiro128+
{
    const std::uint64_t a = s.s0;
    std::uint64_t b = s.s1;
    const std::uint64_t r = a + b;
    b ^= a;
    s.s0 = ((a << 24) | (a >> 40)) ^ b ^ (b << 16);
    s.s1 = (b << 37) | (b >> 27);
    return r;
}

__device__ float to_unit(std::uint64_t r)   // in (0, 1]
{
    return (static_cast<float>(r >> 40) + 1.0f) * (1.0f / 16777216.0f);
}

struct Uniform {
    float lo, width;
    __device__ float operator()(State &s) const { return lo + width * to_unit(next(s)); }
};

struct Normal {
    float mean, sigma;
    __device__ float operator()(State &s) const
    {
        const float u = to_unit(next(s));
        const float v = to_unit(next(s));
        return mean + sigma * sqrtf(-2.0f * logf(u)) * cosf(6.2831853f * v);
    }
};

__global__ void seed_kernel(State *states, std::uint64_t seed)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    std::uint64_t z = seed ^ (std::uint64_t(t) << 32);
    State s;
    s.s0 = mix(z);
    s.s1 = mix(z) | 1u;
    states[t] = s;
}

// Each thread owns one state for the whole kernel: read once, written back once.
template <class Dist>
__global__ void generate_kernel(State *states, float *out, std::size_t n, Dist dist)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    State s = states[t];
    for (std::size_t i = t; i < n; i += kStreams) out[i] = dist(s);
    states[t] = s;
}

void guard(cudaError_t e)
{
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e));
}

}  // namespace

/**
 * Random number generator.
 *
 * One stream per object: every method that takes a stream must be given the same
 * stream for the whole life of the object, because consecutive calls read and
 * update the same state.  Use several generators for several streams.  The stream
 * must outlive the generator.  Host calls on one object must not overlap in time.
 */
class Generator {
public:
    Generator(std::uint64_t seed, cudaStream_t stream) : stream_(stream)
    {
        guard(cudaMalloc(reinterpret_cast<void **>(&states_), sizeof(State) * kStreams));
        try {
            reseed(seed, stream);
        } catch (...) {
            (void)cudaFree(states_);
            throw;
        }
    }
    Generator(const Generator &) = delete;
    Generator &operator=(const Generator &) = delete;
    Generator(Generator &&o) noexcept : states_(std::exchange(o.states_, nullptr)), stream_(o.stream_) {}
    Generator &operator=(Generator &&o) noexcept
    {
        if (this != &o) {
            release();
            states_ = std::exchange(o.states_, nullptr);
            stream_ = o.stream_;
        }
        return *this;
    }
    ~Generator() { release(); }

    void reseed(std::uint64_t seed, cudaStream_t stream)
    {
        seed_kernel<<<kBlocks, kThreads, 0, stream>>>(states_, seed);
        guard(cudaGetLastError());
    }
    void uniform(float *out, std::size_t n, float lo, float hi, cudaStream_t stream)
    {
        launch(out, n, Uniform{lo, hi - lo}, stream);
    }
    void normal(float *out, std::size_t n, float mean, float sigma, cudaStream_t stream)
    {
        launch(out, n, Normal{mean, sigma}, stream);
    }

private:
    template <class Dist>
    void launch(float *out, std::size_t n, Dist d, cudaStream_t stream)
    {
        if (!states_) throw std::logic_error("moved-from generator");
        if (n == 0) return;
        generate_kernel<<<kBlocks, kThreads, 0, stream>>>(states_, out, n, d);
        guard(cudaGetLastError());
    }
    void release() noexcept
    {
        if (!states_) return;
        (void)cudaStreamSynchronize(stream_);
        (void)cudaFree(states_);
        states_ = nullptr;
    }

    State *states_ = nullptr;
    cudaStream_t stream_;
};

// Fills n uniform values followed by n normal values.
void fill_mixed(Generator &g, float *out, std::size_t n, cudaStream_t stream)
{
    g.uniform(out, n, 0.0f, 1.0f, stream);
    g.normal(out + n, n, 0.0f, 1.0f, stream);
}

}  // namespace rngstate
