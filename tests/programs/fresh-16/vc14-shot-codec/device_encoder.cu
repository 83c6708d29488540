#include <stdexcept>
#include <cuda_runtime.h>
#include "encoder.h"

namespace shot {
namespace {

void need(cudaError_t rc) {
    if (rc != cudaSuccess) throw std::runtime_error(cudaGetErrorName(rc));
}

__global__ void levels(const float* record, int* level, long long cycles) {
    const long long begin = clock64();
    while (clock64() - begin < cycles) {
    }
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kTotal; i += gridDim.x * blockDim.x)
        level[i] = static_cast<int>(floorf(record[i] * 64.0f));
}

__global__ void deltas(const int* level, int* steps) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kTotal; i += gridDim.x * blockDim.x)
        steps[i] = i % kSamples ? level[i] - level[i - 1] : level[i];
}

class DeviceEncoder : public Encoder {
public:
    DeviceEncoder() {
        need(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        need(cudaMalloc(&record_, sizeof(float) * kTotal));
        need(cudaMalloc(&level_, sizeof(int) * kTotal));
        need(cudaMalloc(&steps_, sizeof(int) * kTotal));
    }
    ~DeviceEncoder() override {
        cudaStreamSynchronize(stream_);
        cudaFree(steps_);
        cudaFree(level_);
        cudaFree(record_);
        cudaStreamDestroy(stream_);
    }
    std::string name() const override { return "device"; }
    void load(const std::vector<float>& record) override {
        need(cudaMemcpy(record_, record.data(), sizeof(float) * kTotal, cudaMemcpyHostToDevice));
        need(cudaDeviceSynchronize());
    }
    void encode() override {
        levels<<<24, 256, 0, stream_>>>(record_, level_, 20'000'000);
        need(cudaGetLastError());
        deltas<<<24, 256, 0, stream_>>>(level_, steps_);
        need(cudaGetLastError());
    }
    void finish() override { need(cudaStreamSynchronize(stream_)); }
    std::vector<int> steps() override {
        std::vector<int> out(kTotal);
        finish();
        need(cudaMemcpy(out.data(), steps_, sizeof(int) * kTotal, cudaMemcpyDeviceToHost));
        return out;
    }

private:
    cudaStream_t stream_ = nullptr;
    float* record_ = nullptr;
    int* level_ = nullptr;
    int* steps_ = nullptr;
};

}  // namespace

std::unique_ptr<Encoder> makeDeviceEncoder() { return std::make_unique<DeviceEncoder>(); }

}  // namespace shot
