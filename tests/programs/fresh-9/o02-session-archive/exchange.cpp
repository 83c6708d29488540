#include "exchange.h"

Exchange::Exchange(int days, int depth) {
    for (int d = 0; d < days; ++d) calendar_.push_back(std::make_unique<Book>(depth));
    check(cudaDeviceSynchronize());
    engine_.start();
}

void Exchange::nextDay() {
    auto next = std::move(calendar_.front());
    calendar_.pop_front();
    engine_.attach(next->levels.data(), next->depth);
    if (open_) archive_.push_back(std::move(open_));
    open_ = std::move(next);
}

void Exchange::trade(const Participant& p, int day, int orders) {
    for (int k = 0; k < orders; ++k) engine_.add(p.price(day, k), p.quantity(day, k));
}
