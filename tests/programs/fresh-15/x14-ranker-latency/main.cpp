#include <cstdio>

#include "bench.h"

namespace {

// Mean latency as the device sees it over a longer stretch of service.
double serviceMillis(ranker::Engine& engine, int batch, int requests) {
    cudaEvent_t from, to;
    RANKER_CALL(cudaEventCreate(&from));
    RANKER_CALL(cudaEventCreate(&to));
    engine.rank(ranker::Request{batch, 1});
    RANKER_CALL(cudaEventRecord(from, engine.stream()));
    for (int r = 0; r < requests; ++r) engine.rank(ranker::Request{batch, r});
    RANKER_CALL(cudaEventRecord(to, engine.stream()));
    RANKER_CALL(cudaEventSynchronize(to));
    float ms = 0.0f;
    RANKER_CALL(cudaEventElapsedTime(&ms, from, to));
    RANKER_CALL(cudaEventDestroy(from));
    RANKER_CALL(cudaEventDestroy(to));
    return ms / requests;
}

}  // namespace

int main() {
    try {
        ranker::Engine engine;
        const ranker::BenchConfig cfg;
        ranker::LatencyBench bench(engine, cfg);
        const ranker::Figures figures = bench.run();
        const double service = serviceMillis(engine, cfg.batch, 12);
        const double ratio = figures.steadyMillis > service ? figures.steadyMillis / service
                                                            : service / figures.steadyMillis;
        if (figures.wrong)
            std::printf("WRONG %d\n", figures.wrong);
        else if (ratio > 1.5)
            std::printf("SLOW %.2f\n", ratio);
        else
            std::printf("DONE\n");
        return 0;
    } catch (const ranker::Failure& f) {
        std::fprintf(stderr, "%s\n", f.where);
        std::printf("ERROR %s\n", cudaGetErrorName(f.code));
        return 2;
    }
}
