#pragma once

#include "check.h"

#include <string>
#include <vector>

__device__ __forceinline__ unsigned long long deviceNanos() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
  return t;
}

static __global__ void stampKernel(unsigned long long* slot) { *slot = deviceNanos(); }

// Collects named GPU time ranges. Stamps are written by the GPU and read back once, in collect().
class RangeRecorder {
 public:
  struct Row {
    std::string name;
    int count = 0;
    double millis = 0.0;
  };

  explicit RangeRecorder(int capacity) : capacity_(capacity) {
    CHECK(cudaMalloc(&stamps_, 2 * capacity * sizeof(unsigned long long)));
  }
  ~RangeRecorder() { cudaFree(stamps_); }

  int open(const char* name, cudaStream_t stream) {
    if (static_cast<int>(names_.size()) == capacity_) return -1;
    names_.push_back(name);
    const int index = static_cast<int>(names_.size()) - 1;
    stamp(2 * index, stream);
    return index;
  }

  void close(int index, cudaStream_t stream) {
    if (index >= 0) stamp(2 * index + 1, stream);
  }

  void reset() { names_.clear(); }

  std::vector<Row> collect() const {
    std::vector<unsigned long long> host(2 * names_.size());
    CHECK(cudaMemcpy(host.data(), stamps_, host.size() * sizeof(host[0]), cudaMemcpyDeviceToHost));
    std::vector<Row> rows;
    for (size_t i = 0; i < names_.size(); ++i) {
      size_t r = 0;
      while (r < rows.size() && rows[r].name != names_[i]) ++r;
      if (r == rows.size()) rows.push_back({names_[i]});
      rows[r].count += 1;
      rows[r].millis += 1e-6 * static_cast<double>(host[2 * i + 1] - host[2 * i]);
    }
    return rows;
  }

 private:
  void stamp(int slot, cudaStream_t stream) {
    stampKernel<<<1, 1, 0, stream>>>(stamps_ + slot);
    CHECK(cudaGetLastError());
  }

  int capacity_;
  unsigned long long* stamps_ = nullptr;
  std::vector<std::string> names_;
};

class ScopedRange {
 public:
  ScopedRange(RangeRecorder& recorder, const char* name, cudaStream_t stream = nullptr)
      : recorder_(recorder), stream_(stream), index_(recorder.open(name, stream)) {}
  ~ScopedRange() { recorder_.close(index_, stream_); }
  ScopedRange(const ScopedRange&) = delete;
  ScopedRange& operator=(const ScopedRange&) = delete;

 private:
  RangeRecorder& recorder_;
  cudaStream_t stream_;
  int index_;
};

#define RANGE_CAT_(a, b) a##b
#define RANGE_CAT(a, b) RANGE_CAT_(a, b)
#define PROFILE_SCOPE(...) ScopedRange RANGE_CAT(range_, __LINE__)(__VA_ARGS__)
