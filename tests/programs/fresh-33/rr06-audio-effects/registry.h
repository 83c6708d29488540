#pragma once

#include "arena.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

struct Recorder {
    cudaStream_t stream;
    PinnedArena& arena;
    float* signal;
    float* params;
    int n;
};

class Effect {
public:
    explicit Effect(int seed) : seed_(seed) {}
    virtual ~Effect() = default;
    virtual void record(Recorder& r) = 0;
    virtual float reference(float x, int i) const = 0;

protected:
    int seed_;
};

using EffectFactory = std::function<std::unique_ptr<Effect>(int seed)>;

class EffectRegistry {
public:
    static EffectRegistry& instance() {
        static EffectRegistry r;
        return r;
    }
    bool add(std::string name, EffectFactory f) { return makers_.emplace(std::move(name), std::move(f)).second; }
    std::unique_ptr<Effect> make(std::string_view name, int seed) const {
        if (auto it = makers_.find(name); it != makers_.end()) return it->second(seed);
        return nullptr;
    }

private:
    std::map<std::string, EffectFactory, std::less<>> makers_;
};

#define REGISTER_EFFECT(NAME, CLASS)                                      \
    static const bool registered_##CLASS = EffectRegistry::instance().add( \
        NAME, [](int seed) -> std::unique_ptr<Effect> { return std::make_unique<CLASS>(seed); })
