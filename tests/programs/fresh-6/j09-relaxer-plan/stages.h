#pragma once
#include "workspace.h"
#include <memory>
#include <vector>

struct StageContext {
    cudaStream_t stream;
    Workspace *workspace;
    int n;
};

class Stage {
public:
    virtual ~Stage() = default;
    virtual std::size_t scratchBytes(int n) const = 0;
    virtual Status enqueue(const StageContext &ctx, const float *in, float *out) = 0;
    virtual void host(const std::vector<float> &in, std::vector<float> &out) const = 0;
};

std::unique_ptr<Stage> makeBlend(float weight);
std::unique_ptr<Stage> makeBank(int taps);

// A chain of stages recorded once and replayed for every frame.
class Plan {
public:
    Plan(int n, cudaStream_t stream) : n_(n), stream_(stream) {}
    ~Plan();
    void add(std::unique_ptr<Stage> s) { stages_.push_back(std::move(s)); }
    Status build(float *ping, float *pong);
    Status replay();
    const float *result() const { return result_; }
    const std::vector<std::unique_ptr<Stage>> &stages() const { return stages_; }

private:
    Status record(float *ping, float *pong);

    int n_;
    cudaStream_t stream_;
    Workspace workspace_;
    std::vector<std::unique_ptr<Stage>> stages_;
    cudaGraphExec_t exec_ = nullptr;
    const float *result_ = nullptr;
};
