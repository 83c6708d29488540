#include "bench.h"
#include "histogram.cuh"

namespace gbdt {
enum class BinWidth { narrow, wide };

#define GBDT_WITH_BIN(width, ...)      \
  do {                                 \
    if ((width) == BinWidth::narrow) { \
      using bin_t = uint8_t;           \
      __VA_ARGS__                      \
    } else {                           \
      using bin_t = uint16_t;          \
      __VA_ARGS__                      \
    }                                  \
  } while (0)

class HistogramCase final : public bench::Case {
 public:
  HistogramCase(BinWidth width, int rows) : width_(width), rows_(rows) {
    BENCH_CALL(cudaMalloc(&bins_, sizeof(uint16_t) * rows));
    BENCH_CALL(cudaMalloc(&histogram_, sizeof(unsigned int) * kBins));
    BENCH_CALL(cudaMallocHost(&host_, sizeof(unsigned int) * kBins));
  }
  ~HistogramCase() override {
    cudaFree(bins_);
    cudaFree(histogram_);
    cudaFreeHost(host_);
  }
  std::string name() const override {
    return width_ == BinWidth::narrow ? "histogram/u8" : "histogram/u16";
  }
  int64_t items() const override { return rows_; }

  void set_up(bench::Context& context) override {
    GBDT_WITH_BIN(width_, {
      quantise<bin_t><<<kBlocks, 256, 0, context.stream()>>>(static_cast<bin_t*>(bins_), rows_,
                                                             seed_, kQuantiseCostNs);
      BENCH_CALL(cudaGetLastError());
    });
    BENCH_CALL(
        cudaMemsetAsync(histogram_, 0, sizeof(unsigned int) * kBins, context.stream()));
    bodies_ = 0;
  }
  void body(bench::Context& context) override {
    GBDT_WITH_BIN(width_, {
      accumulate<bin_t><<<kBlocks, 256, 0, context.stream()>>>(
          static_cast<const bin_t*>(bins_), rows_, histogram_, kHistogramCostNs);
      BENCH_CALL(cudaGetLastError());
    });
    ++bodies_;
  }
  bool verify(bench::Context& context) override {
    BENCH_CALL(cudaMemcpyAsync(host_, histogram_, sizeof(unsigned int) * kBins,
                               cudaMemcpyDeviceToHost, context.stream()));
    context.drain();
    std::vector<unsigned int> want(kBins, 0u);
    for (int i = 0; i < rows_; ++i) want[(uint32_t(i) * 2654435761u + seed_) >> 26] += bodies_;
    return std::equal(want.begin(), want.end(), host_);
  }
 private:
  static constexpr int kBlocks = 32;
  BinWidth width_;
  int rows_;
  uint32_t seed_ = 77;
  unsigned int bodies_ = 0;
  void* bins_ = nullptr;
  unsigned int* histogram_ = nullptr;
  unsigned int* host_ = nullptr;
};

namespace {
const bool registered_narrow = bench::Registry::instance().add(
    [] { return std::unique_ptr<bench::Case>(new HistogramCase(BinWidth::narrow, 1 << 18)); });
const bool registered_wide = bench::Registry::instance().add(
    [] { return std::unique_ptr<bench::Case>(new HistogramCase(BinWidth::wide, 1 << 18)); });
}  // namespace
}  // namespace gbdt
