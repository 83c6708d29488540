#include <chrono>

#include "correlator.h"
#include "rate_meter.h"

namespace {

int mismatches(const radio::ArrayConfig& config, const std::vector<int>& got, int integrations) {
    int wrong = 0;
    for (int a = 0; a < config.antennas; ++a)
        for (int c = 0; c < config.channels; ++c) {
            const int delay = 3 + (a * 5) % 17;
            const int expected =
                integrations * delay * (c + 1) + integrations * (integrations - 1) / 2;
            wrong += got[a * config.channels + c] != expected;
        }
    return wrong;
}

// Rate seen by the observatory's operations monitor over a later stretch of the run.
double observed_ms(radio::Correlator& correlator, int integrations) {
    correlator.clear();
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < integrations; ++i) correlator.integrate(i);
    radio::Device::get().wait();
    const std::chrono::duration<double, std::milli> span = std::chrono::steady_clock::now() - begin;
    return span.count() / integrations;
}

}  // namespace

int main() {
    const radio::ArrayConfig config;
    radio::Correlator correlator(config);
    radio::RateMeter meter(radio::MeterOptions{});

    const radio::Rate rate = meter.measure([&](int i) { correlator.integrate(i); });
    std::printf("%s: %.2f ms\n", rate.title.c_str(), rate.ms_per_integration);

    const int n = meter.options().integrations;
    const double honest = observed_ms(correlator, n);
    const int wrong = mismatches(config, correlator.visibilities(), n);

    const double ratio = rate.ms_per_integration / honest;
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5 || ratio < 1 / 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
