#include "energy.cuh"

namespace plasma {

namespace {

__global__ void windowedSum(const float* f, int n, unsigned long long window, double* out) {
    __shared__ double part[256];
    unsigned long long start, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
    double acc = 0.0;
    do {
        acc = 0.0;
        for (int i = threadIdx.x; i < n; i += blockDim.x) acc += static_cast<double>(__ldcg(f + i));
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    } while (t - start < window);
    part[threadIdx.x] = acc;
    __syncthreads();
    for (int w = 128; w > 0; w >>= 1) {
        if (threadIdx.x < w) part[threadIdx.x] += part[threadIdx.x + w];
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = part[0];
}

}  // namespace

EnergyProbe::EnergyProbe(int maxSteps, int every) : maxSteps_(maxSteps), every_(every) {
    PLASMA_OK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    PLASMA_OK(cudaMalloc(&sums_, maxSteps * sizeof(double)));
}

EnergyProbe::~EnergyProbe() {
    cudaStreamDestroy(stream_);
    cudaFree(sums_);
}

void EnergyProbe::onStep(const FieldPtr& field, cudaEvent_t ready) {
    if (field->step() % every_ != 0 || taken_ == maxSteps_) return;
    PLASMA_OK(cudaStreamWaitEvent(stream_, ready, 0));
    windowedSum<<<1, 256, 0, stream_>>>(field->data(), field->cells(), 40ull * 1000 * 1000, sums_ + taken_);
    PLASMA_OK(cudaGetLastError());
    ++taken_;
}

std::vector<double> EnergyProbe::collect() {
    std::vector<double> out(taken_);
    PLASMA_OK(cudaStreamSynchronize(stream_));
    PLASMA_OK(cudaMemcpy(out.data(), sums_, taken_ * sizeof(double), cudaMemcpyDeviceToHost));
    return out;
}

}  // namespace plasma
