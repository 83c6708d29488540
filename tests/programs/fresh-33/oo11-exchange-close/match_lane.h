#pragma once
#include <functional>
#include <memory>
#include <vector>
#include "ledger.h"
#include "mx_base.h"

namespace mx {

using FillSink = std::function<void(const Fill*, int)>;

// Transport between the gateway and whatever matches orders.
class MatchLane {
 public:
  virtual ~MatchLane() = default;
  virtual Result submit(const std::vector<Order>& orders) = 0;
  virtual Result drain() = 0;
};

struct LaneConfig {
  int batchSlots = 8;
  int ordersPerBatch = 256;
  unsigned matchMicros = 25000;
};

Result makeGpuLane(const LaneConfig& config, FillSink sink, std::unique_ptr<MatchLane>& out);

}  // namespace mx
