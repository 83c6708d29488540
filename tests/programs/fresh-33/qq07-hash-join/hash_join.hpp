#pragma once
#include "hash_table.hpp"

namespace qop {

struct Relation {
  const std::int32_t* keys;
  const std::int32_t* payloads;
  std::size_t rows;
};

template <typename Predicate>
__global__ void probe_rows(TableView table, const std::int32_t* keys, std::size_t rows, Predicate keep,
                           std::int32_t* out) {
  const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (i >= rows) return;
  const std::int32_t key = keys[i];
  out[i] = keep(key) ? table.find(key, kEmpty) : kEmpty;
}

// Left join. Tables are built in a stream of the operator's own, so builds of
// the next query overlap with probes of the last one.
class HashJoin {
 public:
  HashJoin();
  ~HashJoin();
  HashJoin(const HashJoin&) = delete;
  HashJoin& operator=(const HashJoin&) = delete;

  // `out[i]` gets the payload for probe row i, or kEmpty. Inputs are ready
  // when the call is made; the result is ready in the order of `stream`.
  template <typename Predicate>
  void operator()(const Relation& build, const std::int32_t* probe_keys, std::size_t probe_rows_count,
                  Predicate keep, std::int32_t* out, cudaStream_t stream) {
    HashTable table(build.keys, build.payloads, build.rows, build_stream_);
    check(cudaEventRecord(built_, build_stream_));
    check(cudaStreamWaitEvent(stream, built_, 0));

    const unsigned blocks = static_cast<unsigned>((probe_rows_count + kBlock - 1) / kBlock);
    probe_rows<<<blocks, kBlock, 0, stream>>>(table.view(), probe_keys, probe_rows_count, keep, out);
    check(cudaGetLastError());
  }

 private:
  static constexpr unsigned kBlock = 256;
  cudaStream_t build_stream_ = nullptr;
  cudaEvent_t built_ = nullptr;
};

}  // namespace qop
