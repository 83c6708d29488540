#include "stages.h"

namespace feat {

namespace {

__device__ void pace(unsigned ms) {
    unsigned long long t0, t1;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t1));
    } while (t1 - t0 < ms * 1000000ull);
}

__global__ void column_norm(const float* embedding, int count, float* out) {
    __shared__ float part[256];
    float best = 0.0f;
    for (int i = threadIdx.x; i < count; i += blockDim.x) best = fmaxf(best, embedding[i] - 0.001f * (i % 16));
    part[threadIdx.x] = best;
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (threadIdx.x < step) part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + step]);
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = part[0];
}

__global__ void quantise_and_pack(const float* embedding, int count, float* out, unsigned ms) {
    __shared__ float part[256];
    pace(ms);
    float sum = 0.0f;
    for (int i = threadIdx.x; i < count; i += blockDim.x) sum += embedding[i] * static_cast<float>(i % 4);
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = part[0];
}

class StreamConsumer : public Consumer {
public:
    explicit StreamConsumer(const ModelConfig& config) : config_(config) {
        must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        must(cudaMalloc(reinterpret_cast<void**>(&results_), config.images * sizeof(float)));
    }
    ~StreamConsumer() override {
        cudaStreamSynchronize(stream_);
        cudaFree(results_);
        cudaStreamDestroy(stream_);
    }
    std::vector<float> collect() override {
        std::vector<float> out(config_.images);
        must(cudaStreamSynchronize(stream_));
        must(cudaMemcpy(out.data(), results_, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
        return out;
    }

protected:
    ModelConfig config_;
    cudaStream_t stream_ = nullptr;
    float* results_ = nullptr;
};

class Indexer final : public StreamConsumer {
public:
    using StreamConsumer::StreamConsumer;
    void accept(int image, const TensorPtr& embedding) override {
        embedding->await(stream_);
        column_norm<<<1, 256, 0, stream_>>>(embedding->data(), static_cast<int>(embedding->count()), results_ + image);
        must(cudaGetLastError());
        embedding->visited_by(stream_);
    }
    float expected(int image) const override {
        float best = 0.0f;
        for (int i = 0; i < static_cast<int>(config_.features); ++i)
            best = fmaxf(best, feature(image, i) - 0.001f * (i % 16));
        return best;
    }
};

class Exporter final : public StreamConsumer {
public:
    using StreamConsumer::StreamConsumer;
    void accept(int image, const TensorPtr& embedding) override {
        embedding->await(stream_);
        quantise_and_pack<<<1, 256, 0, stream_>>>(embedding->data(), static_cast<int>(embedding->count()),
                                                  results_ + image, config_.write_ms);
        must(cudaGetLastError());
    }
    float expected(int image) const override {
        double sum = 0.0;
        for (int i = 0; i < static_cast<int>(config_.features); ++i) sum += feature(image, i) * static_cast<float>(i % 4);
        return static_cast<float>(sum);
    }
};

}  // namespace

std::unique_ptr<Consumer> make_consumer(const std::string& kind, const ModelConfig& config) {
    if (kind == "index") return std::make_unique<Indexer>(config);
    if (kind == "export") return std::make_unique<Exporter>(config);
    return nullptr;
}

}  // namespace feat
