// Revalues a book of options by Monte Carlo and reports the steady-state time of
// a revaluation.
#include <algorithm>
#include <chrono>

#include "lanes.cuh"

namespace {

constexpr int kOptions = 16;
constexpr int kPaths = 4096;

struct Option {
  unsigned strike;
  unsigned seed;
};

__host__ __device__ unsigned terminal(unsigned seed, unsigned path) {
  unsigned x = seed ^ (path * 2654435761u);
  for (int s = 0; s < 16; ++s) x = x * 1664525u + 1013904223u;
  return x >> 22;
}

__host__ __device__ unsigned payoff(Option o, unsigned path) {
  const unsigned t = terminal(o.seed, path);
  return t > o.strike ? t - o.strike : 0u;
}

__global__ void price(Option o, unsigned long long* value, unsigned long long nanos) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  } while (now - begin < nanos);
  unsigned long long sum = 0;
  for (unsigned p = blockIdx.x * blockDim.x + threadIdx.x; p < kPaths; p += gridDim.x * blockDim.x)
    sum += payoff(o, p);
  atomicAdd(value, sum);
}

class Book {
 public:
  explicit Book(desk::Lanes& lanes) : lanes_(lanes) {
    for (unsigned k = 0; k < kOptions; ++k) options_.push_back({200 + 40 * k, 977u * k + 5});
    CK(cudaMalloc(&values_, kOptions * sizeof(*values_)));
  }
  ~Book() { cudaFree(values_); }

  void revalue() {
    CK(cudaMemsetAsync(values_, 0, kOptions * sizeof(*values_), lanes_.lead()));
    lanes_.scatter(kOptions, [this](int k, cudaStream_t s) {
      price<<<8, 128, 0, s>>>(options_[k], values_ + k, 20'000'000ull);
      CK(cudaGetLastError());
    });
  }

  int check() const {
    std::vector<unsigned long long> got(kOptions);
    CK(cudaMemcpy(got.data(), values_, kOptions * sizeof(*values_), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int k = 0; k < kOptions; ++k) {
      unsigned long long want = 0;
      for (unsigned p = 0; p < kPaths; ++p) want += payoff(options_[k], p);
      wrong += got[k] != want;
    }
    return wrong;
  }

 private:
  desk::Lanes& lanes_;
  std::vector<Option> options_;
  unsigned long long* values_ = nullptr;
};

double deviceMs(desk::Lanes& lanes, Book& book, int rounds) {
  desk::Stopwatch watch;
  book.revalue();
  watch.start(lanes.lead());
  for (int r = 0; r < rounds; ++r) book.revalue();
  watch.stop(lanes.lead());
  return watch.ms() / rounds;
}

double wallMs(Book& book) {
  using C = std::chrono::steady_clock;
  CK(cudaDeviceSynchronize());
  const auto t0 = C::now();
  book.revalue();
  CK(cudaDeviceSynchronize());
  return std::chrono::duration<double, std::milli>(C::now() - t0).count();
}

}  // namespace

int main() {
  desk::Lanes lanes(4);
  int wrong = 0;
  double ratio = 0;
  {
    Book book(lanes);
    const double reported = deviceMs(lanes, book, 3);
    const double wall = wallMs(book);
    ratio = std::max(reported / wall, wall / reported);
    wrong = book.check();
  }
  if (wrong) {
    printf("WRONG %d\n", wrong);
  } else if (ratio > 1.5) {
    printf("SLOW %.2f\n", ratio);
  } else {
    printf("DONE\n");
  }
  return wrong || ratio > 1.5;
}
