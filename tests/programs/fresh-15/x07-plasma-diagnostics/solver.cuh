#pragma once
#include <vector>

#include "observer.h"

namespace plasma {

class Solver {
public:
    explicit Solver(int cells);
    ~Solver();
    void attach(Observer* o) { observers_.push_back(o); }
    void advance();
    void finish() { PLASMA_OK(cudaStreamSynchronize(stream_)); }

private:
    int cells_;
    int step_ = 0;
    FieldPtr current_;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t ready_ = nullptr;
    std::vector<Observer*> observers_;
};

}  // namespace plasma
