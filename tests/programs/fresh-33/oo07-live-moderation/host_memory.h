#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace mod {

class CudaFailure : public std::runtime_error {
 public:
  CudaFailure(cudaError_t code, const char* site)
      : std::runtime_error(std::string(site) + ": " + cudaGetErrorString(code)), code_(code) {}
  const char* name() const { return cudaGetErrorName(code_); }

 private:
  cudaError_t code_;
};

inline void check(cudaError_t code, const char* site) {
  if (code != cudaSuccess) throw CudaFailure(code, site);
}

#define MOD_STR2(x) #x
#define MOD_STR(x) MOD_STR2(x)
#define MOD_CHECK(expr) ::mod::check((expr), __FILE__ ":" MOD_STR(__LINE__))

// Where host buffers of the ingest tier come from.
class HostAllocator {
 public:
  virtual ~HostAllocator() = default;
  virtual void* allocate(size_t bytes) = 0;
  virtual void release(void* p) noexcept = 0;
};

class HeapAllocator final : public HostAllocator {
 public:
  void* allocate(size_t bytes) override;
  void release(void* p) noexcept override;
};

class PageLockedAllocator final : public HostAllocator {
 public:
  void* allocate(size_t bytes) override;
  void release(void* p) noexcept override;
};

// Fixed-size array out of an allocator.
template <class T>
class HostArray {
 public:
  HostArray(HostAllocator& from, size_t count)
      : from_(from), data_(static_cast<T*>(from.allocate(count * sizeof(T)))), count_(count) {}
  ~HostArray() { from_.release(data_); }
  HostArray(const HostArray&) = delete;
  HostArray& operator=(const HostArray&) = delete;
  T* data() { return data_; }
  T& operator[](size_t i) { return data_[i]; }
  size_t size() const { return count_; }
  size_t bytes() const { return count_ * sizeof(T); }

 private:
  HostAllocator& from_;
  T* data_;
  size_t count_;
};

}  // namespace mod
