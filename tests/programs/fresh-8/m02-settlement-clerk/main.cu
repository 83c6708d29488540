// End-of-day settlement: nets the day's trade batches and books them.
#include "lane.h"
#include <map>
#include <random>
#include <thread>

namespace {

struct DayConfig {
    int lanes = 2;
    int batches = 12;
    int trades = 20000;
    std::size_t bus_depth = 4;
};

class Ledger {
public:
    void book(const settle::NetResult& r) { book_[r.batch] = r.net; }
    int differences(const std::vector<long long>& expect) const
    {
        int bad = 0;
        for (std::size_t b = 0; b < expect.size(); ++b) {
            auto it = book_.find(static_cast<int>(b));
            if (it == book_.end() || it->second != expect[b]) ++bad;
        }
        return bad;
    }

private:
    std::map<int, long long> book_;
};

std::vector<std::vector<int>> load_day(const DayConfig& cfg, std::vector<long long>& expect)
{
    std::mt19937 rng(20240131);
    std::uniform_int_distribution<int> lot(-500, 500);
    std::vector<std::vector<int>> day(cfg.batches, std::vector<int>(cfg.trades));
    expect.assign(cfg.batches, 0);
    for (int b = 0; b < cfg.batches; ++b)
        for (auto& q : day[b]) expect[b] += (q = lot(rng));
    return day;
}

} // namespace

int main()
{
    DayConfig cfg;
    std::vector<long long> expect;
    const auto day = load_day(cfg, expect);

    settle::ResultBus bus(cfg.bus_depth);
    std::vector<std::unique_ptr<settle::Lane>> lanes;
    for (int i = 0; i < cfg.lanes; ++i)
        lanes.push_back(std::make_unique<settle::Lane>(bus, cfg.batches, cfg.trades));

    Ledger ledger;
    std::thread clerk([&] {
        for (int b = 0; b < cfg.batches; ++b) ledger.book(bus.take());
    });
    for (int b = 0; b < cfg.batches; ++b) lanes[b % cfg.lanes]->submit(b, day[b]);
    for (auto& lane : lanes) lane->quiesce();
    clerk.join();

    const int diff = ledger.differences(expect);
    if (diff)
        std::printf("WRONG %d\n", diff);
    else
        std::printf("DONE\n");
    return diff != 0;
}
