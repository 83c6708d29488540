#pragma once
#include <vector>

#include "executor.h"

namespace solver {

// Device times by event pairs, collected and resolved together.
class Stopwatch {
public:
    explicit Stopwatch(cudaStream_t stream) : stream_(stream) {}
    ~Stopwatch() {
        for (Span& s : spans_) {
            cudaEventDestroy(s.begin);
            cudaEventDestroy(s.end);
        }
    }

    class Scope {
    public:
        explicit Scope(Stopwatch& w) : watch_(w), span_(w.open()) {}
        ~Scope() { SOLVER_OK(cudaEventRecord(span_.end, watch_.stream_)); }
        
    private:
        friend class Stopwatch;
        Stopwatch& watch_;
        struct Ends {
            cudaEvent_t end;
        } span_;
    };

    // Mean of the spans in milliseconds.
    double mean_ms() {
        double sum = 0;
        for (Span& s : spans_) {
            float ms = 0;
            SOLVER_OK(cudaEventSynchronize(s.end));
            SOLVER_OK(cudaEventElapsedTime(&ms, s.begin, s.end));
            sum += ms;
        }
        return spans_.empty() ? 0.0 : sum / double(spans_.size());
    }
private:
    struct Span {
        cudaEvent_t begin = nullptr;
        cudaEvent_t end = nullptr;
    };
    Scope::Ends open() {
        Span s;
        SOLVER_OK(cudaEventCreate(&s.begin));
        SOLVER_OK(cudaEventCreate(&s.end));
        SOLVER_OK(cudaEventRecord(s.begin, stream_));
        spans_.push_back(s);
        return Scope::Ends{s.end};
    }

    cudaStream_t stream_;
    std::vector<Span> spans_;
};
}  // namespace solver
