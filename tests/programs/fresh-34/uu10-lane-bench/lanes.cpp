#include "bench/lanes.h"

namespace bench {

LaneGroup::LaneGroup(int lanes) : start_(new_event(false)) {
    for (int i = 0; i < lanes; ++i) {
        lanes_.push_back(new_stream());
        ends_.push_back(new_event(false));
    }
}

void LaneGroup::fork() {
    BENCH_TRY(cudaEventRecord(start_.get(), head()));
    for (int i = 1; i < size(); ++i) BENCH_TRY(cudaStreamWaitEvent(lane(i), start_.get(), 0));
}

void LaneGroup::join() {
    for (int i = 1; i < size(); ++i) {
        BENCH_TRY(cudaEventRecord(ends_[i].get(), lane(i)));
        BENCH_TRY(cudaStreamWaitEvent(head(), ends_[i].get(), 0));
    }
}

void LaneGroup::settle() const {
    for (const auto& s : lanes_) BENCH_TRY(cudaStreamSynchronize(s.get()));
}

LaneTimer::LaneTimer(LaneGroup& group) : group_(group), first_(new_event(true)), last_(new_event(true)) {}

void LaneTimer::begin() {
    BENCH_TRY(cudaEventRecord(first_.get(), group_.head()));
    group_.fork();
}

double LaneTimer::end() {
    BENCH_TRY(cudaEventRecord(last_.get(), group_.head()));
    group_.join();
    BENCH_TRY(cudaEventSynchronize(last_.get()));
    float ms = 0.0f;
    BENCH_TRY(cudaEventElapsedTime(&ms, first_.get(), last_.get()));
    return ms;
}

}  // namespace bench
