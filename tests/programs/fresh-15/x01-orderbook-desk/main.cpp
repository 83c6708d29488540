#include <cstdio>
#include <string>
#include <vector>

#include "check.h"
#include "matcher.h"
#include "valuation.h"

namespace {

struct SessionConfig {
    int levels = 512;
    int rounds = 8;
    int ordersPerRound = 100;
    std::string model = "ladder-wide";
    int tick = 5;
};

class Session {
public:
    explicit Session(const SessionConfig& cfg)
        : cfg_(cfg), book_(cfg.levels), valuation_(desk::makeValuation(cfg.model)), shadow_(cfg.levels, 0) {}

    int run() {
        int mismatches = 0;
        book_.open();
        for (int r = 0; r < cfg_.rounds; ++r) {
            trade(r);
            if (revalue() != expected()) ++mismatches;
        }
        book_.close();
        return mismatches;
    }

private:
    void trade(int round) {
        for (int i = 0; i < cfg_.ordersPerRound; ++i) {
            const unsigned h = (round * 7919u + i * 104729u) ^ 0x5bd1e995u;
            desk::Order o{(h & 1) ? 1 : -1, static_cast<int>(h % cfg_.levels), static_cast<int>(1 + (h >> 5) % 50),
                          i % 7};
            book_.submit(o);
            shadow_[o.price % cfg_.levels] += o.side * o.qty;
        }
        book_.settle();
    }

    long long revalue() { return valuation_->mark(book_.depth(), book_.levels()); }

    long long expected() const {
        long long acc = 0;
        for (int i = 0; i < cfg_.levels; ++i) acc += static_cast<long long>(shadow_[i]) * (i + 1) * cfg_.tick;
        return acc;
    }

    SessionConfig cfg_;
    desk::Matcher book_;
    std::unique_ptr<desk::Valuation> valuation_;
    std::vector<int> shadow_;
};

}  // namespace

int main() {
    try {
        Session session{SessionConfig{}};
        const int bad = session.run();
        if (bad)
            std::printf("WRONG %d\n", bad);
        else
            std::printf("DONE\n");
        return bad != 0;
    } catch (const desk::CudaFailure& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}
