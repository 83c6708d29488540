#include "replayer.h"
#include <cstdio>

namespace {

std::vector<replay::Tick> record(int day, int n)
{
    std::vector<replay::Tick> ticks(n);
    for (int i = 0; i < n; ++i) {
        ticks[i].price = 10000 + (i * 37 + day * 101) % 500;
        ticks[i].quantity = 1 + (i + day) % 9;
    }
    return ticks;
}

replay::Bar reference(const std::vector<replay::Tick>& ticks)
{
    replay::Bar bar{0, 0};
    for (const auto& t : ticks) {
        bar.turnover += static_cast<long long>(t.price) * t.quantity;
        bar.volume += t.quantity;
    }
    return bar;
}

}  // namespace

int main()
{
    replay::ReplayOptions options;
    const int days = 12;
    long wrong = 0;
    {
        replay::Replayer replayer(options);
        std::vector<replay::Bar> expected;
        for (int day = 0; day < days; ++day) {
            auto ticks = record(day, options.ticks_per_session);
            expected.push_back(reference(ticks));
            replayer.submit(ticks);
        }
        const auto bars = replayer.finish();
        for (int day = 0; day < days; ++day) {
            const auto& got = bars[day];
            if (got.session != day || got.bar.turnover != expected[day].turnover ||
                got.bar.volume != expected[day].volume)
                ++wrong;
        }
    }
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return wrong != 0;
}
