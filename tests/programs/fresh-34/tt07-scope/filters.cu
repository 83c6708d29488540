// filters.cu - the built-in filters
#include "plugin.h"

namespace {

using scope::require;

__global__ void offset_kernel(float *f, int n, float by)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        f[i] += by;
}

class Offset : public scope::Filter {
public:
    void open(int, cudaStream_t s) override
    {
        offset_kernel<<<1, 32, 0, s>>>(nullptr, 0, 0.0f);
        require(cudaGetLastError());
    }
    void apply(float *frame, int n, cudaStream_t s) override
    {
        offset_kernel<<<(n + 255) / 256, 256, 0, s>>>(frame, n, by_);
        require(cudaGetLastError());
    }
    void reference(std::vector<float> &frame) const override
    {
        for (auto &x : frame)
            x += by_;
    }
private:
    float by_ = 3.0f;
};
SCOPE_REGISTER(Offset, "offset");

__global__ void mirror_kernel(const float *in, float *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[n - 1 - i];
}

__global__ void copy_kernel(const float *in, float *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

// needs a second buffer
class Mirror : public scope::Filter {
public:
    ~Mirror() override { cudaFree(scratch_); }
    void open(int n, cudaStream_t s) override
    {
        require(cudaMalloc(&scratch_, n * sizeof(float)));
        mirror_kernel<<<1, 32, 0, s>>>(nullptr, nullptr, 0);
        require(cudaGetLastError());
        copy_kernel<<<1, 32, 0, s>>>(nullptr, nullptr, 0);
        require(cudaGetLastError());
    }
    void apply(float *frame, int n, cudaStream_t s) override
    {
        mirror_kernel<<<(n + 255) / 256, 256, 0, s>>>(frame, scratch_, n);
        require(cudaGetLastError());
        copy_kernel<<<(n + 255) / 256, 256, 0, s>>>(scratch_, frame, n);
        require(cudaGetLastError());
    }
    void reference(std::vector<float> &frame) const override
    {
        frame = std::vector<float>(frame.rbegin(), frame.rend());
    }
private:
    float *scratch_ = nullptr;
};
SCOPE_REGISTER(Mirror, "mirror");

__global__ void clip_kernel(float *f, int n, float top)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        f[i] = fminf(f[i], top);
}

class Clip : public scope::Filter {
public:
    void open(int, cudaStream_t s) override
    {
        clip_kernel<<<1, 32, 0, s>>>(nullptr, 0, 0.0f);
        require(cudaGetLastError());
    }
    void apply(float *frame, int n, cudaStream_t s) override
    {
        clip_kernel<<<(n + 255) / 256, 256, 0, s>>>(frame, n, top_);
        require(cudaGetLastError());
    }
    void reference(std::vector<float> &frame) const override
    {
        for (auto &x : frame)
            x = x < top_ ? x : top_;
    }
private:
    float top_ = 60.0f;
};
SCOPE_REGISTER(Clip, "clip");

} // namespace
