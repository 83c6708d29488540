#pragma once
#include <string>
#include <vector>

#include "staging.h"

namespace model {

constexpr int kWidth = 1024;

struct Checkpoint {
    std::vector<std::string> kinds;
    std::vector<std::vector<float>> weights;
};

// What a layer needs while it is put into a stream.
struct Context {
    cudaStream_t stream;
    rt::Staging &staging;
    float *hidden;
    float *weight_slot;
};

class Layer {
public:
    explicit Layer(const std::vector<float> &w) : w_(w) {}
    virtual ~Layer() = default;
    void forward(Context &cx) const
    {
        cx.staging.upload(cx.stream, cx.weight_slot, w_.data(), w_.size());
        enqueue(cx);
    }
    virtual void reference(std::vector<float> &x) const = 0;

protected:
    virtual void enqueue(Context &cx) const = 0;
    const std::vector<float> &w_;
};

std::unique_ptr<Layer> make_layer(const std::string &kind, const std::vector<float> &w);

} // namespace model
