// Double-buffered frame loader: uploads frame i+1 while frame i is consumed.
#include <cuda_runtime.h>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <type_traits>

namespace vid {

struct CudaError : std::runtime_error {
  explicit CudaError(cudaError_t e) : std::runtime_error(cudaGetErrorString(e)) {}
};
inline void ok(cudaError_t e) { if (e != cudaSuccess) throw CudaError(e); }

struct DeviceDeleter { void operator()(void* p) const { cudaFree(p); } };
struct PinnedDeleter { void operator()(void* p) const { cudaFreeHost(p); } };
struct StreamDeleter { void operator()(cudaStream_t s) const { cudaStreamDestroy(s); } };
struct EventDeleter { void operator()(cudaEvent_t e) const { cudaEventDestroy(e); } };

template <class T> using DevicePtr = std::unique_ptr<T[], DeviceDeleter>;
template <class T> using PinnedPtr = std::unique_ptr<T[], PinnedDeleter>;
using StreamPtr = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, StreamDeleter>;
using EventPtr = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, EventDeleter>;

template <class T> DevicePtr<T> device(size_t n) {
  void* p = nullptr; ok(cudaMalloc(&p, n * sizeof(T)));
  return DevicePtr<T>(static_cast<T*>(p));
}
template <class T> PinnedPtr<T> pinned(size_t n) {
  void* p = nullptr; ok(cudaMallocHost(&p, n * sizeof(T)));
  return PinnedPtr<T>(static_cast<T*>(p));
}
inline StreamPtr stream() {
  cudaStream_t s; ok(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  return StreamPtr(s);
}
inline EventPtr event() {
  cudaEvent_t e; ok(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  return EventPtr(e);
}

template <class Pixel>
class FrameLoader {
 public:
  // `clip` is page-locked and outlives the loader.
  FrameLoader(const Pixel* clip, size_t frame_len, int frames)
      : clip_(clip), len_(frame_len), frames_(frames), upload_(stream()) {
    for (auto& s : slots_) s = Slot{device<Pixel>(len_), event(), event()};
    prefetch(0);
  }
  ~FrameLoader() { cudaStreamSynchronize(upload_.get()); }

  template <class Fn>
  void for_each(cudaStream_t consumer, Fn&& fn) {
    for (int i = 0; i < frames_; ++i) {
      prefetch(i + 1);
      Slot& cur = slots_[i & 1];
      ok(cudaStreamWaitEvent(consumer, cur.ready.get(), 0));
      fn(i, static_cast<const Pixel*>(cur.data.get()), consumer);
      ok(cudaEventRecord(cur.consumed.get(), consumer));
    }
  }

 private:
  struct Slot {
    DevicePtr<Pixel> data;
    EventPtr ready, consumed;
  };

  void prefetch(int frame) {
    if (frame >= frames_) return;
    Slot& next = slots_[frame & 1];
    ok(cudaStreamWaitEvent(upload_.get(), next.consumed.get(), 0));
    ok(cudaMemcpyAsync(next.data.get(), clip_ + size_t(frame) * len_, len_ * sizeof(Pixel),
                       cudaMemcpyHostToDevice, upload_.get()));
    ok(cudaEventRecord(next.ready.get(), upload_.get()));
  }

  const Pixel* clip_;
  size_t len_;
  int frames_;
  StreamPtr upload_;
  Slot slots_[2];
};

}  // namespace vid

__global__ void luma(const unsigned char* f, size_t n, unsigned long long* acc) {
  unsigned long long s = 0;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
    s += f[i];
  atomicAdd(acc, s);
}

int main() {
  const size_t len = 4 << 20;
  const int frames = 8;
  auto clip = vid::pinned<unsigned char>(len * frames);
  for (int f = 0; f < frames; ++f)
    for (size_t i = 0; i < len; ++i) clip[f * len + i] = static_cast<unsigned char>(f);
  auto acc = vid::device<unsigned long long>(frames);
  auto res = vid::pinned<unsigned long long>(frames);
  auto work = vid::stream();
  vid::ok(cudaMemsetAsync(acc.get(), 0, frames * sizeof(unsigned long long), work.get()));
  vid::FrameLoader<unsigned char> loader(clip.get(), len, frames);
  loader.for_each(work.get(), [&](int i, const unsigned char* f, cudaStream_t s) {
    luma<<<4, 128, 0, s>>>(f, len, acc.get() + i);
  });
  vid::ok(cudaMemcpyAsync(res.get(), acc.get(), frames * sizeof(unsigned long long), cudaMemcpyDeviceToHost, work.get()));
  vid::ok(cudaStreamSynchronize(work.get()));
  for (int f = 0; f < frames; ++f) std::printf("frame %d mean %.3f\n", f, double(res[f]) / len);
  return 0;
}
