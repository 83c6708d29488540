#pragma once
#include "device_memory.h"

namespace srv {

constexpr int kPrompt = 64;
constexpr int kBatch = 4;

// Attention scores of one batch and their sums.
struct Workspace {
    explicit Workspace(int requests) : scores(std::size_t(requests) * kPrompt * kPrompt), sums(std::size_t(requests) * kPrompt) {}
    DeviceArray<unsigned> scores;
    DeviceArray<unsigned> sums;
};

void run_model(cudaStream_t s, const unsigned *tokens, unsigned *out, int requests, const Workspace &ws);
void reference_model(const unsigned *tokens, unsigned *out);

} // namespace srv
