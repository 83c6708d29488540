// Offline renderer of an effects rack: blocks of audio run through a chain of plugins.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "effect.h"

using rack::check;

namespace {

class Rack {
public:
    explicit Rack(const rack::RackConfig& config) : config_(config) {
        check(cudaStreamCreateWithFlags(&stream_, config_.streamFlags));
        check(cudaMalloc(&samples_, bytes()));
        check(cudaMallocHost(&input_, bytes()));
        check(cudaMallocHost(&output_, bytes()));
    }

    ~Rack() {
        cudaFreeHost(output_);
        cudaFreeHost(input_);
        cudaFree(samples_);
        cudaStreamDestroy(stream_);
    }

    Rack& insert(const char* id, float amount) {
        chain_.push_back(rack::EffectRegistry::instance().make(id, amount));
        return *this;
    }

    template <typename Source, typename Sink>
    void render(Source&& source, Sink&& sink) {
        for (int block = 0; block < config_.blocks; ++block) {
            for (int i = 0; i < config_.blockFrames; ++i) input_[i] = source(block, i);
            check(cudaMemcpyAsync(samples_, input_, bytes(), cudaMemcpyHostToDevice, stream_));
            const rack::AudioBlock audio{samples_, config_.blockFrames, stream_};
            for (auto& effect : chain_) effect->process(audio);
            check(cudaMemcpyAsync(output_, samples_, bytes(), cudaMemcpyDeviceToHost, stream_));
            check(cudaStreamSynchronize(stream_));
            for (int i = 0; i < config_.blockFrames; ++i) sink(block, i, output_[i]);
        }
    }

private:
    size_t bytes() const { return config_.blockFrames * sizeof(float); }

    rack::RackConfig config_;
    cudaStream_t stream_ = nullptr;
    float* samples_ = nullptr;
    float* input_ = nullptr;
    float* output_ = nullptr;
    std::vector<std::unique_ptr<rack::Effect>> chain_;
};

float tone(int block, int i) {
    return 0.30f + 0.05f * static_cast<float>(block) + 0.002f * static_cast<float>(i % 100);
}

}  // namespace

int main() {
    rack::registerBuiltinEffects();
    int wrong = 0;
    {
        rack::RackConfig config;
        Rack chain(config);
        chain.insert("drive", 4.0f).insert("limiter", 1.0f).insert("trim", 0.5f);
        chain.render(tone, [&wrong](int block, int i, float value) {
            const float expected = std::min(tone(block, i) * 4.0f, 1.0f) * 0.5f;
            if (std::fabs(value - expected) > 1e-5f) ++wrong;
        });
    }
    if (wrong) {
        std::printf("WRONG %d\n", wrong);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
