#pragma once
#include "layers.h"

namespace model {

class Decoder {
public:
    explicit Decoder(const Checkpoint &ckpt);
    ~Decoder();

    std::vector<float> run_eager(const std::vector<float> &x);
    void compile();
    std::vector<float> replay(const std::vector<float> &x);
    std::vector<float> reference(std::vector<float> x) const;

private:
    void forward();

    rt::Stream stream_;
    std::vector<std::unique_ptr<Layer>> layers_;
    rt::DeviceVec hidden_, weight_slot_;
    rt::PinnedVec input_, output_;
    rt::Staging staging_;
    cudaGraphExec_t exec_ = nullptr;
};

} // namespace model
