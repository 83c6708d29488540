#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace vq {

class VqException : public std::runtime_error {
 public:
  VqException(const std::string& msg, cudaError_t status)
      : std::runtime_error(msg), status_(status) {}
  cudaError_t status() const { return status_; }

 private:
  cudaError_t status_;
};

#define VQ_CUDA_VERIFY(X)                                                   \
  do {                                                                      \
    cudaError_t err__ = (X);                                                \
    if (err__ != cudaSuccess) {                                             \
      throw ::vq::VqException(std::string(#X) + ": " +                      \
                                  cudaGetErrorString(err__),                \
                              err__);                                       \
    }                                                                       \
  } while (0)

#define VQ_THROW_IF_NOT(X)                                                  \
  do {                                                                      \
    if (!(X)) throw ::vq::VqException("failed: " #X, cudaErrorInvalidValue); \
  } while (0)

enum class AllocType { FlatData, TemporaryMemoryBuffer, TemporaryMemoryOverflow };

class GpuResources;

/// Temporary memory that goes back to its resources at the end of the scope. It may be used by
/// work that is enqueued on the stream of its shard.
class GpuMemoryReservation {
 public:
  GpuMemoryReservation() = default;
  GpuMemoryReservation(GpuResources* res, int shard, void* ptr, size_t size, AllocType type)
      : res_(res), shard_(shard), data_(ptr), size_(size), type_(type) {}
  GpuMemoryReservation(GpuMemoryReservation&& m) noexcept { swap(m); }
  GpuMemoryReservation& operator=(GpuMemoryReservation&& m) noexcept {
    GpuMemoryReservation tmp(std::move(m));
    swap(tmp);
    return *this;
  }
  ~GpuMemoryReservation();

  template <typename T>
  T* as() const {
    return static_cast<T*>(data_);
  }
  void* get() const { return data_; }
  size_t size() const { return size_; }
  AllocType type() const { return type_; }

 private:
  void swap(GpuMemoryReservation& m) noexcept {
    std::swap(res_, m.res_);
    std::swap(shard_, m.shard_);
    std::swap(data_, m.data_);
    std::swap(size_, m.size_);
    std::swap(type_, m.type_);
  }

  GpuResources* res_ = nullptr;
  int shard_ = 0;
  void* data_ = nullptr;
  size_t size_ = 0;
  AllocType type_ = AllocType::TemporaryMemoryBuffer;
};

/// Base class of GPU-side resource providers.
class GpuResources {
 public:
  virtual ~GpuResources() = default;

  virtual int numShards() const = 0;
  virtual cudaStream_t getStream(int shard) = 0;

  virtual void* allocData(size_t size) = 0;
  virtual void deallocData(void* ptr) = 0;

  virtual GpuMemoryReservation allocTemporary(int shard, size_t size) = 0;
  virtual void releaseTemporary(int shard, void* ptr, size_t size, AllocType type) = 0;

  void syncShard(int shard) { VQ_CUDA_VERIFY(cudaStreamSynchronize(getStream(shard))); }
  void syncAll() {
    for (int s = 0; s < numShards(); ++s) syncShard(s);
  }
};

/// Scratch space of one shard: a stack whose order follows that of the stream of the shard.
class StackDeviceMemory {
 public:
  explicit StackDeviceMemory(size_t size);
  ~StackDeviceMemory();
  StackDeviceMemory(const StackDeviceMemory&) = delete;
  StackDeviceMemory& operator=(const StackDeviceMemory&) = delete;

  size_t sizeAvailable() const { return size_ - head_; }
  size_t highWater() const { return highWater_; }
  void* getAlloc(size_t size);
  void returnAlloc(void* ptr, size_t size);

 private:
  char* start_ = nullptr;
  size_t size_ = 0;
  size_t head_ = 0;
  size_t highWater_ = 0;
};

class StandardGpuResources : public GpuResources {
 public:
  static constexpr size_t kDefaultTempMemory = size_t(1) << 20;

  explicit StandardGpuResources(int numShards, size_t tempMemory = kDefaultTempMemory);
  ~StandardGpuResources() override;

  int numShards() const override { return int(streams_.size()); }
  cudaStream_t getStream(int shard) override { return streams_.at(shard); }
  void* allocData(size_t size) override;
  void deallocData(void* ptr) override;
  GpuMemoryReservation allocTemporary(int shard, size_t size) override;
  void releaseTemporary(int shard, void* ptr, size_t size, AllocType type) override;

  size_t bytesInUse(AllocType type) const;

 private:
  void note(AllocType type, size_t size, bool add);

  std::vector<cudaStream_t> streams_;
  std::vector<std::unique_ptr<StackDeviceMemory>> tempMemory_;
  std::unordered_map<void*, size_t> data_;
  std::unordered_map<int, size_t> inUse_;
};

}  // namespace vq
