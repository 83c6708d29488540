#include <cstdio>
#include <memory>
#include <vector>

#include "solver.h"

using namespace plates;

namespace {

int fail(cudaError_t e) {
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    return 1;
}

long compare(const Outcome& got, const Outcome& want) {
    if (got.sweeps != want.sweeps || got.field.size() != want.field.size()) return 1;
    long bad = 0;
    for (size_t i = 0; i < want.field.size(); ++i) bad += got.field[i] != want.field[i];
    return bad;
}

}  // namespace

int main() {
    const std::vector<PlateConfig> scenario = {
        {192, 1 << 14, 1 << 8, 60, 100},
        {160, 1 << 13, 1 << 12, 25, 77},
    };
    int device = 0, sms = 0;
    cudaError_t e = cudaGetDevice(&device);
    if (e != cudaSuccess) return fail(e);
    e = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    if (e != cudaSuccess) return fail(e);

    const BlockBudget budget(sms, static_cast<int>(scenario.size()));
    std::vector<std::unique_ptr<Solver>> solvers;
    for (const PlateConfig& c : scenario) {
        solvers.push_back(std::make_unique<Solver>(c, budget));
        if (solvers.back()->status() != cudaSuccess) return fail(solvers.back()->status());
    }

    std::vector<Outcome> want;
    for (const PlateConfig& c : scenario) want.push_back(relax_on_host(c));

    long bad = 0;
    for (int season = 0; season < 3; ++season) {
        for (auto& s : solvers) {
            e = s->reset();
            if (e != cudaSuccess) return fail(e);
        }
        for (auto& s : solvers) {
            e = s->relax();
            if (e != cudaSuccess) return fail(e);
        }
        for (size_t i = 0; i < solvers.size(); ++i) {
            Outcome got;
            e = solvers[i]->fetch(&got);
            if (e != cudaSuccess) return fail(e);
            bad += compare(got, want[i]);
        }
    }
    solvers.clear();

    if (bad) {
        std::printf("WRONG %ld\n", bad);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
