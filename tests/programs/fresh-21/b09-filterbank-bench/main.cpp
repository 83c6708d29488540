#include "bench.h"

int main() {
    bank::LaneSet lanes(4);
    double worst = 1.0;
    int wrong = 0;

    for (const bank::Entry& entry : bank::registry()) {
        const std::unique_ptr<bank::Case> subject = entry.make();
        const bank::Figures figures = bank::measure(*subject, lanes, 9);
        const double ratio = std::max(figures.elapsed_ms / figures.reported_ms,
                                      figures.reported_ms / figures.elapsed_ms);
        wrong += subject->mismatches();
        worst = std::max(worst, ratio);
        std::printf("%-12s %8.3f ms per block\n", entry.name.c_str(), figures.reported_ms);
    }

    if (wrong) {
        std::printf("WRONG %d\n", wrong);
        return 1;
    }
    if (worst > 1.5) {
        std::printf("SLOW %.2f\n", worst);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
