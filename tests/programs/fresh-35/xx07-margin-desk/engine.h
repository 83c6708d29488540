// A trading session: resident desks, order routing and upkeep of the book.
#pragma once

#include "book.h"
#include "desk.h"
#include "gpu.h"
#include "orders.h"

#include <vector>

namespace risk {

struct SessionStats {
    int accepted = 0;
    int rejected = 0;
    long long worstLossSum = 0;
    long long exposureAtClose = 0;
};

class Engine {
public:
    explicit Engine(const std::vector<int>& limits);
    ~Engine();

    void open();

    // Routes the orders to their desks and returns the verdicts in the order of the input.
    std::vector<Verdict> submit(const std::vector<Order>& orders);

    // Ends a trading period: reports the exposure, then lets a part of it expire.
    std::vector<int> endPeriod();

    void close();
    const SessionStats& stats() const { return stats_; }

private:
    static int deskOf(const Order& order) { return order.account % kDesks; }
    void account(const Verdict& verdict);

    Channel channel_;
    Book book_;
    gpu::Stream resident_;
    gpu::Stream upkeep_{cudaStreamNonBlocking};
    SessionStats stats_;
    bool open_ = false;
};

}  // namespace risk
