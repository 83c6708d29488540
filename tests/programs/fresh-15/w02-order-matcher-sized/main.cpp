#include <cstdio>
#include <random>
#include <vector>

#include "desk.h"

namespace {

class Tape {
public:
    explicit Tape(unsigned seed) : rng_(seed) {}
    desk::Order next() {
        desk::Order o;
        o.symbol = static_cast<int>(rng_() % desk::kSymbols);
        o.signedQty = static_cast<int>(rng_() % 201) - 100;
        o.limit = 1000 + static_cast<int>(rng_() % 50);
        o.account = static_cast<int>(rng_() % 7);
        return o;
    }

private:
    std::mt19937 rng_;
};

desk::Exposure expected(const std::vector<long long>& pos) {
    desk::Exposure e{0, 0};
    for (int s = 0; s < desk::kSymbols; ++s) {
        const long long w = pos[s] * desk::haircutOf(s);
        e.net += w;
        e.gross += w < 0 ? -w : w;
    }
    return e;
}

}  // namespace

int main() {
    constexpr int kPhases = 3;
    constexpr int kOrdersPerPhase = 1500;

    desk::Book book;
    desk::RiskDesk risk(book);
    Tape tape(20240611u);
    std::vector<long long> shadow(desk::kSymbols, 0);

    book.openSession();
    int wrong = 0;
    for (int phase = 0; phase < kPhases; ++phase) {
        for (int i = 0; i < kOrdersPerPhase; ++i) {
            const desk::Order o = tape.next();
            shadow[o.symbol] += o.signedQty;
            book.submit(o);
        }
        book.awaitIdle();
        const desk::Exposure got = risk.report();
        const desk::Exposure want = expected(shadow);
        if (got.gross != want.gross || got.net != want.net) ++wrong;
    }
    book.closeSession();

    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong ? 1 : 0;
}
