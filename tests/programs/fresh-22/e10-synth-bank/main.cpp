#include "voices.h"

#include <chrono>

using namespace synth;

static int verify(const Bank& bank, const Patch& patch, int period, const std::vector<float>& mixed)
{
    int wrong = 0;
    for (std::size_t i = 0; i < mixed.size(); ++i) {
        float sum = 0.0f;
        for (int v = 0; v < patch.voices; ++v)
            sum += static_cast<float>((static_cast<int>(i) + period * 31) % bank.pitch(v));
        if (mixed[i] != sum) ++wrong;
    }
    return wrong;
}

int main()
{
    using Clock = std::chrono::steady_clock;

    Patch patch;
    Bank bank(patch);
    std::vector<float> mixed;
    int wrong = 0;

    bank.period(0);
    bank.mix(mixed);

    constexpr int kPeriods = 4;
    double spent = 0.0;
    for (int p = 1; p <= kPeriods; ++p) {
        Clock::time_point begin = Clock::now();
        bank.period(p);
        double ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
        spent += ms;
        bank.mix(mixed);
        wrong += verify(bank, patch, p, mixed);
        std::printf("period %d: %.1f ms\n", p, ms);
    }

    const double modelled = kPeriods * static_cast<double>(patch.renderTime) * 1e-6;
    const double ratio = spent / modelled;
    if (wrong) std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
    else std::printf("DONE\n");
    return 0;
}
