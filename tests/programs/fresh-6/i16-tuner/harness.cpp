#include "bench.h"

Harness::Harness(int iterations) : iterations_(iterations) {
    need(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    need(cudaEventCreate(&begin_));
    need(cudaEventCreate(&end_));
}

Harness::~Harness() {
    cudaEventDestroy(end_);
    cudaEventDestroy(begin_);
    cudaStreamDestroy(stream_);
}

Sample Harness::measure(const std::function<void(cudaStream_t)>& body) const {
    body(stream_);
    need(cudaDeviceSynchronize());

    const auto t0 = std::chrono::steady_clock::now();
    need(cudaEventRecord(begin_, stream_));
    for (int i = 0; i < iterations_; ++i) body(stream_);
    need(cudaEventRecord(end_, stream_));
    need(cudaEventSynchronize(end_));
    float ms = 0;
    need(cudaEventElapsedTime(&ms, begin_, end_));

    need(cudaDeviceSynchronize());
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - t0;
    return Sample{ms / iterations_, wall.count() / iterations_};
}
