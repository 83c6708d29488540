#include "engine.h"
#include <algorithm>
#include <cstdio>

namespace {

struct Report {
    long long worst = 0;
    long mismatches = 0;
};

Report audit(const risk::EngineConfig& config, const std::vector<long long>& losses) {
    Report report;
    for (int b = 0; b < config.batches; ++b) {
        for (int i = 0; i < config.scenarios; ++i) {
            long long got = losses[static_cast<std::size_t>(b) * config.scenarios + i];
            long long want = 3ll * risk::HistoricalSource::shock(b, i) + 11;
            if (got != want) ++report.mismatches;
            report.worst = std::max(report.worst, got);
        }
    }
    return report;
}

}  // namespace

int main() {
    try {
        risk::EngineConfig config;
        auto source = risk::makeSource(config.source);
        risk::PricingEngine engine(config);
        Report report = audit(config, engine.run(*source));
        std::fprintf(stderr, "worst loss %lld\n", report.worst);
        if (report.mismatches) {
            std::printf("WRONG %ld\n", report.mismatches);
            return 1;
        }
        std::printf("DONE\n");
        return 0;
    } catch (const std::exception& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}
