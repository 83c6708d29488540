#pragma once
#include <map>
#include <memory>
#include <vector>
#include "stage.h"

namespace epi {

class Outbreak {
public:
    Outbreak(int regions, int days, Rates rates);
    ~Outbreak();

    void seed(const std::vector<float>& infected);
    void prepare();
    std::vector<float> run();
private:
    void day();
    Stage& stage(const char* name) { return *stages_.at(name); }

    int days_;
    Fields fields_;
    std::map<std::string, std::unique_ptr<Stage>> stages_;
    cudaStream_t main_ = nullptr, side_ = nullptr;
    cudaEvent_t fork_ = nullptr, join_ = nullptr;
    cudaGraphExec_t step_ = nullptr;
};
}  // namespace epi
