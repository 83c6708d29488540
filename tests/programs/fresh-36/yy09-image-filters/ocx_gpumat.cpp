#include "ocx_gpumat.hpp"

#include <exception>
#include <new>

namespace ocx {
namespace cuda {
namespace {

class DefaultAllocator : public GpuMat::Allocator {
 public:
  float* allocate(std::size_t bytes) override {
    void* p = nullptr;
    ocxCudaSafeCall(cudaMalloc(&p, bytes));
    return static_cast<float*>(p);
  }
  void free(float* data, std::size_t) override { cudaFree(data); }
};

class StackAllocator : public GpuMat::Allocator {
 public:
  explicit StackAllocator(std::size_t size) : size_(size) { ocxCudaSafeCall(cudaMalloc(&base_, size)); }
  ~StackAllocator() override { cudaFree(base_); }

  float* allocate(std::size_t bytes) override {
    if (top_ + bytes > size_) throw std::bad_alloc();
    top_ += bytes;
    return reinterpret_cast<float*>(static_cast<char*>(base_) + top_ - bytes);
  }
  void free(float* data, std::size_t bytes) override {
    if (reinterpret_cast<char*>(data) + bytes != static_cast<char*>(base_) + top_) std::terminate();
    top_ -= bytes;
  }

 private:
  void* base_ = nullptr;
  std::size_t size_, top_ = 0;
};

}  // namespace

GpuMat::Allocator* GpuMat::defaultAllocator() {
  static DefaultAllocator allocator;
  return &allocator;
}

class Stream::Impl {
 public:
  explicit Impl(std::size_t poolBytes) : stack(poolBytes) {
    ocxCudaSafeCall(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  ~Impl() {
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
  }
  cudaStream_t stream = nullptr;
  StackAllocator stack;
};

Stream::Stream(std::size_t poolBytes) : impl_(std::make_shared<Impl>(poolBytes)) {}

void Stream::waitForCompletion() { ocxCudaSafeCall(cudaStreamSynchronize(impl_->stream)); }

cudaStream_t StreamAccessor::getStream(const Stream& stream) { return stream.impl_->stream; }

BufferPool::BufferPool(Stream& stream) : allocator_(&stream.impl_->stack) {}

void GpuMat::upload(const std::vector<float>& host, Stream& stream) {
  const std::size_t bytes = host.size() * sizeof(float);
  ocxCudaSafeCall(cudaMemcpyAsync(data(), host.data(), bytes, cudaMemcpyHostToDevice, StreamAccessor::getStream(stream)));
  stream.waitForCompletion();
}

void GpuMat::download(std::vector<float>& host, Stream& stream) const {
  host.resize(static_cast<std::size_t>(rows) * cols);
  const std::size_t bytes = host.size() * sizeof(float);
  ocxCudaSafeCall(cudaMemcpyAsync(host.data(), data(), bytes, cudaMemcpyDeviceToHost, StreamAccessor::getStream(stream)));
  stream.waitForCompletion();
}

}  // namespace cuda
}  // namespace ocx
