#include "stopwatch.h"

#include "tuneplan.h"

namespace tuneplan {

Stopwatch::Stopwatch(cudaStream_t stream) : stream_(stream) {
    ensure(cudaEventCreate(&begin_));
    ensure(cudaEventCreate(&end_));
}

Stopwatch::~Stopwatch() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
}

void Stopwatch::start() { ensure(cudaEventRecord(begin_, stream_)); }

void Stopwatch::stop() { ensure(cudaEventRecord(end_, stream_)); }

float Stopwatch::elapsed() const {
    float ms = 0.0f;
    ensure(cudaEventSynchronize(end_));
    ensure(cudaEventElapsedTime(&ms, begin_, end_));
    return ms;
}

}  // namespace tuneplan
