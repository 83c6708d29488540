#pragma once
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>

#include "position_engine.h"

namespace desk {

struct Exposure {
    long long gross_quantity = 0;
    long long net_notional = 0;
    bool operator==(const Exposure &o) const { return gross_quantity == o.gross_quantity && net_notional == o.net_notional; }
};

Exposure exposure_of(const std::vector<Position> &positions);

// Answers exposure queries of the desk from a thread of its own.
class RiskMonitor {
public:
    explicit RiskMonitor(const PositionEngine &engine);
    ~RiskMonitor();
    std::future<Exposure> query();

private:
    using Query = std::packaged_task<Exposure()>;
    Exposure snapshot() const;
    void serve();

    const PositionEngine &engine_;
    std::mutex m_;
    std::condition_variable wake_;
    std::deque<Query> queries_;
    bool quit_ = false;
    std::thread thread_;
};

} // namespace desk
