#include "filter_bank.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#define CK(call) ck((call), __LINE__)

namespace {

void ck(cudaError_t e, int line)
{
    if (e == cudaSuccess) return;
    std::fprintf(stderr, "filter_bank.cu:%d\n", line);
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::exit(1);
}

__global__ void shape(const float* in, float* out, const Taps* taps, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float x0 = in[i];
    const float x1 = i > 0 ? in[i - 1] : 0.f;
    const float x2 = i > 1 ? in[i - 2] : 0.f;
    out[i] = taps->gain * (taps->b0 * x0 + taps->b1 * x1 + taps->b2 * x2);
}

int blockSizeFor()
{
    int grid = 0, block = 0;
    CK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, shape, 0, 256));
    return block;
}

}  // namespace

FilterBank::FilterBank(std::vector<Band> bands, int blockLength)
    : bands_(std::move(bands)), length_(blockLength), voices_(bands_.size())
{
    const size_t bytes = length_ * sizeof(float);
    CK(cudaMallocHost(&in_, bytes));
    for (Voice& v : voices_) {
        CK(cudaStreamCreateWithFlags(&v.stream, cudaStreamNonBlocking));
        CK(cudaMalloc(&v.dIn, bytes));
        CK(cudaMalloc(&v.dOut, bytes));
        CK(cudaMalloc(&v.dTaps, sizeof(Taps)));
        CK(cudaMallocHost(&v.out, bytes));
    }
    for (int b = 0; b < int(voices_.size()); ++b) record(b);
}

FilterBank::~FilterBank()
{
    for (Voice& v : voices_) {
        cudaGraphExecDestroy(v.exec);
        cudaFree(v.dIn);
        cudaFree(v.dOut);
        cudaFree(v.dTaps);
        cudaFreeHost(v.out);
        cudaStreamDestroy(v.stream);
    }
    cudaFreeHost(in_);
}

void FilterBank::record(int band)
{
    Voice& v = voices_[band];
    const size_t bytes = length_ * sizeof(float);
    const int block = blockSizeFor();
    const int grid = (length_ + block - 1) / block;
    const Taps taps = design(bands_[band]);

    cudaGraph_t graph = nullptr;
    CK(cudaStreamBeginCapture(v.stream, cudaStreamCaptureModeGlobal));
    CK(cudaMemcpyAsync(v.dTaps, &taps, sizeof(Taps), cudaMemcpyHostToDevice, v.stream));
    CK(cudaMemcpyAsync(v.dIn, in_, bytes, cudaMemcpyHostToDevice, v.stream));
    shape<<<grid, block, 0, v.stream>>>(v.dIn, v.dOut, v.dTaps, length_);
    CK(cudaGetLastError());
    CK(cudaMemcpyAsync(v.out, v.dOut, bytes, cudaMemcpyDeviceToHost, v.stream));
    CK(cudaStreamEndCapture(v.stream, &graph));
    CK(cudaGraphInstantiate(&v.exec, graph, 0));
    CK(cudaGraphDestroy(graph));
}

void FilterBank::play()
{
    for (Voice& v : voices_) CK(cudaGraphLaunch(v.exec, v.stream));
    for (Voice& v : voices_) CK(cudaStreamSynchronize(v.stream));
}
