#include "stage.h"
#include <stdexcept>

namespace epi {
namespace {
constexpr int kBlock = 256;
int gridFor(int n) { return (n + kBlock - 1) / kBlock; }

__global__ void contactKernel(Fields f, float rate) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= f.regions) return;
    const int left = (i + f.regions - 1) % f.regions, right = (i + 1) % f.regions;
    const float pressure = 0.5f * f.infected[i] + 0.25f * (f.infected[left] + f.infected[right]);
    f.incoming[i] = rate * f.susceptible[i] * pressure;
}

__global__ void recoveryKernel(Fields f, float rate) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < f.regions) f.leaving[i] = rate * f.infected[i];
}

__global__ void advanceKernel(Fields f) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= f.regions) return;
    f.susceptible[i] -= f.incoming[i];
    f.infected[i] += f.incoming[i] - f.leaving[i];
    f.recovered[i] += f.leaving[i];
}

__global__ void reportKernel(Fields f) {
    __shared__ float part[kBlock];
    float sum = 0.0f;
    for (int i = threadIdx.x; i < f.regions; i += kBlock) sum += f.infected[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = kBlock / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) f.series[(*f.day)++] = part[0];
}

class Contact final : public Stage {
public:
    explicit Contact(float rate) : rate_(rate) {}
    void enqueue(const Fields& f, cudaStream_t stream) override {
        contactKernel<<<gridFor(f.regions), kBlock, 0, stream>>>(f, rate_);
        verify(cudaGetLastError());
    }
private:
    float rate_;
};

class Recovery final : public Stage {
public:
    explicit Recovery(float rate) : rate_(rate) {}
    void enqueue(const Fields& f, cudaStream_t stream) override {
        recoveryKernel<<<gridFor(f.regions), kBlock, 0, stream>>>(f, rate_);
        verify(cudaGetLastError());
    }
private:
    float rate_;
};

class Advance final : public Stage {
public:
    void enqueue(const Fields& f, cudaStream_t stream) override {
        advanceKernel<<<gridFor(f.regions), kBlock, 0, stream>>>(f);
        verify(cudaGetLastError());
    }
};

// Daily totals, at low priority so that they never delay the model.
class Report final : public Stage {
public:
    Report() {
        int least = 0, greatest = 0;
        verify(cudaDeviceGetStreamPriorityRange(&least, &greatest));
        verify(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, least));
    }
    ~Report() override { cudaStreamDestroy(stream_); }
    void enqueue(const Fields& f, cudaStream_t) override {
        reportKernel<<<1, kBlock, 0, stream_>>>(f);
        verify(cudaGetLastError());
    }
private:
    cudaStream_t stream_ = nullptr;
};
}  // namespace

std::unique_ptr<Stage> makeStage(const std::string& name, Rates rates) {
    if (name == "contact") return std::make_unique<Contact>(rates.contact);
    if (name == "recovery") return std::make_unique<Recovery>(rates.recovery);
    if (name == "advance") return std::make_unique<Advance>();
    if (name == "report") return std::make_unique<Report>();
    throw std::invalid_argument("stage " + name);
}
}  // namespace epi
