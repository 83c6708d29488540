#include "desk.cuh"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <queue>
#include <unordered_map>
#include <vector>

namespace {

using namespace mc;

struct Run {
    std::vector<std::string> desks{"rates", "equity", "energy", "credit"};
    int contracts = 16;
    int paths = 1 << 16;
};

using Desks = std::unordered_map<std::string, std::unique_ptr<Desk>>;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point t) { return std::chrono::duration<double, std::milli>(Clock::now() - t).count(); }

unsigned long long payoff(const unsigned* buckets)
{
    return std::accumulate(buckets, buckets + kBuckets, 0ull);
}

struct Booking {
    Contract contract;
    int slot;
};

std::vector<Booking> drain(std::priority_queue<Contract> book, Desks& desks, int paths)
{
    std::vector<Booking> bookings;
    while (!book.empty()) {
        const Contract contract = book.top();
        book.pop();
        bookings.push_back({contract, desks.at(contract.desk)->price(contract, paths)});
    }
    for (auto& [name, desk] : desks) desk->settle();
    return bookings;
}

int value(const Run& run)
{
    Desks desks;
    for (const auto& name : run.desks) desks.emplace(name, std::make_unique<Desk>(run.contracts));

    std::priority_queue<Contract> book, solo;
    for (int c = 0; c < run.contracts; ++c) {
        const Contract contract{run.desks[c % run.desks.size()], 20 + c, 1000 - 10 * c};
        book.push(contract);
        if (contract.desk == run.desks.front()) solo.push(contract);
    }

    drain(book, desks, run.paths);

    auto begin = Clock::now();
    drain(solo, desks, run.paths);
    const double one_desk = ms_since(begin);

    begin = Clock::now();
    const auto bookings = drain(book, desks, run.paths);
    const double all_desks = ms_since(begin);

    const auto wrong = std::count_if(bookings.begin(), bookings.end(), [&](const Booking& b) {
        return payoff(desks.at(b.contract.desk)->result(b.slot)) != static_cast<unsigned long long>(run.paths) * b.contract.strike;
    });
    std::printf("one desk %.1f ms, all desks %.1f ms\n", one_desk, all_desks);
    if (wrong) return std::printf("WRONG %d\n", static_cast<int>(wrong)), 1;

    const double ratio = all_desks / one_desk;
    if (ratio > 1.5) return std::printf("SLOW %.2f\n", ratio), 1;
    return std::printf("DONE\n"), 0;
}

}  // namespace

int main()
{
    try {
        return value(Run{});
    } catch (const CudaException& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
