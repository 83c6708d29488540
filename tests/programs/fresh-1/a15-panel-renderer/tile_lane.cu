#include "tile_lane.h"

namespace render {
namespace {

__global__ void shade(const float* scene, float* out, int pixels) {
    long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x)
        out[i] = scene[i] * 2.f + 1.f;
    do {
        __nanosleep(1000);
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < 30000000LL);
}

}  // namespace

TileLane::TileLane(int pixels) : pixels_(pixels), input_(pixels), image_(pixels) {
    guard(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    guard(cudaMalloc(&scene_, pixels_ * sizeof(float)));
    guard(cudaMalloc(&shaded_, pixels_ * sizeof(float)));
}

TileLane::~TileLane() {
    cudaStreamSynchronize(stream_);
    cudaFree(shaded_);
    cudaFree(scene_);
    cudaStreamDestroy(stream_);
}

void TileLane::submit(const TileJob& job) {
    const std::size_t bytes = pixels_ * sizeof(float);
    pending_ = job.index;
    for (int i = 0; i < pixels_; ++i) input_[i] = static_cast<float>((i + job.index) % 255);
    guard(cudaMemcpyAsync(scene_, input_.data(), bytes, cudaMemcpyHostToDevice, stream_));
    shade<<<8, 256, 0, stream_>>>(scene_, shaded_, pixels_);
    guard(cudaGetLastError());
    guard(cudaMemcpyAsync(image_.data(), shaded_, bytes, cudaMemcpyDeviceToHost, stream_));
}

int TileLane::collect() {
    if (pending_ < 0) return 0;
    guard(cudaStreamSynchronize(stream_));
    int wrong = 0;
    for (int i = 0; i < pixels_; ++i)
        if (image_[i] != static_cast<float>((i + pending_) % 255) * 2.f + 1.f) ++wrong;
    pending_ = -1;
    return wrong;
}

}  // namespace render
