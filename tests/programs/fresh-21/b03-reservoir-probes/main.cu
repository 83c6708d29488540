#include <cstdio>
#include "probes.h"

using namespace survey;

namespace {

struct Plan {
    Geometry geometry;
    int steps = 12;
    std::vector<std::string> probes{"content", "peak"};
};

// One row per step, one pinned cell per probe.
class Logbook {
public:
    Logbook(std::size_t rows, std::size_t width) : width_(width) {
        ok(cudaMallocHost(reinterpret_cast<void**>(&cells_), rows * width * sizeof(long long)));
    }
    ~Logbook() { cudaFreeHost(cells_); }
    Logbook(const Logbook&) = delete;
    Logbook& operator=(const Logbook&) = delete;
    long long* at(std::size_t row, std::size_t column) { return cells_ + row * width_ + column; }

private:
    std::size_t width_;
    long long* cells_ = nullptr;
};

int run(const Plan& plan) {
    Reservoir reservoir(plan.geometry);
    std::vector<std::unique_ptr<Probe>> probes;
    for (const std::string& kind : plan.probes) probes.push_back(make_probe(kind, plan.geometry));

    Logbook logbook(plan.steps + 1, probes.size());
    std::vector<int> mirror(plan.geometry.cells());
    for (int cell = 0; cell < plan.geometry.cells(); ++cell) mirror[cell] = initial_pressure(cell);

    int wrong = 0;
    for (int step = 0; step <= plan.steps; ++step) {
        if (step > 0) {
            reservoir.advance(step);
            for (int cell = 0; cell < plan.geometry.cells(); ++cell) mirror[cell] += injection(cell, step);
        }
        for (std::size_t p = 0; p < probes.size(); ++p) probes[p]->sample(reservoir, logbook.at(step, p));
        ok(cudaStreamSynchronize(reservoir.stream()));

        for (std::size_t p = 0; p < probes.size(); ++p) {
            const long long seen = *logbook.at(step, p);
            const long long expected = probes[p]->expected(mirror);
            if (seen != expected) {
                ++wrong;
                std::fprintf(stderr, "step %d %s: %lld, books say %lld\n", step, probes[p]->name(), seen, expected);
            }
        }
    }
    return wrong;
}

}  // namespace

int main() {
    try {
        const int wrong = run(Plan{});
        if (wrong) {
            std::printf("WRONG %d\n", wrong);
            return 1;
        }
    } catch (const CudaError& error) {
        std::printf("ERROR %s\n", error.what());
        return 2;
    }
    std::printf("DONE\n");
    return 0;
}
