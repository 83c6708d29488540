#include "components.hpp"

namespace {

struct DeskConfig {
  std::size_t lanes = 2;
};

class Desk {
 public:
  explicit Desk(const DeskConfig& cfg)
      : lanes_(cfg.lanes), matcher_(lanes_), risk_(lanes_), gateway_(lanes_, matcher_.inbox()) {}

  long long trade_session() {
    long long expected = 0;
    matcher_.open();
    for (unsigned b = 0; b < feed::kBatches; ++b) {
      expected += receive(b);
      gateway_.publish(b);
      if (b % 2 == 1) risk_.mark();
    }
    gateway_.close();
    matcher_.join();
    return expected;
  }

  long long verify(long long expected) {
    feed::must(cudaDeviceSynchronize());
    long long bad = matcher_.net() != expected;
    bad += risk_.wrong(1 + feed::kBatches / 2);
    return bad;
  }

 private:
  long long receive(unsigned batch) {
    long long sum = 0;
    feed::Order* o = gateway_.slot(batch);
    for (unsigned i = 0; i < feed::kBatch; ++i) {
      o[i].side = (i * 7 + batch) % 3 == 0 ? -1 : 1;
      o[i].qty = static_cast<int>((i * 31 + batch * 101) % 500 + 1);
      sum += static_cast<long long>(o[i].side) * o[i].qty;
    }
    return sum;
  }

  feed::LanePool lanes_;
  feed::Matcher matcher_;
  feed::RiskBook risk_;
  feed::Gateway gateway_;
};

}  // namespace

int main() {
  Desk desk(DeskConfig{});
  const long long expected = desk.trade_session();
  const long long bad = desk.verify(expected);
  if (bad) {
    std::printf("WRONG %lld\n", bad);
    return 1;
  }
  std::printf("DONE\n");
  return 0;
}
