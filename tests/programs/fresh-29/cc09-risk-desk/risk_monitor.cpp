#include "risk_monitor.h"

#include <cstdlib>

namespace desk {

Exposure exposure_of(const std::vector<Position> &positions)
{
    Exposure e;
    for (const Position &p : positions) {
        e.gross_quantity += std::llabs(p.quantity);
        e.net_notional += p.notional;
    }
    return e;
}

RiskMonitor::RiskMonitor(const PositionEngine &engine) : engine_(engine), thread_(&RiskMonitor::serve, this) {}

RiskMonitor::~RiskMonitor()
{
    {
        std::lock_guard<std::mutex> lock(m_);
        quit_ = true;
    }
    wake_.notify_one();
    thread_.join();
}

std::future<Exposure> RiskMonitor::query()
{
    Query q([this] { return snapshot(); });
    auto answer = q.get_future();
    {
        std::lock_guard<std::mutex> lock(m_);
        queries_.push_back(std::move(q));
    }
    wake_.notify_one();
    return answer;
}

Exposure RiskMonitor::snapshot() const
{
    std::vector<Position> book(kInstruments);
    ok(cudaMemcpy(book.data(), engine_.device_positions(), book.size() * sizeof(Position), cudaMemcpyDeviceToHost));
    return exposure_of(book);
}

void RiskMonitor::serve()
{
    ok(cudaSetDevice(0));
    for (;;) {
        Query q;
        {
            std::unique_lock<std::mutex> lock(m_);
            wake_.wait(lock, [this] { return quit_ || !queries_.empty(); });
            if (queries_.empty()) return;
            q = std::move(queries_.front());
            queries_.pop_front();
        }
        q();
    }
}

} // namespace desk
