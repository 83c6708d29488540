// Session gateway of a matching venue: takes order batches during the auction,
// closes the session and publishes its totals.
#include <memory>
#include <vector>
#include "ledger.h"
#include "match_lane.h"

namespace mx {

class Gateway {
 public:
  Gateway(Ledger& ledger, MatchLane& lane) : ledger_(ledger), lane_(lane) {}

  Result accept(const std::vector<Order>& orders) {
    ++accepted_;
    return lane_.submit(orders);
  }

  // The totals and the state of the book change together.
  Result closeSession(SessionTotals& totals) {
    std::unique_lock<std::mutex> book(ledger_.mutex());
    MX_TRY(lane_.drain());
    totals = ledger_.sealOwned();
    MX_LOG("info", "session closed, %d of %d batches", totals.batches, accepted_);
    return {};
  }

 private:
  Ledger& ledger_;
  MatchLane& lane_;
  int accepted_ = 0;
};

std::vector<Order> auctionBatch(int batch, int count) {
  std::vector<Order> orders(count);
  for (int i = 0; i < count; ++i) {
    const int mid = 1000 + (i * 13 + batch * 7) % 200;
    orders[i] = {i % 32, mid + i % 9 - 4, mid - (i + batch) % 7 + 3, 10 + i % 5, 8 + (i * 3) % 11};
  }
  return orders;
}

void accumulate(const std::vector<Order>& orders, SessionTotals& t) {
  for (const Order& o : orders) {
    if (o.bid < o.ask) continue;
    const int64_t quantity = o.bidQty < o.askQty ? o.bidQty : o.askQty;
    t.turnover += int64_t((o.bid + o.ask) / 2) * quantity;
    t.volume += quantity;
    ++t.fills;
  }
  ++t.batches;
}

Result runSession(int& mismatches) {
  LaneConfig config;
  Ledger ledger;
  std::unique_ptr<MatchLane> lane;
  MX_TRY(makeGpuLane(config, [&ledger](const Fill* fills, int n) { ledger.post(fills, n); }, lane));
  Gateway gateway(ledger, *lane);

  SessionTotals want, got;
  for (int b = 0; b < 6; ++b) {
    const std::vector<Order> orders = auctionBatch(b, config.ordersPerBatch);
    accumulate(orders, want);
    MX_TRY(gateway.accept(orders));
  }
  MX_TRY(gateway.closeSession(got));

  mismatches += got.batches != want.batches;
  mismatches += got.fills != want.fills;
  mismatches += got.volume != want.volume;
  mismatches += got.turnover != want.turnover;
  return {};
}

}  // namespace mx

int main() {
  int mismatches = 0;
  const mx::Result r = mx::runSession(mismatches);
  if (!r.ok()) {
    std::printf("ERROR %s\n", r.name());
    return 1;
  }
  if (mismatches)
    std::printf("WRONG %d\n", mismatches);
  else
    std::printf("DONE\n");
  return mismatches ? 1 : 0;
}
