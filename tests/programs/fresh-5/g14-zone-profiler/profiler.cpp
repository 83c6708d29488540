#include "profiler.h"

namespace prof {

Profiler& Profiler::instance() {
    static Profiler p;
    return p;
}

cudaEvent_t Profiler::event() {
    cudaEvent_t e = nullptr;
    if (spare_.empty()) {
        check(cudaEventCreate(&e));
    } else {
        e = spare_.back();
        spare_.pop_back();
    }
    return e;
}

void Profiler::mark(cudaEvent_t e) { check(cudaEventRecord(e)); }

void Profiler::reset() {
    collect();
    stats_.clear();
}

const std::map<std::string, Stats>& Profiler::collect() {
    for (Closed& c : closed_) {
        float ms = 0.f;
        check(cudaEventSynchronize(c.end));
        check(cudaEventElapsedTime(&ms, c.begin, c.end));
        Stats& s = stats_[c.name];
        ++s.hits;
        s.total_ms += ms;
        spare_.push_back(c.begin);
        spare_.push_back(c.end);
    }
    closed_.clear();
    return stats_;
}

Profiler::Zone::Zone(std::string name) : name_(std::move(name)) {
    Profiler& p = instance();
    begin_ = p.event();
    end_ = p.event();
    p.mark(begin_);
}

Profiler::Zone::~Zone() {
    Profiler& p = instance();
    try {
        p.mark(end_);
        p.closed_.push_back({name_, begin_, end_});
    } catch (const CudaError&) {
        p.spare_.push_back(begin_);
        p.spare_.push_back(end_);
    }
}

}  // namespace prof
