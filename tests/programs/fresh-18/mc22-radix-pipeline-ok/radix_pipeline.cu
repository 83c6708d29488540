// Chunked radix sort pipeline on top of cub with stream ordered scratch memory.
#include <cub/cub.cuh>
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

inline void throw_if(cudaError_t e, const char* file, int line) {
  if (e != cudaSuccess) {
    std::fprintf(stderr, "%s(%d): %s\n", file, line, cudaGetErrorString(e));
    std::exit(1);
  }
}
#define TRY(x) throw_if((x), __FILE__, __LINE__)

class Stream {
 public:
  Stream() { TRY(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
  ~Stream() {
    if (s_) cudaStreamDestroy(s_);
  }
  Stream(Stream&& o) noexcept : s_(std::exchange(o.s_, nullptr)) {}
  Stream(const Stream&) = delete;
  operator cudaStream_t() const { return s_; }
  void sync() const { TRY(cudaStreamSynchronize(s_)); }

 private:
  cudaStream_t s_ = nullptr;
};

class Event {
 public:
  Event() { TRY(cudaEventCreateWithFlags(&e_, cudaEventDisableTiming)); }
  ~Event() {
    if (e_) cudaEventDestroy(e_);
  }
  Event(const Event&) = delete;
  void record(cudaStream_t s) { TRY(cudaEventRecord(e_, s)); }
  void block(cudaStream_t s) { TRY(cudaStreamWaitEvent(s, e_, 0)); }

 private:
  cudaEvent_t e_ = nullptr;
};

template <typename T>
class AsyncBuffer {
 public:
  AsyncBuffer(size_t n, cudaStream_t s) : home_(s) {
    TRY(cudaMallocAsync(reinterpret_cast<void**>(&p_), std::max<size_t>(n, 1) * sizeof(T), s));
  }
  ~AsyncBuffer() {
    if (p_) cudaFreeAsync(p_, home_);
  }
  AsyncBuffer(const AsyncBuffer&) = delete;
  void rebind(cudaStream_t s) { home_ = s; }
  T* get() const { return p_; }

 private:
  T* p_ = nullptr;
  cudaStream_t home_;
};

template <typename Key>
__global__ void scramble(Key* k, size_t n, Key salt) {
  size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < n) k[i] ^= salt;
}

template <typename Key>
class SortPipeline {
 public:
  SortPipeline(size_t chunk, bool descending) : chunk_(chunk), desc_(descending) {}

  void process(const Key* in, Key* out, size_t n) {
    for (size_t off = 0; off < n; off += chunk_) one(in + off, out + off, std::min(chunk_, n - off));
    upload_.sync();
    compute_.sync();
  }

 private:
  void one(const Key* in, Key* out, size_t n) {
    AsyncBuffer<Key> keys(n, upload_);
    TRY(cudaMemcpyAsync(keys.get(), in, n * sizeof(Key), cudaMemcpyHostToDevice, upload_));
    arrived_.record(upload_);
    arrived_.block(compute_);
    AsyncBuffer<Key> sorted(n, compute_);
    prepare(keys, n);
    sort(keys, sorted, n);
    TRY(cudaMemcpyAsync(out, sorted.get(), n * sizeof(Key), cudaMemcpyDeviceToHost, compute_));
    keys.rebind(compute_);
  }
  void prepare(AsyncBuffer<Key>& keys, size_t n) {
    scramble<Key><<<unsigned((n + 255) / 256), 256, 0, compute_>>>(keys.get(), n, Key(0x5a5a5a5a));
    TRY(cudaGetLastError());
  }
  void sort(AsyncBuffer<Key>& in, AsyncBuffer<Key>& out, size_t n) {
    size_t bytes = 0;
    TRY(dispatch(nullptr, bytes, in.get(), out.get(), n));
    AsyncBuffer<uint8_t> temp(bytes, compute_);
    TRY(dispatch(temp.get(), bytes, in.get(), out.get(), n));
  }
  cudaError_t dispatch(void* tmp, size_t& bytes, const Key* in, Key* out, size_t n) {
    const int bits = int(sizeof(Key) * 8);
    return desc_ ? cub::DeviceRadixSort::SortKeysDescending(tmp, bytes, in, out, int(n), 0, bits, compute_)
                 : cub::DeviceRadixSort::SortKeys(tmp, bytes, in, out, int(n), 0, bits, compute_);
  }

  size_t chunk_;
  bool desc_;
  Stream upload_, compute_;
  Event arrived_;
};

int main(int argc, char** argv) {
  size_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : (1u << 22);
  size_t chunk = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : (1u << 19);
  uint32_t *in = nullptr, *out = nullptr;
  TRY(cudaMallocHost(&in, n * sizeof(uint32_t)));
  TRY(cudaMallocHost(&out, n * sizeof(uint32_t)));
  std::mt19937 rng(3);
  for (size_t i = 0; i < n; ++i) in[i] = rng();
  {
    SortPipeline<uint32_t> pipe(chunk, false);
    pipe.process(in, out, n);
  }
  size_t bad = 0;
  for (size_t off = 0; off < n; off += chunk) {
    size_t m = std::min(chunk, n - off);
    std::vector<uint32_t> ref(in + off, in + off + m);
    for (auto& v : ref) v ^= 0x5a5a5a5au;
    std::sort(ref.begin(), ref.end());
    bad += !std::equal(ref.begin(), ref.end(), out + off);
  }
  std::printf("%zu keys, %zu bad chunks\n", n, bad);
  TRY(cudaFreeHost(in));
  TRY(cudaFreeHost(out));
  return bad != 0;
}
