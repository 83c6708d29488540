#include "warp_library.h"
#include <stdexcept>
#include <vector>

namespace dome {

void must(cudaError_t rc) {
    if (rc != cudaSuccess) throw std::runtime_error(cudaGetErrorName(rc));
}

namespace {

__device__ void hold(unsigned long long ns) {
    unsigned long long a, b;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(a));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(b));
    } while (b - a < ns);
}

__host__ __device__ int sourceOf(int i, int width, int height) {
    const int x = i % width, y = i / width;
    return ((y * 3 + x) % height) * width + (x * 5 + y) % width;
}

__host__ __device__ float starlight(int i) { return static_cast<float>((i * 31) % 1009) * 0.001f; }

__global__ void followRays(int* table, int width, int height) {
    hold(80'000'000);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < width * height; i += gridDim.x * blockDim.x)
        table[i] = sourceOf(i, width, height);
}

__global__ void warp(const float* frame, const int* table, float* ceiling, int pixels) {
    hold(3'000'000);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x) ceiling[i] = frame[table[i]];
}

__global__ void paint(float* frame, int pixels) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x) frame[i] = starlight(i);
}

}  // namespace

WarpLibrary& WarpLibrary::shared() {
    static WarpLibrary library;
    return library;
}

const int* WarpLibrary::table(Shape shape, cudaStream_t stream) {
    auto& slot = tables_[shape];
    if (!slot) {
        slot = std::make_unique<DeviceArray<int>>(shape.pixels());
        followRays<<<16, 256, 0, stream>>>(slot->get(), shape.width, shape.height);
        must(cudaGetLastError());
        must(cudaStreamSynchronize(stream));
    }
    return slot->get();
}

Projector::Projector(int largest) : frame_(largest), ceiling_(largest), largest_(largest) {
    must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    paint<<<16, 256, 0, stream_>>>(frame_.get(), largest_);
    must(cudaGetLastError());
    must(cudaStreamSynchronize(stream_));
}

Projector::~Projector() {
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
}

void Projector::show(Shape shape) {
    const int* table = WarpLibrary::shared().table(shape, stream_);
    warp<<<16, 256, 0, stream_>>>(frame_.get(), table, ceiling_.get(), shape.pixels());
    must(cudaGetLastError());
}

int Projector::faults(Shape shape) {
    std::vector<float> seen(shape.pixels());
    show(shape);
    must(cudaStreamSynchronize(stream_));
    must(cudaMemcpy(seen.data(), ceiling_.get(), sizeof(float) * seen.size(), cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int i = 0; i < shape.pixels(); ++i)
        if (!(seen[i] == starlight(sourceOf(i, shape.width, shape.height)))) ++bad;
    return bad;
}

}  // namespace dome
