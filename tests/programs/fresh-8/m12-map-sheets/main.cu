// Renders the sheets of a map in tiles, several at a time.
#include "tile_renderer.h"

#include <chrono>
#include <deque>

namespace {

using Clock = std::chrono::steady_clock;

double MillisecondsSince(Clock::time_point t) {
  return std::chrono::duration<double, std::milli>(Clock::now() - t).count();
}

int Inspect(const TileRenderer& renderer, const PendingTile& tile) {
  const TileKey k = tile.key();
  const unsigned* p = renderer.Pixels(tile.slot());
  for (int i = 0; i < TileRenderer::kPixels; ++i)
    if (p[i] != k.zoom * 1000003u + k.x * 8191u + k.y * 131u + i) return 1;
  return 0;
}

// Retires the oldest tile.
int Retire(const TileRenderer& renderer, std::deque<PendingTile>& in_flight) {
  in_flight.front().Wait();
  const int bad = Inspect(renderer, in_flight.front());
  in_flight.pop_front();
  return bad;
}

}  // namespace

int main() {
  constexpr int kColumns = 4, kRows = 3;
  StreamPool streams(4);
  TileRenderer renderer(streams, kColumns * kRows);
  int bad = 0;

  double single_ms = 0;
  for (int i = 0; i < 2; ++i) {
    const auto t = Clock::now();
    PendingTile tile = renderer.Render({1, 0, i}, i);
    tile.Wait();
    single_ms = MillisecondsSince(t);
    bad += Inspect(renderer, tile);
  }

  const auto begin = Clock::now();
  std::deque<PendingTile> in_flight;
  for (int y = 0; y < kRows; ++y)
    for (int x = 0; x < kColumns; ++x) {
      if (static_cast<int>(in_flight.size()) == streams.size()) bad += Retire(renderer, in_flight);
      in_flight.push_back(renderer.Render({7, x, y}, y * kColumns + x));
    }
  while (!in_flight.empty()) bad += Retire(renderer, in_flight);
  const double sheet_ms = MillisecondsSince(begin);

  const double even_ms = single_ms * (kColumns * kRows) / streams.size();
  const double ratio = sheet_ms / even_ms;
  if (bad)
    std::printf("WRONG %d\n", bad);
  else if (ratio > 1.5)
    std::printf("SLOW %.2f\n", ratio);
  else
    std::printf("DONE\n");
  return bad || ratio > 1.5;
}
