#include "device.hpp"

#include <memory>

namespace field {

namespace {
std::vector<cudaStream_t>& streams()
{
  static std::vector<cudaStream_t> list;
  return list;
}
std::unique_ptr<arena>& arena_slot()
{
  static std::unique_ptr<arena> slot;
  return slot;
}
}  // namespace

thread_local cudaStream_t device::current_ = nullptr;

void device::initialise(int n)
{
  for (int i = 0; i < n; ++i) {
    cudaStream_t s = nullptr;
    must(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    streams().push_back(s);
  }
  arena_slot() = std::make_unique<arena>();
}

void device::finalise()
{
  must(cudaDeviceSynchronize());
  arena_slot().reset();
  for (cudaStream_t s : streams()) cudaStreamDestroy(s);
  streams().clear();
}

cudaStream_t device::current() { return current_ ? current_ : streams().front(); }
int device::count() { return static_cast<int>(streams().size()); }
cudaStream_t device::stream(int i) { return streams()[i]; }

arena& the_arena() { return *arena_slot(); }

arena::~arena()
{
  for (auto& [p, size] : sizes_) cudaFree(p);
}

std::size_t arena::bucket(std::size_t bytes)
{
  std::size_t b = 4096;
  while (b < bytes) b *= 2;
  return b;
}

void* arena::take(std::size_t bytes)
{
  auto const size = bucket(bytes);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    auto it = idle_.find(size);
    if (it != idle_.end()) {
      void* p = it->second;
      idle_.erase(it);
      return p;
    }
  }
  void* p = nullptr;
  must(cudaMalloc(&p, size));
  std::lock_guard<std::mutex> lock(mutex_);
  sizes_.emplace(p, size);
  return p;
}

void arena::give(void* p)
{
  std::lock_guard<std::mutex> lock(mutex_);
  idle_.emplace(sizes_.at(p), p);
}

void CUDART_CB arena::arrive(void* raw)
{
  std::unique_ptr<parcel> box(static_cast<parcel*>(raw));
  box->owner->give(box->p);
}

void arena::give_behind(void* p, cudaStream_t s)
{
  auto* box = new parcel{this, p};
  if (cudaLaunchHostFunc(s, &arena::arrive, box) != cudaSuccess) {
    delete box;
    cudaStreamSynchronize(s);
    give(p);
  }
}

std::size_t arena::blocks() const
{
  std::lock_guard<std::mutex> lock(mutex_);
  return sizes_.size();
}

}  // namespace field
