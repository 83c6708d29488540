// Quench protocol: short bursts of sweeps, a global measurement after each,
// reported as drift from the initial lattice.
#include "observables.h"
#include "service.h"

#include <vector>

namespace {

constexpr uint32_t kSeed = 20240611u;
const std::vector<uint32_t> kProtocol = {1, 2, 4, 3, 8, 5, 1, 6};

Sample host_sample(const std::vector<uint32_t>& cells) {
    static const uint32_t coupling[8] = {3, 5, 11, 17, 31, 41, 59, 67};
    Sample s;
    for (size_t i = 0; i < cells.size(); ++i) {
        s.energy += static_cast<unsigned long long>(cells[i]) * coupling[i & 7];
        s.moment += __builtin_popcount(cells[i]);
    }
    return s;
}

void host_sweep(std::vector<uint32_t>& cells) {
    std::vector<uint32_t> next(cells.size());
    for (int w = 0; w < kWorkers; ++w) {
        const uint32_t* in = cells.data() + size_t(w) * kCellsPerWorker;
        for (int i = 0; i < kCellsPerWorker; ++i)
            next[size_t(w) * kCellsPerWorker + i] =
                next_cell(in[i], in[(i + kCellsPerWorker - 1) % kCellsPerWorker], in[(i + 1) % kCellsPerWorker]);
    }
    cells.swap(next);
}

}  // namespace

int main() {
    Sample baseline;
    std::vector<Sample> history;
    {
        LatticeService service(kSeed);
        Observables observables;

        baseline = observables.measure(service.cells(), LatticeService::size());
        service.open();
        for (uint32_t sweeps : kProtocol) {
            service.order(sweeps);
            service.drain();
            history.push_back(observables.measure(service.cells(), LatticeService::size()));
        }
        service.close();
    }

    std::vector<uint32_t> cells(LatticeService::size());
    for (size_t i = 0; i < cells.size(); ++i) cells[i] = initial_cell(kSeed, uint32_t(i));
    long wrong = 0;
    const Sample start = host_sample(cells);
    if (start.energy != baseline.energy || start.moment != baseline.moment) ++wrong;
    for (size_t burst = 0; burst < kProtocol.size(); ++burst) {
        for (uint32_t s = 0; s < kProtocol[burst]; ++s) host_sweep(cells);
        const Sample want = host_sample(cells);
        const Sample& got = history[burst];
        if (want.energy - start.energy != got.energy - baseline.energy) ++wrong;
        if (want.moment - start.moment != got.moment - baseline.moment) ++wrong;
    }
    if (wrong) std::printf("WRONG %ld\n", wrong);
    else std::printf("DONE\n");
    return wrong != 0;
}
