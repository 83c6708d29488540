#include "plan.h"

namespace relax {
namespace {

constexpr unsigned long long kMs = 1000ull * 1000;

__global__ void relax_rows(const float* in, float* out, int width, int height, int first, int last,
                           unsigned long long ns) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  for (int row = first + blockIdx.x; row < last; row += gridDim.x) {
    for (int col = threadIdx.x; col < width; col += blockDim.x) {
      const int up = row > 0 ? row - 1 : row, down = row < height - 1 ? row + 1 : row;
      const int left = col > 0 ? col - 1 : col, right = col < width - 1 ? col + 1 : col;
      out[row * width + col] = 0.25f * (in[up * width + col] + in[down * width + col] +
                                        in[row * width + left] + in[row * width + right]);
    }
  }
  do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  while (now - begin < ns);
}

struct Output {
  explicit Output(std::size_t n) { ok(cudaMalloc(&cells, n * sizeof(float))); }
  ~Output() { cudaFree(cells); }
  Output(const Output&) = delete;
  float* cells = nullptr;
};

class PlanBase : public Plan {
 public:
  explicit PlanBase(const Domain& domain) : domain_(domain), out_(domain.cells()) {}
  void drain(cudaStream_t) override {}
  const float* result() const override { return out_.cells; }

 protected:
  void rows(int first, int last, unsigned long long ns, cudaStream_t stream) {
    relax_rows<<<32, 256, 0, stream>>>(domain_.field, out_.cells, domain_.width, domain_.height, first, last, ns);
    ok(cudaGetLastError());
  }
  Domain domain_;
  Output out_;
};

class WholePlan final : public PlanBase {
 public:
  using PlanBase::PlanBase;
  std::string name() const override { return "whole"; }
  void step(cudaStream_t stream) override { rows(0, domain_.height, 40 * kMs, stream); }
};

class BandedPlan final : public PlanBase {
 public:
  using PlanBase::PlanBase;
  std::string name() const override { return "banded"; }
  void step(cudaStream_t stream) override {
    const int half = domain_.height / 2;
    rows(0, half, 18 * kMs, stream);
    rows(half, domain_.height, 18 * kMs, stream);
  }
};

// Rim rows have costly boundary conditions; they go to a side stream beside the interior.
class OverlappedPlan final : public PlanBase {
 public:
  explicit OverlappedPlan(const Domain& domain) : PlanBase(domain) {
    ok(cudaStreamCreateWithFlags(&side_, cudaStreamNonBlocking));
    ok(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
    ok(cudaEventCreateWithFlags(&join_, cudaEventDisableTiming));
  }
  ~OverlappedPlan() override {
    cudaStreamSynchronize(side_);
    cudaEventDestroy(fork_);
    cudaEventDestroy(join_);
    cudaStreamDestroy(side_);
  }
  std::string name() const override { return "overlapped"; }

  void step(cudaStream_t stream) override {
    ok(cudaEventRecord(fork_, stream));
    ok(cudaStreamWaitEvent(side_, fork_, 0));
    rows(0, domain_.rim, 15 * kMs, side_);
    rows(domain_.height - domain_.rim, domain_.height, 15 * kMs, side_);
    rows(domain_.rim, domain_.height - domain_.rim, 10 * kMs, stream);
  }

  void drain(cudaStream_t stream) override {
    ok(cudaEventRecord(join_, side_));
    ok(cudaStreamWaitEvent(stream, join_, 0));
  }

 private:
  cudaStream_t side_ = nullptr;
  cudaEvent_t fork_ = nullptr;
  cudaEvent_t join_ = nullptr;
};

}  // namespace

std::unique_ptr<Plan> make_plan(Layout layout, const Domain& domain) {
  switch (layout) {
    case Layout::Whole: return std::make_unique<WholePlan>(domain);
    case Layout::Banded: return std::make_unique<BandedPlan>(domain);
    case Layout::Overlapped: return std::make_unique<OverlappedPlan>(domain);
  }
  throw std::invalid_argument("layout");
}

}  // namespace relax
