// Copy engine benchmark: H2D, D2H and both directions at once, with several chunkings.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <variant>
#include <vector>

#define CE(x)                                                                 \
  if (auto rc_ = (x); rc_ != cudaSuccess) {                                    \
    std::fprintf(stderr, "%s: %s\n", #x, cudaGetErrorString(rc_));              \
    std::exit(1);                                                             \
  }

struct Pinned {
  uint8_t* p = nullptr;
  explicit Pinned(size_t n) { CE(cudaHostAlloc((void**)&p, n, cudaHostAllocDefault)); }
  Pinned(Pinned&& o) noexcept : p(o.p) { o.p = nullptr; }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  ~Pinned() {
    if (p) cudaFreeHost(p);
  }
  uint8_t* data() { return p; }
};
using Pageable = std::vector<uint8_t>;
using HostMem = std::variant<Pinned, Pageable>;

static uint8_t* address(HostMem& m) {
  return std::visit([](auto& b) { return b.data(); }, m);
}

enum class Kind { automatic, pinned, pageable };

struct Options {
  size_t bytes = size_t(64) << 20;
  size_t chunk = size_t(4) << 20;
  size_t pin_limit = size_t(256) << 20;
  int reps = 10;
  Kind kind = Kind::automatic;
};

class HostPool {
 public:
  explicit HostPool(const Options& o) : o_(o) {}
  HostMem get(size_t bytes) {
    bool pin = o_.kind == Kind::pinned || (o_.kind == Kind::automatic && within_limit(bytes));
    if (pin) {
      pinned_ += bytes;
      return Pinned(bytes);
    }
    return Pageable(bytes);
  }

 private:
  bool within_limit(size_t bytes) const { return pinned_ + bytes <= o_.pin_limit; }
  const Options& o_;
  size_t pinned_ = 0;
};

class Bench {
 public:
  explicit Bench(const Options& o)
      : o_(o),
        pool_(o),
        src_(pool_.get(o.bytes)),
        dst_(Pageable(o.bytes)) {
    std::memset(address(src_), 0x3c, o.bytes);
    std::memset(address(dst_), 0, o.bytes);
    CE(cudaMalloc(&d_in_, o.bytes));
    CE(cudaMalloc(&d_out_, o.bytes));
    CE(cudaMemset(d_out_, 0x7e, o.bytes));
    CE(cudaStreamCreateWithFlags(&up_, cudaStreamNonBlocking));
    CE(cudaStreamCreateWithFlags(&down_, cudaStreamNonBlocking));
    for (auto* e : {&begin_, &end_, &joined_}) CE(cudaEventCreate(e));
    CE(cudaDeviceSynchronize());
  }
  ~Bench() {
    cudaDeviceSynchronize();
    cudaFree(d_in_);
    cudaFree(d_out_);
    for (auto e : {begin_, end_, joined_}) cudaEventDestroy(e);
    cudaStreamDestroy(up_);
    cudaStreamDestroy(down_);
  }

  template <class Issue>
  double measure(Issue issue) {
    cycle(issue);
    double total = 0;
    for (int r = 0; r < o_.reps; ++r) total += cycle(issue);
    return total / o_.reps;
  }
  void h2d(size_t off, size_t n) {
    CE(cudaMemcpyAsync(d_in_ + off, address(src_) + off, n, cudaMemcpyHostToDevice, up_));
  }
  void d2h(size_t off, size_t n) {
    CE(cudaMemcpyAsync(address(dst_) + off, d_out_ + off, n, cudaMemcpyDeviceToHost, down_));
  }

 private:
  template <class Issue>
  double cycle(Issue& issue) {
    CE(cudaEventRecord(begin_, up_));
    CE(cudaStreamWaitEvent(down_, begin_, 0));
    for (size_t off = 0; off < o_.bytes; off += o_.chunk) issue(*this, off, std::min(o_.chunk, o_.bytes - off));
    CE(cudaEventRecord(joined_, down_));
    CE(cudaStreamWaitEvent(up_, joined_, 0));
    CE(cudaEventRecord(end_, up_));
    CE(cudaEventSynchronize(end_));
    float ms = 0;
    CE(cudaEventElapsedTime(&ms, begin_, end_));
    return ms;
  }
  const Options& o_;
  HostPool pool_;
  HostMem src_, dst_;
  uint8_t *d_in_ = nullptr, *d_out_ = nullptr;
  cudaStream_t up_{}, down_{};
  cudaEvent_t begin_{}, end_{}, joined_{};
};

static Options parse(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    std::string a = argv[i];
    auto eq = a.find('=');
    std::string k = a.substr(0, eq), v = eq == std::string::npos ? "" : a.substr(eq + 1);
    if (k == "--mb") o.bytes = size_t(std::stoul(v)) << 20;
    if (k == "--chunk-kb") o.chunk = size_t(std::stoul(v)) << 10;
    if (k == "--reps") o.reps = std::stoi(v);
    if (k == "--pinned") o.kind = Kind::pinned;
    if (k == "--pageable") o.kind = Kind::pageable;
  }
  return o;
}

int main(int argc, char** argv) {
  Options o = parse(argc, argv);
  Bench b(o);
  double up = b.measure([](Bench& x, size_t off, size_t n) { x.h2d(off, n); });
  double down = b.measure([](Bench& x, size_t off, size_t n) { x.d2h(off, n); });
  double both = b.measure([](Bench& x, size_t off, size_t n) {
    x.h2d(off, n);
    x.d2h(off, n);
  });
  double gb = o.bytes * 1e-6;
  std::printf("h2d  %8.2f GB/s\nd2h  %8.2f GB/s\nboth %8.2f GB/s\n", gb / up, gb / down, 2 * gb / both);
  std::printf("overlap factor %.2f\n", (up + down) / both);
  return 0;
}
