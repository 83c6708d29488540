#include "pipeline.h"

namespace ooc {

namespace {

__global__ void panelProduct(const float* a, const float* b, float* c, int rows, int inner, int cols, int us)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < rows * cols; e += gridDim.x * blockDim.x) {
        const int r = e / cols, j = e % cols;
        float sum = 0;
        for (int k = 0; k < inner; ++k)
            sum += a[r * inner + k] * b[k * cols + j];
        c[e] = sum;
    }
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < 1000ull * us);
}

}  // namespace

PanelPipeline::PanelPipeline(const Plan& p, const std::vector<float>& b) : plan_(p), lanes_(p.lanes)
{
    check(cudaMalloc((void**)&a_, sizeof(float) * p.lanes * p.panelRows * p.inner));
    check(cudaMalloc((void**)&c_, sizeof(float) * p.lanes * p.panelRows * p.cols));
    check(cudaMalloc((void**)&b_, sizeof(float) * b.size()));
    check(cudaMemcpy(b_, b.data(), sizeof(float) * b.size(), cudaMemcpyHostToDevice));
    for (auto& s : lanes_)
        check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    check(cudaDeviceSynchronize());
}

PanelPipeline::~PanelPipeline()
{
    for (auto s : lanes_)
        cudaStreamDestroy(s);
    cudaFree(a_);
    cudaFree(b_);
    cudaFree(c_);
}

void PanelPipeline::enqueue(const HostMatrix<float>& a, HostMatrix<float>& c, int panel)
{
    const int lane = panel % plan_.lanes;
    const int row = panel * plan_.panelRows;
    const std::size_t na = static_cast<std::size_t>(plan_.panelRows) * plan_.inner;
    const std::size_t nc = static_cast<std::size_t>(plan_.panelRows) * plan_.cols;
    cudaStream_t s = lanes_[lane];

    check(cudaMemcpyAsync(a_ + lane * na, a.row(row), na * sizeof(float), cudaMemcpyHostToDevice, s));
    panelProduct<<<16, 256, 0, s>>>(a_ + lane * na, b_, c_ + lane * nc, plan_.panelRows, plan_.inner, plan_.cols,
                                    plan_.panelUs);
    check(cudaGetLastError());
    check(cudaMemcpyAsync(c.row(row), c_ + lane * nc, nc * sizeof(float), cudaMemcpyDeviceToHost, s));
}

void PanelPipeline::finish()
{
    for (auto s : lanes_)
        check(cudaStreamSynchronize(s));
}

}  // namespace ooc
