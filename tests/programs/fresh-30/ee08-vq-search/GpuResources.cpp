#include "GpuResources.h"

namespace vq {

namespace {

constexpr size_t kAlignment = 256;

size_t adjust(size_t size) { return (size + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace

GpuMemoryReservation::~GpuMemoryReservation() {
  if (res_ && data_) res_->releaseTemporary(shard_, data_, size_, type_);
}

StackDeviceMemory::StackDeviceMemory(size_t size) : size_(adjust(size)) {
  void* p = nullptr;
  VQ_CUDA_VERIFY(cudaMalloc(&p, size_));
  start_ = static_cast<char*>(p);
}

StackDeviceMemory::~StackDeviceMemory() { (void)cudaFree(start_); }

void* StackDeviceMemory::getAlloc(size_t size) {
  if (size > sizeAvailable()) return nullptr;
  void* p = start_ + head_;
  head_ += size;
  if (head_ > highWater_) highWater_ = head_;
  return p;
}

void StackDeviceMemory::returnAlloc(void* ptr, size_t size) {
  VQ_THROW_IF_NOT(static_cast<char*>(ptr) + size == start_ + head_);
  head_ -= size;
}

StandardGpuResources::StandardGpuResources(int numShards, size_t tempMemory) {
  VQ_THROW_IF_NOT(numShards > 0);
  for (int s = 0; s < numShards; ++s) {
    cudaStream_t stream = nullptr;
    VQ_CUDA_VERIFY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    streams_.push_back(stream);
    tempMemory_.push_back(std::make_unique<StackDeviceMemory>(tempMemory));
  }
}

StandardGpuResources::~StandardGpuResources() {
  for (cudaStream_t stream : streams_) {
    (void)cudaStreamSynchronize(stream);
    (void)cudaStreamDestroy(stream);
  }
  for (auto& entry : data_) (void)cudaFree(entry.first);
}

void* StandardGpuResources::allocData(size_t size) {
  void* p = nullptr;
  VQ_CUDA_VERIFY(cudaMalloc(&p, adjust(size)));
  data_[p] = adjust(size);
  note(AllocType::FlatData, adjust(size), true);
  return p;
}

void StandardGpuResources::deallocData(void* ptr) {
  auto it = data_.find(ptr);
  VQ_THROW_IF_NOT(it != data_.end());
  note(AllocType::FlatData, it->second, false);
  VQ_CUDA_VERIFY(cudaFree(ptr));
  data_.erase(it);
}

GpuMemoryReservation StandardGpuResources::allocTemporary(int shard, size_t size) {
  const size_t bytes = adjust(size);
  AllocType type = AllocType::TemporaryMemoryBuffer;
  void* p = tempMemory_.at(shard)->getAlloc(bytes);
  if (!p) {
    type = AllocType::TemporaryMemoryOverflow;
    VQ_CUDA_VERIFY(cudaMalloc(&p, bytes));
  }
  note(type, bytes, true);
  return GpuMemoryReservation(this, shard, p, bytes, type);
}

void StandardGpuResources::releaseTemporary(int shard, void* ptr, size_t size, AllocType type) {
  note(type, size, false);
  if (type == AllocType::TemporaryMemoryOverflow) {
    VQ_CUDA_VERIFY(cudaFree(ptr));
  } else {
    tempMemory_.at(shard)->returnAlloc(ptr, size);
  }
}

size_t StandardGpuResources::bytesInUse(AllocType type) const {
  auto it = inUse_.find(int(type));
  return it == inUse_.end() ? 0 : it->second;
}

void StandardGpuResources::note(AllocType type, size_t size, bool add) {
  size_t& total = inUse_[int(type)];
  total = add ? total + size : total - size;
}

}  // namespace vq
