#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace batch {

using Token = std::uint16_t;

Token rescored(Token t);
void rescore(const Token* in, Token* out, std::size_t n, cudaStream_t stream);

}  // namespace batch
