#include "bench.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace bench {

void require(cudaError_t rc) {
    if (rc == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    std::fflush(stdout);
    std::_Exit(1);
}

Runner::Runner(int shots, int warmup) : shots_(shots), warmup_(warmup) {
    require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    require(cudaEventCreate(&begin_));
    require(cudaEventCreate(&end_));
}

Runner::~Runner() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
    cudaStreamDestroy(stream_);
}

Result Runner::measure(Case& subject) {
    for (int i = 0; i < warmup_; ++i) subject.enqueue(stream_);
    require(cudaDeviceSynchronize());

    std::vector<double> samples;
    for (int i = 0; i < shots_; ++i) {
        float ms = 0.0f;
        require(cudaEventRecord(begin_, stream_));
        subject.enqueue(stream_);
        require(cudaEventRecord(end_, stream_));
        require(cudaEventSynchronize(end_));
        require(cudaEventElapsedTime(&ms, begin_, end_));
        samples.push_back(ms);
        require(cudaDeviceSynchronize());
    }
    std::nth_element(samples.begin(), samples.begin() + samples.size() / 2, samples.end());
    return Result{subject.name(), samples[samples.size() / 2]};
}

}  // namespace bench
