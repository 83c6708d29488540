// Compares the encoders of a seismic recording truck and prints the time each takes for a shot.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <vector>
#include "benchkit.h"
#include "encoder.h"

namespace {

constexpr int kReps = 16;

std::vector<float> fieldRecord() {
    std::vector<float> r(shot::kTotal);
    for (int i = 0; i < shot::kTotal; ++i) r[i] = 0.015625f * static_cast<float>((i * 37 + i / 97) % 401) - 3.0f;
    return r;
}

double audit(shot::Encoder& encoder) {
    encoder.finish();
    benchkit::Suite::Stopwatch watch;
    for (int r = 0; r < kReps; ++r) {
        encoder.encode();
        encoder.finish();
    }
    return watch.ms() / kReps;
}

int compare() {
    std::vector<std::unique_ptr<shot::Encoder>> encoders;
    encoders.push_back(shot::makeEncoder(shot::Backend::host));
    encoders.push_back(shot::makeEncoder(shot::Backend::device));

    const std::vector<float> record = fieldRecord();
    benchkit::Suite suite;
    for (auto& owner : encoders) {
        shot::Encoder* e = owner.get();
        e->load(record);
        suite.add(e->name(), [e] { e->encode(); e->finish(); }, [e] { e->encode(); }, kReps);
    }
    const auto readings = suite.run();
    for (const auto& reading : readings) std::fprintf(stderr, "%-8s %9.4f ms per shot\n", reading.name.c_str(), reading.msPerRep);

    const std::vector<int> want = encoders[0]->steps(), got = encoders[1]->steps();
    int bad = 0;
    for (int i = 0; i < shot::kTotal; ++i) bad += want[i] != got[i];

    const double honest = audit(*encoders[1]), claimed = readings[1].msPerRep;
    const double ratio = std::max(honest / claimed, claimed / honest);
    if (bad) std::printf("WRONG %d\n", bad);
    else if (ratio > 1.5) std::printf("SLOW %.1f\n", ratio);
    else std::printf("DONE\n");
    return 0;
}

}  // namespace

int main() {
    try {
        return compare();
    } catch (const std::exception& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
