#include "basin.h"

namespace tide {
namespace {

__global__ void updateFlux(const int* height, int* flux, int cells, int scale) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += gridDim.x * blockDim.x)
        flux[i] = (height[i] & 0xff) * scale + 1;
}

__global__ void updateHeight(int* height, const int* fx, const int* fy, int cells) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += gridDim.x * blockDim.x)
        height[i] = (height[i] + fx[i] - fy[i]) & 0xffff;
}

}  // namespace

Basin::Basin(int cells) : cells_(cells) {
    check(cudaMalloc(&height_, cells_ * sizeof(int)));
    for (int*& f : flux_) check(cudaMalloc(&f, cells_ * sizeof(int)));
    std::vector<int> initial(cells_);
    for (int i = 0; i < cells_; ++i) initial[i] = i % 977;
    check(cudaMemcpyAsync(height_, initial.data(), cells_ * sizeof(int), cudaMemcpyHostToDevice, trunk_.stream));
    check(cudaStreamSynchronize(trunk_.stream));
}

Basin::~Basin() {
    cudaStreamSynchronize(trunk_.stream);
    if (step_) cudaGraphExecDestroy(step_);
    for (int* f : flux_) cudaFree(f);
    cudaFree(height_);
}

void Basin::compile(const std::function<void()>& meanwhile) {
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(trunk_.stream, cudaStreamCaptureModeThreadLocal));
    check(cudaEventRecord(trunk_.done, trunk_.stream));
    for (int k = 0; k < 2; ++k) {
        Branch& side = sides_[k];
        check(cudaStreamWaitEvent(side.stream, trunk_.done, 0));
        updateFlux<<<64, 256, 0, side.stream>>>(height_, flux_[k], cells_, 3 - k);
        check(cudaGetLastError());
        check(cudaEventRecord(side.done, side.stream));
    }
    meanwhile();
    for (Branch& side : sides_) check(cudaStreamWaitEvent(trunk_.stream, side.done, 0));
    updateHeight<<<64, 256, 0, trunk_.stream>>>(height_, flux_[0], flux_[1], cells_);
    check(cudaGetLastError());
    check(cudaStreamEndCapture(trunk_.stream, &graph));
    const cudaError_t built = cudaGraphInstantiate(&step_, graph, 0);
    cudaGraphDestroy(graph);
    check(built);
}

void Basin::advance(int steps) {
    for (int s = 0; s < steps; ++s) check(cudaGraphLaunch(step_, trunk_.stream));
}

std::vector<int> Basin::heights() {
    std::vector<int> out(cells_);
    check(cudaMemcpyAsync(out.data(), height_, cells_ * sizeof(int), cudaMemcpyDeviceToHost, trunk_.stream));
    check(cudaStreamSynchronize(trunk_.stream));
    return out;
}

}  // namespace tide
