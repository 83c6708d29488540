#include "replay.h"

namespace replay {
namespace {

__global__ void matchTicks(const int* prices, int ticks, long long* position) {
    long long local = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < ticks; i += gridDim.x * blockDim.x)
        local += (prices[i] & 1) ? prices[i] : -prices[i];
    atomicAdd(reinterpret_cast<unsigned long long*>(position), static_cast<unsigned long long>(local));
}

__global__ void applyFees(long long* position, long long fee) { *position -= fee; }

}  // namespace

Lane::Lane(int id, int ticks) : id_(id), ticks_(ticks) {
    verify(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    verify(cudaMallocHost(&feed_, ticks_ * sizeof(int)));
    verify(cudaMallocHost(&report_, sizeof(long long)));
    verify(cudaMalloc(&prices_, ticks_ * sizeof(int)));
    verify(cudaMalloc(&position_, sizeof(long long)));
    for (int i = 0; i < ticks_; ++i) feed_[i] = (i * 13 + id_ * 5) % 1009;
    *report_ = 0;
}

Lane::~Lane() {
    cudaStreamSynchronize(stream_);
    cudaFree(position_);
    cudaFree(prices_);
    cudaFreeHost(report_);
    cudaFreeHost(feed_);
    cudaStreamDestroy(stream_);
}

void Lane::warmUp() {
    verify(cudaMemcpyAsync(prices_, feed_, ticks_ * sizeof(int), cudaMemcpyHostToDevice, stream_));
    verify(cudaMemsetAsync(position_, 0, sizeof(long long), stream_));
    matchTicks<<<1, 32, 0, stream_>>>(prices_, 0, position_);
    applyFees<<<1, 1, 0, stream_>>>(position_, 0);
    verify(cudaGetLastError());
    verify(cudaStreamSynchronize(stream_));
}

void Lane::arm(const OpeningBell& bell) {
    verify(cudaSetDevice(0));
    verify(cuStreamWaitValue32(stream_, bell.address(), 1, CU_STREAM_WAIT_VALUE_GEQ));
    verify(cudaMemcpyAsync(prices_, feed_, ticks_ * sizeof(int), cudaMemcpyHostToDevice, stream_));
    matchTicks<<<32, 256, 0, stream_>>>(prices_, ticks_, position_);
    applyFees<<<1, 1, 0, stream_>>>(position_, 100 + id_);
    verify(cudaGetLastError());
    verify(cudaMemcpyAsync(report_, position_, sizeof(long long), cudaMemcpyDeviceToHost, stream_));
}

int Lane::settle() {
    verify(cudaStreamSynchronize(stream_));
    long long expected = -(100 + id_);
    for (int i = 0; i < ticks_; ++i) expected += (feed_[i] & 1) ? feed_[i] : -feed_[i];
    return *report_ == expected ? 0 : 1;
}

}  // namespace replay
