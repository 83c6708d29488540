#include "engine.h"
#include <memory>
#include <random>

namespace {

struct Session {
    explicit Session(const exch::EngineConfig& cfg)
        : engine(std::make_unique<exch::Engine>(cfg)), expected(cfg.symbols, 0) {}

    int play(int orders, unsigned seed) {
        std::mt19937 rng(seed);
        std::uniform_int_distribution<int> sym(0, static_cast<int>(expected.size()) - 1);
        std::uniform_int_distribution<int> qty(-50, 50);
        int bad = 0;
        for (int i = 0; i < orders; ++i) {
            const int s = sym(rng);
            const int q = qty(rng);
            expected[s] += q;
            if (engine->trade(s, q) != expected[s]) ++bad;
        }
        return bad;
    }

    std::unique_ptr<exch::Engine> engine;
    std::vector<int> expected;
};

}  // namespace

int main() {
    exch::EngineConfig cfg;
    int bad = 0;
    for (unsigned day = 1; day <= 2; ++day) {
        Session session(cfg);
        bad += session.play(cfg.orders, day);
    }
    if (bad)
        std::printf("WRONG %d\n", bad);
    else
        std::printf("DONE\n");
    return 0;
}
