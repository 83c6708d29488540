// Residual norms of a tiled field, with the elapsed time against one stream's share of the work.
#include <chrono>
#include <cstdio>

#include "field.h"

namespace {

constexpr int kTiles = 12;
constexpr std::size_t kCells = 4096;
constexpr double kTileSeconds = 0.025;

double residuals(const amx::TileField& field, amx::NormReducer& norms, amx::NormCost cost) {
  const auto begin = std::chrono::steady_clock::now();
  for (amx::TileIter it(field.tiles()); it.valid(); ++it)
    norms.eval(it.index(), field.tile(it.index()), field.cells(), cost);
  norms.values();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  return elapsed.count();
}

}  // namespace

int main() {
  amx::Device::Initialize();
  long wrong = 0;
  double ratio = 0;
  {
    amx::TileField field(kTiles, kCells);
    amx::NormReducer norms(kTiles);
    field.setVal(1.0);
    residuals(field, norms, amx::NormCost{});

    const double elapsed =
        residuals(field, norms, amx::NormCost{static_cast<unsigned long long>(kTileSeconds * 1e9)});
    ratio = elapsed / (kTileSeconds * kTiles / amx::Device::kStreams);

    const auto& values = norms.values();
    for (int t = 0; t < kTiles; ++t) wrong += values[t] != double(kCells) * (1.0 + t) * (1.0 + t);
  }
  amx::Device::Finalize();
  if (wrong)
    std::printf("WRONG %ld\n", wrong);
  else if (ratio > 1.5)
    std::printf("SLOW %.2f\n", ratio);
  else
    std::printf("DONE\n");
  return 0;
}
