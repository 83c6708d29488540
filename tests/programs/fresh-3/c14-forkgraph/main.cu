// Market-data replay: statistics of a synthetic order book, tick by tick.
#include <algorithm>
#include <cstdio>

#include "book_stats.hpp"

int main() {
  constexpr int levels = 200000;
  constexpr unsigned ticks = 24;
  try {
    cudaStream_t stream;
    flow::require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    std::vector<book_row> rows;
    {
      book_stats stats(levels, 64, stream);
      for (unsigned t = 0; t < ticks; ++t) {
        stats.set({t, 1000u + 77u * t, 500000u + 10000u * t});
        stats.evaluate();
      }
      rows = stats.rows();
    }
    flow::require(cudaStreamDestroy(stream));

    long wrong = rows.size() != ticks;
    for (unsigned t = 0; t < rows.size(); ++t) {
      book_row ref{t, 0, 0, 0};
      for (unsigned i = 0; i < levels; ++i) {
        unsigned const q = quantity(1000u + 77u * t, i);
        ref.volume += q;
        ref.peak = std::max(ref.peak, q);
        ref.hits += q > 500000u + 10000u * t;
      }
      book_row const& got = rows[t];
      wrong += got.tick != ref.tick || got.volume != ref.volume || got.peak != ref.peak || got.hits != ref.hits;
    }
    if (wrong)
      std::printf("WRONG %ld\n", wrong);
    else
      std::printf("DONE\n");
  } catch (std::exception const& e) {
    std::printf("ERROR %s\n", e.what());
  }
  return 0;
}
