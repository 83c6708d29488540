#pragma once
#include "table_stager.h"

namespace fused {

// Calls emit(blocks) for every table that is full, and for the last.
template <typename Open, typename Emit>
void for_each_table(const std::vector<ParamRef>& params, Open open,
                    Emit emit) {
  LaunchTable* table = open();
  int tensors = 0, blocks = 0;
  for (std::size_t t = 0; t < params.size(); ++t) {
    const int chunks = (params[t].numel + kChunk - 1) / kChunk;
    table->tensor[tensors++] = params[t];
    for (int c = 0; c < chunks; ++c) {
      table->block_to_tensor[blocks] = static_cast<unsigned char>(tensors - 1);
      table->block_to_chunk[blocks] = c;
      ++blocks;

      const bool last_of_all = t + 1 == params.size() && c + 1 == chunks;
      const bool no_tensors = tensors == kMaxTensors && c + 1 == chunks;
      if (blocks == kMaxBlocks || no_tensors || last_of_all) {
        emit(blocks);
        if (last_of_all) return;
        table = open();
        tensors = blocks = 0;
        if (c + 1 < chunks) table->tensor[tensors++] = params[t];
      }
    }
  }
}

inline int count_tables(const std::vector<ParamRef>& params) {
  LaunchTable scratch;
  int tables = 0;
  for_each_table(params, [&] { return &scratch; }, [&](int) { ++tables; });
  return tables;
}

template <typename Op>
__global__ void multi_tensor_kernel(const LaunchTable* __restrict__ table,
                                    Op op) {
  const ParamRef ref = table->tensor[table->block_to_tensor[blockIdx.x]];
  const int first = table->block_to_chunk[blockIdx.x] * kChunk;
  const int end = min(first + kChunk, ref.numel);
  for (int i = first + threadIdx.x; i < end; i += blockDim.x) op(ref, i);
}

template <typename Op>
void multi_tensor_apply(const std::vector<ParamRef>& params,
                        TableStager& stager, Op op, cudaStream_t stream) {
  stager.begin_step(stream);
  for_each_table(
      params, [&] { return stager.open(stream); },
      [&](int blocks) {
        const LaunchTable* table = stager.commit(stream);
        multi_tensor_kernel<<<blocks, 256, 0, stream>>>(table, op);
        FUSED_CHECK(cudaGetLastError());
      });
}

}  // namespace fused
