#pragma once
#include <chrono>
#include <future>
#include <vector>
#include "adx_check.h"

namespace adx {

using Clock = std::chrono::steady_clock;

struct EngineConfig {
  int candidates = 512;
  unsigned clickMicros = 12000;
  unsigned conversionMicros = 8000;
  unsigned auctionMicros = 4000;
};

struct Stamp {
  unsigned long long beginNs, endNs;
};

struct Award {
  int winner, price;
};

// Scores candidates with two models at once and runs the auction on top.
class BidEngine {
 public:
  explicit BidEngine(const EngineConfig& config);
  ~BidEngine();
  BidEngine(const BidEngine&) = delete;

  // Answers with the moment at which the award was available to the host.
  std::future<Clock::time_point> serve(int request);

  Award award() const { return *award_; }
  double gpuMilliseconds() const;
  double ledgerMilliseconds() const;
  Award reference(int request) const;

 private:
  void fillFeatures(int request);
  static int feature(int request, int candidate) { return (candidate * 37 + request * 11) % 997; }

  EngineConfig config_;
  Stream click_, conversion_, auction_;
  Event featuresReady_, clickDone_, conversionDone_, opened_, closed_;
  int* features_ = nullptr;  // page-locked
  Award* award_ = nullptr;   // page-locked
  int *deviceFeatures_ = nullptr, *clickScore_ = nullptr, *conversionScore_ = nullptr;
  Award* deviceAward_ = nullptr;
  Stamp* stamps_ = nullptr;
};

}  // namespace adx
