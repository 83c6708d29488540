#pragma once
#include <cstddef>
#include <memory>

#include "status.h"

namespace rt {

enum class MemType { Default, CpuInput, CpuOutput };

class IAllocator {
 public:
  explicit IAllocator(const char* name) : name_(name) {}
  virtual ~IAllocator() = default;
  virtual void* Alloc(std::size_t bytes) = 0;
  virtual void Free(void* p) = 0;
  const char* Name() const { return name_; }

 private:
  const char* name_;
};

using AllocatorPtr = std::shared_ptr<IAllocator>;

class CpuAllocator final : public IAllocator {
 public:
  CpuAllocator() : IAllocator("Cpu") {}
  void* Alloc(std::size_t bytes) override;
  void Free(void* p) override;
};

class CudaAllocator final : public IAllocator {
 public:
  CudaAllocator() : IAllocator("Cuda") {}
  void* Alloc(std::size_t bytes) override;
  void Free(void* p) override;
};

class CudaPinnedAllocator final : public IAllocator {
 public:
  CudaPinnedAllocator() : IAllocator("CudaPinned") {}
  void* Alloc(std::size_t bytes) override;
  void Free(void* p) override;
};

// A flat tensor that gives its memory back to the allocator it came from.
class Tensor {
 public:
  Tensor() = default;
  Tensor(std::size_t count, AllocatorPtr allocator)
      : count_(count),
        data_(static_cast<float*>(allocator->Alloc(count * sizeof(float))),
              [allocator](float* p) { allocator->Free(p); }) {}

  float* Data() const { return data_.get(); }
  std::size_t Count() const { return count_; }
  std::size_t SizeInBytes() const { return count_ * sizeof(float); }
  explicit operator bool() const { return data_ != nullptr; }

 private:
  std::size_t count_ = 0;
  std::shared_ptr<float> data_;
};

}  // namespace rt
