#pragma once
#include <cstddef>
#include <vector>

#include "recorder.hpp"

struct book_params {
  unsigned tick;
  unsigned salt;
  unsigned threshold;
};

struct book_row {
  unsigned tick;
  unsigned volume;
  unsigned peak;
  unsigned hits;
};

__host__ __device__ inline unsigned quantity(unsigned salt, unsigned level) {
  return ((level * 2654435761u) ^ (salt * 40503u)) >> 12;
}

// Order-book statistics per tick. set() supplies the parameters of the next evaluate(); the rows of
// all evaluations are appended on the device and fetched with rows().
class book_stats {
 public:
  book_stats(int levels, int capacity, cudaStream_t stream);
  ~book_stats();
  book_stats(book_stats const&) = delete;
  book_stats& operator=(book_stats const&) = delete;

  void set(book_params const& p);
  void evaluate();
  std::vector<book_row> rows();

 private:
  int levels_;
  int capacity_;
  cudaStream_t stream_;
  book_params* staged_ = nullptr;
  book_params* params_ = nullptr;
  unsigned* acc_ = nullptr;
  unsigned* count_ = nullptr;
  book_row* log_ = nullptr;
  unsigned* book_ = nullptr;
  cudaEvent_t consumed_ = nullptr;
  flow::schedule schedule_;
};
