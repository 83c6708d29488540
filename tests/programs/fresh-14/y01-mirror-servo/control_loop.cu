#include "control_loop.h"
#include "check.h"

namespace ao {
namespace {
__global__ void servo(const float* slopes, const float* reference, int frames, float gain,
                      float leak, unsigned* sequence, float* mirror, volatile int* armed) {
    const int s = threadIdx.x;
    const int n = blockDim.x;
    float command = 0.0f;
    if (s == 0) {
        *armed = 1;
        __threadfence_system();
    }
    for (int f = 0; f < frames; ++f) {
        if (s == 0) {
            while (atomicAdd(sequence, 0u) < unsigned(f + 1)) __nanosleep(500);
            __threadfence();
        }
        __syncthreads();
        const float slope = __ldcg(slopes + size_t(f) * n + s);
        command = leak * command + gain * (slope - reference[s]);
        __syncthreads();
    }
    mirror[s] = command;
}
}  // namespace

ControlLoop::ControlLoop(Geometry geometry, int frames, float gain, float leak)
    : geometry_(geometry), frames_(frames), gain_(gain), leak_(leak) {
    const size_t n = geometry_.subapertures;
    ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    ok(cudaMalloc(&slopes_, n * frames_ * sizeof(float)));
    ok(cudaMalloc(&reference_, n * sizeof(float)));
    ok(cudaMalloc(&mirror_, n * sizeof(float)));
    ok(cudaMalloc(&sequence_, sizeof(unsigned)));
    int* flag = nullptr;
    ok(cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped));
    *flag = 0;
    armed_ = flag;
    const unsigned zero = 0;
    ok(cudaMemcpy(sequence_, &zero, sizeof zero, cudaMemcpyHostToDevice));
}

ControlLoop::~ControlLoop() {
    cudaStreamDestroy(stream_);
    cudaFree(slopes_);
    cudaFree(reference_);
    cudaFree(mirror_);
    cudaFree(sequence_);
    cudaFreeHost(const_cast<int*>(armed_));
}

void ControlLoop::setReference(const std::vector<float>& reference) {
    ok(cudaMemcpy(reference_, reference.data(), reference.size() * sizeof(float),
                  cudaMemcpyHostToDevice));
}

void ControlLoop::arm() {
    servo<<<1, geometry_.subapertures, 0, stream_>>>(slopes_, reference_, frames_, gain_, leak_,
                                                     sequence_, mirror_, armed_);
    ok(cudaGetLastError());
    while (*armed_ == 0) {
    }
}

std::vector<float> ControlLoop::finish() {
    ok(cudaStreamSynchronize(stream_));
    std::vector<float> mirror(geometry_.subapertures);
    ok(cudaMemcpy(mirror.data(), mirror_, mirror.size() * sizeof(float), cudaMemcpyDeviceToHost));
    return mirror;
}
}  // namespace ao
