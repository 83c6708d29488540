#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>
#include "status.h"

// A quantised layer: int32 activations of a fixed width in and out.
class Layer {
public:
    virtual ~Layer() = default;
    virtual void forward(cudaStream_t stream, const int* input, int* output) = 0;
    virtual std::vector<int> reference(const std::vector<int>& input) const = 0;
};

struct LayerSpec {
    std::string kind;
    int width = 0;
    int seed = 0;
};

class LayerFactory {
public:
    using Maker = std::function<std::unique_ptr<Layer>(const LayerSpec&)>;

    static LayerFactory& instance();
    std::unique_ptr<Layer> make(const LayerSpec& spec) const;

private:
    LayerFactory();
    std::map<std::string, Maker> makers_;
};
