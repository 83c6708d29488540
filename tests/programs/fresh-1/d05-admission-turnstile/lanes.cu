#include "lanes.cuh"

namespace admit {

__global__ void scale_in_place(float* x, int n, float k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = x[i] * k + 1.0f;
}

__global__ void scale_from(const float* up, float* x, int n, float k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = up[i] * k + 1.0f;
}

Lane::Lane(int n) : n_(n) {
    rt(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    rt(cudaMalloc(&act_, n * sizeof(float)));
    rt(cudaMallocHost(&pinned_, n * sizeof(float)));
    scale_in_place<<<1, 32, 0, stream_>>>(act_, 0, 0.f);
    scale_from<<<1, 32, 0, stream_>>>(act_, act_, 0, 0.f);
    rt(cudaGetLastError());
    rt(cudaStreamSynchronize(stream_));
}

Lane::~Lane() {
    cudaStreamDestroy(stream_);
    cudaFree(act_);
    cudaFreeHost(pinned_);
}

void Lane::load(const std::vector<float>& host) {
    rt(cudaMemcpyAsync(act_, host.data(), n_ * sizeof(float), cudaMemcpyHostToDevice, stream_));
    rt(cudaStreamSynchronize(stream_));
}

void Lane::score(float k) {
    scale_in_place<<<(n_ + 255) / 256, 256, 0, stream_>>>(act_, n_, k);
    rt(cudaGetLastError());
}

void Lane::score_from(const Lane& up, float k) {
    scale_from<<<(n_ + 255) / 256, 256, 0, stream_>>>(up.act_, act_, n_, k);
    rt(cudaGetLastError());
}

void Lane::fetch() {
    rt(cudaMemcpyAsync(pinned_, act_, n_ * sizeof(float), cudaMemcpyDeviceToHost, stream_));
}

}  // namespace admit
