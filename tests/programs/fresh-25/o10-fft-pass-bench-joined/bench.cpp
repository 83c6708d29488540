#include "bench.hpp"

namespace bench {

Case::~Case() {
    for (Lane& l : lanes_) cudaStreamDestroy(l.stream);
    for (cudaEvent_t e : lane_done_) cudaEventDestroy(e);
    if (forked_) cudaEventDestroy(forked_);
}

Case& Case::lane(std::function<void(cudaStream_t)> body) {
    Lane l;
    BENCH_TRY(cudaStreamCreateWithFlags(&l.stream, cudaStreamNonBlocking));
    l.body = std::move(body);
    lanes_.push_back(std::move(l));
    cudaEvent_t done;
    BENCH_TRY(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    lane_done_.push_back(done);
    if (!forked_) BENCH_TRY(cudaEventCreateWithFlags(&forked_, cudaEventDisableTiming));
    return *this;
}

void Case::fork() {
    BENCH_TRY(cudaEventRecord(forked_, lanes_.front().stream));
    for (std::size_t i = 1; i < lanes_.size(); ++i)
        BENCH_TRY(cudaStreamWaitEvent(lanes_[i].stream, forked_, 0));
}

void Case::join() {
    for (std::size_t i = 1; i < lanes_.size(); ++i) {
        BENCH_TRY(cudaEventRecord(lane_done_[i], lanes_[i].stream));
        BENCH_TRY(cudaStreamWaitEvent(lanes_.front().stream, lane_done_[i], 0));
    }
}

void Case::issue() {
    for (Lane& l : lanes_) l.body(l.stream);
}

Report Case::measure(int warmup, int repetitions) {
    const cudaStream_t lead = lanes_.front().stream;
    for (int i = 0; i < warmup; ++i) {
        fork();
        issue();
        join();
    }
    BENCH_TRY(cudaStreamSynchronize(lead));

    std::vector<cudaEvent_t> start(repetitions), stop(repetitions);
    for (int i = 0; i < repetitions; ++i) {
        BENCH_TRY(cudaEventCreate(&start[i]));
        BENCH_TRY(cudaEventCreate(&stop[i]));
    }
    for (int i = 0; i < repetitions; ++i) {
        BENCH_TRY(cudaEventRecord(start[i], lead));
        fork();
        issue();
        join();
        BENCH_TRY(cudaEventRecord(stop[i], lead));
    }
    BENCH_TRY(cudaStreamSynchronize(lead));

    Report r;
    r.name = name_;
    r.repetitions = repetitions;
    for (int i = 0; i < repetitions; ++i) {
        float ms = 0.0f;
        BENCH_TRY(cudaEventElapsedTime(&ms, start[i], stop[i]));
        r.total_ms += ms;
        BENCH_TRY(cudaEventDestroy(start[i]));
        BENCH_TRY(cudaEventDestroy(stop[i]));
    }
    return r;
}

}  // namespace bench
