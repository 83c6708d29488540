#pragma once
#include <memory>

#include "runtime.h"

namespace vision {

struct HeadConfig {
    int weight;
    int bias;
    bool enabled;
};

int backbone_value(int pixel);
int head_value(const HeadConfig& h, int feature);

// A backbone and several heads in one graph. The image and the outputs are in
// pinned buffers of the plan, read and written by every run.
class Plan {
public:
    Plan(int pixels, std::vector<HeadConfig> heads);
    ~Plan();
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;

    int* image() { return image_; }
    const int* output(int head) const { return outputs_ + std::size_t(head) * pixels_; }
    void run();

private:
    void prime();
    void record();
    void record_head(std::size_t index, const int* features, Event& ready);

    int pixels_;
    std::vector<HeadConfig> heads_;
    int* image_ = nullptr;
    int* outputs_ = nullptr;
    Workspace workspace_;
    Stream main_;
    std::vector<std::unique_ptr<Stream>> side_;
    std::vector<std::unique_ptr<Event>> finished_;
    cudaGraphExec_t exec_ = nullptr;
};

}  // namespace vision
