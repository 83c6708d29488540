#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "effect_chain.h"

namespace {

constexpr int kSamples = 48000;
constexpr int kBlocks = 5;

class Mixer {
public:
    Mixer() : arena_(1024) {
        audio::call(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        for (float gain : {1.f, 3.f, 5.f, 8.f}) {
            audio::ChainSpec spec;
            spec.gain = gain;
            chains_.push_back(std::make_unique<audio::EffectChain>(spec, kSamples, arena_, stream_));
        }
    }
    ~Mixer() { cudaStreamDestroy(stream_); }

    int perform() {
        for (int b = 0; b < kBlocks; ++b)
            for (auto& chain : chains_) chain->play(stream_);
        audio::call(cudaStreamSynchronize(stream_));
        int wrong = 0;
        for (auto& chain : chains_)
            for (float v : chain->output())
                if (std::fabs(v - kBlocks * chain->expected()) > 0.01f) ++wrong;
        return wrong;
    }

private:
    audio::PinnedArena arena_;
    cudaStream_t stream_ = nullptr;
    std::vector<std::unique_ptr<audio::EffectChain>> chains_;
};

}  // namespace

int main() {
    try {
        Mixer mixer;
        const int wrong = mixer.perform();
        if (wrong) std::printf("WRONG %d\n", wrong);
        else std::printf("DONE\n");
        return wrong != 0;
    } catch (const audio::AudioError& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}
