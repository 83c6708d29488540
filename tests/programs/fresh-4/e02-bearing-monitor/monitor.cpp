#include "monitor.h"

namespace rig {

float Monitor::response_at(int channel, int bin)
{
    return static_cast<float>(1 + ((channel + bin / 16) & 1));
}

Monitor::Monitor(const MonitorConfig& config)
    : config_(config),
      response_(static_cast<std::size_t>(config.channels) * config.bins)
{
    std::vector<float> table(response_.size());
    for (int c = 0; c < config_.channels; ++c)
        for (int b = 0; b < config_.bins; ++b)
            table[static_cast<std::size_t>(c) * config_.bins + b] = response_at(c, b);
    response_.upload(table);
    engine_.start(response_.data(), config_.bins);
}

std::vector<float> Monitor::sample_block(int channel, int round) const
{
    std::vector<float> block(kBlockSamples);
    for (int k = 0; k < kBlockSamples; ++k)
        block[k] = static_cast<float>((k * 3 + channel + round * 5) % 8);
    return block;
}

void Monitor::poll_all()
{
    for (int round = 0; round < config_.rounds; ++round)
        for (int c = 0; c < config_.channels; ++c)
            log_.push_back({c, round, engine_.analyse(c, sample_block(c, round))});
}

long Monitor::audit() const
{
    long wrong = 0;
    const int stride = config_.bins / kBlockSamples;
    for (const Reading& r : log_) {
        const auto block = sample_block(r.channel, r.round);
        double expect = 0;
        for (int k = 0; k < kBlockSamples; ++k) {
            const double v = block[k] * response_at(r.channel, k * stride);
            expect += v * v;
        }
        if (expect != static_cast<double>(r.energy)) ++wrong;
    }
    return wrong;
}

}  // namespace rig
