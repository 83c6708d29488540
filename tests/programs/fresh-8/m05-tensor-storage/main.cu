// Satellite strip processing: every strip is synthesised on the compute stream
// and the digest of its upper half is taken on the side stream.
#include "tensor.h"
#include <cstdio>

using nimbus::Tensor;
using nimbus::ensure;

namespace kernels {

__global__ void synthesise(float* p, size_t n, float level)
{
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        p[i] = level + float(i & 3);
}

__global__ void digest(const float* p, size_t n, double* out, unsigned long long ns)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0)::"memory");
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
    } while (t - t0 < ns);
    double s = 0;
    for (size_t i = threadIdx.x; i < n; i += blockDim.x) s += p[i];
    atomicAdd(out, s);
}

} // namespace kernels

namespace ops {

struct Streams {
    cudaStream_t compute{}, side{};
    cudaEvent_t handoff{};
    Streams()
    {
        ensure(cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking));
        ensure(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
        ensure(cudaEventCreateWithFlags(&handoff, cudaEventDisableTiming));
    }
    ~Streams()
    {
        cudaEventDestroy(handoff);
        cudaStreamDestroy(side);
        cudaStreamDestroy(compute);
    }
};

Tensor strip(const Streams& st, size_t n, float level)
{
    Tensor t = Tensor::empty(n, st.compute);
    kernels::synthesise<<<64, 256, 0, st.compute>>>(t.data(), t.size(), level);
    ensure(cudaGetLastError());
    return t;
}

void digest_on_side(const Streams& st, Tensor part, double* out)
{
    ensure(cudaEventRecord(st.handoff, st.compute));
    ensure(cudaStreamWaitEvent(st.side, st.handoff, 0));
    kernels::digest<<<1, 256, 0, st.side>>>(part.data(), part.size(), out, 40'000'000ull);
    ensure(cudaGetLastError());
    part.used_on(st.side);
}

} // namespace ops

static int process(int strips, size_t pixels)
{
    ops::Streams st;
    double* d_out = nullptr;
    ensure(cudaMalloc(&d_out, strips * sizeof(double)));
    ensure(cudaMemset(d_out, 0, strips * sizeof(double)));
    ensure(cudaDeviceSynchronize());

    for (int s = 0; s < strips; ++s) {
        Tensor img = ops::strip(st, pixels, float(s + 1));
        ops::digest_on_side(st, img.slice(pixels / 2, pixels / 2), d_out + s);
    }

    ensure(cudaStreamSynchronize(st.compute));
    ensure(cudaStreamSynchronize(st.side));
    std::vector<double> out(strips);
    ensure(cudaMemcpy(out.data(), d_out, strips * sizeof(double), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int s = 0; s < strips; ++s)
        if (out[s] != double(pixels / 2) * (s + 1 + 1.5)) ++wrong;
    ensure(cudaFree(d_out));
    nimbus::BlockCache::get().trim();
    return wrong;
}

int main()
{
    try {
        const int wrong = process(6, size_t(1) << 18);
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
        return wrong != 0;
    } catch (const nimbus::CudaFailure& f) {
        std::printf("ERROR %s\n", f.what());
        return 1;
    }
}
