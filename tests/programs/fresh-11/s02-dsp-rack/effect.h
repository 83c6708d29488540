#pragma once

#include <map>
#include <functional>
#include <memory>
#include <string>

#include <cuda_runtime.h>

namespace rack {

struct RackConfig {
    int blockFrames = 48000;
    int blocks = 5;
    unsigned streamFlags = cudaStreamNonBlocking;
};

// One block of samples on its way through the rack.
struct AudioBlock {
    float* samples;
    int frames;
    cudaStream_t stream;
};

class Effect {
public:
    virtual ~Effect() = default;
    virtual const char* name() const = 0;
    virtual void process(const AudioBlock& block) = 0;
};

using EffectFactory = std::function<std::unique_ptr<Effect>(float)>;

class EffectRegistry {
public:
    static EffectRegistry& instance();
    void add(const std::string& id, EffectFactory factory) { factories_[id] = std::move(factory); }
    std::unique_ptr<Effect> make(const std::string& id, float amount) const {
        return factories_.at(id)(amount);
    }

private:
    std::map<std::string, EffectFactory> factories_;
};

void registerBuiltinEffects();
void check(cudaError_t status);

}  // namespace rack
