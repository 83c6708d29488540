#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace llm {

struct AttentionArgs {
    std::uint32_t scale;
    std::uint32_t shift;
};

struct MlpArgs {
    std::uint32_t gate;
    std::uint32_t up;
};

constexpr int kHidden = 1 << 14;

void attention(std::uint32_t* x, const AttentionArgs* args, cudaStream_t s);
void mlp(std::uint32_t* x, const MlpArgs* args, cudaStream_t s);

}  // namespace llm
