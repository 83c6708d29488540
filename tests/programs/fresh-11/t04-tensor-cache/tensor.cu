#include "tensor.cuh"

namespace {

__global__ void embed_kernel(float* out, int n, int frame)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = static_cast<float>(frame + 1 + (i & 3));
}

__global__ void relu_scale_kernel(const float* x, float* out, int n, float factor)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = fmaxf(x[i], 0.0f) * factor;
}

__global__ void sum_kernel(const float* x, int n, unsigned long long* into)
{
    unsigned long long s = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        s += static_cast<unsigned long long>(x[i]);
    atomicAdd(into, s);
}

__global__ void attribute_kernel(const float* x, int rows, int cols, unsigned long long* into)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0) :: "memory");
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t) :: "memory");
    } while (t - t0 < 40'000'000ull);
    for (int r = blockIdx.x; r < rows; r += gridDim.x) {
        unsigned long long s = 0;
        for (int c = threadIdx.x; c < cols; c += blockDim.x)
            s += static_cast<unsigned long long>(__ldcg(x + r * cols + c)) * (r % 5 + 1);
        atomicAdd(into, s);
    }
}

}  // namespace

namespace ops {

Tensor embed(int frame, int rows, int cols, cudaStream_t stream)
{
    Tensor out(rows, cols, stream);
    embed_kernel<<<32, 256, 0, stream>>>(out.data(), out.size(), frame);
    mem::must(cudaGetLastError());
    return out;
}

Tensor relu_scale(const Tensor& x, float factor, cudaStream_t stream)
{
    Tensor out(x.rows(), x.cols(), stream);
    relu_scale_kernel<<<32, 256, 0, stream>>>(x.data(), out.data(), x.size(), factor);
    mem::must(cudaGetLastError());
    return out;
}

void sum(const Tensor& x, unsigned long long* into, cudaStream_t stream)
{
    sum_kernel<<<32, 256, 0, stream>>>(x.data(), x.size(), into);
    mem::must(cudaGetLastError());
}

void attribute(const Tensor& x, unsigned long long* into, cudaStream_t stream)
{
    attribute_kernel<<<32, 128, 0, stream>>>(x.data(), x.rows(), x.cols(), into);
    mem::must(cudaGetLastError());
}

}  // namespace ops
