#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "engine.h"

using namespace venue;

namespace {

constexpr uint32_t kBatches = 600;

struct Lcg {
    uint64_t s;
    uint32_t next() {
        s = s * 6364136223846793005ull + 1442695040888963407ull;
        return static_cast<uint32_t>(s >> 33);
    }
};

std::vector<Order> make_batch(Lcg& rng) {
    std::vector<Order> v(1 + rng.next() % kBatch);
    for (auto& o : v) {
        o.symbol = rng.next() % kSymbols;
        o.qty = static_cast<int32_t>(rng.next() % 2001) - 1000;
        o.price = 100 + rng.next() % 9000;
        o.account = rng.next();
    }
    return v;
}

void replay(Book& b, const std::vector<Order>& v) {
    for (const auto& o : v) {
        b.exposure[o.symbol] += static_cast<long long>(o.qty) * static_cast<long long>(o.price);
        b.volume += static_cast<unsigned long long>(o.qty < 0 ? -o.qty : o.qty);
        b.trades += 1;
    }
}

struct DayLog {
    std::atomic<bool> market_open{true};
    std::atomic<long> wrong{0};
    std::atomic<long> looks{0};
    std::string failure;
};

void risk_main(RiskDesk& desk, DayLog& log) {
    try {
        unsigned long long last_trades = 0, last_stamp = 0;
        do {
            const RiskReport r = desk.look();
            if (r.trades < last_trades || r.stamp != last_stamp + 1) ++log.wrong;
            last_trades = r.trades;
            last_stamp = r.stamp;
            ++log.looks;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        } while (log.market_open.load());
    } catch (const std::exception& e) {
        log.failure = e.what();
    }
}

void gateway_main(Session& session, Book& shadow, DayLog& log) {
    Lcg rng{20240607};
    for (uint32_t k = 0; k < kBatches; ++k) {
        const auto batch = make_batch(rng);
        if (!session.submit(batch)) ++log.wrong;
        replay(shadow, batch);
        if (k % 100 == 99) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

long audit(const Book& got, const Book& want) {
    long bad = 0;
    for (uint32_t s = 0; s < kSymbols; ++s) bad += got.exposure[s] != want.exposure[s];
    bad += got.volume != want.volume;
    bad += got.trades != want.trades;
    return bad;
}

}  // namespace

int main() {
    try {
        Floor floor;
        RiskDesk desk(floor.book());
        Stream lane;
        Book shadow{};
        DayLog log;
        {
            Session session(floor, std::move(lane));
            std::thread risk([&] { risk_main(desk, log); });
            std::thread gateway([&] { gateway_main(session, shadow, log); });
            gateway.join();
            log.market_open = false;
            risk.join();
        }
        if (!log.failure.empty()) {
            std::printf("ERROR %s\n", log.failure.c_str());
            return 1;
        }
        const RiskReport closing = desk.look();
        long bad = log.wrong + audit(floor.read_book(), shadow);
        bad += closing.trades != shadow.trades;
        bad += log.looks == 0;
        if (bad) {
            std::printf("WRONG %ld\n", bad);
            return 1;
        }
        std::printf("DONE\n");
        return 0;
    } catch (const std::exception& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
