#include "sector.cuh"

namespace lidar {

namespace {

__global__ void removeGround(const int* heights, int revolution, int* objects) {
    busy(40000000ull);
    for (int i = threadIdx.x; i < kPoints; i += blockDim.x) objects[i] = heights[i] > 30 ? heights[i] + revolution : 0;
}

__global__ void beat(int* counter) {
    busy(1000000ull);
    ++*counter;
}

}  // namespace

Sector::Sector(int index) : index_(index) {
    const std::size_t bytes = kPoints * sizeof(int);
    guard(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    guard(cudaMalloc(&heights_, bytes));
    guard(cudaMalloc(&objects_, bytes));
    guard(cudaMallocHost(&hostHeights_, bytes));
    guard(cudaMallocHost(&hostObjects_, bytes));
    for (int i = 0; i < kPoints; ++i) hostHeights_[i] = (i * 7 + index) % 90;
}

Sector::~Sector() {
    cudaStreamSynchronize(stream_);
    cudaFreeHost(hostObjects_);
    cudaFreeHost(hostHeights_);
    cudaFree(objects_);
    cudaFree(heights_);
    cudaStreamDestroy(stream_);
}

void Sector::enqueue(int revolution) {
    const std::size_t bytes = kPoints * sizeof(int);
    guard(cudaMemcpyAsync(heights_, hostHeights_, bytes, cudaMemcpyHostToDevice, stream_));
    removeGround<<<1, 256, 0, stream_>>>(heights_, revolution, objects_);
    guard(cudaGetLastError());
    guard(cudaMemcpyAsync(hostObjects_, objects_, bytes, cudaMemcpyDeviceToHost, stream_));
}

void Sector::wait() { guard(cudaStreamSynchronize(stream_)); }

int Sector::mistakes(int revolution) const {
    int wrong = 0;
    for (int i = 0; i < kPoints; ++i) {
        const int h = (i * 7 + index_) % 90;
        if (hostObjects_[i] != (h > 30 ? h + revolution : 0)) ++wrong;
    }
    return wrong;
}

Heartbeat::Heartbeat() {
    guard(cudaMalloc(&counter_, sizeof(int)));
    guard(cudaMemset(counter_, 0, sizeof(int)));
}

Heartbeat::~Heartbeat() { cudaFree(counter_); }

void Heartbeat::enqueue(int) {
    beat<<<1, 1>>>(counter_);
    guard(cudaGetLastError());
}

void Heartbeat::wait() { guard(cudaMemcpy(&beats_, counter_, sizeof(int), cudaMemcpyDeviceToHost)); }

}  // namespace lidar
