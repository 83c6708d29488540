#include <algorithm>
#include <cstdio>
#include <memory>
#include <queue>
#include <random>
#include <vector>
#include "risk_book.h"
using namespace desk;
namespace {
constexpr int kPositions = 2048;

std::vector<Quote> marketOf(unsigned seed) {
    std::mt19937 rng(seed);
    std::vector<Quote> q(kPositions);
    for (Quote& x : q) {
        x.strike = rng();
        x.notional = (int)(rng() % 2001) - 1000;
    }
    return q;
}

std::vector<long long> reference(std::vector<Quote> q) {
    std::stable_sort(q.begin(), q.end(),
                     [](const Quote& a, const Quote& b) { return a.strike < b.strike; });
    std::vector<long long> out(kRungs, 0);
    const int per = kPositions / kRungs;
    for (int i = 0; i < per * kRungs; ++i)
        out[i / per] += (long long)(q[i].strike & 0xffff) * q[i].notional;
    return out;
}

struct LessUrgent {
    bool operator()(const RiskBook* a, const RiskBook* b) const {
        return a->urgency() < b->urgency();
    }
};

class Desk {
public:
    Desk() : scratch_(2, 4u << 20) {
        const char* names[] = {"SX5E", "NKY", "SPX", "DAX"};
        int urgency = 1;
        for (const char* n : names)
            books_.push_back(std::make_unique<RiskBook>(n, urgency++, scratch_, kPositions));
    }

    long session(unsigned day) {
        unsigned seed = day * 100;
        std::vector<std::vector<Quote>> markets;
        for (auto& b : books_) {
            markets.push_back(marketOf(++seed));
            b->load(markets.back());
        }

        std::priority_queue<RiskBook*, std::vector<RiskBook*>, LessUrgent> due;
        for (auto& b : books_) due.push(b.get());
        for (; !due.empty(); due.pop()) due.top()->reprice();

        long wrong = 0;
        for (size_t i = 0; i < books_.size(); ++i) {
            const auto got = books_[i]->ladder();
            const auto want = reference(markets[i]);
            for (int r = 0; r < kRungs; ++r) wrong += got[r] != want[r];
        }
        return wrong;
    }
private:
    ScratchPool scratch_;
    std::vector<std::unique_ptr<RiskBook>> books_;
};
}  // namespace

int main() {
    Desk desk;
    long wrong = 0;
    for (unsigned day = 1; day <= 3; ++day) wrong += desk.session(day);
    if (wrong) std::printf("WRONG %ld\n", wrong);
    else std::printf("DONE\n");
    return 0;
}
