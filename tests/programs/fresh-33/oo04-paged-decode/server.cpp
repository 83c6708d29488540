// Chat completion server, decode tier: scheduler, staging and engine wired up.
#include <cstdio>
#include "decode_engine.h"

namespace {
cudaError_t serveAll(const serve::ServingConfig& config, int& mismatches) {
  auto engine = serve::DecodeEngine::create(config);
  if (!engine) return engine.error();
  serve::BatchScheduler scheduler(config);

  std::vector<int> expected;
  for (int s = 0; s < config.steps; ++s) {
    const std::vector<int32_t>& table = scheduler.advance();
    for (int r = 0; r < config.rows; ++r) {
      int sum = 0;
      for (int i = 0; i < config.blocksPerRow(); ++i) {
        const int32_t b = table[r * config.blocksPerRow() + i];
        if (b >= 0) sum += 1 + b * 3;
      }
      expected.push_back(sum);
    }
    SERVE_TRY((*engine)->step(s, table));
  }

  std::vector<int> tokens;
  SERVE_TRY((*engine)->tokens(tokens));
  for (size_t i = 0; i < tokens.size(); ++i)
    if (tokens[i] != expected[i]) ++mismatches;
  return cudaSuccess;
}
}  // namespace

int main() {
  serve::ServingConfig config;
  int mismatches = 0;
  cudaError_t e = serveAll(config, mismatches);
  if (e != cudaSuccess) return std::printf("ERROR %s\n", cudaGetErrorName(e)), 1;
  mismatches ? std::printf("WRONG %d\n", mismatches) : std::printf("DONE\n");
  return mismatches ? 1 : 0;
}
