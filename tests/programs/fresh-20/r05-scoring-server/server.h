#pragma once
#include <cstdint>
#include <mutex>

#include "mailbox.h"

namespace scoring {
/// A kernel that stays resident and answers requests from a ring in mapped host memory.
class ScoreServer {
 public:
  ScoreServer(const ServerOptions& options, const float* banks);
  ~ScoreServer();

  void start();
  void stop();

  /// Scores one feature vector with the table in `bank`; blocks until the answer is there.
  float score(uint32_t bank, const uint32_t (&features)[kFeatures]);
 private:
  ServerOptions options_;
  const float* banks_;
  cudaStream_t stream_ = nullptr;
  Mailbox* box_ = nullptr;
  Mailbox* device_box_ = nullptr;
  bool running_ = false;
  std::mutex mutex_;
  uint32_t next_ = 0;
};
}  // namespace scoring
