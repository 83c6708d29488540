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
    float* activation;
    float* params;
    int n;
};

class Layer {
public:
    explicit Layer(int seed) : seed_(seed) {}
    virtual ~Layer() = default;
    virtual void record(Recorder& r) = 0;
    virtual float reference(float x, int i) const = 0;

protected:
    int seed_;
};

using LayerFactory = std::function<std::unique_ptr<Layer>(int seed)>;

class LayerRegistry {
public:
    static LayerRegistry& instance() {
        static LayerRegistry r;
        return r;
    }
    bool add(std::string name, LayerFactory f) { return makers_.emplace(std::move(name), std::move(f)).second; }
    std::unique_ptr<Layer> make(std::string_view name, int seed) const {
        if (auto it = makers_.find(name); it != makers_.end()) return it->second(seed);
        return nullptr;
    }

private:
    std::map<std::string, LayerFactory, std::less<>> makers_;
};

#define REGISTER_LAYER(NAME, CLASS)                                      \
    static const bool registered_##CLASS = LayerRegistry::instance().add( \
        NAME, [](int seed) -> std::unique_ptr<Layer> { return std::make_unique<CLASS>(seed); })
