#include "waterfall.h"
#include <cstdio>

int main()
{
    const radio::WaterfallConfig config;
    auto waterfall = radio::Waterfall::create(config);
    const int bins = waterfall->bins();
    std::vector<std::vector<std::uint32_t>> expected(config.dwells, std::vector<std::uint32_t>(bins, 0));

    for (int d = 0; d < config.dwells; ++d) {
        std::vector<std::uint16_t> dwell(config.samples_per_dwell);
        for (int i = 0; i < config.samples_per_dwell; ++i) {
            dwell[i] = static_cast<std::uint16_t>((i * (2 * d + 1) + (i >> 5) * d) & 0xffff);
            ++expected[d][dwell[i] % bins];
        }
        waterfall->ingest(dwell);
    }
    waterfall->flush();

    long wrong = 0;
    for (int d = 0; d < config.dwells; ++d)
        for (int b = 0; b < bins; ++b)
            if (waterfall->row(d)[b] != expected[d][b]) ++wrong;

    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return wrong != 0;
}
