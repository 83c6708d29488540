#include "sequencer.h"

namespace us {

__global__ void emit(float* echo, int n, int channel, int shot) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int phase = (i * (channel + 3) + shot * 17) % 256;
        echo[i] = static_cast<float>(phase) - 128.f;
    }
}

__global__ void envelope(const float* echo, float* env, int n, const float* gain) {
    const float g = *gain;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        env[i] = fabsf(echo[i]) * g;
    }
}

void load_kernels() {
    cudaFuncAttributes a{};
    check_rt(cudaFuncGetAttributes(&a, emit));
    check_rt(cudaFuncGetAttributes(&a, envelope));
}

void launch_emit(float* echo, int n, int channel, int shot, cudaStream_t s) {
    emit<<<32, 256, 0, s>>>(echo, n, channel, shot);
    check_rt(cudaGetLastError());
}

void launch_envelope(const float* echo, float* env, int n, const float* gain, cudaStream_t s) {
    envelope<<<32, 256, 0, s>>>(echo, env, n, gain);
    check_rt(cudaGetLastError());
}

}  // namespace us
