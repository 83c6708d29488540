#pragma once
// Slow half of the controller: after each block of frames the voltages are expanded to pupil maps and
// reduced to the residual figure that the night log shows.
#include <cmath>
#include <cuda_runtime.h>
#include "mirror_loop.cuh"
#include "scratch_arena.h"
#include "status.h"

namespace ao {

constexpr int kPupil = 4096;

__host__ __device__ inline float pupilWeight(int p) { return 0.5f + 0.25f * static_cast<float>(p % 5); }

__global__ void expandPupil(const float* volts, float* maps, int frames) {
    const long total = static_cast<long>(frames) * kPupil;
    for (long i = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x; i < total;
         i += static_cast<long>(gridDim.x) * blockDim.x) {
        const int p = static_cast<int>(i % kPupil);
        maps[i] = volts[(i / kPupil) * kActuators + p % kActuators] * pupilWeight(p);
    }
}

__global__ void frameFigure(const float* maps, float* figure) {
    __shared__ float part[128];
    const float* map = maps + static_cast<long>(blockIdx.x) * kPupil;
    float s = 0.0f;
    for (int p = threadIdx.x; p < kPupil; p += blockDim.x) s += map[p] * map[p];
    part[threadIdx.x] = s;
    __syncthreads();
    for (int h = blockDim.x / 2; h > 0; h /= 2) {
        if (threadIdx.x < h) part[threadIdx.x] += part[threadIdx.x + h];
        __syncthreads();
    }
    if (threadIdx.x == 0) figure[blockIdx.x] = part[0] / kPupil;
}

class Telemetry {
public:
    explicit Telemetry(int longestBlock)
        : scratch_(static_cast<std::size_t>(longestBlock) * kPupil * sizeof(float)) {
        require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        require(cudaMalloc(&volts_, sizeof(float) * longestBlock * kActuators));
        require(cudaMalloc(&figure_, sizeof(float) * longestBlock));
        require(cudaMallocHost(&report_, sizeof(float) * longestBlock));
    }

    ~Telemetry() {
        cudaFreeHost(report_);
        cudaFree(figure_);
        cudaFree(volts_);
        cudaStreamDestroy(stream_);
    }

    // history: page-locked, frames x kActuators
    double publish(const float* history, int frames) {
        float* maps = scratch_.take<float>(static_cast<std::size_t>(frames) * kPupil);
        require(cudaMemcpyAsync(volts_, history, sizeof(float) * frames * kActuators, cudaMemcpyHostToDevice, stream_));
        expandPupil<<<64, 256, 0, stream_>>>(volts_, maps, frames);
        require(cudaGetLastError());
        frameFigure<<<frames, 128, 0, stream_>>>(maps, figure_);
        require(cudaGetLastError());
        require(cudaMemcpyAsync(report_, figure_, sizeof(float) * frames, cudaMemcpyDeviceToHost, stream_));
        require(cudaStreamSynchronize(stream_));
        double sum = 0.0;
        for (int f = 0; f < frames; ++f) sum += report_[f];
        return sum / frames;
    }

private:
    ScratchArena scratch_;
    cudaStream_t stream_ = nullptr;
    float* volts_ = nullptr;
    float* figure_ = nullptr;
    float* report_ = nullptr;
};

}  // namespace ao
