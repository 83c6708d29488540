#include "lanes.h"
#include <cuda_runtime.h>

namespace {

__global__ void filter_kernel(const float *in, float *out, int n, float gain)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = in[i];
    float b = i > 0 ? in[i - 1] : a;
    out[i] = gain * (a + b);
}

__global__ void stack_kernel(const float *parts, float *out, int n, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0.f;
    for (int p = 0; p < count; ++p)
        s += parts[(size_t)p * n + i];
    out[i] = s;
}

CUresult launched()
{
    return cudaGetLastError() == cudaSuccess ? CUDA_SUCCESS : CUDA_ERROR_LAUNCH_FAILED;
}

} // namespace

CUresult stage_prepare()
{
    filter_kernel<<<1, 32>>>(nullptr, nullptr, 0, 0.f);
    stack_kernel<<<1, 32>>>(nullptr, nullptr, 0, 0);
    CU_TRY(launched());
    return cuCtxSynchronize();
}

CUresult stage_filter(CUstream lane, CUdeviceptr in, CUdeviceptr out, int n, float gain)
{
    filter_kernel<<<(n + 255) / 256, 256, 0, lane>>>((const float *)in, (float *)out, n, gain);
    return launched();
}

CUresult stage_stack(CUstream lane, CUdeviceptr parts, CUdeviceptr out, int n, int count)
{
    stack_kernel<<<(n + 255) / 256, 256, 0, lane>>>((const float *)parts, (float *)out, n, count);
    return launched();
}
