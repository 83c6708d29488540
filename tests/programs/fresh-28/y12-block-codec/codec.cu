#include "codec.h"
#include <cstdint>

namespace codec {
namespace {

template <Predictor P>
__host__ __device__ inline int predict(const int* x, size_t i)
{
    if (i == 0) return 0;
    if (P == Predictor::previous || i == 1) return x[i - 1];
    return 2 * x[i - 1] - x[i - 2];
}

// The rate control takes 40 ms for a block.
template <Predictor P>
__global__ void code(const int* x, int* out, size_t n)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)); while (t - t0 < 40000000ull);
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = x[i] - predict<P>(x, i);
}

}  // namespace

int residual(Predictor p, const int* x, size_t i)
{
    return x[i] - (p == Predictor::previous ? predict<Predictor::previous>(x, i) : predict<Predictor::linear>(x, i));
}

class BlockCodec::Scratch {
public:
    Scratch(size_t n, cudaMemPool_t pool, cudaStream_t stream) : stream_(stream)
    {
        void* p = nullptr;
        check(cudaMallocFromPoolAsync(&p, n * sizeof(int), pool, stream));
        p_ = static_cast<int*>(p);
    }
    ~Scratch() { cudaFreeAsync(p_, stream_); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    operator int*() const { return p_; }

private:
    int* p_ = nullptr;
    cudaStream_t stream_;
};

BlockCodec::BlockCodec(int lanes, size_t samples, Predictor predictor)
    : lanes_(lanes, nullptr), samples_(samples), predictor_(predictor)
{
    int device = 0;
    check(cudaGetDevice(&device));
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = device;
    check(cudaMemPoolCreate(&pool_, &props));
    std::uint64_t keep = UINT64_MAX;
    check(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep));
    for (cudaStream_t& s : lanes_) check(cudaStreamCreate(&s));
}

BlockCodec::~BlockCodec()
{
    for (cudaStream_t s : lanes_) {
        cudaStreamSynchronize(s);
        cudaStreamDestroy(s);
    }
    cudaMemPoolDestroy(pool_);
}

int BlockCodec::submit(const HostBlock<int>& in, HostBlock<int>& out)
{
    const int lane = static_cast<int>(turn_++ % lanes_.size());
    cudaStream_t stream = lanes_[lane];
    const size_t bytes = samples_ * sizeof(int);
    Scratch raw(samples_, pool_, stream), coded(samples_, pool_, stream);

    check(cudaMemcpyAsync(raw, in.data(), bytes, cudaMemcpyHostToDevice, stream));
    if (predictor_ == Predictor::previous)
        code<Predictor::previous><<<8, 256, 0, stream>>>(raw, coded, samples_);
    else
        code<Predictor::linear><<<8, 256, 0, stream>>>(raw, coded, samples_);
    check(cudaGetLastError());
    check(cudaMemcpyAsync(out.data(), coded, bytes, cudaMemcpyDeviceToHost, stream));
    return lane;
}

void BlockCodec::wait(int lane) { check(cudaStreamSynchronize(lanes_[lane])); }

void BlockCodec::wait_all()
{
    for (cudaStream_t s : lanes_) check(cudaStreamSynchronize(s));
}

}  // namespace codec
