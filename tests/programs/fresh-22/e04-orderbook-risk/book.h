// Net position per symbol, fed by the replay and read by the risk desk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <utility>
#include <vector>

namespace desk {

// Whatever delivers fills to a book.
class Upstream {
public:
    virtual ~Upstream() = default;
    virtual void settle() = 0;     // returns when all that was submitted has been delivered
};

struct Snapshot {
    std::uint64_t batches = 0;
    long long gross = 0;
    std::vector<int> net;
};

class Book {
public:
    explicit Book(std::size_t symbols) : net_(symbols, 0) {}

    void attach(Upstream* upstream) { upstream_ = upstream; }

    void apply(const int* delta, std::size_t n)
    {
        std::unique_lock<std::shared_mutex> lock(gate_);
        for (std::size_t i = 0; i < n; ++i) net_[i] += delta[i];
        ++batches_;
    }

    Snapshot snapshot() const
    {
        std::shared_lock<std::shared_mutex> lock(gate_);
        if (upstream_) upstream_->settle();
        Snapshot s;
        s.batches = batches_;
        s.net = net_;
        for (int v : net_) s.gross += v < 0 ? -v : v;
        return s;
    }

    int net(std::size_t symbol) const
    {
        std::shared_lock<std::shared_mutex> lock(gate_);
        return net_[symbol];
    }

private:
    mutable std::shared_mutex gate_;
    Upstream* upstream_ = nullptr;
    std::uint64_t batches_ = 0;
    std::vector<int> net_;
};

} // namespace desk
