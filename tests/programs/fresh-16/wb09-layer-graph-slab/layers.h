#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "context.h"

namespace nn {

struct ParamBlock {
    int a = 0;
    int b = 0;
    int modulus = 1;
};

class Layer {
public:
    virtual ~Layer() = default;
    virtual void enqueue(Context& ctx, int* x, int n) = 0;
};

struct LayerSpec {
    std::string kind;
    int a;
    int b;
};

// Layer kinds by name.
class Registry {
public:
    using Maker = std::function<std::unique_ptr<Layer>(const LayerSpec&)>;
    static Registry& instance();
    void add(const std::string& kind, Maker m) { makers_[kind] = std::move(m); }
    std::unique_ptr<Layer> make(const LayerSpec& s) const { return makers_.at(s.kind)(s); }
private:
    std::map<std::string, Maker> makers_;
};

void register_builtin_layers();
}  // namespace nn
