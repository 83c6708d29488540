#pragma once
#include <colforge/stream_pool.hpp>
#include <colforge/table.hpp>

namespace colforge {

/// Decodes every column of `in` into `out`, ordered in `stream`.
void decode(const encoded_table& in, table& out, stream_pool& pool, cudaStream_t stream);

/// Writes one 32-bit hash per row of `in` to `hashes`, ordered in `stream`.
void hash_rows(const table& in, uint32_t* hashes, cudaStream_t stream);

}  // namespace colforge
