#ifndef CONV_WORKSPACE_H_
#define CONV_WORKSPACE_H_

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CONV_CHECK(call)                                          \
  do {                                                            \
    cudaError_t conv_status = (call);                             \
    if (conv_status != cudaSuccess) {                             \
      std::printf("ERROR %s\n", cudaGetErrorName(conv_status));   \
      std::fflush(stdout);                                        \
      std::_Exit(1);                                              \
    }                                                             \
  } while (0)

namespace conv {

// Scratch memory shared by all layers of a model. Layers run one after another on one stream, so they can all
// use the same bytes. Memory that has been handed out stays valid for the life of the workspace.
class Workspace {
 public:
  explicit Workspace(size_t granularity) : granularity_(granularity) {}
  ~Workspace() {
    for (void* block : blocks_) cudaFree(block);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  template <typename T>
  T* Get(size_t count) {
    const size_t bytes = count * sizeof(T);
    if (bytes > capacity_) Grow(bytes);
    return static_cast<T*>(blocks_.back());
  }

  size_t capacity() const { return capacity_; }

 private:
  void Grow(size_t bytes) {
    const size_t rounded = (bytes + granularity_ - 1) / granularity_ * granularity_;
    void* block = nullptr;
    CONV_CHECK(cudaMalloc(&block, rounded));
    blocks_.push_back(block);
    capacity_ = rounded;
  }

  const size_t granularity_;
  size_t capacity_ = 0;
  std::vector<void*> blocks_;
};

}  // namespace conv

#endif  // CONV_WORKSPACE_H_
