#pragma once
#include <vector>

#include "mailbox.h"

namespace scoring {
/// Plug-in that produces the weight table of one model version.
class ModelSource {
 public:
  virtual ~ModelSource() = default;
  virtual std::vector<float> table(int version) const = 0;
};

/// Two banks of device memory; a version is written to the bank that is not being served.
class ModelStore {
 public:
  ModelStore() { SCORING_TRY(cudaMalloc(&banks_, sizeof(float) * kTableSize * kBanks)); }
  ~ModelStore() { cudaFree(banks_); }

  const float* device() const { return banks_; }
  uint32_t active() const { return active_; }

  /// Uploads a version, verifies what the device holds and makes it the served one.
  bool publish(const ModelSource& source, int version) {
    const std::vector<float> table = source.table(version);
    const uint32_t bank = (active_ + 1) % kBanks;
    if (!upload(bank, table)) return false;
    active_ = bank;
    return true;
  }
 private:
  bool upload(uint32_t bank, const std::vector<float>& table) {
    float* target = banks_ + size_t(bank) * kTableSize;
    const size_t bytes = sizeof(float) * table.size();
    SCORING_TRY(cudaMemcpy(target, table.data(), bytes, cudaMemcpyHostToDevice));
    std::vector<float> held(table.size());
    SCORING_TRY(cudaMemcpy(held.data(), target, bytes, cudaMemcpyDeviceToHost));
    return held == table;
  }
  float* banks_ = nullptr;
  uint32_t active_ = 0;
};
}  // namespace scoring
