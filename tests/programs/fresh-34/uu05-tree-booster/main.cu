// Boosted stumps on quantised features; one histogram per feature, spread over worker streams.
#include <chrono>

#include "gbt/trainer.h"

namespace {

struct Options {
    int rows = 20000;
    int features = 12;
    int rounds = 10;
    int streams = 4;
    long long histogram_ns = 8'000'000;
};

struct Report {
    double total_ms = 0.0;
    double ideal_ms = 0.0;
    int different = 0;
    double ratio() const { return total_ms / ideal_ms; }
};

Report run(const Options& o) {
    const gbt::Dataset data = gbt::make_dataset(o.rows, o.features);
    gbt::Trainer trainer(data, o.streams, o.histogram_ns);
    trainer.train(2);

    Report r;
    const int waves = (o.features + o.streams - 1) / o.streams;
    r.ideal_ms = trainer.histogram_ms() * waves * o.rounds;

    const auto begin = std::chrono::steady_clock::now();
    const std::vector<gbt::Stump> model = trainer.train(o.rounds);
    r.total_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();

    const std::vector<gbt::Stump> want = gbt::train_on_host(data, o.rounds);
    for (int i = 0; i < o.rounds; ++i) r.different += !(model[i] == want[i]);
    return r;
}

}  // namespace

int main() {
    const Report r = run(Options{});
    std::printf("total %.1f ms ideal %.1f ms\n", r.total_ms, r.ideal_ms);
    if (r.different) {
        std::printf("WRONG %d\n", r.different);
        return 1;
    }
    if (r.ratio() > 1.5) {
        std::printf("SLOW %.2f\n", r.ratio());
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
