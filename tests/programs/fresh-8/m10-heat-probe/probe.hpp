#pragma once
#include "cuda_error.hpp"
#include <cstddef>

// Samples one cell of the field after every step, on a stream of its own so
// that the sampling runs beside the following step.
class field_probe {
public:
    field_probe(std::size_t cell, std::size_t capacity);
    ~field_probe();
    field_probe(const field_probe&) = delete;
    field_probe& operator=(const field_probe&) = delete;

    void tap(const float* field, cudaStream_t solver);
    const float* trace() const { return trace_; }
    std::size_t taken() const { return taken_; }

private:
    std::size_t cell_, capacity_, taken_ = 0;
    float* trace_ = nullptr;
    cudaStream_t side_ = nullptr;
    cudaEvent_t ready_ = nullptr, sampled_ = nullptr;
    bool outstanding_ = false;
};
