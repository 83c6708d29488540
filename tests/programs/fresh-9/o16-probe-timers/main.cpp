#include "probe.h"
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>

using namespace bench;

namespace {

constexpr int kRepeats = 5;

// Mean time of one launch in the steady state.
template <class Timer>
double measure(Workload& w) {
    w.launch();
    okay(cudaStreamSynchronize(w.primary()));
    Timer timer(w.primary());
    timer.start();
    for (int i = 0; i < kRepeats; ++i) w.launch();
    timer.stop();
    return timer.ms() / kRepeats;
}

double wallTime(Workload& w) {
    okay(cudaDeviceSynchronize());
    const auto t0 = std::chrono::steady_clock::now();
    for (int i = 0; i < kRepeats; ++i) w.launch();
    okay(cudaDeviceSynchronize());
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count() / kRepeats;
}

}  // namespace

int main() {
    const std::map<std::string, std::function<double(Workload&)>> methods = {
        {"events", measure<EventTimer>},
        {"polling", measure<PollingTimer>},
    };
    double worst = 1.0;
    int wrong = 0;
    for (const auto& [name, method] : methods) {
        std::unique_ptr<Workload> w = std::make_unique<HashProbe>(1 << 16, 1 << 18);
        const double reported = method(*w);
        const double honest = wallTime(*w);
        worst = std::max({worst, reported / honest, honest / reported});
        wrong += w->verify();
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else if (worst > 1.5) std::printf("SLOW %.2f\n", worst);
    else std::printf("DONE\n");
    return 0;
}
