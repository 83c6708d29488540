#pragma once
#include <cstdint>
#include <mutex>

namespace mx {

struct Order {
  int32_t symbol;
  int32_t bid, ask;  // limit prices
  int32_t bidQty, askQty;
};

struct Fill {
  int32_t symbol, price, quantity;
};

struct SessionTotals {
  int64_t turnover = 0;
  int64_t volume = 0;
  int fills = 0;
  int batches = 0;
};

// Book of record of a trading session.
class Ledger {
 public:
  std::mutex& mutex() { return mutex_; }

  void post(const Fill* fills, int count) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (sealed_) return;
    for (int i = 0; i < count; ++i) {
      if (fills[i].quantity == 0) continue;
      totals_.turnover += int64_t(fills[i].price) * fills[i].quantity;
      totals_.volume += fills[i].quantity;
      ++totals_.fills;
    }
    ++totals_.batches;
  }

  // Expects the caller to own mutex().
  SessionTotals sealOwned() {
    sealed_ = true;
    return totals_;
  }

 private:
  std::mutex mutex_;
  SessionTotals totals_;
  bool sealed_ = false;
};

}  // namespace mx
