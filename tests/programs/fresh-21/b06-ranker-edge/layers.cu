#include "layer.h"

namespace {

__global__ void mix_kernel(const int* input, int* output, int width, int seed) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= width) return;
    int sum = 0;
    for (int tap = 0; tap < 8; ++tap) {
        sum += input[(i + tap * 31) % width] * ((seed + tap) % 5 - 2);
    }
    output[i] = sum;
}

__global__ void rescale_kernel(const int* input, int* output, const int* gain, const int* offset, int width) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < width) output[i] = input[i] * gain[i] + offset[i];
}

__global__ void clip_kernel(const int* input, int* output, int width, int bound) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < width) output[i] = max(-bound, min(bound, input[i]));
}

constexpr int kThreads = 256;
int blocks_for(int width) { return (width + kThreads - 1) / kThreads; }

class Mix final : public Layer {
public:
    explicit Mix(const LayerSpec& spec) : width_(spec.width), seed_(spec.seed) {}

    void forward(cudaStream_t stream, const int* input, int* output) override {
        mix_kernel<<<blocks_for(width_), kThreads, 0, stream>>>(input, output, width_, seed_);
        EXPECT(cudaGetLastError());
    }

    std::vector<int> reference(const std::vector<int>& input) const override {
        std::vector<int> output(width_);
        for (int i = 0; i < width_; ++i) {
            for (int tap = 0; tap < 8; ++tap) {
                output[i] += input[(i + tap * 31) % width_] * ((seed_ + tap) % 5 - 2);
            }
        }
        return output;
    }

private:
    int width_;
    int seed_;
};

class Rescale final : public Layer {
public:
    explicit Rescale(const LayerSpec& spec) : width_(spec.width), gain_(spec.width), offset_(spec.width) {
        for (int i = 0; i < width_; ++i) {
            gain_[i] = 1 + (i + spec.seed) % 3;
            offset_[i] = (i * spec.seed) % 19 - 9;
        }
        const std::size_t bytes = width_ * sizeof(int);
        EXPECT(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        EXPECT(cudaMalloc(&tables_, 2 * bytes));
        EXPECT(cudaMemcpyAsync(tables_, gain_.data(), bytes, cudaMemcpyHostToDevice, stream_));
        EXPECT(cudaMemcpyAsync(tables_ + width_, offset_.data(), bytes, cudaMemcpyHostToDevice, stream_));
        EXPECT(cudaStreamSynchronize(stream_));
    }

    ~Rescale() override {
        cudaFree(tables_);
        cudaStreamDestroy(stream_);
    }

    void forward(cudaStream_t stream, const int* input, int* output) override {
        rescale_kernel<<<blocks_for(width_), kThreads, 0, stream>>>(input, output, tables_, tables_ + width_, width_);
        EXPECT(cudaGetLastError());
    }

    std::vector<int> reference(const std::vector<int>& input) const override {
        std::vector<int> output(width_);
        for (int i = 0; i < width_; ++i) output[i] = input[i] * gain_[i] + offset_[i];
        return output;
    }

private:
    int width_;
    std::vector<int> gain_;
    std::vector<int> offset_;
    int* tables_ = nullptr;
    cudaStream_t stream_ = nullptr;
};

class Clip final : public Layer {
public:
    explicit Clip(const LayerSpec& spec) : width_(spec.width), bound_(spec.seed) {}

    void forward(cudaStream_t stream, const int* input, int* output) override {
        clip_kernel<<<blocks_for(width_), kThreads, 0, stream>>>(input, output, width_, bound_);
        EXPECT(cudaGetLastError());
    }

    std::vector<int> reference(const std::vector<int>& input) const override {
        std::vector<int> output(input);
        for (int& value : output) value = value > bound_ ? bound_ : (value < -bound_ ? -bound_ : value);
        return output;
    }

private:
    int width_;
    int bound_;
};

template <class T>
LayerFactory::Maker maker() {
    return [](const LayerSpec& spec) { return std::unique_ptr<Layer>(new T(spec)); };
}

}  // namespace

LayerFactory::LayerFactory() {
    makers_["mix"] = maker<Mix>();
    makers_["rescale"] = maker<Rescale>();
    makers_["clip"] = maker<Clip>();
}

LayerFactory& LayerFactory::instance() {
    static LayerFactory factory;
    return factory;
}

std::unique_ptr<Layer> LayerFactory::make(const LayerSpec& spec) const { return makers_.at(spec.kind)(spec); }
