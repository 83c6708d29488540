#include "generator.hpp"

#include <algorithm>

#define LRNG_TRY(x)                          \
  if (cudaError_t e = (x); e != cudaSuccess) \
  return e

namespace lrng {
namespace {

__global__ void splitmix(float* out, std::size_t n, std::uint64_t seed) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
       i += std::size_t(gridDim.x) * blockDim.x) {
    std::uint64_t z = seed + (i + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    out[i] = float((z ^ (z >> 31)) >> 40) * (1.0f / 16777216.0f);
  }
}

__global__ void lehmer(float* out, std::size_t n, std::uint64_t seed) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
       i += std::size_t(gridDim.x) * blockDim.x) {
    std::uint64_t s = (seed ^ i) % 2147483646u + 1;
    for (int k = 0; k < 8; ++k) s = s * 48271u % 2147483647u;
    out[i] = float(s) * (1.0f / 2147483648.0f);
  }
}

class KernelEngine final : public Engine {
 public:
  using Fn = void (*)(float*, std::size_t, std::uint64_t);
  explicit KernelEngine(Fn fn) : fn_(fn) {}
  cudaError_t generate(float* out, std::size_t count, std::uint64_t seed, int lane,
                       cudaStream_t stream) const override {
    fn_<<<64, 256, 0, stream>>>(out, count, seed + std::uint64_t(lane) * 0xd1342543de82ef95ull);
    return cudaGetLastError();
  }

 private:
  Fn fn_;
};

constexpr KernelEngine::Fn kKernels[] = {splitmix, lehmer};

}  // namespace

std::unique_ptr<Engine> make_engine(Kind kind) {
  return std::make_unique<KernelEngine>(kKernels[static_cast<int>(kind)]);
}

Generator::Generator(std::unique_ptr<Engine> engine, std::uint64_t seed, int lanes, cudaStream_t stream)
    : engine_(std::move(engine)), seed_(seed), main_(stream), lanes_(std::max(lanes, 1)) {
  auto keep = [this](cudaError_t e) { if (status_ == cudaSuccess) status_ = e; };
  keep(cudaEventCreateWithFlags(fork_.put(), cudaEventDisableTiming));
  keep(cudaEventCreate(start_.put()));
  keep(cudaEventCreate(stop_.put()));
  for (Lane& lane : lanes_) {
    keep(cudaStreamCreateWithFlags(lane.stream.put(), cudaStreamNonBlocking));
    keep(cudaEventCreateWithFlags(lane.done.put(), cudaEventDisableTiming));
  }
}

Generator::~Generator() {
  for (Lane& lane : lanes_) cudaStreamSynchronize(lane.stream);
}

cudaError_t Generator::scatter(float* out, std::size_t count) {
  const std::size_t share = (count + lanes_.size() - 1) / lanes_.size();
  LRNG_TRY(cudaEventRecord(fork_, main_));
  for (std::size_t k = 0; k < lanes_.size(); ++k) {
    const std::size_t first = std::min(k * share, count);
    const std::size_t last = std::min(first + share, count);
    LRNG_TRY(cudaStreamWaitEvent(lanes_[k].stream, fork_, 0));
    if (first < last)
      LRNG_TRY(engine_->generate(out + first, last - first, seed_, int(k), lanes_[k].stream));
    LRNG_TRY(cudaEventRecord(lanes_[k].done, lanes_[k].stream));
  }
  return cudaSuccess;
}

cudaError_t Generator::gather() {
  for (Lane& lane : lanes_) LRNG_TRY(cudaStreamWaitEvent(main_, lane.done, 0));
  return cudaSuccess;
}

cudaError_t Generator::fill(float* out, std::size_t count) {
  LRNG_TRY(scatter(out, count));
  return gather();
}

cudaError_t Generator::measure(float* out, std::size_t count, int repeats, Throughput& result) {
  LRNG_TRY(fill(out, count));
  LRNG_TRY(cudaStreamSynchronize(main_));

  LRNG_TRY(cudaEventRecord(start_, main_));
  for (int i = 0; i < repeats; ++i) LRNG_TRY(scatter(out, count));
  LRNG_TRY(cudaEventRecord(stop_, main_));
  LRNG_TRY(gather());
  LRNG_TRY(cudaStreamSynchronize(main_));

  float ms = 0.0f;
  LRNG_TRY(cudaEventElapsedTime(&ms, start_, stop_));
  result.ms_per_fill = ms / repeats;
  result.gigabytes_per_second = double(count) * sizeof(float) * repeats / (ms * 1e6);
  return cudaSuccess;
}

}  // namespace lrng
