#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <vector>

#include "encoder.h"
#include "meter.h"

using namespace meter;

namespace {

constexpr int kPackets = 9;

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point t0) {
    return std::chrono::duration<double, std::milli>(Clock::now() - t0).count();
}

struct Report {
    double first_packet_ms;  // from nothing to the first encoded packet
    double setup_ms;
    double steady_ms;        // all encoders together, kPackets each
};

double off_by(double a, double b) { return a > b ? a / b : b / a; }

}  // namespace

int main() {
    METER_DO(cudaSetDevice(0));
    METER_DO(cudaFree(nullptr));
    const std::vector<EncoderConfig> fleet = {{1, 3, 2.0}, {2, 2, 1.5}, {3, 4, 1.0}};
    Report report{};
    long bad = 0;
    double worst = 1.0;
    {
        std::vector<std::unique_ptr<Encoder>> encoders;

        const auto power_on = Clock::now();
        encoders.push_back(std::make_unique<Encoder>(fleet[0]));
        report.setup_ms = ms_since(power_on);
        encoders[0]->encode(1);
        METER_DO(cudaStreamSynchronize(encoders[0]->queue()));
        report.first_packet_ms = ms_since(power_on);
        bad += encoders[0]->check();
        encoders[0]->restart();

        for (size_t i = 1; i < fleet.size(); ++i) encoders.push_back(std::make_unique<Encoder>(fleet[i]));

        Meter clock;
        for (auto& e : encoders) clock.admit(*e);

        clock.start();
        for (auto& e : encoders) e->encode(kPackets);
        report.steady_ms = clock.stop();

        Extent whole{~0ull, 0};
        for (auto& e : encoders) {
            const Extent x = e->extent();
            whole.begin = std::min(whole.begin, x.begin);
            whole.end = std::max(whole.end, x.end);
            bad += e->check();
        }
        const double honest = static_cast<double>(whole.end - whole.begin) * 1e-6;
        worst = std::max(worst, off_by(report.steady_ms, honest));

        const double packet_ms = fleet[0].stages * fleet[0].stage_ms;
        worst = std::max(worst, off_by(report.first_packet_ms, report.setup_ms + packet_ms));
    }
    if (bad) {
        std::printf("WRONG %ld\n", bad);
        return 1;
    }
    if (worst > 1.5) {
        std::printf("SLOW %.2f\n", worst);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
