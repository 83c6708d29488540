// Radio receiver: channel filter, de-emphasis and smoothing as one recorded cascade.
#include "filter_plan.h"

namespace {

using Taps = std::vector<float>;

std::vector<float> filtered(const std::vector<float>& in, const Taps& taps)
{
    std::vector<float> out(in.size(), 0.0f);
    for (std::size_t i = 0; i < in.size(); ++i)
        for (std::size_t k = 0; k < taps.size() && k <= i; ++k) out[i] += taps[k] * in[i - k];
    return out;
}

std::vector<float> block_of_samples(std::size_t n, int block)
{
    std::vector<float> s(n);
    for (std::size_t i = 0; i < n; ++i) s[i] = static_cast<float>((i * 5 + block * 3) % 13) - 6.0f;
    return s;
}

}  // namespace

int main()
{
    constexpr std::size_t n = 1 << 14;
    const std::vector<Taps> cascade = {
        {1, 2, 3, 2, 1},
        {2, 0, -1, 0, 1, -2},
        {1, 1, 1, 1, 1, 1, 1, 1},
    };

    StagingPool staging(4, n);
    dsp::FilterPlan plan(staging, n);
    plan.begin();
    for (const Taps& taps : cascade) plan.stage(taps);
    plan.finish();

    std::size_t wrong = 0;
    for (int block = 0; block < 8; ++block) {
        std::vector<float> samples = block_of_samples(n, block);
        std::vector<float> expected = samples;
        for (const Taps& taps : cascade) expected = filtered(expected, taps);
        plan.run(samples);
        for (std::size_t i = 0; i < n; ++i) wrong += samples[i] != expected[i];
    }
    if (wrong)
        std::printf("WRONG %zu\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
