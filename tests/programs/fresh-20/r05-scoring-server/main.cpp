// Scoring service: request threads, a resident kernel and models that are replaced on the fly.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#include "model_store.h"
#include "server.h"

namespace scoring {
class LinearSource final : public ModelSource {
 public:
  std::vector<float> table(int version) const override {
    std::vector<float> t(kTableSize);
    for (int i = 0; i < kTableSize; ++i) t[i] = float((i * 3 + version) % 101);
    return t;
  }
};

class HashedSource final : public ModelSource {
 public:
  std::vector<float> table(int version) const override {
    std::vector<float> t(kTableSize);
    for (int i = 0; i < kTableSize; ++i)
      t[i] = float(((uint32_t(i) * 2654435761u) >> 20) % (50 + version));
    return t;
  }
};

/// Sends `count` requests from each of several threads and counts answers that are off.
int drive(ScoreServer& server, uint32_t bank, const std::vector<float>& table, int threads,
          int count) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> pool;
  for (int t = 0; t < threads; ++t) {
    pool.emplace_back([&, t] {
      for (int r = 0; r < count; ++r) {
        uint32_t features[kFeatures];
        float want = 0.0f;
        for (int k = 0; k < kFeatures; ++k) {
          features[k] = uint32_t(t * 7919 + r * 104729 + k * 1299709) % kTableSize;
          want += table[features[k]];
        }
        if (server.score(bank, features) != want) ++wrong;
      }
    });
  }
  for (auto& thread : pool) thread.join();
  return wrong;
}
}  // namespace scoring

int main() {
  using namespace scoring;
  ModelStore store;
  ServerOptions options;
  int wrong = 0;
  {
    ScoreServer server(options, store.device());
    const LinearSource linear;
    if (!store.publish(linear, 1)) ++wrong;
    server.start();
    wrong += drive(server, store.active(), linear.table(1), 3, 200);

    const HashedSource hashed;
    for (int version = 2; version < 5; ++version) {
      if (!store.publish(hashed, version)) ++wrong;
      wrong += drive(server, store.active(), hashed.table(version), 3, 200);
    }
    server.stop();
  }
  std::printf(wrong ? "WRONG %d\n" : "DONE\n", wrong);
  return 0;
}
