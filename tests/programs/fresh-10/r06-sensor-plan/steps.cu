#include <cub/device/device_reduce.cuh>

#include "step.h"

namespace sensor {

namespace {

template <class F>
__global__ void eachSample(float* data, int n, F f) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = f(data[i]);
}

template <class F>
cudaError_t map(const Signal& s, cudaStream_t stream, F f) {
    eachSample<<<(s.count + 255) / 256, 256, 0, stream>>>(s.data, s.count, f);
    return cudaGetLastError();
}

struct Scale {
    float k;
    __device__ float operator()(float v) const { return v * k; }
};

struct Limit {
    float low, high;
    __device__ float operator()(float v) const { return fminf(fmaxf(v, low), high); }
};

struct Shift {
    const float* sum;
    int n;
    __device__ float operator()(float v) const { return v - *sum / n; }
};

class Gain final : public Step {
public:
    explicit Gain(float k) : k_(k) {}
    const char* name() const override { return "gain"; }
    cudaError_t enqueue(const Signal& s, cudaStream_t stream) override { return map(s, stream, Scale{k_}); }

private:
    float k_;
};

class Clip final : public Step {
public:
    Clip(float low, float high) : low_(low), high_(high) {}
    const char* name() const override { return "clip"; }
    cudaError_t enqueue(const Signal& s, cudaStream_t stream) override {
        return map(s, stream, Limit{low_, high_});
    }

private:
    float low_, high_;
};

class Centre final : public Step {
public:
    ~Centre() override {
        cudaFree(sum_);
        cudaFree(scratch_);
    }
    const char* name() const override { return "centre"; }

    cudaError_t enqueue(const Signal& s, cudaStream_t stream) override {
        if (cudaError_t e = reserve(s)) return e;
        if (cudaError_t e = cub::DeviceReduce::Sum(scratch_, bytes_, s.data, sum_, s.count, stream)) return e;
        return map(s, stream, Shift{sum_, s.count});
    }

private:
    cudaError_t reserve(const Signal& s) {
        if (scratch_ != nullptr) return cudaSuccess;
        if (cudaError_t e = cub::DeviceReduce::Sum(nullptr, bytes_, s.data, sum_, s.count)) return e;
        if (cudaError_t e = cudaMalloc(&sum_, sizeof(float))) return e;
        return cudaMalloc(&scratch_, bytes_);
    }

    void* scratch_ = nullptr;
    std::size_t bytes_ = 0;
    float* sum_ = nullptr;
};

}  // namespace

std::unique_ptr<Step> makeGain(float gain) {
    return std::make_unique<Gain>(gain);
}
std::unique_ptr<Step> makeCentre() {
    return std::make_unique<Centre>();
}
std::unique_ptr<Step> makeClip(float low, float high) {
    return std::make_unique<Clip>(low, high);
}

}  // namespace sensor
