#include "timeline.h"
#include "tp_group.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace {

constexpr unsigned kLayers = 8;
constexpr unsigned kTokens = 4;
constexpr unsigned long long kLayerCost = 3000000ull;

void decode_token(TpGroup& group, unsigned long long cost)
{
    for (unsigned l = 0; l < kLayers; ++l)
        group.layer(l, cost);
}

int check(const std::vector<unsigned>& got)
{
    int wrong = 0;
    for (unsigned i = 0; i < got.size(); ++i) {
        unsigned x = 0;
        for (unsigned t = 0; t < kTokens; ++t)
            for (unsigned l = 0; l < kLayers; ++l)
                x = x * 3u + i * 10u + 4u * l;
        wrong += x != got[i];
    }
    return wrong;
}

} // namespace

int main()
{
    using clock = std::chrono::steady_clock;
    TpGroup group;

    decode_token(group, 1000);
    group.activations();
    group.clear();

    float reported = 0.f;
    double wall = 0.0;
    std::vector<unsigned> out;
    {
        Timeline timeline(group.stream());
        const auto t0 = clock::now();
        timeline.span("decode", [&] {
            for (unsigned t = 0; t < kTokens; ++t)
                decode_token(group, kLayerCost);
        });
        DRV(cuCtxSynchronize());
        wall = std::chrono::duration<double, std::milli>(clock::now() - t0).count();
        reported = timeline.milliseconds("decode");
        out = group.activations();
    }
    std::printf("%.3f ms per token\n", reported / kTokens);

    const double a = std::max<double>(reported, 1e-3);
    const double ratio = std::max(wall / a, a / wall);
    const int wrong = check(out);
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
