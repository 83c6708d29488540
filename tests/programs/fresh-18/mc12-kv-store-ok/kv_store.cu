// Key-value store served by a persistent kernel over a mapped request ring.
#include <cuda_runtime.h>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>

#define CUDA_OK(x)                                                              \
  {                                                                             \
    auto rc = (x);                                                              \
    if (rc != cudaSuccess) {                                                    \
      fprintf(stderr, "[kv] %s -> %s\n", #x, cudaGetErrorName(rc));             \
      abort();                                                                  \
    }                                                                           \
  }

enum Op : int { kPut = 1, kGet = 2, kDel = 3 };

struct Request {
  int op;
  uint32_t key, value;
  int found;
  int state;  // 0 empty, 1 submitted, 2 completed
};

struct Control {
  int stop;
  int served;
};

__global__ void serve(volatile Control* ctl, volatile Request* ring, int slots, uint32_t* keys, uint32_t* vals,
                      uint32_t mask, uint32_t* journal, int journal_cap) {
  int next = 0, served = 0;
  while (!ctl->stop) {
    volatile Request* r = &ring[next];
    if (r->state != 1) continue;
    __threadfence_system();
    uint32_t key = r->key, h = key * 2654435761u & mask;
    int op = r->op, found = 0;
    for (uint32_t probe = 0; probe <= mask; ++probe, h = (h + 1) & mask) {
      if (keys[h] == key) {
        found = 1;
        break;
      }
      if (keys[h] == 0) break;
    }
    if (op == kPut) {
      keys[h] = key;
      vals[h] = r->value;
    } else if (op == kGet) {
      r->value = found ? vals[h] : 0;
    } else if (found) {
      vals[h] = 0;
    }
    if (journal && served < journal_cap) journal[served] = key;
    r->found = found;
    ctl->served = ++served;
    __threadfence_system();
    r->state = 2;
    next = (next + 1) % slots;
  }
}

class Journal {
 public:
  explicit Journal(int cap) : cap_(cap) { CUDA_OK(cudaMalloc(&data_, cap * sizeof(uint32_t))); }
  ~Journal() { cudaFree(data_); }
  Journal(const Journal&) = delete;
  uint32_t* data() const { return data_; }
  int capacity() const { return cap_; }

 private:
  uint32_t* data_ = nullptr;
  int cap_;
};

class Store {
 public:
  explicit Store(int log2cap, int slots = 16, bool journal = true) : slots_(slots) {
    size_t cap = size_t(1) << log2cap;
    CUDA_OK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    CUDA_OK(cudaHostAlloc((void**)&ctl_, sizeof(Control), cudaHostAllocMapped));
    CUDA_OK(cudaHostAlloc((void**)&ring_, sizeof(Request) * slots, cudaHostAllocMapped));
    ctl_->stop = 0;
    ctl_->served = 0;
    for (int i = 0; i < slots; ++i) ring_[i] = Request{};
    CUDA_OK(cudaMalloc(&keys_, cap * sizeof(uint32_t)));
    CUDA_OK(cudaMalloc(&vals_, cap * sizeof(uint32_t)));
    CUDA_OK(cudaMemsetAsync(keys_, 0, cap * sizeof(uint32_t), stream_));
    if (journal) journal_ = std::make_unique<Journal>(1 << 12);
    Control* dctl;
    Request* dring;
    CUDA_OK(cudaHostGetDevicePointer((void**)&dctl, (void*)ctl_, 0));
    CUDA_OK(cudaHostGetDevicePointer((void**)&dring, ring_, 0));
    serve<<<1, 1, 0, stream_>>>(dctl, dring, slots_, keys_, vals_, uint32_t(cap - 1),
                                journal_ ? journal_->data() : nullptr, journal_ ? journal_->capacity() : 0);
    CUDA_OK(cudaGetLastError());
  }

  ~Store() {
    shutdown();
    journal_.reset();
    cudaFree(keys_);
    cudaFree(vals_);
    cudaFreeHost((void*)ring_);
    cudaFreeHost((void*)ctl_);
    cudaStreamDestroy(stream_);
  }

  void put(uint32_t k, uint32_t v) { call(kPut, k, v); }
  void erase(uint32_t k) { call(kDel, k, 0); }
  std::optional<uint32_t> get(uint32_t k) {
    const volatile Request& r = call(kGet, k, 0);
    if (!r.found) return std::nullopt;
    uint32_t v = r.value;
    return v;
  }
  int served() const { return ctl_->served; }

 private:
  const volatile Request& call(Op op, uint32_t k, uint32_t v) {
    volatile Request& r = ring_[head_];
    head_ = (head_ + 1) % slots_;
    r.op = op;
    r.key = k;
    r.value = v;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    r.state = 1;
    while (r.state != 2) {
    }
    std::atomic_thread_fence(std::memory_order_seq_cst);
    r.state = 0;
    return r;
  }
  void shutdown() {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    ctl_->stop = 1;
    CUDA_OK(cudaStreamSynchronize(stream_));
  }

  int slots_, head_ = 0;
  cudaStream_t stream_{};
  volatile Control* ctl_ = nullptr;
  Request* ring_ = nullptr;
  uint32_t *keys_ = nullptr, *vals_ = nullptr;
  std::unique_ptr<Journal> journal_;
};

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2000, miss = 0;
  Store kv(14);
  for (int i = 1; i <= n; ++i) kv.put(i, i * 3);
  for (int i = 1; i <= n; i += 5) kv.erase(i);
  uint64_t sum = 0;
  for (int i = 1; i <= n + 10; ++i) {
    if (auto v = kv.get(i))
      sum += *v;
    else
      ++miss;
  }
  printf("served %d, sum %llu, misses %d\n", kv.served(), (unsigned long long)sum, miss);
  return 0;
}
