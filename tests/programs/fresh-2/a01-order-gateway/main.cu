#include <array>
#include <cstdio>
#include <vector>

#include "gateway.cuh"

namespace {

constexpr int kAccounts = 1 << 20;

std::vector<float> make_limits(float base, float slope) {
    std::vector<float> v(kAccounts);
    for (int i = 0; i < kAccounts; ++i) v[i] = base + slope * static_cast<float>(i % 977);
    return v;
}

struct Session {
    const char* name;
    const std::vector<float>* limits;
    int batches;
};

long run_session(gw::Gateway& g, const Session& s, uint32_t& rng) {
    long mismatches = 0;
    std::array<gw::Order, gw::kBatch> orders;
    std::array<int, gw::kBatch> verdicts;
    for (int b = 0; b < s.batches; ++b) {
        for (auto& o : orders) {
            rng = rng * 1664525u + 1013904223u;
            o.account = static_cast<int>((rng >> 8) % kAccounts);
            o.notional = static_cast<float>((rng >> 4) % 2500);
        }
        g.check(orders, verdicts);
        for (int i = 0; i < gw::kBatch; ++i) {
            const int want = orders[i].notional <= (*s.limits)[orders[i].account] ? 1 : 0;
            if (verdicts[i] != want) ++mismatches;
        }
    }
    std::printf("session %-8s %d batches\n", s.name, s.batches);
    return mismatches;
}

}  // namespace

int main() {
    const auto day = make_limits(400.f, 1.5f);
    const auto evening = make_limits(150.f, 0.75f);

    gw::LimitTable day_table(day);
    gw::LimitTable evening_table(evening);

    gw::Gateway gateway(std::move(day_table));
    gateway.start();

    uint32_t rng = 2024u;
    long bad = run_session(gateway, {"day", &day, 200}, rng);

    gateway.switch_table(std::move(evening_table));
    bad += run_session(gateway, {"evening", &evening, 200}, rng);

    gateway.stop();

    if (bad)
        std::printf("WRONG %ld\n", bad);
    else
        std::printf("DONE\n");
    return bad ? 1 : 0;
}
