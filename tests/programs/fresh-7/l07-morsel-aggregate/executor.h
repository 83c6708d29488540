#ifndef COLDB_EXECUTOR_H_
#define COLDB_EXECUTOR_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "status.h"

namespace coldb {

constexpr int kGroups = 16;
constexpr unsigned kScanMillis = 30;

// A horizontal slice of a column.
struct Morsel {
  const uint32_t* keys = nullptr;
  size_t rows = 0;
  unsigned long long* sums = nullptr;
};

class Scratch {
 public:
  Scratch() = default;
  ~Scratch() { cudaFree(data_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  Status Reserve(size_t bytes) {
    if (bytes <= capacity_) return Status::OK();
    COLDB_RETURN_IF_CUDA(cudaFree(data_));
    data_ = nullptr;
    capacity_ = 0;
    COLDB_RETURN_IF_CUDA(cudaMalloc(&data_, bytes));
    capacity_ = bytes;
    return Status::OK();
  }
  template <typename T>
  T* As() const {
    return static_cast<T*>(data_);
  }

 private:
  void* data_ = nullptr;
  size_t capacity_ = 0;
};

class Executor {
 public:
  static constexpr int kLanes = 4;

  ~Executor();
  Status Open();
  Status Prepare(const std::vector<Morsel>& plan);
  Status Run(const std::vector<Morsel>& plan);

 private:
  struct Lane {
    cudaStream_t stream = nullptr;
    Scratch scratch;
  };

  Status Submit(Lane* lane, const Morsel& morsel);

  Lane lanes_[kLanes];
};

}  // namespace coldb

#endif  // COLDB_EXECUTOR_H_
