#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <vector>

#include "scratch.h"
#include "stage.h"

namespace grade {

class Renderer {
public:
    Renderer(const LookConfig& look, int pixels);
    ~Renderer();

    void load(const std::vector<float>& image);
    void preview();
    void record();
    void play(int times);
    std::vector<float> result() const;
    const std::vector<std::unique_ptr<Stage>>& stages() const { return stages_; }

private:
    void run_stages(Pass pass);

    int pixels_;
    std::vector<std::unique_ptr<Stage>> stages_;
    Scratch scratch_;
    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t take_ = nullptr;
    float* source_ = nullptr;
    float* planes_[2] = {nullptr, nullptr};
    int last_plane_ = 0;
};

}  // namespace grade
