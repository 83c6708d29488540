#pragma once

#include "resources.h"

namespace colframe {

// A column of integers in device memory.
class column {
 public:
  explicit column(std::size_t rows);
  ~column();
  column(column&& o) noexcept : data_(o.data_), rows_(o.rows_) { o.data_ = nullptr; }
  column(const column&) = delete;
  column& operator=(const column&) = delete;

  int* data() { return data_; }
  const int* data() const { return data_; }
  std::size_t rows() const { return rows_; }

 private:
  int* data_ = nullptr;
  std::size_t rows_;
};

// Blocking copies, for loading and inspecting.
void assign(column& c, const std::vector<int>& values);
std::vector<int> to_host(const column& c, cudaStream_t stream = default_stream());

// out = inclusive running sum of (in * factor). Asynchronous.
void scaled_running_sum(const column& in, column& out, int factor,
                        cudaStream_t stream = default_stream());

// The same for all columns of a table, spread over the streams of the pool. The result is
// complete in `stream`.
void scaled_running_sums(const std::vector<column>& in, std::vector<column>& out, int factor,
                         stream_pool& pool, cudaStream_t stream = default_stream());

}  // namespace colframe
