#pragma once

#include <vector>

#include "block_cache.h"

namespace serve {

struct Model {
    float scale = 0.5f;
    float bias = 3.0f;
};

struct Request {
    int id;
    const float* features;  // pinned, owned by the connection
};

struct Response {
    int id;
    Tensor scores;
};

class Session {
public:
    Session(Model model, std::size_t width, int lanes);
    ~Session();

    Response infer(const Request& request);
    void drain();

private:
    Model model_;
    std::size_t width_;
    std::vector<cudaStream_t> lanes_;
    std::size_t turn_ = 0;
};

}  // namespace serve
