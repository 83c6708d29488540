#include <algorithm>
#include <chrono>
#include <cstdio>
#include <future>
#include <vector>

#include "dispatcher.h"
#include "transform_engine.h"

namespace {

constexpr int kLanes = 3;
constexpr int kJobs = 24;

struct Report {
    double milliseconds = 0;
    double jobsPerSecond = 0;
};

class ThroughputMeter {
public:
    ThroughputMeter(meter::Dispatcher& d, meter::TransformEngine& e) : dispatcher_(d), engine_(e) {}

    void warmUp() {
        runAll();
        engine_.settle();
    }

    Report measure() {
        const auto begin = std::chrono::steady_clock::now();
        runAll();
        const auto end = std::chrono::steady_clock::now();
        Report r;
        r.milliseconds = std::chrono::duration<double, std::milli>(end - begin).count();
        r.jobsPerSecond = kJobs / r.milliseconds * 1000.0;
        return r;
    }

private:
    void runAll() {
        std::vector<std::future<void>> results;
        for (int job = 0; job < kJobs; ++job)
            results.push_back(dispatcher_.submit([this, job](int lane) { engine_.transform(lane, job); }));
        for (auto& r : results) r.get();
    }

    meter::Dispatcher& dispatcher_;
    meter::TransformEngine& engine_;
};

double journalMilliseconds(const std::vector<meter::Span>& spans) {
    unsigned long long first = spans.front().begin, last = spans.front().end;
    for (const auto& s : spans) {
        first = std::min(first, s.begin);
        last = std::max(last, s.end);
    }
    return (last - first) / 1e6;
}

}  // namespace

int main() {
    try {
        meter::TransformEngine engine(kLanes, kJobs);
        meter::Dispatcher dispatcher(kLanes);
        ThroughputMeter meter(dispatcher, engine);

        meter.warmUp();
        const Report report = meter.measure();
        std::printf("%.0f jobs/s, %.2f ms\n", report.jobsPerSecond, report.milliseconds);

        const double journal = journalMilliseconds(engine.journal());
        const double ratio = journal / report.milliseconds;
        if (ratio > 1.5) std::printf("SLOW %.1f\n", ratio);
        else std::printf("DONE\n");
        return 0;
    } catch (const meter::EngineError& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}
