#include "bench.h"

namespace bench {

using jac::ensure;

Candidate solve_with(jac::Handle& handle) {
    return [&handle](cudaStream_t stream) {
        handle.set_stream(stream);
        handle.solve();
    };
}

Runner::Runner(Plan plan) : plan_(plan) {
    ensure(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    ensure(cudaEventCreate(&begin_));
    ensure(cudaEventCreate(&end_));
}

Runner::~Runner() {
    cudaStreamSynchronize(stream_);
    cudaEventDestroy(end_);
    cudaEventDestroy(begin_);
    cudaStreamDestroy(stream_);
}

Report Runner::measure(std::string name, const Candidate& candidate) {
    for (int i = 0; i < plan_.warmup; ++i) candidate(stream_);
    ensure(cudaStreamSynchronize(stream_));

    ensure(cudaEventRecord(begin_, stream_));
    for (int i = 0; i < plan_.repeats; ++i) candidate(stream_);
    ensure(cudaEventRecord(end_, stream_));
    ensure(cudaEventSynchronize(end_));

    float ms = 0.f;
    ensure(cudaEventElapsedTime(&ms, begin_, end_));
    return {std::move(name), ms / plan_.repeats};
}

}  // namespace bench
