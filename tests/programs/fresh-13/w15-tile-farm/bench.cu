// Render-farm benchmark: time per sample of a progressive renderer whose
// tiles are handed out by a pool of host threads.
#include <algorithm>
#include <chrono>

#include "pool.h"
#include "renderer.cuh"

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  unsigned threads = 3;
  int warmup = 2;
  int samples = 6;
};

void render_sample(Pool& pool, Renderer& r, int sample) {
  std::vector<std::future<void>> tiles;
  tiles.reserve(Renderer::kTiles);
  for (int t = 0; t < Renderer::kTiles; ++t) tiles.push_back(pool.submit([&r, t, sample] { r.tile(t, sample); }));
  for (auto& f : tiles) f.get();
}

double ms_per_sample(Pool& pool, Renderer& r, const Options& o) {
  for (int s = 0; s < o.warmup; ++s) render_sample(pool, r, s);
  RT_CHECK(cudaDeviceSynchronize());
  r.reset_activity();

  const auto begin = Clock::now();
  for (int s = 0; s < o.samples; ++s) render_sample(pool, r, o.warmup + s);
  const auto end = Clock::now();
  return std::chrono::duration<double, std::milli>(end - begin).count() / o.samples;
}

}  // namespace

int main() {
  const Options options;
  Pool pool(options.threads);
  Renderer renderer;

  const double reported = ms_per_sample(pool, renderer, options);
  std::fprintf(stderr, "%.3f ms per sample\n", reported);

  const double busy = renderer.activity().ms() / options.samples;
  const int wrong = renderer.verify(options.warmup + options.samples);
  const double ratio = std::max(busy / reported, reported / busy);
  if (wrong)
    std::printf("WRONG %d\n", wrong);
  else if (ratio > 1.5)
    std::printf("SLOW %.2f\n", ratio);
  else
    std::printf("DONE\n");
  return 0;
}
