// Quantises a stream of generated tiles with a relay of resident stages, a few
// times with different lengths and paces.
#include "relay.h"

#include "link.cuh"

#include <cstdio>
#include <cstdlib>

namespace {

struct Job {
  unsigned tiles;
  long long ns_per_tile;
};

int mistakes(const std::vector<unsigned>& got, unsigned tiles) {
  if (got.size() != static_cast<size_t>(tiles) * kTile) return 1;
  const Generate generate{};
  const Whiten whiten{};
  const Quantise quantise{};
  int bad = 0;
  for (unsigned t = 0; t < tiles; ++t)
    for (unsigned i = 0; i < kTile; ++i)
      bad += got[t * kTile + i] != quantise(whiten(generate(t, i)));
  return bad;
}

}  // namespace

int main() {
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "16", 0);

  const Job jobs[] = {{300, 100000}, {3, 2000000}, {500, 0}};
  int bad = 0;
  Relay relay;
  Relay::Failure failure = relay.open(500);
  for (const Job& j : jobs) {
    if (failure) break;
    std::vector<unsigned> got;
    failure = relay.run(j.tiles, j.ns_per_tile, &got);
    if (!failure) bad += mistakes(got, j.tiles);
  }
  if (failure) {
    std::printf("ERROR %s\n", failure->c_str());
    return 1;
  }
  if (bad)
    std::printf("WRONG %d\n", bad);
  else
    std::printf("DONE\n");
  return 0;
}
