#pragma once
#include "operators.h"

namespace plasma {

// A periodic plasma column, advanced by a recorded time step.
class Column {
public:
    Column(const std::vector<std::string>& terms, const std::vector<float>& taps,
           std::vector<float> density, const std::vector<float>& drive);
    Column(const Column&) = delete;
    Column& operator=(const Column&) = delete;
    ~Column();

    void prepare();
    void run(int steps);
    std::vector<float> density() const;

private:
    void step(cudaStream_t s);
    void restart();

    cudaStream_t setup_ = nullptr;
    cudaStream_t replay_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    Fields fields_;
    std::vector<float> initial_;
    std::vector<std::unique_ptr<Operator>> terms_;
};

}  // namespace plasma
