#pragma once
#include "scratch.hpp"
#include <string>

namespace ops {

struct Signal {
    const float *in;
    float *out;
    int n;
};

class Operator {
public:
    virtual ~Operator() = default;
    virtual std::string name() const = 0;
    virtual void apply(const Signal &sig, cudaStream_t stream) = 0;
    virtual float reference(float a, float b) const = 0;
};

// out[i] = (scale*in[i]+bias) + (scale*in[i+1]+bias), through an expanded intermediate.
class Lifting : public Operator {
public:
    Lifting(mem::ScratchPool &pool, float scale, float bias) : pool_(pool), scale_(scale), bias_(bias) {}
    std::string name() const override { return "lifting"; }
    void apply(const Signal &sig, cudaStream_t stream) override;
    float reference(float a, float b) const override { return scale_ * a + scale_ * b + 2.f * bias_; }

private:
    mem::ScratchPool &pool_;
    float scale_, bias_;
};

// out[i] = rate * (in[i+1] - in[i]), through a scaled intermediate.
class Gradient : public Operator {
public:
    Gradient(mem::ScratchPool &pool, float rate) : pool_(pool), rate_(rate) {}
    std::string name() const override { return "gradient"; }
    void apply(const Signal &sig, cudaStream_t stream) override;
    float reference(float a, float b) const override { return rate_ * (b - a); }

private:
    mem::ScratchPool &pool_;
    float rate_;
};

} // namespace ops
