#pragma once
#include <memory>
#include <vector>
#include "rate_control.h"

namespace ve {

class Encoder {
public:
    Encoder();
    ~Encoder();

    Frame& acquire(int number);
    void encode(Frame& frame);
    void finish();

private:
    cudaStream_t stream_ = nullptr;
    int* luma_ = nullptr;
    int* activity_ = nullptr;
    int* quantiser_ = nullptr;
    int* coded_ = nullptr;
    std::vector<std::unique_ptr<Frame>> frames_;
    RateControl control_;
};

}  // namespace ve
