// Propagates one shot through a layered medium and compares with the host solution.
#include "solver.h"

#include <cstdio>

using namespace acoustic;

static long countDifferences(const Field& a, const Field& b) {
    long differences = 0;
    for (std::size_t i = 0; i < a.cells.size(); ++i) {
        if (a.cells[i] != b.cells[i]) ++differences;
    }
    return differences;
}

static int runSurvey() {
    SurveyConfig config;
    Survey survey(config);

    Solver solver(config);
    solver.load(survey);
    const RunSummary summary = solver.run();
    const Field pressure = solver.gather();
    std::printf("steps %d, halo copies %d, enqueue %.2f ms, total %.1f ms\n", summary.steps, summary.haloCopies,
                summary.enqueueMillis, summary.totalMillis);

    const Field expected = referenceSolution(config, survey);
    const long differences = countDifferences(pressure, expected);
    if (differences != 0) {
        std::printf("WRONG %ld\n", differences);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}

int main() {
    try {
        return runSurvey();
    } catch (const GpuError& e) {
        std::fprintf(stderr, "%s\n", e.what());
        std::printf("ERROR %s\n", e.name());
        return 2;
    }
}
