#pragma once
#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>
#include "lanes.h"

namespace bank {

class Case {
public:
    virtual ~Case() = default;
    virtual void iterate(LaneSet& lanes) = 0;
    virtual int mismatches() = 0;
};

struct Entry {
    std::string name;
    std::function<std::unique_ptr<Case>()> make;
};

inline std::vector<Entry>& registry() {
    static std::vector<Entry> entries;
    return entries;
}

struct Registrar {
    Registrar(const char* name, std::function<std::unique_ptr<Case>()> make) {
        registry().push_back({name, std::move(make)});
    }
};
#define BANK_CASE(type) static ::bank::Registrar registrar_##type(#type, [] { return std::make_unique<type>(); })

class Span {
public:
    Span() {
        MUST(cudaEventCreate(&first_));
        MUST(cudaEventCreate(&last_));
    }
    ~Span() {
        cudaEventDestroy(first_);
        cudaEventDestroy(last_);
    }
    void open(cudaStream_t stream) { MUST(cudaEventRecord(first_, stream)); }
    float close(cudaStream_t stream) {
        MUST(cudaEventRecord(last_, stream));
        MUST(cudaEventSynchronize(last_));
        float elapsed = 0.f;
        MUST(cudaEventElapsedTime(&elapsed, first_, last_));
        return elapsed;
    }

private:
    cudaEvent_t first_ = nullptr;
    cudaEvent_t last_ = nullptr;
};

struct Figures {
    double reported_ms = 0;  // per iteration, as published
    double elapsed_ms = 0;   // per iteration, by the wall clock
};

inline double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

inline Figures measure(Case& subject, LaneSet& lanes, int repetitions) {
    using Clock = std::chrono::steady_clock;
    for (int i = 0; i < 2; ++i) {
        lanes.fan_out();
        subject.iterate(lanes);
        lanes.drain();
    }

    Span span;
    std::vector<double> reported;
    std::vector<double> elapsed;
    for (int i = 0; i < repetitions; ++i) {
        const auto begin = Clock::now();
        span.open(lanes.lead());
        lanes.fan_out();
        subject.iterate(lanes);
        lanes.fan_in();
        reported.push_back(span.close(lanes.lead()));
        lanes.drain();
        elapsed.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    }
    return {median(reported), median(elapsed)};
}

}  // namespace bank
