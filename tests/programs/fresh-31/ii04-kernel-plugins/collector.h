#pragma once

#include <cuda_runtime.h>

#include <vector>

#include "board.h"

namespace fusion {

class Collector {
public:
    explicit Collector(int epochs);
    ~Collector();

    Board* board() const { return board_; }
    void begin(unsigned epoch, int sensors);
    void finish();
    std::vector<float> history() const;

private:
    cudaStream_t stream_ = nullptr;
    Board* board_ = nullptr;
    float* history_ = nullptr;
    int epochs_;
};

}  // namespace fusion
