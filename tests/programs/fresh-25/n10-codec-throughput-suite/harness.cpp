#include "suite.h"

namespace suite {

Harness::Harness(const BenchConfig& config) : config_(config) {
    verifyCall(cudaEventCreate(&begin_));
    verifyCall(cudaEventCreate(&end_));
}

Harness::~Harness() {
    cudaEventDestroy(end_);
    cudaEventDestroy(begin_);
}

Throughput Harness::measure(Workload& workload) {
    for (int g = 0; g < config_.warmupGops; ++g) workload.enqueueGop(g);
    verifyCall(cudaDeviceSynchronize());

    cudaStream_t primary = workload.streams().front();
    verifyCall(cudaEventRecord(begin_, primary));
    for (int g = 0; g < config_.measuredGops; ++g) workload.enqueueGop(g);
    verifyCall(cudaEventRecord(end_, primary));
    verifyCall(cudaDeviceSynchronize());

    float ms = 0;
    verifyCall(cudaEventElapsedTime(&ms, begin_, end_));
    Throughput result;
    result.frames = config_.measuredGops * workload.framesPerGop();
    result.milliseconds = ms;
    return result;
}

}  // namespace suite
